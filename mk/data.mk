# The product's data: records of frameworks, the rules learned from them, and questions to the frameworks about them.

.PHONY: rules explain traces values dtypes kinds numbers zoo refine verify-live diff validity backends site
REFINE   ?= 20000
INPUTS   ?= 60000
MODELS   ?= 10000
EACH     ?= 1
STRATEGY ?= neuri
NODES    ?= 10

TRACES      := $(sort $(wildcard traces/*/*.jsonl))
FORM_TRACES := $(sort $(wildcard traces/onnx/forms/*.jsonl))
VALUES      := $(sort $(wildcard traces/*/VALUES.tsv))
RUNS        := $(sort $(wildcard traces/*/RUNS.tsv))
DTYPES      := $(sort $(wildcard traces/*/DTYPES.tsv))
SIGNATURES  := $(sort $(wildcard traces/*/SIGNATURES.tsv))
RECORDS      = $(addprefix --traces ,$(sort $(dir $(TRACES))))
LEARN        = -j $(JOBS) --cache $(B)/cache

rules: deps ## learn the rules from traces/ and write generated/; 3 s if nothing changed (3 min)
	$(SUBMAKE) $(B)/rulesmith
	@$(MAKE) --no-print-directory $(B)/rules.stamp
	@$(MAKE) --no-print-directory $(B)/forms.stamp

$(B)/rules.stamp: $(B)/rulesmith $(TRACES) $(VALUES) $(RUNS) $(DTYPES) $(SIGNATURES)
	$(call say,SYNTH,$(B)/rules.jsonl from $(words $(TRACES)) files of traces/)
	$(Q)$(B)/rulesmith synth $(RECORDS) $(addprefix --dtypes ,$(DTYPES)) -o $(B)/rules.jsonl $(LEARN)
	$(call say,EMIT,generated/)
	$(Q)$(B)/rulesmith emit $(B)/rules.jsonl -o generated $(addprefix --values ,$(VALUES)) $(addprefix --runs ,$(RUNS)) $(addprefix --signatures ,$(SIGNATURES))
	@touch $@

$(B)/forms.stamp: $(B)/rulesmith $(FORM_TRACES) traces/onnx/forms/VALUES.tsv traces/onnx/forms/RUNS.tsv
	$(call say,SYNTH,$(B)/forms.jsonl from $(words $(FORM_TRACES)) files of traces/onnx/forms/)
	$(Q)$(B)/rulesmith synth --traces traces/onnx/forms/ -o $(B)/forms.jsonl -j $(JOBS) --cache $(B)/cache-forms
	$(Q)$(B)/rulesmith emit $(B)/forms.jsonl -o generated/forms --values traces/onnx/forms/VALUES.tsv --runs traces/onnx/forms/RUNS.tsv
	@touch $@

explain: checked ## print the reason for each clause of the rule of OP (a name or a glob) in build/rules.jsonl (3 s)
	$(SUBMAKE) $(B)/rulesmith
	@$(B)/rulesmith explain '$(OP)' --rules $(B)/rules.jsonl $(RECORDS)

# BACKEND names a target; without it, FRAMEWORK's environment is meant.
backends: ## install FRAMEWORK, or what BACKEND needs, into a virtual environment outside the tree, RULESMITH_VENVS (1 min)
	$(Q)traces/backends.sh $(or $(BACKEND),$(FRAMEWORK))

.PHONY: framework
framework:
	$(Q)traces/backends.sh $(FRAMEWORK)

traces: framework ## collect traces anew from the installed FRAMEWORK (1 h)
	$(call say,COLLECT,traces/$(FRAMEWORK))
	$(Q)$(PYTHON) -m traces.collect $(FRAMEWORK)
	$(Q)[ $(FRAMEWORK) != onnx ] || $(PYTHON) -m traces.collect.frameworks.onnx.attributes traces/onnx

values: framework ## learn from the installed FRAMEWORK which element values its operators accept and return (30 min)
	$(call say,VALUES,traces/$(FRAMEWORK)/VALUES.tsv)
	$(Q)$(PYTHON) -m traces.collect.cli.values $(FRAMEWORK)

dtypes: framework ## try combinations of dtypes in the installed FRAMEWORK: traces/FRAMEWORK/DTYPES.tsv (30 min)
	$(call say,DTYPES,traces/$(FRAMEWORK)/DTYPES.tsv)
	$(Q)$(PYTHON) -m traces.collect.dtypes $(FRAMEWORK) --jobs $(JOBS)

kinds: framework ## ask the installed FRAMEWORK which kinds of calls it always rejects: traces/FRAMEWORK/KINDS.tsv (1 h)
	$(call say,KINDS,traces/$(FRAMEWORK)/KINDS.tsv)
	$(Q)$(PYTHON) -m traces.collect.plain $(FRAMEWORK) --kinds --jobs $(JOBS)

numbers: framework ## ask the installed FRAMEWORK which numbers it accepts as arguments: traces/FRAMEWORK/NUMBERS.tsv (30 min)
	$(call say,NUMBERS,traces/$(FRAMEWORK)/NUMBERS.tsv)
	$(Q)$(PYTHON) -m traces.collect.plain $(FRAMEWORK) --numbers --jobs $(JOBS)

ZOO := $(B)/zoo
zoo: ## learn from small models of public architectures which inputs are weights, and which calls form chains (30 min)
	$(call say,ZOO,traces/*/WEIGHTS.tsv traces/*/CHAINS.models)
	$(Q)traces/backends.sh zoo zoo-tf zoo-nncf
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.cli.zoo export $(ZOO)/torch
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.zoo.sources.sklearn $(ZOO)/sklearn
	$(Q)$(VENVS)/zoo-tf/bin/python -m traces.collect.zoo.sources.keras $(ZOO)/keras
	$(Q)$(VENVS)/zoo-nncf/bin/python -m traces.collect.zoo.sources.nncf $(ZOO)/torch $(ZOO)/nncf
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.cli.zoo record $(ZOO) traces
	$(Q)$(VENVS)/zoo/bin/python -m traces.collect.zoo.eager traces/torch && $(VENVS)/zoo-tf/bin/python -m traces.collect.zoo.raw_ops traces/tensorflow

OTHERS = $(filter-out traces/$(FRAMEWORK)/,$(sort $(dir $(TRACES))))
refine: framework rules ## query the installed FRAMEWORK where its rules may be wrong, and learn from the answers (1 h)
	$(SUBMAKE) $(B)/rulefuzz
	$(call say,REFINE,traces/$(FRAMEWORK))
	$(Q)[ -z '$(filter torch jax,$(FRAMEWORK))' ] || $(B)/rulefuzz gen --framework $(FRAMEWORK) --count $(REFINE) --seed $(SEED) | \
	    $(PYTHON) -m traces.collect.cli.refine $(FRAMEWORK)
	$(Q)$(B)/rulesmith refine --oracle $(FRAMEWORK) --traces traces/$(FRAMEWORK) $(addprefix --beside ,$(OTHERS)) --seed $(SEED) \
	    $(LEARN) --report $(B)/refine-$(FRAMEWORK).jsonl
	@$(MAKE) --no-print-directory rules

# Calls that test each clause: of verify-live and diff.
QUESTIONS = $(B)/questions-$(FRAMEWORK).jsonl
.PHONY: questions
questions: framework rules
	$(SUBMAKE) $(B)/rulefuzz
	$(call say,CLAUSES,$(QUESTIONS))
	$(Q)$(B)/rulesmith questions $(RECORDS) --framework $(FRAMEWORK) --each $(EACH) --seed $(SEED) $(LEARN) -o $(QUESTIONS)

verify-live: questions ## test the rules in the installed FRAMEWORK: INPUTS new calls, and EACH for a clause (10 min)
	$(call say,VERIFY,$(INPUTS) inputs for $(FRAMEWORK))
	$(Q)$(B)/rulefuzz verify --framework $(FRAMEWORK) --count $(INPUTS) --seed $(SEED) \
	    --questions $(QUESTIONS) --wrong $(B)/verify-$(FRAMEWORK).jsonl

diff: questions ## compare the installed FRAMEWORK with the version in the virtual environment OLD: build/diff-FRAMEWORK.json (10 min)
	$(if $(OLD),,$(error OLD is needed: a virtual environment with another version of FRAMEWORK))
	$(call say,DIFF,$(B)/diff-$(FRAMEWORK).json)
	$(Q)$(B)/rulesmith diff '$(OLD)' $(VENVS)/$(FRAMEWORK) --traces traces/$(FRAMEWORK) --calls $(QUESTIONS) \
	    --framework $(FRAMEWORK) --seed $(SEED) --json -o $(B)/diff-$(FRAMEWORK).json || [ $$? -eq 3 ]

validity: framework checked ## run MODELS models of STRATEGY with NODES nodes in FRAMEWORK itself: how many are valid? (5 min)
	$(SUBMAKE) $(B)/rulefuzz
	$(call say,VALIDITY,$(MODELS) models of $(NODES) nodes in $(FRAMEWORK))
	$(Q)$(B)/rulefuzz gen --framework $(FRAMEWORK) --strategy $(STRATEGY) --nodes $(NODES) --count $(MODELS) --seed $(SEED) | \
	    $(B)/rulefuzz validity $(FRAMEWORK) --quiet --jobs $(JOBS) \
	        --failures $(B)/validity-$(FRAMEWORK)-$(STRATEGY)-$(NODES).jsonl

site: rules ## pages of all rules in build/site, for a browser; SINCE=RULES.jsonl marks what changed since those (1 min)
	$(SUBMAKE) $(B)/rulefuzz
	$(call say,SITE,$(B)/site)
	$(Q)rm -rf $(B)/site
	$(Q)$(B)/rulefuzz site --rules $(B)/rules.jsonl --out $(B)/site $(if $(SINCE),--since $(SINCE))
