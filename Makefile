# rulesmith: learn the rules of deep-learning operators, ship them as C. `make help` lists targets.

CC      ?= cc
CFLAGS  ?= -O2 -g
GENFLAGS ?= -O1
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
ONNX_PROTO ?= /usr/include/onnx/onnx.proto
SEED    ?= 1
STRATEGY ?= neuri
NODES   ?= 10

B        := build
VERSION  := $(shell sed -n 's/.*RS_VERSION "\(.*\)"/\1/p' runtime/include/rulesmith.h)
WARN     := -std=gnu11 -Wall -Wextra -Werror=switch -Werror=implicit-function-declaration
CPPFLAGS += -D_GNU_SOURCE
COMPILE   = $(CC) $(WARN) $(CPPFLAGS) $(INCLUDES) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@
LIBS_RULESMITH := -lz3 -lcjson -lxxhash -lpthread -lm
LIBS_RULEFUZZ  := -lprotobuf-c -lcjson -lxxhash -lsqlite3 -ldl -lpthread -lm

# Folders, in the order in which data passes: docs/architecture.md. A file sees the headers of its own program's.
SYNTH_DIRS   := synth synth/rule synth/records synth/search synth/clauses synth/share synth/ask synth/bank synth/run synth/cmd
CODEGEN_DIRS := codegen codegen/sampler
BASE_DIRS    := runtime/include runtime/base
RUNTIME_DIRS := runtime/rules runtime/model runtime/generate runtime/generate/index runtime/generate/graph runtime/measure
FUZZ_DIRS    := runtime/fuzz runtime/verify runtime/report runtime/cli
SMITH_INCLUDES := $(addprefix -iquote ,$(BASE_DIRS) $(SYNTH_DIRS) $(CODEGEN_DIRS) $(B)/script)
FUZZ_INCLUDES  := $(addprefix -iquote ,$(BASE_DIRS) $(RUNTIME_DIRS) $(FUZZ_DIRS) $(B)/onnx $(B)/script)

sources = $(sort $(foreach d,$(1),$(wildcard $(d)/*.c)))
objects = $(patsubst %.c,$(B)/%.o,$(1))
BASE      := $(call objects,$(call sources,$(BASE_DIRS)))
RUNTIME   := $(call objects,$(call sources,$(RUNTIME_DIRS))) $(B)/onnx/onnx.pb-c.o
FUZZ      := $(call objects,$(call sources,$(FUZZ_DIRS)))
SMITH     := $(call objects,$(call sources,$(SYNTH_DIRS) $(CODEGEN_DIRS))) $(B)/runtime/rules/sampling.o
GENERATED := $(patsubst %.c,$(GENB)/%.o,$(sort $(wildcard generated/*.c generated/*/*.c)))
# What decides how a rule is found: not the commands, nor who asks a framework.
SOLVER    := $(sort $(wildcard $(addsuffix /*.[ch],$(BASE_DIRS) $(filter-out synth/cmd synth/ask,$(SYNTH_DIRS)))) $(wildcard synth/ask/rivals.[ch] synth/ask/points.[ch]))
SMITH_PARTS := $(filter-out $(B)/synth/cmd/main.o,$(SMITH))
FUZZ_PARTS  := $(filter-out $(B)/runtime/cli/main.o,$(FUZZ))
TRACES    := $(sort $(wildcard traces/*/*.jsonl))
VALUES    := $(sort $(wildcard traces/*/VALUES.tsv))
RUNS      := $(sort $(wildcard traces/*/RUNS.tsv))
UNIT_SMITH   := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/synth/*.c tests/unit/codegen/*.c))
UNIT_RUNTIME := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/runtime/*.c))

PHONY_TARGETS := all rules explain test test-runtime fuzz-readers bench bench-neuri traces values refine verify-live validity backends fuzz deps install dist clean help
.PHONY: $(PHONY_TARGETS)
.DEFAULT_GOAL := all

all: deps ## build both programs and the library
	@$(MAKE) --no-print-directory $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a

# ---- programs

$(B)/rulesmith: $(SMITH) $(BASE)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_RULESMITH) -o $@

# The cache of solved rules is as old as what solves them (synth/run/cache.c).
$(B)/script/solver_sources.h: $(SOLVER)
	@mkdir -p $(@D)
	@{ cat $^; $(CC) --version; echo '$(CFLAGS)'; } | sha256sum | sed 's/\([0-9a-f]*\).*/#define SOLVER_SOURCES "\1"/' >$@
$(B)/synth/run/cache.o: $(B)/script/solver_sources.h

$(B)/rulefuzz: $(FUZZ) $(RUNTIME) $(BASE) $(GENERATED)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULEFUZZ) -o $@

