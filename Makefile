# rulesmith: learn the rules of deep-learning operators, ship them as C. Programs, tests and installation are here; mk/*.mk
# has the rest. `make help` lists the targets with their durations, and these variables:
#
#   V=1            print commands instead of one line per step
#   JOBS           processes at once (default: the number of processors)
#   CC, CFLAGS     compiler and flags of all C except generated/, whose flags are GENFLAGS; LDFLAGS of programs
#   PREFIX         where `make install` puts files (/usr/local), below DESTDIR
#   DEPS=skip      do not look for missing packages
#   NEEDS          of deps: all, or runtime (only what rulefuzz needs)
#   T              of test, check: a pattern; only the tests whose path matches it (grep -E)
#   OLD            of diff: a virtual environment with another version
#   FRAMEWORK      of backends, traces, values, refine, verify-live, diff, validity: torch, tensorflow, onnx, jax
#   BACKEND, TIME  of fuzz, ci, backends: the target (torch-inductor); how long to fuzz (60s)
#   BACKENDS, VERSIONS, INSTALL of test-backends: some targets; other versions (all, or '1.20.1 1.26.0'); 1: install them first
#   SEED           of everything random
#   INPUTS, MODELS, MUTANTS  how many calls verify-live checks (60000), models validity runs (10000), faults mutants plants (200)
#   TESTS          of coverage: words in the names of the tests to run
#   EACH           of verify-live: questions for each clause (1)
#   STRATEGY, NODES  of the models of validity (neuri, 10)
#   REFINE         models that `make refine` runs first (20000)
#   NEURI, FOLDS   of bench-neuri: NeuRI's records; how many folds to hold out (1)
#   PARTS          of bench: some parts
#   UPDATE=1       of perf: write the figures
#   BUGS, BUDGET   of bench-bugs: a folder with list.tsv; time for each version (15m). BUDGET of mutants: time for all (40m)
#   SINCE          of site: the rules of the version before

CC      ?= cc
OBJCOPY ?= objcopy
CFLAGS  ?= -O2 -g -fno-asynchronous-unwind-tables
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
FRAMEWORK ?= torch
TIME    ?= 60s
SEED    ?= 1
ONNX_PROTO ?= /usr/include/onnx/onnx.proto

# say: a step's line, WORD and what it makes (none for make -s). A recipe's commands begin with $(Q).
ifneq ($(V),1)
Q := @
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
say = @printf '  %-8s %s\n' '$(1)' '$(or $(2),$@)'
count = $(eval COUNTED += $@)$(if $(MAKE_TERMOUT),@printf '  CC       %d of %d\r' $(words $(COUNTED)) $(words $(GENERATED)))
endif
endif

# SUBMAKE: a make within this one: as many jobs as JOBS, or its share of those that `make -j` gave.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
SUBMAKE  = +@$(MAKE) --no-print-directory $(PARALLEL)

