# On a machine with Python 3.11, make, gcc and git, every target here sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
BENCH_STAMP := $(VENV)/.installed-bench
RELEASE_STAMP := $(VENV)/.installed-release
PYPROJECTS := pyproject.toml core/pyproject.toml cuda_std/pyproject.toml
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow test-all gpu-test check format docs bless bench wheels clean

help: ## This list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): $(PYPROJECTS) | $(BIN)/python
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable "core[cu13,test]" --editable cuda_std --group demo --group dev
	@touch $@

$(BENCH_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --group bench
	@touch $@

$(RELEASE_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --group release
	@touch $@

install: $(STAMP) ## Make .venv with the packages (editable), their CUDA wheels and the developers' tools

demo: $(STAMP) ## Compare a photograph with its JPEG copy on this machine, checked against SciPy
	$(BIN)/python -m demo

test: $(STAMP) ## Every test but the slow sweeps
	$(PYTEST) -q -m "not slow"

test-slow: $(STAMP) $(RELEASE_STAMP) ## The slow sweeps alone
	$(PYTEST) -q -m slow -n auto --dist worksteal

test-all: test test-slow ## Every test

gpu-test: ## The suite on a GPU, with this machine's Python and its packages; writes docs/status
	$(PYTHON) -m tools.dev gpu-test

check: $(STAMP) ## Lint, types, import contracts, generated pages; sizes are reported only
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/python -m tools.dev docs --check
	$(BIN)/python -m tools.dev sizes

format: $(STAMP) ## Sort imports and apply the safe fixes of the linter
	$(BIN)/ruff check --fix .

docs: $(STAMP) ## Write docs/reference from the docstrings
	$(BIN)/python -m tools.dev docs

bless: $(STAMP) ## Rewrite the golden files from what the compiler gives now
	$(PYTEST) -q --bless tests/golden tests/language tests/core/frontend

bench: $(BENCH_STAMP) ## Measure beside numba, POCL and nvrtc; writes benchmarks/results and benchmarks/README.md
	$(BIN)/python -m benchmarks

wheels: $(RELEASE_STAMP) ## Wheels and sdists of all packages in dist/, checked for versions, stable ABI and metadata
	$(BIN)/python -m tools.dev wheels

clean: ## Remove .venv and caches
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