$(B)/librulesmith.a: $(RUNTIME) $(BASE) $(GENERATED)
	@rm -f $@
	ar rcsD $@ $^

# Thousands of files: their headers are few and named here, since reading a .d for each would take make seconds.
$(GENB)/generated/%.o: generated/%.c generated/code.h $(wildcard runtime/include/*.h)
	@mkdir -p $(@D)
	@$(CC) $(WARN) $(CPPFLAGS) -iquote runtime/include $(GENFLAGS) -fPIC -c $< -o $@
$(foreach t,$(wildcard generated/*/table.c),$(eval $(GENB)/$(t:.c=.o): $(wildcard $(dir $(t))*.h)))

# ONNX's file format as C.
$(B)/onnx/onnx.pb-c.c $(B)/onnx/onnx.pb-c.h &: $(ONNX_PROTO)
	@mkdir -p $(@D)
	protoc-c --proto_path=$(dir $<) --c_out=$(B)/onnx $<

$(B)/onnx/onnx.pb-c.o: $(B)/onnx/onnx.pb-c.c
	$(COMPILE)

# What a script begins with, as a C string: a worker's own file but its first lines, which say what it is.
$(B)/script/%.py.h: runtime/backends/%.py
	@mkdir -p $(@D)
	sed -n '/^from __future__/,$$p' $< | sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' >$@

$(B)/runtime/model/write_python.o: $(B)/script/elements.py.h $(B)/script/torch_elements.py.h
$(B)/runtime/model/write_onnx.o $(B)/tests/unit/runtime/test_onnx.o: $(B)/onnx/onnx.pb-c.h
$(B)/synth/%.o: CFLAGS += -O3
$(BASE) $(RUNTIME) $(FUZZ): INCLUDES = $(FUZZ_INCLUDES)
$(filter-out $(B)/runtime/%,$(SMITH)): INCLUDES = $(SMITH_INCLUDES)
$(B)/tests/unit/synth/%.o $(B)/tests/unit/codegen/%.o: INCLUDES = $(SMITH_INCLUDES) -iquote tests/unit/synth
$(B)/tests/unit/runtime/%.o: INCLUDES = $(FUZZ_INCLUDES)
$(B)/tests/bench/%.o: INCLUDES = $(SMITH_INCLUDES) $(FUZZ_INCLUDES)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE)

-include $(shell find $(addprefix $(B)/,synth codegen runtime tests) -name '*.d' 2>/dev/null)

# ---- the product's data

rules: deps ## learn the rules from traces/ and write generated/
	@$(MAKE) --no-print-directory $(B)/rules.stamp

$(B)/rules.stamp: $(B)/rulesmith $(TRACES) $(VALUES) $(RUNS)
	$(B)/rulesmith synth $(addprefix --traces ,$(sort $(dir $(TRACES)))) -o $(B)/rules.jsonl -j $(JOBS) --cache $(B)/cache
	$(B)/rulesmith emit $(B)/rules.jsonl -o generated $(addprefix --values ,$(VALUES)) $(addprefix --runs ,$(RUNS))
	@touch $@

explain: deps ## how the rule of OP (a name or a glob) came about, as shipped
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulesmith
	@$(B)/rulesmith explain '$(OP)' $(addprefix --traces ,$(sort $(dir $(TRACES)))) -j $(JOBS) --cache $(B)/cache

traces: backends ## collect traces anew from the installed FRAMEWORK
	$(B)/venv/$(FRAMEWORK)/bin/python -m traces.collect $(FRAMEWORK)

values: backends ## learn from the installed FRAMEWORK which classes of element values its operators take and give
	$(B)/venv/$(FRAMEWORK)/bin/python -m traces.collect.values $(FRAMEWORK)

refine: backends rules ## ask the installed FRAMEWORK where its rules could be wrong, learn from the answers
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulefuzz
	[ $(FRAMEWORK) != torch ] || $(B)/rulefuzz gen --framework $(FRAMEWORK) --count $(REFINE) --seed $(SEED) | \
	    $(B)/venv/$(FRAMEWORK)/bin/python -m traces.collect.refine $(FRAMEWORK)
	$(B)/rulesmith refine --oracle $(FRAMEWORK) --traces traces/$(FRAMEWORK) --seed $(SEED) -j $(JOBS) --cache $(B)/cache \
	    --report $(B)/refine-$(FRAMEWORK).jsonl
	@$(MAKE) --no-print-directory rules

verify-live: backends ## ask the installed FRAMEWORK about COUNT fresh inputs: how often are the rules right?
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulefuzz
	$(B)/rulefuzz verify --framework $(FRAMEWORK) --count $(COUNT) --seed $(SEED) --wrong $(B)/verify-$(FRAMEWORK).jsonl

