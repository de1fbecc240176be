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
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
PYTEST := $(BIN)/python -m pytest
# The oldest supported versions; without a Python 3.10 the oldest Scrapy alone.
FLOOR := .venv-floor
FLOOR_SCRAPY := 2.13
FLOOR_PYTHON ?= $(shell for python in python3.10 ~/.pyenv/versions/3.10.*/bin/python $(PYTHON); do \
	$$python -c 'import venv' 2>/dev/null && echo $$python && break; done)
FLOOR_TESTS ?= tests/test_demo.py tests/test_cli.py tests/test_page.py
CODE := scrapy_wrapinduce tests sample_project docs
# More workers than cores only wait for each other; what a module's tests share is made once.
WORKERS ?= auto
PARALLEL := -n $(WORKERS) --dist loadscope

.PHONY: help demo demo-redesign demo-cluster test test-kill lint format typing servers unit floor test-floor coverage docs clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/package.stamp ## crawl the sample site and compare the items with its database
	@$(BIN)/python -m sample_project.demo

demo-redesign: $(VENV)/package.stamp ## the same, with a redesign in the middle of the crawl
	@$(BIN)/python -m sample_project.demo --redesign-after 300

demo-cluster: $(VENV)/dev.stamp ## the same with three workers that share a Redis
	@$(BIN)/python -m sample_project.cluster

test: lint typing unit floor ## everything that must hold before a change goes in

lint: $(VENV)/dev.stamp ## style of the code, without changing it
	$(BIN)/ruff check $(wildcard $(CODE))
	$(BIN)/ruff format --check $(wildcard $(CODE))

format: $(VENV)/dev.stamp ## style of the code, put right
	$(BIN)/ruff check --fix $(wildcard $(CODE))
	$(BIN)/ruff format $(wildcard $(CODE))

typing: $(VENV)/dev.stamp ## mypy --strict on the package
	$(BIN)/mypy

servers: ## the real servers and the browser that some tests start, installed where that is allowed
	@missing=; for program in redis-server:redis-server chromium:chromium chromedriver:chromium-driver; do \
		command -v $${program%%:*} >/dev/null || missing="$$missing $${program##*:}"; \
	done; \
	test -z "$$missing" || { echo "Installing$$missing for the tests that start them"; \
		{ test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
			DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; } || \
		echo "*** NOT TESTED with$$missing: could not be installed here ***" >&2; }

unit: $(VENV)/dev.stamp servers ## the tests alone
	$(PYTEST) $(PARALLEL)

floor: ## a few tests at the oldest supported Scrapy and Python, where these can be had
	@if $(MAKE) --no-print-directory $(FLOOR)/floor.stamp; then \
		$(MAKE) --no-print-directory test-floor TESTS="$(wildcard $(FLOOR_TESTS))"; \
	else \
		echo "*** NOT TESTED with Scrapy $(FLOOR_SCRAPY): it could not be installed, see above ***" >&2; \
	fi

test-floor: $(FLOOR)/floor.stamp ## all tests at the oldest supported Scrapy and Python
	@$(FLOOR)/bin/python -c 'import platform, scrapy; \
		print("Python", platform.python_version(), "with Scrapy", scrapy.__version__)'
	$(FLOOR)/bin/python -m pytest -q $(PARALLEL) $(TESTS)

test-kill: $(VENV)/dev.stamp ## crawls stopped and killed at random moments, fifty times each
	WRAPINDUCE_TEST_STOPS=50 $(PYTEST) -s tests/test_crawl_kill.py

coverage: $(VENV)/dev.stamp ## the tests, and which lines they did not reach
	$(PYTEST) $(PARALLEL) --cov --cov-report=term-missing:skip-covered

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

$(VENV)/dev.stamp: setup.cfg pyproject.toml | $(VENV)/bin/python
	@echo "Installing scrapy-wrapinduce and the tools of its tests into $(VENV)"
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/package.stamp

$(FLOOR)/floor.stamp: setup.cfg pyproject.toml
	@echo "Making $(FLOOR) with $$($(FLOOR_PYTHON) --version) and Scrapy $(FLOOR_SCRAPY) (once)"
	@test -x $(FLOOR)/bin/python || $(FLOOR_PYTHON) -m venv $(FLOOR)
	@$(FLOOR)/bin/python -m pip --disable-pip-version-check --quiet --quiet install \
		--editable . 'scrapy==$(FLOOR_SCRAPY).*' 'pytest>=8' pytest-xdist hypothesis attrs pydantic 'setuptools>=77'
	@touch $@
