# Everything is set up from here; a fresh machine needs Python 3.11 or newer and a C++20 compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find core bindings -name '*.h' -o -name '*.cpp') CMakeLists.txt
PROJECTS := pyproject.toml experiments/pyproject.toml benchmarks/pyproject.toml
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo bench bench-quick bench-page bench-guard results test lint types test-core test-python test-oldest test-extra docs fuzz fuzz-asan format clean

demo: $(VENV)/.demo  ## train RF, SPORF and MORF on four problems; print a table, write a figure
	$(BIN)/python -m foliation.demo

test: lint types test-core test-python test-oldest docs  ## all tests, linters and type checks

$(VENV)/.python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	touch $@

# Builds the package in place; built again when the C++ sources or the packaging change.
$(VENV)/.demo: $(VENV)/.python $(NATIVE) pyproject.toml
	@echo "Building the package; this takes a minute or two."
	$(PIP) install --editable ".[plot]"
	touch $@

# Compiler warnings are errors here, but not for users.
$(VENV)/.test: $(VENV)/.python $(NATIVE) $(PROJECTS)
	@echo "Building the package and fetching the test tools; this takes a minute or two."
	$(PIP) install --config-settings=cmake.define.FOLIATION_WERROR=ON \
	    --editable ".[test]" --editable "./experiments[test]" --editable ./benchmarks
	touch $@ $(VENV)/.demo $(VENV)/.bench

$(VENV)/.bench: $(VENV)/.python $(NATIVE) $(PROJECTS)
	@echo "Building the package; this takes a minute or two."
	$(PIP) install --editable . --editable ./experiments --editable ./benchmarks
	touch $@ $(VENV)/.demo

# FOLIATION_DATA names a folder with images/mnist.npz; without it the MNIST workloads are skipped. RESUME=1 resumes an
# interrupted run.
bench: $(VENV)/.bench  ## our forests and their peers in turn; about an hour, QUICK=1 for ten minutes
	$(BIN)/foliation bench $(if $(QUICK),--quick) $(if $(RESUME),--resume)

bench-quick:
	$(MAKE) bench QUICK=1

bench-page:  ## put the newest results into the documentation
	cp results/bench/benchmarks.md results/bench/*.png docs/

results:  ## put the newest results of `foliation reproduce` into the documentation
	for name in $$(ls results/reproduce); do \
	    mkdir -p docs/results/$$name && cp results/reproduce/$$name/*.md results/reproduce/$$name/*.png \
	    results/reproduce/$$name/runs.csv results/reproduce/$$name/settings.json docs/results/$$name/; \
	done

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $$(find core bindings tests benchmarks -name '*.h' -o -name '*.cpp')

types: $(VENV)/.test
	$(BIN)/mypy

test-core: $(VENV)/.test
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/core/run release
	@$(call with_compiler,clang++)

# Builds and tests the core with a compiler, or says that it is not installed.
with_compiler = if command -v $(1) > /dev/null; \
    then PATH="$(CURDIR)/$(BIN):$$PATH" tests/core/run release $(1); \
    else echo "$(1) is not installed: the core is not tested with it."; fi

test-python: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

# The oldest scikit-learn we support, and aeon, whose pins are not ours, on an installed source distribution instead of
# this folder.
$(VENV)-oldest/.ready: $(VENV)/.test $(NATIVE) $(shell find src/foliation -name "*.py")
	rm -rf build/sdist $(VENV)-oldest
	$(BIN)/python -m build --sdist --outdir build/sdist . > /dev/null
	$(PYTHON) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/python -m pip --disable-pip-version-check --quiet install \
	    build/sdist/*.tar.gz "scikit-learn==1.6.*" "numpy<2.3" aeon pandas pytest
	touch $@

test-oldest: $(VENV)-oldest/.ready
	$(VENV)-oldest/bin/python -m pytest tests/estimators/test_estimator_checks.py tests/estimators/test_progress.py tests/estimators/test_growing.py tests/integrations/test_aeon.py

test-extra: $(VENV)/.test  ## what needs more than Python and a compiler: sanitizers, other compilers
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/core/run asan
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/core/run tsan
	@$(call with_compiler,clang++-15)
	@$(call with_compiler,clang++-16)
	@$(call with_compiler,clang++-19)

bench-guard: $(VENV)/.test  ## instruction counts against those on record; needs valgrind
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/guard/guard.py

# Without --quiet, which drops warnings before --strict counts them.
docs: $(VENV)/.test  ## the documentation as a site, in build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

FILES ?= 100000
fuzz: $(VENV)/.test  ## load 100,000 damaged and hostile model files, or as many as FILES says; ten minutes
	$(BIN)/python -W ignore tests/support/mutated.py $(FILES)

$(VENV)-asan/.ready: $(VENV)/.python $(NATIVE) pyproject.toml $(shell find src/foliation -name "*.py")
	test -e $(VENV)-asan || $(PYTHON) -m venv $(VENV)-asan
	$(VENV)-asan/bin/python -m pip --disable-pip-version-check --quiet install scikit-build-core nanobind
	$(VENV)-asan/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation . \
	    --config-settings=build-dir=build/asan-module --config-settings=cmake.define.FOLIATION_SANITIZE=address,undefined
	touch $@

# Python itself leaks a little when it ends, and has no exceptions of C++ that the sanitizer could find before the core comes.
fuzz-asan: $(VENV)-asan/.ready  ## the same with AddressSanitizer and UndefinedBehaviorSanitizer; half an hour
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 \
	    $(VENV)-asan/bin/python -W ignore tests/support/mutated.py $(FILES)

format: $(VENV)/.test  ## put all sources into the project's form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(find core bindings tests benchmarks -name '*.h' -o -name '*.cpp')

clean:
	rm -rf build dist .venv .venv-oldest .venv-bench .venv-asan results
