"""`python -m groundspeed`."""

from groundspeed.cli import main

main()
