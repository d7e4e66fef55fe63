# Every target sets up what it needs in .venv by itself, and no more, and does nothing twice. Another Python: make test PYTHON=python3.12

PYTHON ?= python3
VENV   ?= .venv
JOBS   ?= 2
ARGS   ?=

BIN       := $(VENV)/bin
PY        := $(BIN)/python
PIP       := $(PY) -m pip install --quiet --disable-pip-version-check
RUN_TIME  := $(VENV)/.installed-run
TOOLS     := $(VENV)/.installed-dev
COMPILED  := $(VENV)/.compiled
SANITIZED := build/sanitize
READY     := $(COMPILED) $(TOOLS)
KERNELS   := $(wildcard src/treewright/_core/*.py src/treewright/_core/*.pyx src/treewright/_core/*/*.py)
CODE      := src tests benchmarks examples tools setup.py

# Compiled modules and tests are kept in __pycache__, also where the environment says otherwise: tests start many processes.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint bench golden exports scale mutations pictures page-assets catalogue check-long wheel sanitize clean

help:  ## show the targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY)  ## make .venv, install treewright editable with its tools, compile the kernels

demo: $(COMPILED)  ## ID3, C4.5 and CART on the golf table, side by side
	@$(PY) examples/demo.py $(ARGS)

test: $(READY)  ## the default tests (make test ARGS="-k golf")
	$(PY) -m pytest -n $(JOBS) -q $(ARGS)

lint: $(READY)  ## ruff, cython-lint, mypy, import directions
	$(BIN)/ruff check $(CODE)
	PATH="$(abspath $(BIN)):$$PATH" cython-lint $(wildcard src/treewright/_core/*.pyx)
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)  ## times against other programs, and whether the trees are right (make bench ARGS="--quick")
	$(PY) -m benchmarks --json build/speed.json $(ARGS)

golden: $(READY)  ## how many trees are those of C4.5 Release 8, J48 and rpart, and why the others are not
	$(PY) -m tests.golden.agreement

exports: $(READY)  ## exports of 60 tables to every target, executed and compared (fewer: make exports ARGS="--sets 5")
	$(PY) -m tests.export.matrix --jobs $(JOBS) $(ARGS)

scale: $(READY)  ## trees of sources on real tables by every engine, compared with those in memory (make scale ARGS="--sets 5")
	$(PY) -m tests.scale.matrix $(ARGS)

mutations: $(READY)  ## a million mutated model files (fewer: make mutations ARGS="--n 50000")
	$(PY) -m tests.store.mutation --n 1000000 --jobs $(JOBS) $(ARGS)

pictures: $(READY)  ## make the pictures of the docs again
	$(PY) examples/pictures.py
	$(PY) examples/page_picture.py
	$(PY) examples/report_picture.py

page-assets:  ## bundle the layout of the page again (needs npm; the bundle is kept, so users do not)
	cd web && npm ci --no-audit --no-fund && npm run build

catalogue: $(READY)  ## collect the messages of the source into the catalogues of languages, and compile them
	$(PY) tools/catalogue.py $(ARGS)

check-long: $(READY)  ## every test, the slow ones too, with many more generated examples
	$(PY) -m pytest -n $(JOBS) -q -m "long or not long" --hypothesis-profile=long --timeout=3600 $(ARGS)

wheel: $(RUN_TIME)  ## an sdist and a wheel for each Python at hand, installed and tried (make wheel ARGS="--python python3.12")
	$(PY) tools/wheels.py $(ARGS)

# numpy asks malloc for its arrays, Python by this setting for its objects: both are watched. Leaks are not looked for, for
# Python ends without freeing everything. libstdc++ comes along for libraries that throw, which AddressSanitizer follows.
sanitize: $(READY)  ## growth, prediction and pruning under AddressSanitizer and UndefinedBehaviorSanitizer (gcc on Linux)
	TREEWRIGHT_SANITIZE=address,undefined,float-cast-overflow \
		$(PY) setup.py --quiet build --build-base $(SANITIZED) --build-lib $(SANITIZED)/lib
	PYTHONPATH=$(abspath $(SANITIZED)/lib) PYTHONMALLOC=malloc \
		LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
		$(PY) -m pytest -n $(JOBS) -q -p no:cacheprovider --timeout=1800 \
		tests/test_sanitized.py tests/grow tests/predict tests/prune tests/invariants $(ARGS)

clean:  ## remove .venv, compiled kernels and caches
	rm -rf $(VENV) build dist src/*.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache
	rm -f src/treewright/_core/*.c src/treewright/_core/*.so src/treewright/_core/codes.pxd
	find src tests benchmarks examples -name __pycache__ -prune -exec rm -rf {} +

$(PY):
	@echo "Creating the environment $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

# The kernels are compiled in place, one by one as they change; pip would compile all of them in a temporary folder.
# What runs Treewright and its demo comes first; what tests it is installed when a target needs it.
$(RUN_TIME): pyproject.toml | $(PY)
	@echo "Installing what Treewright needs to run ..."
	@$(PIP) --upgrade "pip>=24" "setuptools>=77" "Cython>=3.2,<4" "numpy>=1.26"
	@TREEWRIGHT_KERNELS=later $(PIP) --no-build-isolation --editable ".[files]"
	@touch $@

$(TOOLS): $(RUN_TIME)
	@echo "Installing what tests and checks it ..."
	@TREEWRIGHT_KERNELS=later $(PIP) --no-build-isolation --editable ".[dev]"
	@touch $@

$(COMPILED): $(RUN_TIME) setup.py $(KERNELS)
	@echo "Compiling the kernels (about a minute the first time) ..."
	@$(PY) setup.py --quiet build_ext --inplace
	@touch $@
