# Everything runs in .venv, which is made with the first Python >= 3.11 found; say `make PYTHON=…` for another.
#
#   make demo    crawl the sample site and compare the items with its database
#   make test    everything that must hold before a change goes in
#   make help    the other targets

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST := $(BIN)/python -m pytest
CODE := scrapy_wrapinduce tests sample_project docs
# More workers than cores only wait for each other.
WORKERS ?= auto

.PHONY: help demo test test-kill lint format typing unit coverage docs clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/package.stamp ## crawl the sample site and compare the items with its database
	@$(BIN)/python -m sample_project.demo

test: lint typing unit ## everything that must hold before a change goes in

lint: $(VENV)/dev.stamp ## style of the code, without changing it
	$(BIN)/ruff check $(wildcard $(CODE))
	$(BIN)/ruff format --check $(wildcard $(CODE))

format: $(VENV)/dev.stamp ## style of the code, put right
	$(BIN)/ruff check --fix $(wildcard $(CODE))
	$(BIN)/ruff format $(wildcard $(CODE))

typing: $(VENV)/dev.stamp ## mypy --strict on the package
	$(BIN)/mypy

unit: $(VENV)/dev.stamp ## the tests alone
	$(PYTEST) -n $(WORKERS)

test-kill: $(VENV)/dev.stamp ## crawls stopped and killed at random moments, fifty times each
	WRAPINDUCE_TEST_STOPS=50 $(PYTEST) -s tests/test_crawl_kill.py

coverage: $(VENV)/dev.stamp ## the tests, and which lines they did not reach
	$(PYTEST) -n $(WORKERS) --cov --cov-report=term-missing:skip-covered

docs: $(VENV)/dev.stamp ## the documentation, in docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo docs/_build/html/index.html

clean: ## everything that was made, the environments too
	rm -rf .venv* build dist docs/_build *.egg-info .coverage* .*_cache .hypothesis

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer found; name one: make PYTHON=/path/to/python3" >&2; exit 2; }
	@echo "Making $(VENV) with $$($(PYTHON) --version) (once)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make environments; install its venv module (Debian: apt install python3-venv)" >&2; exit 2; }

$(VENV)/package.stamp: setup.cfg pyproject.toml | $(VENV)/bin/python
	@echo "Installing scrapy-wrapinduce into $(VENV)"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/package.stamp
	@echo "Installing the tools of the tests into $(VENV)"
	@$(PIP) install --editable '.[dev]'
	@touch $@
