"""Sources: one module or package a format. Each turns bytes into results and does nothing else."""
