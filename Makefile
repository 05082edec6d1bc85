# Everything here needs Python 3.11+ and make, nothing else: the environment is made in .venv on first use.
# PYTHON=… chooses another Python (the environment is then made again with it); without it the environment's own is kept.
VENV := .venv
BIN := $(VENV)/bin
ifeq ($(origin PYTHON),undefined)
PYTHON := $(if $(wildcard $(BIN)/python),$(BIN)/python,python3)
endif
VERSION := $(shell $(PYTHON) -c 'import platform; print(platform.python_version())' 2>/dev/null)
RUNTIME := $(VENV)/.runtime-$(VERSION)
TESTING := $(VENV)/.testing-$(VERSION)
DEVELOPMENT := $(VENV)/.development-$(VERSION)
COMPILED := $(VENV)/.compiled-$(VERSION)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# One more than there are cores: many tests wait for a site, a process or a database.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)) + 1)' 2>/dev/null || echo auto)
PORTABLE := tests/core tests/daemon/imports/test_run.py tests/daemon/test_one_game.py tests/daemon/imports/test_parsers.py tests/daemon/archive/test_take_in.py tests/daemon/cli/test_first_steps.py

# Tests start hundreds of processes and as many Pythons, each of which would compile our modules again.
unexport PYTHONDONTWRITEBYTECODE

# Tests that try more, or larger things, under `make fuzz`.
FUZZED := $(addprefix tests/,core/test_compiled.py daemon/archive/database/test_packed_rows_native.py core/pgn/test_reader_hostile.py core/club/test_bonus_simulated.py core/club/test_keizer_oracle.py core/club/test_seasons.py core/club/test_turnering_hostile.py daemon/api/test_fuzzing.py)

.DEFAULT_GOAL := help
.PHONY: help setup testing development run demo test quick lint format types contracts pytest portable coverage man bench bench-full faults soak fuzz commands browser clean

help:  ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(RUNTIME)  ## make .venv with what the program needs (an editable install; quick when nothing changed)

