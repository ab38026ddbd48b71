# Benchmarks. None is a test: they print figures beside their targets or the published ones.

.PHONY: bench perf bench-faults bench-features bench-bugs bench-kernels bench-neuri bench-sensitivity
NEURI  ?= ../shared/neuri
FOLDS  ?= 1

bench: checked ## speed, validity and diversity (PARTS: some), beside the published figures (20 min)
	$(SUBMAKE) $(B)/rulesmith $(B)/rulefuzz $(B)/bench_eval $(B)/bench_eval_lines $(B)/bench_column
	@tests/bench/bench.sh $(B) $(PARTS)

perf: checked ## count instructions of synthesis, generation, evaluation: within 3 % of the committed figures? UPDATE=1 writes them (1 min)
	$(SUBMAKE) $(B)/rulesmith $(B)/rulefuzz $(B)/bench_eval_lines
	@UPDATE='$(UPDATE)' sh tests/bench/instructions.sh $(B)

bench-faults: framework checked ## plant 128 faults in torch's eager mode, hunt each for at most ten minutes: how many are found? (5 h)
	$(SUBMAKE) $(B)/rulefuzz
	$(Q)python3 tests/bench/faults.py $(B)/rulefuzz $(B)/faults.log

bench-features: framework checked ## plant 202 optimizer faults that need a model feature, judge models with and without it (1 h)
	$(SUBMAKE) $(B)/rulefuzz
	$(Q)python3 tests/bench/features.py $(B)/rulefuzz

bench-bugs: checked ## BUGS=DIR: which public bugs of DIR/list.tsv does a campaign of BUDGET find? GROUPS, ONLY are globs (BUDGET each)
	$(SUBMAKE) $(B)/rulefuzz
	$(if $(BUGS),,$(error BUGS is needed: a folder with list.tsv, such as ../shared/bugs))
	$(Q)python3 -m tests.bench.bugs '$(BUGS)' --rulefuzz $(B)/rulefuzz --out $(B)/bench-bugs --budget $(or $(BUDGET),15m) --seed $(SEED) \
	    --groups '$(or $(GROUPS),*)' --only '$(or $(ONLY),*)' $(if $(AGAIN),--again)

bench-kernels: framework checked ## which share of inductor's kernels is vectorized, transposes tiles, splits reductions, is a GEMM template? (10 min)
	$(SUBMAKE) $(B)/rulefuzz
	$(Q)$(or $(RULEFUZZ_PYTHON),$(VENVS)/torch/bin/python) tests/bench/kernels.py $(B)/rulefuzz

bench-sensitivity: framework checked ## plant 12 faults at the results of 300 operators of ONNX: which does an excuse of the oracle hide? (5 min)
	$(SUBMAKE) $(B)/rulefuzz
	$(Q)$(or $(RULEFUZZ_PYTHON),$(VENVS)/onnx/bin/python) tests/bench/oracle/sensitivity.py $(B)/rulefuzz

# ---- NeuRI's records

NEURI_NAMES := torch tf
neuri_each   = $(foreach f,$(NEURI_NAMES),$(addprefix $(B)/neuri/$(f)/,$(1)))

bench-neuri: checked ## NEURI=DIR FOLDS=1: learn from NeuRI's records, compare with NeuRI's own results (20 min)
	$(SUBMAKE) $(B)/rulesmith $(B)/bench_neuri
	@$(MAKE) --no-print-directory -j1 $(call neuri_each,rules.jsonl holdout-$(FOLDS).json)
	$(SUBMAKE) $(call neuri_each,librules.so)
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
neuri_objects = $(addsuffix .o,$(basename $(call library_sources,$(@D)/c)))
$(B)/neuri/%/librules.so: $(B)/neuri/%/emit.stamp
	$(call say,CC,$(@D)/c ($(words $(neuri_objects)) objects))
	$(Q)$(MAKE) $(if $(Q),-s) --no-print-directory $(PARALLEL) $(neuri_objects)
	$(call say,LINK)
	$(Q)$(CC) -shared -o $@ $(neuri_objects)
.SECONDARY: $(call neuri_each,rules.jsonl emit.stamp)

COMPILE_NEURI = $(CC) $(WARN) $(CPPFLAGS) -iquote runtime/include -O1 -fPIC -MMD -MP -x c -c $< -o $@
$(B)/neuri/%.o: $(B)/neuri/%.c
	$(Q)$(COMPILE_NEURI)
$(B)/neuri/%.o: $(B)/neuri/%.inc
	$(Q)$(COMPILE_NEURI)
-include $(wildcard $(B)/neuri/*/c/*.d $(B)/neuri/*/c/*/*.d)

$(B)/bench_neuri: $(call objects,tests/bench/bench_neuri.c $(addprefix runtime/rules/,table.c eval.c)) $(SMITH_PARTS) $(BASE)
	$(call say,LINK)
	$(Q)$(LINK) -rdynamic $^ $(LIBS_RULESMITH) -ldl -o $@

$(B)/bench_eval $(B)/bench_eval_lines: $(B)/%: $(B)/tests/bench/%.o $(B)/librulesmith.a
	$(call say,LINK)
	$(Q)$(LINK) -rdynamic $^ $(LIBS_RULEFUZZ) -o $@

$(B)/bench_column: $(B)/tests/bench/bench_column.o $(B)/synth/search/column.o
	$(call say,LINK)
	$(Q)$(LINK) $^ -o $@
