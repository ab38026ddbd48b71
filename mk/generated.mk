# The C of generated/. It has thousands of files, and a compiler takes longer to start than to read one: `rulesmith emit` writes
# in generated/batches which are compiled together. GENB is where their objects are, GENFLAGS how they are optimized: for
# size, except that functions of a line are inlined.

GENB     ?= $(B)
GENFLAGS ?= -Os --param max-inline-insns-size=8

# A library's sources: its index, a table and API rules for each framework, its batches. Forms have no API rules.
library_sources = $(sort $(wildcard $(addprefix $(1)/,index.c */table.c */api_rules.c batches/*.inc)))
library_objects = $(addprefix $(GENB)/,$(addsuffix .o,$(basename $(call library_sources,$(1)))))
RULES     := $(call library_objects,generated)
FORMS     := $(filter-out %/api_rules.o,$(call library_objects,generated/forms))
GENERATED := $(RULES) $(GENB)/forms.o
COMPILE_GENERATED = $(CC) $(WARN) $(CPPFLAGS) -iquote . -iquote runtime/include $(GENFLAGS) -fPIC -MMD -MP -x c -c $< -o $@

# On a terminal a count stands in place of a line for each: make itself counts, since recipes are expanded one by one.
$(GENB)/generated/%.o: generated/%.c
	$(count)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_GENERATED)
$(GENB)/generated/%.o: generated/%.inc
	$(count)
	@mkdir -p $(@D)
	$(Q)$(COMPILE_GENERATED)
-include $(wildcard $(RULES:.o=.d) $(FORMS:.o=.d))

# The calls of recorded chains are a library of its own, with other functions of the same names: rs_forms alone is global.
$(FORMS): CPPFLAGS += -Drs_rules=rs_forms
$(GENB)/forms.o: $(FORMS)
	$(call say,LD,generated/forms/)
	$(Q)$(LD) -r --force-group-allocation $^ -o $@.all
	$(Q)$(OBJCOPY) --keep-global-symbol=rs_forms $@.all $@
	@rm $@.all