$(RUNTIME): pyproject.toml hatch_build.py $(wildcard core/native/* daemon/archive/database/native/*)
	@test -n '$(VERSION)' || { echo "$(PYTHON) does not run. Install Python 3.11 or newer (Debian: apt install python3 python3-venv)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gamekeeper needs Python 3.11 or newer; $(PYTHON) is $(VERSION). Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "$(PYTHON) has no ensurepip (Debian: apt install python3-venv)" >&2; exit 1; }
	@echo "Making $(VENV) with Python $(VERSION) and what gamekeeper needs (130 MB; a minute or two) …" >&2
	@test -e $@ || test '$(PYTHON)' = '$(BIN)/python' || $(PYTHON) -m venv --clear $(VENV)
	@$(INSTALL) --upgrade 'pip>=25.1'
	@$(INSTALL) --editable .
	@touch $@

$(TESTING): $(RUNTIME)
	@echo "Installing what the tests need (about 150 MB more) …" >&2
	@$(INSTALL) --group test
	@touch $@

$(DEVELOPMENT): $(TESTING)
	@echo "Installing what checks the code: ruff, mypy, import-linter, … (about 140 MB more) …" >&2
	@$(INSTALL) --group dev
	@touch $@

testing: $(TESTING)

development: $(DEVELOPMENT)

# Once for each environment: the processes of pytest would all begin with it, each for itself.
$(COMPILED): $(DEVELOPMENT)
	@$(BIN)/python -m pytest --collect-only --quiet >/dev/null
	@touch $@

run: $(RUNTIME)  ## start the daemon; the first time it asks who you are (CONFIG=… for a configuration of your own)
	@$(if $(CONFIG),:,test -e gamekeeper.toml || ! test -t 0 || $(BIN)/gamekeeper init --ask --path gamekeeper.toml)
	@$(BIN)/gamekeeper run --config $(if $(CONFIG),$(CONFIG),"$$(test -e gamekeeper.toml && echo gamekeeper.toml || echo config.example.toml)")

demo: $(RUNTIME)  ## everything offline, against our own site emulator with made-up players
	@$(BIN)/python -m tests.demo

test: $(DEVELOPMENT)  ## all checks, side by side, then all tests
	@$(MAKE) --no-print-directory --jobs --output-sync=target lint types contracts $(COMPILED)
	@$(MAKE) --no-print-directory pytest

lint: $(DEVELOPMENT)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/python -m tests.words

format: $(DEVELOPMENT)  ## let ruff format and mend what it can
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

types: $(DEVELOPMENT)
	$(BIN)/mypy

contracts: $(DEVELOPMENT)
	$(BIN)/lint-imports --no-cache

pytest: $(DEVELOPMENT)
	$(BIN)/python -m pytest -n $(WORKERS)

quick: $(DEVELOPMENT)  ## the tests without the slow ones, without PostgreSQL and with fewer examples
	HYPOTHESIS_PROFILE=portable $(BIN)/python -m pytest -n $(WORKERS) -m 'not slow and not server'

portable: $(TESTING)  ## the core, import and main-job tests: what CI runs on every other Python that it finds
	HYPOTHESIS_PROFILE=portable $(BIN)/python -m pytest -n $(WORKERS) -m 'not slow' $(PORTABLE)

coverage: $(DEVELOPMENT)  ## all tests again, with what they do not reach
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term

bench: $(TESTING)  ## what runs once per game or request, as ratios to a reference in the same run; an error is a wrong result
	$(BIN)/python -m benchmarks.peers --made --games 5000 --rounds 2
	$(BIN)/python -m benchmarks.differences --made --games 2000 --chess960 1000
	$(BIN)/python -m benchmarks.back_ends --made --games 2000
	$(BIN)/python -m benchmarks.import_profile --made --games 5000 --lines 1
	$(BIN)/python -m benchmarks.pgn 400
	$(BIN)/python -m benchmarks.outcomes 400
	$(BIN)/python -m benchmarks.dictionary 200
	$(BIN)/python -m benchmarks.intake 20000
	$(BIN)/python -m benchmarks.growth 1000
	$(BIN)/python -m benchmarks.reimport 2000
	$(BIN)/python -m benchmarks.api 5000 --requests 100
	$(BIN)/python -m benchmarks.queries 20000
	$(BIN)/python -m benchmarks.start_up 2000 --times 3
	$(BIN)/python -m benchmarks.quiet_accounts 1 30
	$(BIN)/python -m benchmarks.at_rest 2 --seconds 30
	$(BIN)/python -m benchmarks.daemon_memory 20000 --questions 1000

bench-full: $(TESTING)  ## the same with as many games as large collections have (docs/performance.md; hours)
	$(BIN)/python -m benchmarks.peers
	$(BIN)/python -m benchmarks.differences
	$(BIN)/python -m benchmarks.back_ends
	$(BIN)/python -m benchmarks.import_profile
	$(BIN)/python -m benchmarks.pgn 5000
	$(BIN)/python -m benchmarks.outcomes 5000
	$(BIN)/python -m benchmarks.dictionary 2000
	$(BIN)/python -m benchmarks.dictionary --check
	$(BIN)/python -m benchmarks.intake 500000
	$(BIN)/python -m benchmarks.growth 100000
	$(BIN)/python -m benchmarks.reimport 1000000
	$(BIN)/python -m benchmarks.api 200000 --requests 500
	$(BIN)/python -m benchmarks.queries 1000000 --times 100
	$(BIN)/python -m benchmarks.start_up 1000000 --times 20
	$(BIN)/python -m benchmarks.first_sync
	$(BIN)/python -m benchmarks.quiet_accounts
	$(BIN)/python -m benchmarks.at_rest 2 3000
	$(BIN)/python -m benchmarks.daemon_memory
	$(BIN)/python -m benchmarks.doubles_search

faults: $(TESTING)  ## kill -9 in 200 places, power cuts in 3,000, and all other faults; `make test` has the short form
	KILLS=200 CUTS=3000 EVERY=1 SEASONS=20 $(BIN)/python -m pytest -n $(WORKERS) --timeout 7200 tests/daemon/test_kill.py tests/daemon/test_power_cut.py tests/daemon/archive tests/daemon/club/test_whole_season.py

man: $(RUNTIME)  ## a man page for each command, in build/man
	@$(INSTALL) 'click-man>=0.5'
	@$(BIN)/python packaging/man_pages.py build/man

soak: $(TESTING)  ## about an hour of faults at random, another one each time (SEED=… repeats); `make test` has a short one
	SEED=$${SEED:-$$(date +%s)} $(BIN)/python -m tests.soak --hours $${SOAK_HOURS:-400}

commands: setup  ## write docs/commands.md from the commands, and the table of settings in docs/club.md
	$(BIN)/python -m tests.docs.commands
	$(BIN)/python -m tests.docs.settings

fuzz: $(TESTING)  ## every property test with fifty times as many examples, larger inputs, and ten minutes of strange requests for the API
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n $(WORKERS) --timeout 7200 -m hypothesis
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n $(WORKERS) --timeout 7200 $(FUZZED)

BROWSERS := chromium chromium-browser google-chrome google-chrome-stable
browser:  ## a browser for the tests that print pages, if there is none: Debian's chromium, as root (740 MB)
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	command -v apt-get >/dev/null || { echo "There is no browser of Chromium's family, and no apt-get: install Chromium as your system does" >&2; exit 1; }; \
	test "$$(id -u)" = 0 || { echo "There is no browser of Chromium's family: sudo apt-get install --no-install-recommends chromium" >&2; exit 1; }; \
	echo "Installing Debian's chromium (740 MB; half a minute) …" >&2; \
	apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends chromium >/dev/null

clean:  ## remove what was built
	rm -rf $(VENV) .venv-* .mypy_cache .ruff_cache .hypothesis .coverage* build dist core/_native*.so daemon/archive/database/_packed_rows.ext
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
