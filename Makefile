# rulesmith: learn the rules of deep-learning operators, ship them as C. `make help` lists the targets, and these:
#
#   V=1            commands, not a line a step
#   JOBS           how many at once (as many as there are processors)
#   CC, CFLAGS     of all C but generated/, whose flags are GENFLAGS; LDFLAGS of programs
#   PREFIX         where `make install` puts things (/usr/local), below DESTDIR
#   DEPS=skip      no look for missing packages
#   OLD            of diff: a virtual environment with another version
#   FRAMEWORK      of backends, traces, values, refine, verify-live, diff, validity: torch, tensorflow, onnx, jax
#   BACKEND, TIME  what `make fuzz` fuzzes, and for how long (60s)
#   BACKENDS, VERSIONS, INSTALL of test-backends: some only; other versions (all, or '1.20.1 1.26.0'); 1: install them first
#   SEED, COUNT    of what is generated: inputs, models; of mutants
#   TESTS          of coverage: words in the names of those that are run
#   EACH           questions of verify-live for a clause (1)
#   STRATEGY, NODES of the models of validity (neuri, 10)
#   REFINE         how many models `make refine` runs first (20000)
#   NEURI, FOLDS   NeuRI's records, and into how many folds `make bench-neuri` holds them out (1)
#   PARTS          of `make bench`
#   BUGS, BUDGET   of bench-bugs: a folder with list.tsv, the time of each version
#   SINCE          the rules of the version before, for `make site`

CC      ?= cc
OBJCOPY ?= objcopy
CFLAGS  ?= -O2 -g -fno-asynchronous-unwind-tables
GENFLAGS ?= -Og
GENB    ?= $(B)
PREFIX  ?= /usr/local
JOBS    ?= $(shell nproc)
NEURI   ?= ../shared/neuri
FOLDS   ?= 1
DEPS    ?= install
BACKEND ?= torch-inductor
TIME    ?= 60s
FRAMEWORK ?= torch
REFINE  ?= 20000
COUNT   ?= 60000
EACH    ?= 1
ONNX_PROTO ?= /usr/include/onnx/onnx.proto
SEED    ?= 1
STRATEGY ?= neuri
NODES   ?= 10
BUDGET  ?= 15m

# say: a step's line, WORD and what it makes (none for make -s). A recipe's commands begin with $(Q).
ifneq ($(V),1)
Q := @
ifeq ($(findstring s,$(firstword -$(MAKEFLAGS))),)
say = @printf '  %-8s %s\n' '$(1)' '$(or $(2),$@)'
count = $(eval COUNTED += $@)$(if $(MAKE_TERMOUT),@printf '  CC       %d of %d\r' $(words $(COUNTED)) $(words $(GENERATED)))
endif
endif

# For a make within this one: as many jobs as JOBS, or its share of those that `make -j` gave.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

