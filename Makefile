# Everything is set up from here; a fresh machine needs Python 3.11 or newer and a C++20 compiler.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NATIVE := $(shell find core bindings -name '*.h' -o -name '*.cpp') $(wildcard cmake/*) CMakeLists.txt
# Exact versions for this interpreter; there may be none.
LOCK := $(wildcard requirements/$(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("SOABI"))').lock)
PROJECTS := pyproject.toml experiments/pyproject.toml benchmarks/pyproject.toml
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
ON_PATH := PATH="$(CURDIR)/$(BIN):$$PATH"

.PHONY: demo bench bench-quick bench-page bench-guard results test lint types test-core test-sanitizers test-python test-oldest \
    test-extra test-compilers test-aarch64 test-reproducible coverage mutation lock docs properties fuzz fuzz-corpus \
    fuzz-coverage fuzz-files format clean

demo: $(VENV)/.demo  ## train RF, SPORF and MORF on four problems; print a table, write a figure
	$(BIN)/python -m foliation.demo

test: lint types test-core test-sanitizers test-python test-oldest docs  ## all tests, linters and type checks

$(VENV)/.python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	touch $@

# Builds the package in place; built again when the C++ sources or the packaging change.
$(VENV)/.demo: $(VENV)/.python $(NATIVE) pyproject.toml
	@echo "Building the package; this takes a minute or two."
	$(PIP) install --editable ".[plot]"
	touch $@

# Compiler warnings are errors here, but not for users. With a lock, pip takes nothing else.
$(VENV)/.test: $(VENV)/.python $(NATIVE) $(PROJECTS) $(LOCK)
	@echo "Building the package and fetching the test tools; this takes a minute or two."
	@$(if $(LOCK),$(locked),echo "$(unlocked)")
	$(ON_PATH) $(PIP) install --config-settings=cmake.define.FOLIATION_WERROR=ON \
	    $(if $(LOCK),--no-deps --no-build-isolation) \
	    --editable ".[test]" --editable "./experiments[test]" --editable ./benchmarks
	touch $@ $(VENV)/.demo $(VENV)/.bench

locked = $(PIP) install --require-hashes --requirement $(LOCK) && \
    { $(PIP) install --no-deps --require-hashes --requirement $(LOCK:.lock=.torch.lock) 2> $(VENV)/torch.log || \
    { grep -q "No matching distribution" $(VENV)/torch.log && echo "$(no_torch)"; } || { cat $(VENV)/torch.log; exit 1; }; }
no_torch := Left out: tests with PyTorch. pip finds no build of it without CUDA.
unlocked := Left out: exact versions of the tools, and PyTorch. There is no lock for this interpreter in requirements/.

# PyTorch without CUDA must be within the reach of pip, by --find-links or another index.
lock: $(VENV)/.python  ## renew the exact versions and hashes of what `make test` installs on this kind of machine
	$(BIN)/python requirements/lock.py

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
	$(ON_PATH) tests/core/run release

test-sanitizers: $(VENV)/.test  ## the core's tests and a workload in Python, with clang's sanitizers of memory
	@$(ON_PATH) tests/sanitizers/run asan

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

# Old releases warn of what they use themselves: there no warning is an error.
test-oldest: $(VENV)-oldest/.ready
	$(VENV)-oldest/bin/python -m pytest -W default tests/estimators/test_estimator_checks.py tests/estimators/test_progress.py tests/estimators/test_growing.py tests/integrations/test_aeon.py

test-extra: test-core  ## what needs more than Python and a compiler; each part says if it is left out, and why
	@$(ON_PATH) tests/sanitizers/run tsan
	build/release/failing_allocations
	@$(MAKE) test-compilers test-aarch64 test-reproducible
	$(BIN)/python -m pytest -n 2 -m extra --ignore tests/test_reproducible.py

# Those below 19 stand for the versions that distributions have.
test-compilers: $(VENV)/.test
	@for compiler in clang++ clang++-15 clang++-16 clang++-19; do \
	    if command -v $$compiler > /dev/null; then $(ON_PATH) tests/core/run release $$compiler || exit; \
	    else echo "Left out: the tests of the core with $$compiler. It is not installed."; fi; \
	done

test-aarch64: $(VENV)/.test  ## the same bits on another architecture, emulated
	@$(ON_PATH) tests/aarch64/run

test-reproducible: $(VENV)/.test  ## two builds, in two folders and at two times, give the same bytes
	$(BIN)/python -m pytest -m extra tests/test_reproducible.py

coverage: $(VENV)/.test  ## lines and branches that the tests reach, in build/coverage.md; needs clang 19; half an hour
	@$(ON_PATH) tests/coverage/run

mutation: $(VENV)/.test  ## change each operator of the checks of the core, and see whether a test notices; half an hour
	$(ON_PATH) $(BIN)/python tests/mutation/mutate.py

bench-guard: $(VENV)/.test  ## instruction counts against those on record; needs valgrind
	$(ON_PATH) $(BIN)/python benchmarks/guard/guard.py

# Without --quiet, which drops warnings before --strict counts them.
docs: $(VENV)/.test  ## the documentation as a site, in build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

EXAMPLES ?= 1000
properties: $(VENV)/.test  ## try each property on 1000 new examples, or as many as EXAMPLES says; ten minutes
	HYPOTHESIS_PROFILE=thorough EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -n 2 --hypothesis-show-statistics tests/properties

FILES ?= 100000
fuzz-files: $(VENV)/.test  ## load 100,000 damaged and hostile model files, or as many as FILES says; needs no clang
	$(BIN)/python -W ignore tests/support/mutated.py $(FILES)

# A fuzzer of clang 19, for the core as programs and for the package in Python; see docs/fuzzing.md.
CLANG ?= clang++-19
FUZZED := address,undefined
FUZZ_RUNTIME = $(dir $(shell $(CLANG) -print-file-name=libclang_rt.fuzzer_no_main-$(shell uname -m).a))

build/fuzz/.ready: $(VENV)/.test $(NATIVE) $(wildcard tests/fuzz/*.cpp tests/fuzz/make/*.h)
	$(ON_PATH) cmake --preset fuzz -DCMAKE_CXX_COMPILER=$(CLANG) > /dev/null
	$(ON_PATH) cmake --build --preset fuzz
	touch $@

# The sanitizers' runtime has empty functions for coverage. This comes first, so that those of the fuzzer are taken.
build/libfuzzer.so:
	mkdir -p build
	$(CLANG) -shared -o $@ -Wl,--whole-archive $(FUZZ_RUNTIME)libclang_rt.fuzzer_no_main-$(shell uname -m).a \
	    -Wl,--no-whole-archive -fsanitize=$(FUZZED) -shared-libasan -Wl,-rpath,$(FUZZ_RUNTIME)

$(VENV)-fuzz/.ready: $(VENV)/.python $(NATIVE) pyproject.toml $(shell find src/foliation -name "*.py")
	test -e $(VENV)-fuzz || $(PYTHON) -m venv $(VENV)-fuzz
	$(VENV)-fuzz/bin/python -m pip --disable-pip-version-check --quiet install scikit-build-core nanobind atheris
	CXX=$(CLANG) $(VENV)-fuzz/bin/python -m pip --disable-pip-version-check --quiet install --no-build-isolation \
	    ".[cli,onnx,plot]" --config-settings=build-dir=build/fuzz-module \
	    --config-settings=cmake.define.FOLIATION_SANITIZE=fuzzer-no-link,$(FUZZED)
	touch $@

SECONDS ?= 60
fuzz: build/fuzz/.ready build/libfuzzer.so $(VENV)-fuzz/.ready  ## every fuzz target for a minute, or as SECONDS says; TARGETS names some
	$(BIN)/python tests/fuzz/fuzzing.py $(SECONDS) $(TARGETS)

fuzz-corpus: build/fuzz/.ready build/libfuzzer.so $(VENV)-fuzz/.ready  ## put the least of what was learned that covers all into the corpus
	$(BIN)/python tests/fuzz/minimize.py

# Of the corpora, and of what was learned since; the rest of the core's lines have tests of their own.
REPLAYED := $(patsubst tests/fuzz/fuzz_%.cpp,%,$(wildcard tests/fuzz/fuzz_*.cpp))
fuzz-coverage: $(VENV)/.test  ## which lines of the core its fuzz targets reach
	$(ON_PATH) cmake --preset debug -B build/coverage -DCMAKE_CXX_COMPILER=$(CLANG) \
	    -DCMAKE_CXX_FLAGS="-fprofile-instr-generate -fcoverage-mapping" > /dev/null
	$(ON_PATH) cmake --build build/coverage --target $(addprefix replay_,$(REPLAYED))
	for target in $(REPLAYED); do LLVM_PROFILE_FILE=build/coverage/$$target.profraw build/coverage/replay_$$target \
	    tests/fuzz/corpus/$$target build/fuzz-corpus/$$target > /dev/null 2>&1 || exit 1; done
	$(subst clang++,llvm-profdata,$(CLANG)) merge -o build/coverage/all.profdata build/coverage/*.profraw
	$(subst clang++,llvm-cov,$(CLANG)) report -instr-profile build/coverage/all.profdata -show-region-summary=0 \
	    -show-branch-summary=0 $(addprefix -object build/coverage/replay_,$(REPLAYED)) -sources core

format: $(VENV)/.test  ## put all sources into the project's form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $$(find core bindings tests benchmarks -name '*.h' -o -name '*.cpp')

clean:
	rm -rf build dist .venv .venv-oldest .venv-bench .venv-fuzz results