validity: COUNT := 10000
validity: backends ## run COUNT (10000) models of STRATEGY with NODES nodes by FRAMEWORK itself: how many are valid?
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulefuzz
	$(B)/rulefuzz gen --framework $(FRAMEWORK) --strategy $(STRATEGY) --nodes $(NODES) --count $(COUNT) --seed $(SEED) | \
	    $(B)/venv/$(FRAMEWORK)/bin/python runtime/backends/$(FRAMEWORK)_eager.py --quiet --jobs $(JOBS) \
	        --failures $(B)/validity-$(FRAMEWORK)-$(STRATEGY)-$(NODES).jsonl

backends: ## install FRAMEWORK into a virtual environment under build/
	traces/backends.sh $(FRAMEWORK)

# ---- checks

test: deps ## run all tests
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulesmith $(B)/rulefuzz $(B)/librulesmith.a $(UNIT_SMITH) $(UNIT_RUNTIME)
	@tests/run.sh $(B) all

test-runtime: ## run the tests of librulesmith and rulefuzz only; needs no libz3
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulefuzz $(B)/librulesmith.a $(UNIT_RUNTIME)
	@tests/run.sh $(B) runtime

$(filter $(B)/tests/%,$(UNIT_SMITH)): $(B)/tests/%: $(B)/tests/unit/%.o $(SMITH_PARTS) $(BASE)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULESMITH) -lcmocka -o $@

# An archive, so that a test takes the parts it calls and no command, which would want main.c.
$(B)/fuzz.a: $(FUZZ_PARTS)
	@rm -f $@
	ar rcsD $@ $^

$(B)/tests/runtime/%: $(B)/tests/unit/runtime/%.o $(B)/fuzz.a $(B)/librulesmith.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULEFUZZ) -lcmocka -o $@

FUZZ_READERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/*.c))
FUZZ_FLAGS := -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined

fuzz-readers: deps ## fuzz every reader of outside input for TIME seconds each; needs clang
	@$(MAKE) --no-print-directory -j$(JOBS) $(FUZZ_READERS)
	@for f in $(FUZZ_READERS); do mkdir -p $$f.corpus && \
	    $$f -max_total_time=$(patsubst %s,%,$(TIME)) -rss_limit_mb=4096 -timeout=20 -print_final_stats=0 -verbosity=0 \
	        -artifact_prefix=$$f. $$f.corpus tests/fuzz/seeds/$$(basename $$f) && echo "ok $$f" || exit 1; done

$(B)/fuzz/fuzz_records $(B)/fuzz/fuzz_rules: $(B)/fuzz/%: tests/fuzz/%.c $(B)/script/solver_sources.h
	@mkdir -p $(@D)
	clang $(WARN) $(CPPFLAGS) $(SMITH_INCLUDES) $(FUZZ_FLAGS) $< $(call sources,$(filter-out synth/cmd,$(SYNTH_DIRS)) $(CODEGEN_DIRS) runtime/base) \
	    runtime/rules/sampling.c $(LIBS_RULESMITH) -o $@

$(B)/fuzz/fuzz_eval $(B)/fuzz/fuzz_model: $(B)/fuzz/%: tests/fuzz/%.c $(GENERATED) $(B)/onnx/onnx.pb-c.c \
    $(B)/script/elements.py.h $(B)/script/torch_elements.py.h
	@mkdir -p $(@D)
	clang $(WARN) $(CPPFLAGS) $(FUZZ_INCLUDES) $(FUZZ_FLAGS) $< $(filter-out runtime/cli/main.c,$(call sources,$(FUZZ_DIRS) $(RUNTIME_DIRS) runtime/base)) \
	    $(B)/onnx/onnx.pb-c.c $(GENERATED) -DFUZZING $(LIBS_RULEFUZZ) -o $@

$(B)/fuzz/fuzz_corpus: tests/fuzz/fuzz_corpus.c
	@mkdir -p $(@D)
	clang $(WARN) $(CPPFLAGS) $(FUZZ_INCLUDES) $(FUZZ_FLAGS) $< runtime/report/coverage_corpus.c runtime/measure/metrics.c \
	    runtime/model/graph.c $(addprefix runtime/rules/,eval.c table.c opset.c) $(call sources,runtime/base) $(LIBS_RULEFUZZ) -o $@

# ---- benchmarks

bench: deps ## speed, validity and diversity (PARTS: some), beside the published figures
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulesmith $(B)/rulefuzz $(B)/bench_eval $(B)/bench_eval_lines $(B)/bench_column
	@tests/bench/bench.sh $(B) $(PARTS)

NEURI_NAMES := torch tf
neuri_each   = $(foreach f,$(NEURI_NAMES),$(addprefix $(B)/neuri/$(f)/,$(1)))

bench-neuri: deps ## NEURI=DIR FOLDS=1: learn from NeuRI's records, compare with NeuRI's own results
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulesmith $(B)/bench_neuri
	@$(MAKE) --no-print-directory -j1 $(call neuri_each,rules.jsonl holdout-$(FOLDS).json)
	@$(MAKE) --no-print-directory -j$(JOBS) $(call neuri_each,librules.so)
	@$(B)/bench_neuri $(B)/neuri/bench.json $(foreach f,$(NEURI_NAMES),$(f) $(B)/neuri/$(f) \
	    $(B)/neuri/$(f)/holdout-$(FOLDS).json $(NEURI)/$(f).train.jsonl $(NEURI)/$(f).published.csv)

# No cache: the times are to be those of the whole work.
$(B)/neuri/%/rules.jsonl: $(NEURI)/%.train.jsonl $(B)/rulesmith
	@mkdir -p $(@D)
	$(B)/rulesmith synth --traces $< -o $@ -j $(JOBS) --statistics $(@D)/statistics.json
	$(B)/rulesmith emit $@ -o $(@D)/c || { rm $@; exit 1; }

$(B)/neuri/%/holdout-$(FOLDS).json: $(NEURI)/%.train.jsonl $(B)/rulesmith
	@mkdir -p $(@D)
	$(B)/rulesmith holdout --traces $< --folds 5 --first $(FOLDS) -j $(JOBS) --json $@

neuri_objects = $(patsubst %.c,%.o,$(wildcard $(B)/neuri/$(1)/c/*.c $(B)/neuri/$(1)/c/*/*.c))
$(B)/neuri/torch/librules.so: $(call neuri_objects,torch)
$(B)/neuri/tf/librules.so: $(call neuri_objects,tf)
$(B)/neuri/%/librules.so:
	$(CC) -shared -o $@ $^

