# On a fresh machine with Python 3.11 or newer, make and git: `make render` and `make test` do everything.
# Everything they need goes into .venv and .tools, which git ignores.

SITE ?= profiles/dc1-h100.yaml
ifndef PYTHON
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
endif
BIN := .venv/bin
# Nothing from the checkout or the user's site-packages may stand in for the installed wheel.
RUN := PYTHONSAFEPATH=1 PYTHONNOUSERSITE=1 PYTHONPATH= PATH="$$PATH:$(CURDIR)/.tools/bin"

.PHONY: help render test lint bench golden verdict templates docs kubeconform helm setup setup-all clean

help:
	@echo "make render      render $(SITE) into out/ (another one: SITE=...)"
	@echo "make test        linters, types, and all tests against the installed wheel"
	@echo "make lint        linters and types only"
	@echo "make golden      render every site of profiles/ into out/, then read the diff"
	@echo "make verdict     write genvalues/verdict.py from schemas/site.schema.json"
	@echo "make templates   write genvalues/artefacts/compiled.py from the templates of the hand-over"
	@echo "make docs        write the generated parts of docs/"
	@echo "make bench       measure check and render (HELM=... CHART=... for helm template)"
	@echo "make kubeconform build kubeconform into .tools/bin where PATH has none"
	@echo "make helm        the same for helm"
	@echo "make clean       remove .venv, .tools and caches"

render: setup
	@$(RUN) $(BIN)/genvalues render $(SITE)

# Linters first, tests whatever they say; the last line is pytest's.
test: setup-all
	@$(PYTHON) tools/go_tool.py kubeconform || true
	@status=0; \
	$(RUN) $(BIN)/ruff check . || status=1; \
	$(RUN) $(BIN)/mypy || status=1; \
	$(RUN) GENVALUES_WHEEL=1 $(BIN)/pytest -q --cov --cov-report=term $(PYTEST) || status=1; \
	exit $$status

lint: setup-all
	@$(RUN) $(BIN)/ruff check .
	@$(RUN) $(BIN)/mypy

bench: setup
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python tools/bench.py

golden: setup
	@$(RUN) $(BIN)/genvalues render profiles/*.yaml

verdict: setup-all
	@$(BIN)/python tools/make_verdict.py

templates: setup-all
	@$(BIN)/python tools/make_templates.py

docs: setup-all
	@$(BIN)/python tools/docs.py

kubeconform helm:
	@$(PYTHON) tools/go_tool.py $@

setup: python
	@$(PYTHON) tools/environment.py

setup-all: python
	@$(PYTHON) tools/environment.py test lint tools

.PHONY: python
python:
	@test -n "$(PYTHON)" || { echo "genvalues needs Python 3.11 or newer: none of python3, python3.14 ... python3.11 on PATH is; say PYTHON=/path/to/python" >&2; exit 1; }

clean:
	rm -rf .venv .tools .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