B        := build
VENVS    := $(or $(RULESMITH_VENVS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/rulesmith/venv)
PYTHON    = $(VENVS)/$(FRAMEWORK)/bin/python
VERSION  := $(shell sed -n 's/.*RS_VERSION "\(.*\)"/\1/p' runtime/include/rulesmith.h)
WARN     := -std=gnu11 -Wall -Wextra -Werror=switch -Werror=implicit-function-declaration
CPPFLAGS += -D_GNU_SOURCE
COMPILE   = $(CC) $(WARN) $(CPPFLAGS) $(INCLUDES) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@
LINK      = $(CC) $(CFLAGS) $(LDFLAGS)
LIBS_RULESMITH := -lz3 -lcjson -lxxhash -ldl -lpthread -lm
LIBS_RULEFUZZ  := -lprotobuf-c -lcjson -lxxhash -lsqlite3 -lz -ldl -lpthread -lm

# Folders, in the order in which data passes: docs/explanation/architecture.md. A file sees the headers of its own program's.
SYNTH_DIRS   := synth synth/memory synth/rule synth/records synth/search synth/clauses synth/proof synth/transfer synth/api synth/dtypes synth/refine synth/baseline synth/run synth/diff synth/cmd
CODEGEN_DIRS := codegen codegen/api codegen/view codegen/page codegen/emit codegen/sampler
BASE_DIRS    := runtime/include runtime/base
RUNTIME_DIRS := runtime/rules runtime/call runtime/call/value runtime/call/rule runtime/call/template runtime/model runtime/model/computed runtime/model/effects runtime/model/onnx runtime/generate runtime/generate/index runtime/generate/call runtime/generate/chain runtime/generate/inserted runtime/generate/feature runtime/generate/session runtime/generate/graph runtime/measure
ASK_DIRS     := runtime/ask
FUZZ_DIRS    := $(ASK_DIRS) runtime/findings runtime/ort runtime/target runtime/reduce runtime/fuzz runtime/probe runtime/verify runtime/report runtime/report/outline runtime/report/findings runtime/report/documented runtime/site runtime/cli runtime/cli/run
SMITH_INCLUDES := $(addprefix -iquote ,$(BASE_DIRS) $(ASK_DIRS) runtime/rules runtime/target $(SYNTH_DIRS) $(CODEGEN_DIRS) $(B)/script)
FUZZ_INCLUDES  := $(addprefix -iquote ,$(BASE_DIRS) $(RUNTIME_DIRS) $(FUZZ_DIRS) $(B)/onnx $(B)/script)
# The audit shares no code with what it audits: its files see each other's headers alone (docs/explanation/proofs.md).
AUDIT_DIRS   := audit audit/run
LLVM         ?= $(lastword $(sort $(wildcard /usr/lib/llvm-*)))
AUDIT_INCLUDES := $(addprefix -iquote ,$(AUDIT_DIRS)) -isystem $(LLVM)/include
LIBS_AUDIT   := -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lclang -lz3 -lcjson -lxxhash -ldl

sources = $(sort $(foreach d,$(1),$(wildcard $(d)/*.c)))
objects = $(patsubst %.c,$(B)/%.o,$(1))
BASE      := $(call objects,$(call sources,$(BASE_DIRS)))
RUNTIME   := $(call objects,$(call sources,$(RUNTIME_DIRS))) $(B)/onnx/onnx.pb-c.o
FUZZ      := $(call objects,$(call sources,$(FUZZ_DIRS)))
SAMPLERS  := $(addprefix runtime/rules/,leap.c program.c run.c)
PACKAGES  := $(addprefix runtime/target/,package.c target_file.c setting_table.c) runtime/rules/framework.c
SMITH     := $(call objects,$(call sources,$(SYNTH_DIRS) $(CODEGEN_DIRS) $(ASK_DIRS)) $(SAMPLERS) $(PACKAGES))
AUDIT     := $(call objects,$(call sources,$(AUDIT_DIRS)))
# What decides how a rule is found: not the commands, nor what fits API rules to found rules, nor who asks a framework, nor
# what is said of models alone.
MODELS_ONLY := $(addprefix runtime/include/,apirules.h modelfeatures.h rulesmith.h model.h samplercode.h sampling.h tablerow.h)
SOLVER    := $(filter-out $(MODELS_ONLY),$(sort $(wildcard $(addsuffix /*.[ch],$(BASE_DIRS) $(filter-out synth/cmd synth/api synth/dtypes synth/refine synth/diff,$(SYNTH_DIRS))))))
SMITH_PARTS := $(filter-out $(B)/synth/cmd/main.o,$(SMITH))
FUZZ_PARTS  := $(filter-out $(B)/runtime/cli/main.o,$(FUZZ))

.DEFAULT_GOAL := all
.PHONY: all rulefuzz test check test-runtime audit audit-faults with-tests deps dist clean help checked checked-runtime

all: checked ## build both programs and the library (2 min)
	$(SUBMAKE) $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a $(B)/librulesmith.so

rulefuzz: checked-runtime ## build rulefuzz alone, without Z3 (1 min)
	$(SUBMAKE) $(B)/rulefuzz

# ---- programs

$(B)/rulesmith: $(SMITH) $(BASE)
	$(call say,LINK)
	$(Q)$(LINK) $^ $(LIBS_RULESMITH) -o $@

# The cache of solved rules is as old as what solves them (synth/run/cache.c).
$(B)/script/solver_sources.h: $(SOLVER)
	$(call say,HASH)
	@mkdir -p $(@D)
	@{ cat $^; $(CC) --version; echo '$(CFLAGS)'; } | sha256sum | sed 's/\([0-9a-f]*\).*/#define SOLVER_SOURCES "\1"/' >$@
$(B)/synth/run/cache.o: $(B)/script/solver_sources.h

include mk/generated.mk mk/embedded.mk

$(B)/rulefuzz: $(FUZZ) $(RUNTIME) $(BASE) $(GENERATED)
	$(call say,LINK)
	$(Q)$(LINK) -rdynamic $^ $(LIBS_RULEFUZZ) -o $@

# What a C user links: the runtime and the rules, an object each, in which no name is global but rs_….
$(B)/librulesmith.a: $(B)/lib/runtime.o $(B)/lib/rules.o
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcsD $@ $^

$(B)/lib/runtime.o: $(RUNTIME) $(BASE)
$(B)/lib/rules.o: $(GENERATED)
$(B)/lib/runtime.o $(B)/lib/rules.o:
	$(call say,LD)
	@mkdir -p $(@D)
	$(Q)$(LD) -r --force-group-allocation $^ -o $@.all
	$(Q)$(OBJCOPY) --wildcard --keep-global-symbol='rs_*' $@.all $@
	@rm $@.all

# The name of a shared library says which programs can use it: those built for the same RS_LIBRARY_ABI.
LIBRARY_ABI := $(shell sed -n 's/^.define RS_LIBRARY_ABI \([0-9]*\).*/\1/p' runtime/include/rulesmith.h)
SHARED = $(CC) -shared -Wl,-soname,librulesmith.so.$(LIBRARY_ABI) -Wl,-z,defs

$(B)/librulesmith.so: $(B)/lib/runtime.o $(B)/lib/rules.o
	$(call say,LINK)
	$(Q)$(SHARED) $(CFLAGS) $(LDFLAGS) $^ -lprotobuf-c -lcjson -lxxhash -ldl -lpthread -lm -o $@

$(B)/audit-c: $(AUDIT)
	$(call say,LINK)
	$(Q)$(LINK) $^ $(LIBS_AUDIT) -o $@

$(B)/synth/%.o: CFLAGS += -O3 -fno-semantic-interposition
$(BASE) $(RUNTIME) $(FUZZ): INCLUDES = $(FUZZ_INCLUDES)
$(filter-out $(B)/runtime/%,$(SMITH)): INCLUDES = $(SMITH_INCLUDES)
$(AUDIT): INCLUDES = $(AUDIT_INCLUDES)
# What runs the table knows its layout.
$(filter $(B)/audit/run/%,$(AUDIT)) $(B)/audit/main.o: INCLUDES = $(AUDIT_INCLUDES) -iquote runtime/include
$(B)/tests/unit/synth/%.o $(B)/tests/unit/codegen/%.o: INCLUDES = $(SMITH_INCLUDES) -iquote tests/unit -iquote tests/unit/synth
$(B)/tests/unit/audit/%.o: INCLUDES = $(AUDIT_INCLUDES) -iquote runtime/include
$(B)/tests/unit/runtime/%.o: INCLUDES = $(FUZZ_INCLUDES) -iquote tests/unit -iquote tests/unit/runtime
$(B)/tests/bench/%.o: INCLUDES = $(SMITH_INCLUDES) $(FUZZ_INCLUDES)

$(B)/%.o: %.c
	$(call say,CC)
	@mkdir -p $(@D)
	$(Q)$(COMPILE)

-include $(shell find $(addprefix $(B)/,synth codegen runtime audit tests) -name '*.d' 2>/dev/null)

# ---- tests

units = $(patsubst tests/unit/%.c,$(B)/tests/%,$(sort $(foreach d,$(1),$(wildcard $(d)/test_*.c $(d)/*/test_*.c $(d)/*/*/test_*.c))))
UNIT_SMITH   := $(call units,tests/unit/synth tests/unit/codegen)
UNIT_RUNTIME := $(call units,tests/unit/runtime)
UNIT_AUDIT   := $(call units,tests/unit/audit)
UNITS        := $(UNIT_SMITH) $(UNIT_RUNTIME) $(UNIT_AUDIT)
.SECONDARY: $(patsubst $(B)/tests/%,$(B)/tests/unit/%.o,$(UNITS))

with-tests: $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a $(UNITS)

check: checked ## lints and the tests that a change can affect, within a minute on idle processors; T (1 min)
	@tests/check.sh $(B) '$(T)'

test: deps ## run all tests, or those that match T (15 min)
	$(SUBMAKE) with-tests $(B)/librulesmith.so $(B)/audit-c
	@tests/run.sh $(B) all '$(T)'

test-runtime: checked-runtime ## run the tests of librulesmith and rulefuzz only, without Z3 (10 min)
	$(SUBMAKE) $(B)/rulefuzz $(B)/librulesmith.a $(B)/librulesmith.so $(UNIT_RUNTIME)
	@tests/run.sh $(B) runtime '$(T)'

# Archives, so that a test takes the parts it calls and no command, which would want main.c.
$(B)/fuzz.a: $(FUZZ_PARTS)
$(B)/runtime.a: $(RUNTIME) $(BASE) $(GENERATED)
$(B)/fuzz.a $(B)/runtime.a:
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcsD $@ $^

$(UNIT_SMITH): $(SMITH_PARTS) $(BASE)
$(UNIT_SMITH): LIBS_UNIT = $(LIBS_RULESMITH)
$(UNIT_RUNTIME): $(B)/fuzz.a $(B)/runtime.a
$(UNIT_RUNTIME): LIBS_UNIT = $(LIBS_RULEFUZZ)
$(UNIT_AUDIT): $(filter-out $(B)/audit/main.o,$(AUDIT))
$(UNIT_AUDIT): LIBS_UNIT = $(LIBS_AUDIT)
$(B)/tests/codegen/test_table: $(GENERATED)
# The test's own object stands first on the line.
$(UNITS): $(B)/tests/%: $(B)/tests/unit/%.o
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(LINK) -rdynamic $< $(filter-out $<,$^) $(LIBS_UNIT) -lcmocka -o $@

include mk/data.mk mk/checks.mk mk/fuzzing.mk mk/benchmarks.mk mk/packages.mk

# ---- packages of the system: `make deps`, `make rules` and `make test` install what is missing, and print what and why

deps: ## install missing packages, if any; NEEDS=runtime: only what rulefuzz needs (1 min)
	@[ '$(DEPS)' = skip ] || sh .ci/deps.sh $(NEEDS)

checked checked-runtime:
	@[ '$(DEPS)' = skip ] || sh .ci/deps.sh --check $(if $(filter %-runtime,$@),runtime)

dist: ## an archive of the sources at HEAD (1 s)
	$(call say,ARCHIVE,$(B)/rulesmith-$(VERSION).tar.gz)
	@mkdir -p $(B)
	$(Q)git archive --prefix=rulesmith-$(VERSION)/ -o $(B)/rulesmith-$(VERSION).tar.gz HEAD

clean: ## remove what was built (1 s)
	$(call say,RM,$(B))
	$(Q)rm -rf $(B)

help: ## this list (1 s)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '\nor a file by its name, build/rulefuzz; and with VARIABLE=VALUE:\n'
	@sed -n 's/^#   /  /p' $(firstword $(MAKEFILE_LIST))
