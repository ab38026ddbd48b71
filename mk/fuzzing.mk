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
# FUZZ_LEVEL: -O0 compiles three times as fast, for a short fuzz.
FUZZ_LEVEL ?= -O1
FUZZ_CHECKS := $(FUZZ_LEVEL) -gline-tables-only -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
FUZZ_FLAGS := $(FUZZ_CHECKS) -fsanitize=fuzzer
FUZZ_CLANG = $(Q)clang $(WARN) -Werror $(CPPFLAGS)

fuzz-readers: checked ## fuzz every reader of outside input for TIME each; needs clang (TIME each)
	$(SUBMAKE) $(addprefix run-,$(FUZZ_READERS))

.PHONY: $(addprefix run-,$(FUZZ_READERS))
$(addprefix run-,$(FUZZ_READERS)): run-%: %
	$(call say,FUZZ,$< for $(TIME))
	@mkdir -p $<.corpus
	$(Q)$< -max_total_time=$(patsubst %s,%,$(TIME)) -rss_limit_mb=4096 -timeout=20 -print_final_stats=0 -verbosity=0 \
	    -artifact_prefix=$<. $<.corpus tests/fuzz/seeds/$(notdir $<)

# What both programs are made of, compiled for fuzzers once. Archives, so that a fuzzer may bring what takes a part's place.
READERS := $(patsubst %.c,$(B)/fuzz/%.o,$(filter-out runtime/cli/main.c,$(call sources,$(FUZZ_DIRS) $(RUNTIME_DIRS) runtime/base)) $(B)/onnx/onnx.pb-c.c)
RULE_READERS := $(patsubst %.c,$(B)/fuzz/%.o,$(call sources,$(filter-out synth/cmd,$(SYNTH_DIRS)) $(CODEGEN_DIRS)))
READER_HEADERS := $(B)/onnx/onnx.pb-c.c $(addprefix $(B)/script/,elements.py.h torch_elements.py.h torch_layouts.py.h \
    weights.def.h aliases.def.h chain_lines.def.h constructs.def.h site.css.h site.js.h)
$(READERS): INCLUDES = $(FUZZ_INCLUDES)
$(READERS): | $(READER_HEADERS)
$(RULE_READERS): INCLUDES = $(SMITH_INCLUDES)
$(RULE_READERS): | $(B)/script/solver_sources.h
$(READERS) $(RULE_READERS): $(B)/fuzz/%.o: %.c
	$(call say,CLANG)
	@mkdir -p $(@D)
	$(FUZZ_CLANG) $(INCLUDES) $(FUZZ_CHECKS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@
-include $(READERS:.o=.d) $(RULE_READERS:.o=.d)
$(B)/fuzz/runtime.a: $(READERS)
$(B)/fuzz/synth.a: $(RULE_READERS)
$(B)/fuzz/runtime.a $(B)/fuzz/synth.a:
	$(call say,AR)
	@rm -f $@
	$(Q)ar rcsD $@ $^

FUZZ_WHOLE := $(addprefix $(B)/fuzz/fuzz_,eval model capabilities database finding arguments table corpus)
FUZZ_SAID := $(addprefix $(B)/fuzz/fuzz_,worker oracle questions call)
FUZZ_RULES := $(addprefix $(B)/fuzz/fuzz_,records rules classes)
$(FUZZ_WHOLE) $(FUZZ_RULES): $(B)/fuzz/%: tests/fuzz/%.c
$(FUZZ_SAID): $(B)/fuzz/%: tests/fuzz/said/%.c tests/fuzz/said/said.h
$(FUZZ_WHOLE) $(FUZZ_SAID): INCLUDES = $(FUZZ_INCLUDES)
$(FUZZ_WHOLE) $(FUZZ_SAID): $(B)/fuzz/runtime.a $(GENERATED)
$(FUZZ_RULES): INCLUDES = $(SMITH_INCLUDES)
$(FUZZ_RULES): $(B)/fuzz/synth.a $(B)/fuzz/runtime.a
$(FUZZ_WHOLE) $(FUZZ_SAID) $(FUZZ_RULES): tests/fuzz/input.h
	$(call say,CLANG)
	$(FUZZ_CLANG) -iquote tests/fuzz $(INCLUDES) $(FUZZ_FLAGS) $(filter %.c,$^) $(filter %.o,$^) $(filter %/synth.a,$^) $(B)/fuzz/runtime.a \
	    $(LIBS_RULEFUZZ) -lz3 -o $@
