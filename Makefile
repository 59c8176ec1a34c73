# Two commands matter: `make demo` shows veedor at work, `make test` proves it. Both set everything up.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RECORDED ?= ../shared
TRAIN_ENV ?= .venv-train
COUPS ?= 1000

.PHONY: help demo test check format scores bench train clean

help: ## list what there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

demo: $(VENV)/.run ## set up, review the carried clip, open it on http://127.0.0.1:8600
	@$(BIN)/veedor demo

test: $(VENV)/.dev ## set up and run the tests, a process a core
	$(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist loadscope

check: $(VENV)/.dev ## format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check --no-cache .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

scores: $(VENV)/.run ## measure veedor on recorded tables, photographs, rule cases and mutants (RECORDED=folder)
	$(BIN)/veedor score $(RECORDED)/rules $(RECORDED)/figures/cases $(RECORDED)/tables $(RECORDED)/real \
	  --mutants --json out/scores.json

bench: $(VENV)/.dev ## speed and memory beside a baseline (COUPS=n clean coups of each game), a camera that is harmed, a running table
	BENCH_COUPS=$(COUPS) $(BIN)/python -m tests.bench
	$(BIN)/python -m tests.bench.watched
	$(BIN)/python -m tests.bench.live
	$(BIN)/python -m tests.bench.lasting

train: $(TRAIN_ENV)/.ready ## train every network from nothing but this project (hours; SMALL=1: minutes, to see it work)
	$(TRAIN_ENV)/bin/python -m models.train $(if $(SMALL),--small)

clean: ## remove what was built here (recordings, reviews and weights stay)
	rm -rf $(VENV) $(TRAIN_ENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "veedor needs Python 3.11 or newer; $(PYTHON) is older. Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is missing. On Debian or Ubuntu: apt-get install python3-venv"; exit 1; }

$(VENV)/.run: $(VENV)/bin/python pyproject.toml tools/system.sh
	@tools/system.sh libgl
	@echo "Installing veedor (a minute or two the first time) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@tools/system.sh chromium
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,synth]'
	@touch $@

$(TRAIN_ENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(TRAIN_ENV)
	$(TRAIN_ENV)/bin/pip install --quiet --editable '.[train,synth]'
	touch $@
