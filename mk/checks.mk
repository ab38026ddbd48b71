# Checks beside the tests: the audit, coverage, mutants, documentation.

.PHONY: audit audit-faults check-findings test-backends tutorial docs coverage mutants
MUTANTS ?= 200

audit: checked ## prove that generated/ computes what build/rules.jsonl states, with a checker that shares no code (2 min)
	$(SUBMAKE) $(B)/audit-c $(B)/librulesmith.so
	@$(B)/audit-c --rules $(B)/rules.jsonl --library $(B)/librulesmith.so $(RECORDS) --cache $(B)/audit.cache \
	    --certificate $(B)/audit.certificate -j $(JOBS)

audit-faults: checked ## plant 466 faults in generated C, rules, rows, records, samplers: does the audit catch each? (30 min)
	$(SUBMAKE) $(B)/audit-c $(B)/librulesmith.so
	@python3 -m tests.audit --build $(B)

test-backends: checked ## fuzz each installed target for TIME; INSTALL=1 installs the others first, BACKENDS are some (TIME each)
	$(SUBMAKE) $(B)/rulefuzz
	@INSTALL=$(INSTALL) VERSIONS='$(VERSIONS)' tests/smoke.sh $(B) $(TIME) $(BACKENDS)

tutorial: ## run every command of docs/tutorial.md, from a clone to a first bug (7 min)
	@tests/tutorial.sh

docs: checked ## the documentation as a site: build/docs/index.html, to be read without network (1 min)
	$(SUBMAKE) $(B)/rulefuzz $(B)/rulesmith
	$(Q)traces/backends.sh docs
	$(call say,DOCS,$(B)/docs)
	$(Q)sh packages/docs.sh $(B) $(VENVS)/docs

check-findings: ## run the scripts of docs/findings in an empty environment; TARGETS selects some: onnx, mnn, torch, … (10 min)
	@python3 docs/findings/check.py $(TARGETS)

# Clang counts, so that what is optimized is counted as it stands in the source; the counters are kept while a program runs.
COVERED := -O1 -g -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation -Wno-unused-command-line-argument -DARENA_BLOCK=64
# Tests that build a program again build it with counters, too.
AS_COVERED = CFLAGS='$(COVERED)' GENB=$(B) CC=clang

coverage: checked ## branches that the tests reach, by folder, of C and of the Python package; TESTS are words of some (1 h)
	@$(AS_COVERED) $(MAKE) --no-print-directory $(PARALLEL) B=$(B)/coverage DEPS=skip with-tests
	$(Q)$(AS_COVERED) python3 -m tests.coverage.profiles $(B)/coverage $(TESTS)
	$(Q)sh tests/coverage/python.sh $(B)/coverage/python $(B)/coverage
	@python3 -m tests.coverage.table $(B)/coverage $(B)/coverage/python/python.json

mutants: checked ## plant MUTANTS small faults in the C sources, within BUDGET: do the tests notice? After make coverage (40 min)
	$(SUBMAKE) with-tests
	@python3 -m tests.mutants --build $(B) --count $(MUTANTS) --seed $(SEED) --time $(or $(BUDGET),40m)
