# Campaigns, and fuzzers of the programs' own readers.

.PHONY: fuzz ci fuzz-readers

fuzz: checked ## fuzz BACKEND for TIME, findings in build/findings.db (TIME)
	$(SUBMAKE) $(B)/rulefuzz
	$(call say,FUZZ,$(or $(BACKEND),torch-inductor) for $(TIME))
	$(Q)$(B)/rulefuzz run --backend $(or $(BACKEND),torch-inductor) --time $(TIME) --db $(B)/findings.db --resume

ci: checked ## build, install BACKEND, and run `rulefuzz ci` for TIME: build/findings.db, reports in build/report (TIME)
	$(SUBMAKE) $(B)/rulefuzz
	$(Q)traces/backends.sh $(or $(BACKEND),torch-inductor)
	$(call say,CI,$(or $(BACKEND),torch-inductor) for $(TIME))
	$(Q)$(B)/rulefuzz ci --backend $(or $(BACKEND),torch-inductor) --time $(TIME) --db $(B)/findings.db --out $(B)/report

# ---- readers of outside input

FUZZ_READERS := $(addprefix $(B)/fuzz/,$(notdir $(basename $(wildcard tests/fuzz/*.c tests/fuzz/said/*.c))))
FUZZ_CHECKS := -O1 -g -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
FUZZ_FLAGS := $(FUZZ_CHECKS) -fsanitize=fuzzer
FUZZ_CLANG = $(Q)clang $(WARN) $(CPPFLAGS)

fuzz-readers: checked ## fuzz every reader of outside input for TIME each; needs clang (TIME each)
	$(SUBMAKE) $(addprefix run-,$(FUZZ_READERS))

.PHONY: $(addprefix run-,$(FUZZ_READERS))
$(addprefix run-,$(FUZZ_READERS)): run-%: %
	$(call say,FUZZ,$< for $(TIME))
	@mkdir -p $<.corpus
	$(Q)$< -max_total_time=$(patsubst %s,%,$(TIME)) -rss_limit_mb=4096 -timeout=20 -print_final_stats=0 -verbosity=0 \
	    -artifact_prefix=$<. $<.corpus tests/fuzz/seeds/$(notdir $<)

# What rulefuzz is made of, compiled for fuzzers once. An archive, so that a fuzzer may bring what takes a part's place.
READERS := $(patsubst %.c,$(B)/fuzz/%.o,$(filter-out runtime/cli/main.c,$(call sources,$(FUZZ_DIRS) $(RUNTIME_DIRS) runtime/base)) $(B)/onnx/onnx.pb-c.c)
READER_HEADERS := $(B)/onnx/onnx.pb-c.c $(addprefix $(B)/script/,elements.py.h torch_elements.py.h torch_layouts.py.h \
    weights.def.h aliases.def.h chain_lines.def.h constructs.def.h site.css.h site.js.h)
$(READERS): $(B)/fuzz/%.o: %.c | $(READER_HEADERS)
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(FUZZ_CLANG) $(FUZZ_INCLUDES) $(FUZZ_CHECKS) -fsanitize=fuzzer-no-link -DFUZZING -MMD -MP -c $< -o $@
-include $(READERS:.o=.d)
$(B)/fuzz/runtime.a: $(READERS)
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcsD $@ $^

FUZZ_WHOLE := $(addprefix $(B)/fuzz/fuzz_,eval model capabilities database finding arguments table)
FUZZ_SAID := $(addprefix $(B)/fuzz/fuzz_,worker oracle questions call)
$(FUZZ_WHOLE): $(B)/fuzz/%: tests/fuzz/%.c
$(FUZZ_SAID): $(B)/fuzz/%: tests/fuzz/said/%.c tests/fuzz/said/said.h
$(FUZZ_WHOLE) $(FUZZ_SAID): tests/fuzz/input.h $(B)/fuzz/runtime.a $(GENERATED)
	$(call say,CLANG)
	$(FUZZ_CLANG) -iquote tests/fuzz $(FUZZ_INCLUDES) $(FUZZ_FLAGS) -DFUZZING $(filter %.c,$^) $(GENERATED) $(B)/fuzz/runtime.a $(LIBS_RULEFUZZ) -o $@

# The others are built from sources.
RULE_SOURCES   := $(call sources,$(filter-out synth/cmd,$(SYNTH_DIRS)) $(CODEGEN_DIRS) $(ASK_DIRS) runtime/base) $(SAMPLERS) $(PACKAGES)
CLASS_SOURCES  := codegen/classes_read.c $(call sources,synth/memory synth/rule synth/records runtime/base)
CORPUS_SOURCES := runtime/measure/metrics_corpus.c runtime/measure/metrics.c runtime/model/graph.c \
    $(addprefix runtime/rules/,eval.c table.c opset.c framework.c) $(call sources,runtime/base)
FUZZ_SOURCES := $(addprefix $(B)/fuzz/fuzz_,records rules classes corpus)
$(B)/fuzz/fuzz_records $(B)/fuzz/fuzz_rules: $(RULE_SOURCES) | $(B)/script/solver_sources.h
$(B)/fuzz/fuzz_classes: $(CLASS_SOURCES)
$(B)/fuzz/fuzz_corpus: $(CORPUS_SOURCES)
$(FUZZ_SOURCES): INCLUDES = $(SMITH_INCLUDES)
$(FUZZ_SOURCES): LIBS_FUZZER = $(LIBS_RULESMITH)
$(B)/fuzz/fuzz_corpus: INCLUDES = $(FUZZ_INCLUDES)
$(B)/fuzz/fuzz_corpus: LIBS_FUZZER = $(LIBS_RULEFUZZ)
$(FUZZ_SOURCES): $(B)/fuzz/%: tests/fuzz/%.c
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(FUZZ_CLANG) $(INCLUDES) $(FUZZ_FLAGS) $(filter tests/%,$^) $(filter-out tests/%,$^) $(LIBS_FUZZER) -o $@
