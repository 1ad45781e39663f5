"""The program as a user runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(*arguments: str, status: int = 0, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the program and check its exit status."""
    command = [sys.executable, "-m", "groundspeed", *arguments]
    environment = {**os.environ, "COLUMNS": "", "NO_COLOR": "1", **env}
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, check=False, encoding="utf-8")
    assert done.returncode == status, done.stderr or done.stdout
    return done