B        := build
VENVS    := $(or $(RULESMITH_VENVS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/rulesmith/venv)
PYTHON    = $(VENVS)/$(FRAMEWORK)/bin/python
VERSION  := $(shell sed -n 's/.*RS_VERSION "\(.*\)"/\1/p' runtime/include/rulesmith.h)
WARN     := -std=gnu11 -Wall -Wextra -Werror=switch -Werror=implicit-function-declaration
CPPFLAGS += -D_GNU_SOURCE
COMPILE   = $(CC) $(WARN) $(CPPFLAGS) $(INCLUDES) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@
LIBS_RULESMITH := -lz3 -lcjson -lxxhash -ldl -lpthread -lm
LIBS_RULEFUZZ  := -lprotobuf-c -lcjson -lxxhash -lsqlite3 -lz -ldl -lpthread -lm

# Folders, in the order in which data passes: docs/explanation/architecture.md. A file sees the headers of its own program's.
SYNTH_DIRS   := synth synth/memory synth/rule synth/records synth/search synth/clauses synth/proof synth/share synth/page synth/ask synth/bank synth/run synth/diff synth/cmd
CODEGEN_DIRS := codegen codegen/family codegen/emit codegen/sampler
BASE_DIRS    := runtime/include runtime/base
RUNTIME_DIRS := runtime/rules runtime/model runtime/model/computed runtime/model/effects runtime/model/onnx runtime/generate runtime/generate/index runtime/generate/call runtime/generate/chain runtime/generate/feature runtime/generate/graph runtime/measure
ASK_DIRS     := runtime/ask
FUZZ_DIRS    := $(ASK_DIRS) runtime/findings runtime/native runtime/target runtime/reduce runtime/fuzz runtime/verify runtime/report runtime/report/outline runtime/report/findings runtime/report/documented runtime/site runtime/cli runtime/cli/run
SMITH_INCLUDES := $(addprefix -iquote ,$(BASE_DIRS) $(ASK_DIRS) runtime/rules runtime/target $(SYNTH_DIRS) $(CODEGEN_DIRS) $(B)/script)
FUZZ_INCLUDES  := $(addprefix -iquote ,$(BASE_DIRS) $(RUNTIME_DIRS) $(FUZZ_DIRS) $(B)/onnx $(B)/script)

# The audit shares no code with what it audits: its files see each other's headers alone (docs/explanation/proofs.md).
AUDIT_DIRS  := audit audit/sampler audit/run
LLVM        ?= $(lastword $(sort $(wildcard /usr/lib/llvm-*)))
AUDIT_INCLUDES := $(addprefix -iquote ,$(AUDIT_DIRS)) -isystem $(LLVM)/include

sources = $(sort $(foreach d,$(1),$(wildcard $(d)/*.c)))
objects = $(patsubst %.c,$(B)/%.o,$(1))
BASE      := $(call objects,$(call sources,$(BASE_DIRS)))
RUNTIME   := $(call objects,$(call sources,$(RUNTIME_DIRS))) $(B)/onnx/onnx.pb-c.o
FUZZ      := $(call objects,$(call sources,$(FUZZ_DIRS)))
SAMPLERS  := $(addprefix runtime/rules/,leap.c program.c run.c)
PACKAGES  := $(addprefix runtime/target/,package.c target_file.c setting_table.c) runtime/rules/framework.c
SMITH     := $(call objects,$(call sources,$(SYNTH_DIRS) $(CODEGEN_DIRS) $(ASK_DIRS)) $(SAMPLERS) $(PACKAGES))

# The files of generated/ are thousands, and a compiler takes longer to start than to read one: of a framework, those are
# compiled together whose names end alike, so that a new file joins one batch and moves no other.
ALONE     := $(sort $(wildcard generated/*.c generated/*/table.c))
TOGETHER  := $(sort $(filter-out $(ALONE) generated/forms/%,$(wildcard generated/*/*.c)))
ENDS      := a.b.c.f.g.h d.s e i.j.k.o.p.q l.r m.n t u.v.w.x.y.z 0.1 2.3.4.5 6.7.8.9 _
patterns   = $(patsubst %,\%%.c,$(subst ., ,$(1)))
ending     = $(filter $(1)%,$(if $(filter other,$(2)),$(filter-out $(call patterns,$(ENDS)),$(TOGETHER)),$(filter $(call patterns,$(2)),$(TOGETHER))))
BATCHES   :=
# $(1): a folder of generated/; $(2): how names end
define add_batch
files := $(call ending,$(1),$(2))
ifneq ($$(files),)
BATCHES += $(GENB)/$(1:/=)-$(2).c
FILES_$(GENB)/$(1:/=)-$(2).c := $$(files)
endif
endef
$(foreach d,$(sort $(dir $(TOGETHER))),$(foreach l,$(ENDS) other,$(eval $(call add_batch,$d,$l))))
GENERATED := $(patsubst %.c,$(GENB)/%.o,$(ALONE)) $(BATCHES:.c=.o)
# The calls of recorded chains: a library of its own; rs_forms alone is global.
FORMS     := $(sort $(wildcard generated/forms/*.c generated/forms/*/*.c))
GENERATED += $(GENB)/forms.o
# What decides how a rule is found: not the commands, nor who asks a framework, nor what is said of models alone.
MODELS_ONLY := $(addprefix runtime/include/,rulesmith.h model.h samplercode.h sampling.h tablerow.h)
SOLVER    := $(filter-out $(MODELS_ONLY),$(sort $(wildcard $(addsuffix /*.[ch],$(BASE_DIRS) $(filter-out synth/cmd synth/ask synth/diff,$(SYNTH_DIRS))))))
AUDIT     := $(call objects,$(call sources,$(AUDIT_DIRS)))
SMITH_PARTS := $(filter-out $(B)/synth/cmd/main.o,$(SMITH))
FUZZ_PARTS  := $(filter-out $(B)/runtime/cli/main.o,$(FUZZ))
TRACES    := $(sort $(wildcard traces/*/*.jsonl))
FORM_TRACES := $(sort $(wildcard traces/onnx/forms/*.jsonl))
VALUES    := $(sort $(wildcard traces/*/VALUES.tsv))
WEIGHTS   := $(sort $(wildcard traces/*/WEIGHTS.tsv))
CHAINS    := $(sort $(wildcard traces/*/CHAINS.models traces/*/PAIRS.models))
RUNS      := $(sort $(wildcard traces/*/RUNS.tsv))
ALIASES   := $(sort $(wildcard traces/*/ALIASES.tsv))
units = $(patsubst tests/unit/%.c,$(B)/tests/%,$(sort $(foreach d,$(1),$(wildcard $(d)/test_*.c $(d)/*/test_*.c $(d)/*/*/test_*.c))))
UNIT_SMITH   := $(call units,tests/unit/synth tests/unit/codegen)
UNIT_RUNTIME := $(call units,tests/unit/runtime)
UNIT_AUDIT   := $(call units,tests/unit/audit)
.SECONDARY: $(patsubst $(B)/tests/%,$(B)/tests/unit/%.o,$(UNIT_SMITH) $(UNIT_RUNTIME) $(UNIT_AUDIT))

PHONY_TARGETS := all rulefuzz rules explain audit audit-faults test test-runtime test-backends check-findings coverage mutants tutorial docs fuzz-readers bench bench-neuri bench-faults bench-features bench-bugs bench-kernels site traces values zoo refine verify-live diff validity backends fuzz ci deps dist clean help
.PHONY: $(PHONY_TARGETS)
.DEFAULT_GOAL := all

all: deps ## build both programs and the library
	@$(MAKE) --no-print-directory $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a $(B)/librulesmith.so

rulefuzz: ## build rulefuzz alone, in parallel; installs what that needs (no Z3)
	$(Q)[ '$(DEPS)' = skip ] || sh .ci/deps.sh runtime
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz

# ---- programs

$(B)/rulesmith: $(SMITH) $(BASE)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_RULESMITH) -o $@

# The cache of solved rules is as old as what solves them (synth/run/cache.c).
$(B)/script/solver_sources.h: $(SOLVER)
	$(call say,HASH)
	@mkdir -p $(@D)
	@{ cat $^; $(CC) --version; echo '$(CFLAGS)'; } | sha256sum | sed 's/\([0-9a-f]*\).*/#define SOLVER_SOURCES "\1"/' >$@
$(B)/synth/run/cache.o: $(B)/script/solver_sources.h

$(B)/rulefuzz: $(FUZZ) $(RUNTIME) $(BASE) $(GENERATED)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULEFUZZ) -o $@

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

# The object of generated/forms joins those of generated/, so that whatever links them has both libraries.
$(GENB)/forms.o: $(FORMS) $(wildcard generated/forms/*.h generated/forms/*/*.h runtime/include/*.h)
	$(call say,FORMS,generated/forms/)
	@mkdir -p $(GENB)/forms
	$(Q)for file in $(FORMS); do echo "$$file"; done | xargs -n 1 -P $(JOBS) sh -c '$(CC) $(WARN) $(CPPFLAGS) -iquote . -iquote runtime/include \
		$(GENFLAGS) -fPIC -Drs_rules=rs_forms -c $$0 -o $(GENB)/forms/$$(echo $$0 | tr / _).o'
	$(Q)$(LD) -r --force-group-allocation $(GENB)/forms/*.o -o $@.all
	$(Q)$(OBJCOPY) --keep-global-symbol=rs_forms $@.all $@
	@rm -r $@.all $(GENB)/forms

# On a terminal a count stands in place of a line for each: make itself counts, since recipes are expanded one by one.
$(patsubst %.c,$(GENB)/%.o,$(ALONE)): $(GENB)/%.o: %.c
$(BATCHES:.c=.o): %.o: %.c
$(filter-out $(GENB)/forms.o,$(GENERATED)):
	$(count)
	@mkdir -p $(@D)
	$(Q)$(CC) $(WARN) $(CPPFLAGS) -iquote . -iquote runtime/include $(GENFLAGS) -fPIC -MMD -MP -c $< -o $@

# A batch includes its files, and is written anew when these are others; by make, so that no name meets a shell.
hash := \#
define newline


endef
includes = $(subst $(newline) ,$(newline),$(foreach f,$(FILES_$(1)),$(hash)include "$f"$(newline)))
changed  = $(if $(and $(findstring $(1),$(2)),$(findstring $(2),$(1))),,FORCE)
.SECONDEXPANSION:
$(BATCHES): $$(call changed,$$(call includes,$$@),$$(file <$$@)$$(newline))
	$(shell mkdir -p $(@D))$(file >$@,$(call includes,$@))@:
.PHONY: FORCE

# ONNX's file format as C.
$(B)/onnx/onnx.pb-c.c $(B)/onnx/onnx.pb-c.h &: $(ONNX_PROTO)
	$(call say,PROTOC)
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=$(dir $<) --c_out=$(B)/onnx $<

$(B)/onnx/onnx.pb-c.o: $(B)/onnx/onnx.pb-c.c
	$(call say,CC)
	$(Q)$(COMPILE)

# What a script begins with, as a C string: a file of the package but its first lines, which say what it is.
PACKAGE := runtime/python/rulefuzz
$(B)/script/elements.py.h: $(PACKAGE)/elements.py
$(B)/script/torch_elements.py.h: $(PACKAGE)/frameworks/torch_elements.py
$(B)/script/torch_layouts.py.h: $(PACKAGE)/frameworks/torch_layouts.py
$(B)/script/%.py.h:
	$(call say,TEXT)
	@mkdir -p $(@D)
	$(Q)sed -n '/^from __future__/,$$p' $< | sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' >$@

# What a site's pages share, as C strings.
$(B)/script/site.%.h: runtime/site/site.%
	$(call say,TEXT)
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@

# The rule of each API in readable notation: the comment that opens its file in generated/, without the frame. A form feed
# begins each page. Compressed, since the static program may have 15 MB.
$(B)/script/pages.gz: $(TOGETHER)
	$(call say,TEXT)
	@mkdir -p $(@D)
	$(Q)find generated -mindepth 2 -name '*.c' -not -path 'generated/forms/*' | LC_ALL=C sort | xargs awk 'FNR == 1 { on = 0 } \
		FNR == 2 && /^\/\* [^ ]+: [0-9]/ { on = 1; printf "\f" } \
		on && /^ \*\/$$/ { on = 0 } on { sub(/^(\/\*| \*) ?/, ""); print }' | gzip -9n >$@.new && mv $@.new $@

# Files inside the program: of a source and a file (EMBED in runtime/base/file.h).
define embedded
$(B)/$1.o $(B)/fuzz/$1.o: $2
$(B)/$1.o $(B)/fuzz/$1.o: CPPFLAGS += -DEMBEDDED='"$2"'
endef
$(eval $(call embedded,runtime/cli/rule_pages,$(B)/script/pages.gz))
# The documented bugs, which findings are compared with; python docs/findings/check.py --index writes them.
$(eval $(call embedded,runtime/report/documented/pages,docs/findings/index.tsv))

# Which inputs of calls are constants in real models: rows of an array of C.
$(B)/script/weights.def.h: $(WEIGHTS)
	@mkdir -p $(@D)
	$(Q)awk -F'\t' 'FNR > 1 { split(FILENAME, part, "/"); printf "{\"%s\", \"%s\", %d, %d, %d},\n", part[2], $$1, $$2, $$3, $$4 }' \
		$(WEIGHTS) /dev/null >$@
# Which calls write to their inputs and which results share memory with them, sorted for a binary search.
$(B)/script/aliases.def.h: $(ALIASES)
	@mkdir -p $(@D)
	$(Q)awk -F'\t' 'FNR > 1 { printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$3, $$4 }' \
		$(ALIASES) /dev/null | LC_ALL=C sort >$@
# What stands together in them.
$(B)/script/chain_lines.def.h: runtime/generate/chain/chain_lines.awk $(CHAINS)
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f $^ >$@.new && mv $@.new $@
$(B)/runtime/generate/chain/chain_lines.o: $(B)/script/chain_lines.def.h
$(B)/runtime/generate/call/weights.o: $(B)/script/weights.def.h
$(B)/runtime/model/effects/aliases.o: $(B)/script/aliases.def.h

$(B)/runtime/site/site_frame.o: $(B)/script/site.css.h $(B)/script/site.js.h $(B)/script/site.legend.html.h
$(B)/runtime/model/write_python.o: $(B)/script/elements.py.h $(B)/script/torch_elements.py.h $(B)/script/torch_layouts.py.h
$(filter $(B)/runtime/model/onnx/%,$(RUNTIME)) $(B)/tests/unit/runtime/model/onnx/test_onnx.o $(B)/tests/unit/runtime/model/onnx/test_onnx_bodies.o: $(B)/onnx/onnx.pb-c.h
$(B)/synth/%.o: CFLAGS += -O3 -fno-semantic-interposition
$(BASE) $(RUNTIME) $(FUZZ): INCLUDES = $(FUZZ_INCLUDES)
$(filter-out $(B)/runtime/%,$(SMITH)): INCLUDES = $(SMITH_INCLUDES)
$(B)/tests/unit/synth/%.o $(B)/tests/unit/codegen/%.o: INCLUDES = $(SMITH_INCLUDES) -iquote tests/unit -iquote tests/unit/synth
$(B)/tests/unit/audit/%.o: INCLUDES = $(AUDIT_INCLUDES) -iquote runtime/include
$(B)/tests/unit/runtime/%.o: INCLUDES = $(FUZZ_INCLUDES) -iquote tests/unit -iquote tests/unit/runtime
$(B)/tests/bench/%.o: INCLUDES = $(SMITH_INCLUDES) $(FUZZ_INCLUDES)

$(B)/%.o: %.c
	$(call say,CC)
	@mkdir -p $(@D)
	$(Q)$(COMPILE)

-include $(shell find $(addprefix $(B)/,synth codegen runtime audit tests) -name '*.d' 2>/dev/null)
-include $(wildcard $(GENERATED:.o=.d))

$(AUDIT): INCLUDES = $(AUDIT_INCLUDES)
# What runs the table knows its layout.
$(filter $(B)/audit/run/%,$(AUDIT)) $(B)/audit/main.o: INCLUDES = $(AUDIT_INCLUDES) -iquote runtime/include
$(B)/audit-c: $(AUDIT)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lclang -lz3 -lcjson -lxxhash -ldl -o $@

$(B)/tests/audit/%: $(B)/tests/unit/audit/%.o $(filter-out $(B)/audit/main.o,$(AUDIT))
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lclang -lz3 -lcjson -lxxhash -ldl -lcmocka -o $@

# ---- the product's data

rules: deps ## learn the rules from traces/ and write generated/
	@$(MAKE) --no-print-directory $(B)/rules.stamp
	@$(MAKE) --no-print-directory $(B)/forms.stamp

$(B)/rules.stamp: $(B)/rulesmith $(TRACES) $(VALUES) $(RUNS)
	$(call say,SYNTH,$(B)/rules.jsonl from $(words $(TRACES)) files of traces/)
	$(Q)$(B)/rulesmith synth $(addprefix --traces ,$(sort $(dir $(TRACES)))) -o $(B)/rules.jsonl -j $(JOBS) --cache $(B)/cache
	$(call say,EMIT,generated/)
	$(Q)$(B)/rulesmith emit $(B)/rules.jsonl -o generated $(addprefix --values ,$(VALUES)) $(addprefix --runs ,$(RUNS))
	@touch $@

$(B)/forms.stamp: $(B)/rulesmith $(FORM_TRACES) traces/onnx/forms/VALUES.tsv traces/onnx/forms/RUNS.tsv
	$(call say,SYNTH,$(B)/forms.jsonl from $(words $(FORM_TRACES)) files of traces/onnx/forms/)
	$(Q)$(B)/rulesmith synth --traces traces/onnx/forms/ -o $(B)/forms.jsonl -j $(JOBS) --cache $(B)/cache-forms
	$(Q)$(B)/rulesmith emit $(B)/forms.jsonl -o generated/forms --values traces/onnx/forms/VALUES.tsv --runs traces/onnx/forms/RUNS.tsv
	@touch $@

explain: deps ## how the rule of OP (a name or a glob) came about, as shipped
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulesmith
	@$(B)/rulesmith explain '$(OP)' $(addprefix --traces ,$(sort $(dir $(TRACES)))) -j $(JOBS) --cache $(B)/cache

traces: backends ## collect traces anew from the installed FRAMEWORK
	$(call say,COLLECT,traces/$(FRAMEWORK))
	$(Q)$(PYTHON) -m traces.collect $(FRAMEWORK)
	$(Q)[ $(FRAMEWORK) != onnx ] || $(PYTHON) -m traces.collect.frameworks.onnx.attributes traces/onnx

values: backends ## learn from the installed FRAMEWORK which classes of element values its operators take and give
	$(call say,VALUES,traces/$(FRAMEWORK)/VALUES.tsv)
	$(Q)$(PYTHON) -m traces.collect.cli.values $(FRAMEWORK)

ZOO := $(B)/zoo
zoo: ## learn from small models of people's architectures which inputs of calls are weights, and which calls form chains
	$(call say,ZOO,traces/*/WEIGHTS.tsv traces/onnx/CHAINS.models)
	$(Q)traces/backends.sh zoo zoo-tf zoo-nncf
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.cli.zoo export $(ZOO)/torch
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.zoo.sources.sklearn $(ZOO)/sklearn
	$(Q)$(VENVS)/zoo-tf/bin/python -m traces.collect.zoo.sources.keras $(ZOO)/keras
	$(Q)$(VENVS)/zoo-nncf/bin/python -m traces.collect.zoo.sources.nncf $(ZOO)/torch $(ZOO)/nncf
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.cli.zoo record $(ZOO) traces

refine: backends rules ## ask the installed FRAMEWORK where its rules could be wrong, learn from the answers
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(call say,REFINE,traces/$(FRAMEWORK))
	$(Q)[ $(FRAMEWORK) != torch ] || $(B)/rulefuzz gen --framework $(FRAMEWORK) --count $(REFINE) --seed $(SEED) | \
	    $(PYTHON) -m traces.collect.cli.refine $(FRAMEWORK)
	$(Q)$(B)/rulesmith refine --oracle $(FRAMEWORK) --traces traces/$(FRAMEWORK) \
	    $(addprefix --beside ,$(filter-out traces/$(FRAMEWORK)/,$(sort $(dir $(TRACES))))) --seed $(SEED) -j $(JOBS) --cache $(B)/cache \
	    --report $(B)/refine-$(FRAMEWORK).jsonl
	@$(MAKE) --no-print-directory rules

verify-live: backends rules ## ask the installed FRAMEWORK about COUNT fresh inputs, and EACH for a clause: are the rules right?
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(call say,CLAUSES,$(B)/questions-$(FRAMEWORK).jsonl)
	$(Q)$(B)/rulesmith questions $(addprefix --traces ,$(sort $(dir $(TRACES)))) --framework $(FRAMEWORK) --each $(EACH) \
	    --seed $(SEED) -j $(JOBS) --cache $(B)/cache -o $(B)/questions-$(FRAMEWORK).jsonl
	$(call say,VERIFY,$(COUNT) inputs for $(FRAMEWORK))
	$(Q)$(B)/rulefuzz verify --framework $(FRAMEWORK) --count $(COUNT) --seed $(SEED) \
	    --questions $(B)/questions-$(FRAMEWORK).jsonl --wrong $(B)/verify-$(FRAMEWORK).jsonl

diff: backends rules ## what the installed FRAMEWORK answers otherwise than the version in the virtual environment OLD: build/diff-FRAMEWORK.json
	$(if $(OLD),,$(error OLD is needed: a virtual environment with another version of FRAMEWORK))
	$(call say,CLAUSES,$(B)/questions-$(FRAMEWORK).jsonl)
	$(Q)$(B)/rulesmith questions $(addprefix --traces ,$(sort $(dir $(TRACES)))) --framework $(FRAMEWORK) --each $(EACH) \
	    --seed $(SEED) -j $(JOBS) --cache $(B)/cache -o $(B)/questions-$(FRAMEWORK).jsonl
	$(call say,DIFF,$(B)/diff-$(FRAMEWORK).json)
	$(Q)$(B)/rulesmith diff '$(OLD)' $(VENVS)/$(FRAMEWORK) --traces traces/$(FRAMEWORK) --calls $(B)/questions-$(FRAMEWORK).jsonl \
	    --framework $(FRAMEWORK) --seed $(SEED) --json -o $(B)/diff-$(FRAMEWORK).json || [ $$? -eq 3 ]

validity: COUNT := 10000
validity: backends ## run COUNT (10000) models of STRATEGY with NODES nodes by FRAMEWORK itself: how many are valid?
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(call say,VALIDITY,$(COUNT) models of $(NODES) nodes in $(FRAMEWORK))
	$(Q)$(B)/rulefuzz gen --framework $(FRAMEWORK) --strategy $(STRATEGY) --nodes $(NODES) --count $(COUNT) --seed $(SEED) | \
	    $(B)/rulefuzz validity $(FRAMEWORK) --quiet --jobs $(JOBS) \
	        --failures $(B)/validity-$(FRAMEWORK)-$(STRATEGY)-$(NODES).jsonl

# BACKEND has a default for `make fuzz`; here it counts when it is given.
backends: ## install FRAMEWORK, or what BACKEND needs, into a virtual environment outside the tree, once (RULESMITH_VENVS: where)
	$(Q)traces/backends.sh $(if $(filter file undefined,$(origin BACKEND)),$(FRAMEWORK),$(BACKEND))

# ---- checks

test: deps ## run all tests
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a $(B)/librulesmith.so $(B)/audit-c $(UNIT_SMITH) $(UNIT_RUNTIME) $(UNIT_AUDIT)
	@tests/run.sh $(B) all

audit: deps ## prove that generated/ says what build/rules.jsonl says, by a checker that shares no code with its makers
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/audit-c $(B)/librulesmith.so
	@$(B)/audit-c --rules $(B)/rules.jsonl --library $(B)/librulesmith.so $(addprefix --traces ,$(sort $(dir $(TRACES)))) --cache $(B)/audit.cache --certificate $(B)/audit.certificate -j $(JOBS)

audit-faults: deps ## plant 466 faults in generated C, rules, rows, records, samplers and its own input: does the audit catch each?
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/audit-c $(B)/librulesmith.so
	@python3 -m tests.audit --build $(B)

test-runtime: ## run the tests of librulesmith and rulefuzz only; needs no libz3
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz $(B)/librulesmith.a $(B)/librulesmith.so $(UNIT_RUNTIME)
	@tests/run.sh $(B) runtime

test-backends: TIME = 30s
test-backends: deps ## fuzz each installed backend for TIME (30s); INSTALL=1 installs the others first, BACKENDS are some, VERSIONS others
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	@INSTALL=$(INSTALL) VERSIONS='$(VERSIONS)' tests/smoke.sh $(B) $(TIME) $(BACKENDS)

tutorial: ## run every command of docs/tutorial.md, from a clone to a first bug
	@tests/tutorial.sh

docs: deps ## the documentation as a site: build/docs/index.html, to be read without network
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz $(B)/rulesmith
	$(Q)traces/backends.sh docs
	$(call say,DOCS,$(B)/docs)
	$(Q)python3 packages/docs_site.py $(B) >$(B)/commands.md.new && \
	    { cmp -s $(B)/commands.md.new docs/reference/commands.md || cp $(B)/commands.md.new docs/reference/commands.md; } && rm $(B)/commands.md.new
	$(Q)RULESMITH_BUILD=$(B) NO_MKDOCS_2_WARNING=1 $(VENVS)/docs/bin/mkdocs build --strict --site-dir $(B)/docs >$(B)/docs.log 2>&1 || \
	    { grep -v '^INFO' $(B)/docs.log; exit 1; } # --quiet would hide warnings from --strict

site: SITE_SINCE = $(if $(SINCE),--since $(SINCE))
site: deps rules ## pages of all rules in build/site, for a browser; SINCE=RULES.jsonl says what changed since those
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(call say,SITE,$(B)/site)
	$(Q)rm -rf $(B)/site
	$(Q)$(B)/rulefuzz site --rules $(B)/rules.jsonl --out $(B)/site $(SITE_SINCE)

check-findings: ## run the scripts of docs/findings in an empty environment; TARGETS selects some (onnx, mnn, torch, …)
	@python3 docs/findings/check.py $(TARGETS)

# Clang counts, so that what is optimised is counted as it stands in the source; the counters are kept while a program runs.
COVERED := -O1 -g -fprofile-instr-generate -fcoverage-mapping -mllvm -runtime-counter-relocation -Wno-unused-command-line-argument -DARENA_BLOCK=64
# Tests that build a program again build it with counters, too.
AS_COVERED = CFLAGS='$(COVERED)' GENB=$(B) CC=clang

coverage: deps ## branches that the tests reach, by folder, of C and of the Python package; TESTS are words of some; needs clang, llvm
	@$(AS_COVERED) $(MAKE) --no-print-directory $(PARALLEL) B=$(B)/coverage DEPS=skip with-tests
	$(Q)$(AS_COVERED) python3 -m tests.coverage.profiles $(B)/coverage $(TESTS)
	$(Q)sh tests/coverage/python.sh $(B)/coverage/python $(B)/coverage
	@python3 -m tests.coverage.table $(B)/coverage $(B)/coverage/python/python.json

mutants: COUNT := 200
mutants: TIME := 40m
mutants: deps ## plant COUNT (200) small faults in the C sources, for TIME (40m): do the tests notice? after make coverage
	@$(MAKE) --no-print-directory $(PARALLEL) with-tests
	@python3 -m tests.mutants --build $(B) --count $(COUNT) --seed $(SEED) --time $(TIME)

.PHONY: with-tests
with-tests: $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a $(UNIT_SMITH) $(UNIT_RUNTIME) $(UNIT_AUDIT)

$(filter $(B)/tests/%,$(UNIT_SMITH)): $(B)/tests/%: $(B)/tests/unit/%.o $(SMITH_PARTS) $(BASE)
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULESMITH) -lcmocka -o $@

