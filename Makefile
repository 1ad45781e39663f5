# Everything is set up in .venv, from nothing but Python 3.11 or newer:
#   make audit    the main job: audit the embedded record
#   make test     checks and tests
#   make services PostgreSQL and Java as the tests want them, on Debian (the tests do it by themselves)
.PHONY: audit test check lint types pytest services record benchmark clean

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
# Where the published tables are, for `make record`.
DATA ?= ../shared/data/mlperf
RECORD := src/groundspeed/record/data/record.parquet

audit: $(VENV)/.installed
	@$(BIN)/groundspeed audit

test: check pytest

check: lint types

lint: $(VENV)/.dev
	$(BIN)/ruff check src tests benchmarks

types: $(VENV)/.dev
	$(BIN)/mypy

pytest: $(VENV)/.dev
	$(BIN)/python -m pytest

services:
	$(PYTHON) tests/services.py

record: $(VENV)/.installed
	$(BIN)/groundspeed record build $(DATA)/history_v2.0-v4.1.jsonl.gz $(DATA)/v5.1_summary_results.json \
	  $(DATA)/v6.0_summary_results.json $(DATA)/v6.1_summary.csv --output $(RECORD)

benchmark: $(VENV)/.dev
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/scale.py --repeats 1

# A virtual environment serves where the system's Python is externally managed. Where Python comes without ensurepip (Debian without
# python3-venv), the system's pip installs into an environment made without one.
$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "groundspeed needs Python 3.11 or newer; none was found. Set PYTHON=/path/to/python3."; exit 1; }
	@echo "setting up $(VENV) with $(PYTHON) (once; this downloads the dependencies)"
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m venv --clear --without-pip $(VENV)

PIP = if $(BIN)/python -m pip --version >/dev/null 2>&1; then $(BIN)/python -m pip install -q --disable-pip-version-check $(1); \
  else $(PYTHON) -m pip --python $(BIN)/python install -q --disable-pip-version-check $(1); fi

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@$(call PIP,-e .)
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@$(call PIP,-e '.[dev]')
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
