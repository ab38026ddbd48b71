# What is given to others: the installation below PREFIX, and packages made of it. docs/install.md

SHARE = $(DESTDIR)$(PREFIX)/share/rulefuzz/python

# The package, the collector beside it, which `rulefuzz verify` asks, and the records that it knows operators from.
install: all install-library ## install programs, library, headers, Python package and records under PREFIX
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1
	$(Q)install -m 755 $(B)/rulesmith $(B)/rulefuzz $(DESTDIR)$(PREFIX)/bin
	$(Q)for f in $$(cd runtime/python && find rulefuzz -name '*.py' -o -name py.typed); do \
	    install -D -m 644 runtime/python/$$f $(SHARE)/$$f || exit 1; done
	$(Q)for f in $$(find traces/collect -name '*.py') traces/backends.sh; do install -D -m 644 $$f $(SHARE)/$$f || exit 1; done
	$(Q)for d in $(sort $(dir $(TRACES))); do install -d $(SHARE)/$$d && install -m 644 $$d*.jsonl $(SHARE)/$$d || exit 1; done
	$(Q)install -m 644 runtime/rules/frameworks.def $(SHARE)/rulefuzz
	$(Q)install -m 644 docs/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1

install-library: deps ## install the library and its headers only
	@$(MAKE) --no-print-directory $(B)/librulesmith.a
	$(call say,INSTALL,$(DESTDIR)$(PREFIX)/lib/librulesmith.a)
	$(Q)install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include/rulesmith
	$(Q)install -m 644 $(B)/librulesmith.a $(DESTDIR)$(PREFIX)/lib
	$(Q)install -m 644 runtime/include/*.h $(DESTDIR)$(PREFIX)/include/rulesmith
	$(Q)printf 'prefix=%s\nName: rulesmith\nDescription: compiled operator rules\nVersion: %s\nCflags: -I$${prefix}/include/rulesmith\nLibs: -L$${prefix}/lib -lrulesmith -lprotobuf-c -lcjson -lxxhash -ldl\n' \
	    $(PREFIX) $(VERSION) >$(DESTDIR)$(PREFIX)/lib/pkgconfig/rulesmith.pc