$(B)/tests/codegen/test_table: $(GENERATED)

# Archives, so that a test takes the parts it calls and no command, which would want main.c.
$(B)/fuzz.a: $(FUZZ_PARTS)
$(B)/runtime.a: $(RUNTIME) $(BASE) $(GENERATED)
$(B)/fuzz.a $(B)/runtime.a:
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcsD $@ $^

$(B)/tests/runtime/%: $(B)/tests/unit/runtime/%.o $(B)/fuzz.a $(B)/runtime.a
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULEFUZZ) -lcmocka -o $@

FUZZ_READERS := $(addprefix $(B)/fuzz/,$(notdir $(basename $(wildcard tests/fuzz/*.c tests/fuzz/said/*.c))))
FUZZ_CHECKS := -O1 -g -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
FUZZ_FLAGS := $(FUZZ_CHECKS) -fsanitize=fuzzer

fuzz-readers: deps ## fuzz every reader of outside input for TIME seconds each; needs clang
	@$(MAKE) --no-print-directory $(PARALLEL) $(addprefix run-,$(FUZZ_READERS))

.PHONY: $(addprefix run-,$(FUZZ_READERS))
$(addprefix run-,$(FUZZ_READERS)): run-%: %
	$(call say,FUZZ,$< for $(TIME))
	@mkdir -p $<.corpus
	$(Q)$< -max_total_time=$(patsubst %s,%,$(TIME)) -rss_limit_mb=4096 -timeout=20 -print_final_stats=0 -verbosity=0 \
	    -artifact_prefix=$<. $<.corpus tests/fuzz/seeds/$(notdir $<)

$(B)/fuzz/fuzz_records $(B)/fuzz/fuzz_rules: $(B)/fuzz/%: tests/fuzz/%.c $(B)/script/solver_sources.h
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(Q)clang $(WARN) $(CPPFLAGS) $(SMITH_INCLUDES) $(FUZZ_FLAGS) $< $(call sources,$(filter-out synth/cmd,$(SYNTH_DIRS)) $(CODEGEN_DIRS) $(ASK_DIRS) runtime/base) \
	    $(SAMPLERS) $(PACKAGES) $(LIBS_RULESMITH) -o $@

# What rulefuzz is made of, compiled for fuzzers once. An archive, so that a fuzzer may bring what takes a part's place.
READERS := $(patsubst %.c,$(B)/fuzz/%.o,$(filter-out runtime/cli/main.c,$(call sources,$(FUZZ_DIRS) $(RUNTIME_DIRS) runtime/base)) $(B)/onnx/onnx.pb-c.c)
$(READERS): $(B)/fuzz/%.o: %.c | $(B)/onnx/onnx.pb-c.c $(B)/script/elements.py.h $(B)/script/torch_elements.py.h $(B)/script/torch_layouts.py.h \
    $(B)/script/weights.def.h $(B)/script/aliases.def.h $(B)/script/chain_lines.def.h $(B)/script/site.css.h $(B)/script/site.js.h
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(Q)clang $(WARN) $(CPPFLAGS) $(FUZZ_INCLUDES) $(FUZZ_CHECKS) -fsanitize=fuzzer-no-link -DFUZZING -MMD -MP -c $< -o $@
-include $(READERS:.o=.d)
$(B)/fuzz/runtime.a: $(READERS)
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcsD $@ $^

FUZZ_WHOLE := $(addprefix $(B)/fuzz/fuzz_,eval model capabilities database finding arguments table)
FUZZ_SAID := $(addprefix $(B)/fuzz/fuzz_,worker oracle questions)
$(FUZZ_WHOLE): $(B)/fuzz/%: tests/fuzz/%.c
$(FUZZ_SAID): $(B)/fuzz/%: tests/fuzz/said/%.c tests/fuzz/said/said.h
$(FUZZ_WHOLE) $(FUZZ_SAID): tests/fuzz/input.h $(B)/fuzz/runtime.a $(GENERATED)
	$(call say,CLANG)
	$(Q)clang $(WARN) $(CPPFLAGS) -iquote tests/fuzz $(FUZZ_INCLUDES) $(FUZZ_FLAGS) -DFUZZING $(filter %.c,$^) $(GENERATED) $(B)/fuzz/runtime.a $(LIBS_RULEFUZZ) -o $@

$(B)/fuzz/fuzz_classes: tests/fuzz/fuzz_classes.c
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(Q)clang $(WARN) $(CPPFLAGS) $(SMITH_INCLUDES) $(FUZZ_FLAGS) $< codegen/classes_read.c $(call sources,synth/memory synth/rule synth/records runtime/base) \
	    $(LIBS_RULESMITH) -o $@

$(B)/fuzz/fuzz_corpus: tests/fuzz/fuzz_corpus.c
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(Q)clang $(WARN) $(CPPFLAGS) $(FUZZ_INCLUDES) $(FUZZ_FLAGS) $< runtime/measure/metrics_corpus.c runtime/measure/metrics.c \
	    runtime/model/graph.c $(addprefix runtime/rules/,eval.c table.c opset.c framework.c) $(call sources,runtime/base) $(LIBS_RULEFUZZ) -o $@

# ---- benchmarks

bench: deps ## speed, validity and diversity (PARTS: some), beside the published figures
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulesmith $(B)/rulefuzz $(B)/bench_eval $(B)/bench_eval_lines $(B)/bench_column
	@tests/bench/bench.sh $(B) $(PARTS)

bench-faults: backends ## plant 128 faults in torch's eager, hunt each for at most ten minutes: how many are found?
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(Q)python3 tests/bench/faults.py $(B)/rulefuzz $(B)/faults.log

bench-features: backends ## plant 172 faults of optimisers that need a feature of models, and judge models with it and without
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(Q)python3 tests/bench/features.py $(B)/rulefuzz

bench-bugs: deps ## BUGS=DIR: which public bugs of DIR/list.tsv does a campaign of BUDGET (15m) find? GROUPS, ONLY are globs, AGAIN=1 repeats
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(if $(BUGS),,$(error BUGS is needed: a folder with list.tsv, such as ../shared/bugs))
	$(Q)python3 -m tests.bench.bugs '$(BUGS)' --rulefuzz $(B)/rulefuzz --out $(B)/bench-bugs --budget $(BUDGET) --seed $(SEED) \
	    --groups '$(or $(GROUPS),*)' --only '$(or $(ONLY),*)' $(if $(AGAIN),--again)

bench-kernels: backends ## which share of inductor's kernels is vectorized, transposes tiles, splits reductions, is a GEMM template?
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(Q)$(or $(RULEFUZZ_PYTHON),$(VENVS)/torch/bin/python) tests/bench/kernels.py $(B)/rulefuzz

NEURI_NAMES := torch tf
neuri_each   = $(foreach f,$(NEURI_NAMES),$(addprefix $(B)/neuri/$(f)/,$(1)))

bench-neuri: deps ## NEURI=DIR FOLDS=1: learn from NeuRI's records, compare with NeuRI's own results
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulesmith $(B)/bench_neuri
	@$(MAKE) --no-print-directory -j1 $(call neuri_each,rules.jsonl holdout-$(FOLDS).json)
	@$(MAKE) --no-print-directory $(PARALLEL) $(call neuri_each,librules.so)
	@$(B)/bench_neuri $(B)/neuri/bench.json $(foreach f,$(NEURI_NAMES),$(f) $(B)/neuri/$(f) \
	    $(B)/neuri/$(f)/holdout-$(FOLDS).json $(NEURI)/$(f).train.jsonl $(NEURI)/$(f).published.csv)

# No cache: the times are to be those of the whole work.
$(B)/neuri/%/rules.jsonl: $(NEURI)/%.train.jsonl $(B)/rulesmith
	$(call say,SYNTH)
	@mkdir -p $(@D)
	$(Q)$(B)/rulesmith synth --traces $< -o $@ -j $(JOBS) --statistics $(@D)/statistics.json

$(B)/neuri/%/emit.stamp: $(B)/neuri/%/rules.jsonl $(B)/rulesmith
	$(call say,EMIT,$(@D)/c)
	$(Q)$(B)/rulesmith emit $< -o $(@D)/c
	@touch $@

$(B)/neuri/%/holdout-$(FOLDS).json: $(NEURI)/%.train.jsonl $(B)/rulesmith
	$(call say,HOLDOUT)
	@mkdir -p $(@D)
	$(Q)$(B)/rulesmith holdout --traces $< --folds 5 --first $(FOLDS) -j $(JOBS) --json $@

# Which files there are is known once they are written: recipes are expanded then, and a second make builds them.
neuri_objects = $(patsubst %.c,%.o,$(sort $(shell find $(@D)/c -name '*.c')))
$(B)/neuri/%/librules.so: $(B)/neuri/%/emit.stamp
	$(call say,CC,$(@D)/c ($(words $(neuri_objects)) files))
	$(Q)$(MAKE) $(if $(Q),-s) --no-print-directory $(PARALLEL) $(neuri_objects)
	$(call say,LINK)
	$(Q)$(CC) -shared -o $@ $(neuri_objects)
.SECONDARY: $(call neuri_each,rules.jsonl emit.stamp)

define neuri_rule
$(B)/neuri/$(1)/c/%.o: $(B)/neuri/$(1)/c/%.c $(wildcard $(B)/neuri/$(1)/c/*.h $(B)/neuri/$(1)/c/*/*.h runtime/include/*.h)
	$$(Q)$$(CC) $(WARN) $(CPPFLAGS) -iquote runtime/include -O1 -fPIC -c $$< -o $$@
endef
$(foreach f,$(NEURI_NAMES),$(eval $(call neuri_rule,$(f))))

$(B)/bench_neuri: $(call objects,tests/bench/bench_neuri.c $(addprefix runtime/rules/,table.c eval.c)) $(SMITH_PARTS) $(BASE)
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULESMITH) -ldl -o $@

$(B)/bench_eval $(B)/bench_eval_lines: $(B)/%: $(B)/tests/bench/%.o $(B)/librulesmith.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULEFUZZ) -o $@

$(B)/bench_column: $(B)/tests/bench/bench_column.o $(B)/synth/search/column.o
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

include packages/packages.mk

# ---- house

deps: $(B)/deps.stamp ## install what is missing (DEPS=skip turns it off)

$(B)/deps.stamp: .ci/deps.sh
	@mkdir -p $(B)
	@if [ '$(DEPS)' != skip ]; then sh .ci/deps.sh && touch $@; fi

fuzz: deps ## fuzz BACKEND (torch-inductor, torch-jit, onnxruntime) for TIME, findings in build/findings.db
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz
	$(call say,FUZZ,$(BACKEND) for $(TIME))
	$(Q)$(B)/rulefuzz run --backend $(BACKEND) --time $(TIME) --db $(B)/findings.db --resume

ci: deps ## build, install BACKEND, and run `rulefuzz ci` for TIME: findings in build/findings.db, reports in build/report
	@$(MAKE) --no-print-directory $(PARALLEL) $(B)/rulefuzz backends
	$(call say,CI,$(BACKEND) for $(TIME))
	$(Q)$(B)/rulefuzz ci --backend $(BACKEND) --time $(TIME) --db $(B)/findings.db --out $(B)/report

dist: ## an archive of the sources at HEAD
	$(call say,ARCHIVE,$(B)/rulesmith-$(VERSION).tar.gz)
	@mkdir -p $(B)
	$(Q)git archive --prefix=rulesmith-$(VERSION)/ -o $(B)/rulesmith-$(VERSION).tar.gz HEAD

clean: ## remove what was built
	$(call say,RM,$(B))
	$(Q)rm -rf $(B)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '\nor a file by its name, build/rulefuzz; and with VARIABLE=VALUE:\n'
	@sed -n 's/^#   /  /p' $(firstword $(MAKEFILE_LIST))
