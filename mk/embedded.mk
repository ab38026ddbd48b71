# Files that become part of the programs: texts as C strings, tables as rows of arrays, ONNX's file format as C.

$(B)/onnx/onnx.pb-c.c $(B)/onnx/onnx.pb-c.h &: $(ONNX_PROTO)
	$(call say,PROTOC)
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=$(dir $<) --c_out=$(B)/onnx $<

$(B)/onnx/onnx.pb-c.o: $(B)/onnx/onnx.pb-c.c
	$(call say,CC)
	$(Q)$(COMPILE)

# What a repro script begins with: a file of the Python package without its first lines, which describe it.
PACKAGE := runtime/python/rulefuzz
$(B)/script/elements.py.h: $(PACKAGE)/elements.py
$(B)/script/torch_elements.py.h: $(PACKAGE)/frameworks/torch_elements.py
$(B)/script/torch_layouts.py.h: $(PACKAGE)/frameworks/torch_layouts.py
$(B)/script/%.py.h:
	$(call say,TEXT)
	@mkdir -p $(@D)
	$(Q)sed -n '/^from __future__/,$$p' $< | sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' >$@

# What a site's pages share.
$(B)/script/site.%.h: runtime/site/site.%
	$(call say,TEXT)
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@

# The rule of each API in readable notation, compressed, since the static program has a limit of size.
$(B)/script/pages.gz: packages/rule_pages.sh $(sort $(wildcard generated/*/*.c))
	$(call say,TEXT)
	@mkdir -p $(@D)
	$(Q)sh packages/rule_pages.sh generated >$@.new && mv $@.new $@

# The frameworks' own signatures; APIs with the same parameters share a line.
$(B)/script/signatures.txt: runtime/call/api_signatures.awk $(sort $(wildcard traces/*/SIGNATURES.tsv))
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f $^ >$@.new && mv $@.new $@

# The kinds of calls that frameworks always reject, and accepted high ranks.
$(B)/script/kinds.txt: $(sort $(wildcard traces/*/KINDS.tsv))
	@mkdir -p $(@D)
	$(Q)awk 'FNR > 1' $^ /dev/null >$@

# The numbers that frameworks accept as arguments.
$(B)/script/numbers.txt: $(sort $(wildcard traces/*/NUMBERS.tsv))
	@mkdir -p $(@D)
	$(Q)awk 'FNR > 1' $^ /dev/null >$@

# Files inside the program: of a source and a file (EMBED in runtime/base/file.h).
define embedded
$(B)/$1.o $(B)/fuzz/$1.o: $2
$(B)/$1.o $(B)/fuzz/$1.o: CPPFLAGS += -DEMBEDDED='"$2"'
endef
$(eval $(call embedded,runtime/cli/rule_pages,$(B)/script/pages.gz))
$(eval $(call embedded,runtime/call/api_signatures,$(B)/script/signatures.txt))
$(eval $(call embedded,runtime/call/call_kinds,$(B)/script/kinds.txt))
$(eval $(call embedded,runtime/call/call_numbers,$(B)/script/numbers.txt))
# The documented bugs, which findings are compared with; python docs/findings/check.py --index writes them.
$(eval $(call embedded,runtime/report/documented/pages,docs/findings/index.tsv))

# Which inputs of calls are constants in real models.
$(B)/script/weights.def.h: $(sort $(wildcard traces/*/WEIGHTS.tsv))
	@mkdir -p $(@D)
	$(Q)awk -F'\t' 'FNR > 1 { split(FILENAME, part, "/"); printf "{\"%s\", \"%s\", %d, %d, %d},\n", part[2], $$1, $$2, $$3, $$4 }' \
		$^ /dev/null >$@
# Which calls write to their inputs and which results share memory with them, sorted for a binary search.
$(B)/script/aliases.def.h: $(sort $(wildcard traces/*/ALIASES.tsv))
	@mkdir -p $(@D)
	$(Q)awk -F'\t' 'FNR > 1 { printf "{\"%s\", \"%s\", \"%s\", \"%s\"},\n", $$1, $$2, $$3, $$4 }' $^ /dev/null | LC_ALL=C sort >$@
# Which calls follow each other in real models.
$(B)/script/chain_lines.def.h: runtime/generate/chain/chain_lines.awk $(sort $(wildcard traces/*/CHAINS.models traces/*/PAIRS.models))
	@mkdir -p $(@D)
	$(Q)LC_ALL=C awk -f $^ >$@.new && mv $@.new $@

# Which Python constructs sessions have.
$(B)/script/constructs.def.h: $(sort $(wildcard runtime/python/rulefuzz/session/constructs/*.txt))
	@mkdir -p $(@D)
	$(Q)sed -n 's/^== \(.*\)/"\1",/p' $^ | LC_ALL=C sort >$@

$(B)/runtime/generate/session/gen_session.o: $(B)/script/constructs.def.h
$(B)/runtime/generate/chain/chain_lines.o: $(B)/script/chain_lines.def.h
$(B)/runtime/generate/call/weights.o: $(B)/script/weights.def.h
$(B)/runtime/model/effects/aliases.o: $(B)/script/aliases.def.h
$(B)/runtime/site/site_frame.o: $(B)/script/site.css.h $(B)/script/site.js.h $(B)/script/site.legend.html.h
$(B)/runtime/model/write_python.o: $(B)/script/elements.py.h $(B)/script/torch_elements.py.h $(B)/script/torch_layouts.py.h
$(filter $(B)/runtime/model/onnx/%,$(RUNTIME)) $(B)/tests/unit/runtime/model/onnx/test_onnx.o $(B)/tests/unit/runtime/model/onnx/test_onnx_bodies.o: $(B)/onnx/onnx.pb-c.h
