# Everything here needs Python 3.11+ and make, nothing else: the environment is made in .venv on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
CONFIG ?= config.example.toml
WORKERS ?= auto

.DEFAULT_GOAL := help
.PHONY: help setup run demo test quick lint format types contracts pytest bench bench-full faults soak fuzz clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(STAMP)  ## make .venv (an editable install; quick when nothing changed)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gamekeeper needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "this Python has no ensurepip (Debian: apt install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

run: setup  ## start the daemon on the example configuration (CONFIG=… for yours)
	$(BIN)/gamekeeper run --config $(CONFIG)

demo: setup  ## everything offline, against our own site emulator with made-up players
	$(BIN)/python -m tests.demo

test: setup lint types contracts pytest  ## all checks, then all tests with coverage

lint: setup
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet

format: setup  ## let ruff format and mend what it can
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

types: setup
	$(BIN)/mypy

contracts: setup
	$(BIN)/lint-imports --no-cache

pytest: setup
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term

quick: setup  ## the tests without the slow ones
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not slow'

bench: setup  ## what runs once per game or request, as ratios to a reference in the same run
	$(BIN)/python -m benchmarks.pgn 400
	$(BIN)/python -m benchmarks.intake 20000
	$(BIN)/python -m benchmarks.reimport 2000
	$(BIN)/python -m benchmarks.api 5000 --requests 100

bench-full: setup  ## the same with numbers of games that a club has
	$(BIN)/python -m benchmarks.pgn 5000
	$(BIN)/python -m benchmarks.intake 500000
	$(BIN)/python -m benchmarks.reimport
	$(BIN)/python -m benchmarks.api 200000 --requests 500
	$(BIN)/python -m benchmarks.first_sync
	$(BIN)/python -m benchmarks.quiet_accounts

faults: setup  ## kill -9 in 200 places, and all other faults; `make test` has the short form
	KILLS=200 $(BIN)/python -m pytest -n $(WORKERS) --timeout 7200 tests/daemon/test_kill.py tests/daemon/archive

soak: setup  ## about an hour of faults at random, another one each time (SEED=… repeats); `make test` has a short one
	SEED=$${SEED:-$$(date +%s)} $(BIN)/python -m tests.soak --hours $${SOAK_HOURS:-400}

fuzz: setup  ## every property test with fifty times as many examples, and ten minutes of strange requests for the API
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n $(WORKERS) --timeout 7200 -m 'not slow' tests/core
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n $(WORKERS) --timeout 7200 tests/daemon/api/test_fuzzing.py

clean:  ## remove what was built
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .coverage* dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