$(B)/neuri/%.o: $(B)/neuri/%.c
	@$(CC) $(WARN) $(CPPFLAGS) -iquote runtime/include -O1 -fPIC -MMD -MP -c $< -o $@

$(B)/bench_neuri: $(call objects,tests/bench/bench_neuri.c synth/records/record.c $(addprefix synth/rule/,call.c identifier.c expr.c ops.c) $(addprefix runtime/rules/,table.c eval.c sampling.c)) $(BASE)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ -lcjson -lxxhash -ldl -lm -o $@

$(B)/bench_eval $(B)/bench_eval_lines: $(B)/%: $(B)/tests/bench/%.o $(B)/librulesmith.a
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LIBS_RULEFUZZ) -o $@

$(B)/bench_column: $(B)/tests/bench/bench_column.o $(B)/synth/search/column.o
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

# ---- house

deps: $(B)/deps.stamp ## install what is missing (DEPS=skip turns it off)

$(B)/deps.stamp: .ci/deps.sh
	@mkdir -p $(B)
	@if [ '$(DEPS)' != skip ]; then sh .ci/deps.sh && touch $@; fi

fuzz: deps ## fuzz BACKEND (torch-inductor, torch-jit) for TIME, findings in build/findings.db
	@$(MAKE) --no-print-directory -j$(JOBS) $(B)/rulefuzz
	$(B)/rulefuzz run --backend $(BACKEND) --time $(TIME) --db $(B)/findings.db --resume

install: all ## install programs, library, headers and workers under PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include/rulesmith \
	    $(DESTDIR)$(PREFIX)/share/rulefuzz/backends $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 755 $(B)/rulesmith $(B)/rulefuzz $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(B)/librulesmith.a $(DESTDIR)$(PREFIX)/lib
	install -m 644 runtime/include/*.h $(DESTDIR)$(PREFIX)/include/rulesmith
	install -m 644 runtime/backends/*.py $(DESTDIR)$(PREFIX)/share/rulefuzz/backends
	install -m 644 docs/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	printf 'prefix=%s\nName: rulesmith\nDescription: compiled operator rules\nVersion: %s\nCflags: -I$${prefix}/include/rulesmith\nLibs: -L$${prefix}/lib -lrulesmith -lprotobuf-c -lcjson -lxxhash -ldl\n' \
	    $(PREFIX) $(VERSION) >$(DESTDIR)$(PREFIX)/lib/pkgconfig/rulesmith.pc

dist: ## an archive of the sources at HEAD
	git archive --prefix=rulesmith-$(VERSION)/ -o $(B)/rulesmith-$(VERSION).tar.gz HEAD

clean: ## remove what was built
	rm -rf $(B)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
