# What is given to others: the installation below PREFIX, and packages made of it. docs/guides/install.md

.PHONY: install uninstall install-library

INSTALLATION = python3 packages/installation.py

# Completion is made of what the programs say of themselves.
$(B)/completion/%.bash $(B)/completion/%.zsh: $(B)/% packages/completion.py
	$(call say,COMPLETE,$(B)/completion/$*)
	@mkdir -p $(@D)
	$(Q)for shell in bash zsh; do python3 packages/completion.py $< $$shell >$(@D)/$*.$$shell.new && \
	    mv $(@D)/$*.$$shell.new $(@D)/$*.$$shell || exit 1; done

# So are the manual pages of section 1.
$(B)/man/%.1: $(B)/% packages/command_manual.py packages/completion.py packages/installation.py packages/manual.py docs/man/%.in
	$(call say,MAN,$@)
	@mkdir -p $(@D)
	$(Q)python3 packages/command_manual.py $< >$@.new && mv $@.new $@

install: all install-library ## install programs, library, headers, Python package, records, manual and completion under PREFIX (2 min)
	@$(MAKE) --no-print-directory $(addprefix $(B)/completion/,rulefuzz.bash rulefuzz.zsh rulesmith.bash rulesmith.zsh) \
	    $(addprefix $(B)/man/,rulefuzz.1 rulesmith.1)
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	$(Q)$(INSTALLATION) install programs --build $(B) --prefix $(PREFIX) --destdir '$(DESTDIR)'

install-library: checked ## install the library and its headers only (2 min)
	@$(MAKE) --no-print-directory $(B)/librulesmith.a $(B)/librulesmith.so
	$(call say,INSTALL,$(DESTDIR)$(PREFIX)/lib/librulesmith)
	$(Q)$(INSTALLATION) install library --build $(B) --prefix $(PREFIX) --destdir '$(DESTDIR)'

uninstall: ## remove what `make install` puts under PREFIX (1 s)
	$(call say,REMOVE,$(DESTDIR)$(PREFIX))
	$(Q)$(INSTALLATION) uninstall programs library --build $(B) --prefix $(PREFIX) --destdir '$(DESTDIR)'

# ---- static: one program that needs nothing of the system it runs on, not even its libc

.PHONY: static

$(B)/static/cJSON.c $(B)/static/cJSON.h &: packages/cjson.sh
	$(call say,FETCH,the source of cJSON)
	$(Q)sh packages/cjson.sh $(B)/static
$(B)/static/cJSON.o: $(B)/static/cJSON.c
	$(call say,CC)
	$(Q)$(CC) $(CFLAGS) -fPIC -ffile-prefix-map=$(CURDIR)=. -c $< -o $@
$(B)/static/no_loader.o: packages/no_loader.c
	$(call say,CC)
	@mkdir -p $(@D)
	$(Q)$(CC) $(WARN) $(CFLAGS) -c $< -o $@

# Without what unwinds the stack of functions that never throw and call nobody.
$(B)/static/rules.o: $(B)/lib/rules.o
	@mkdir -p $(@D)
	$(Q)$(OBJCOPY) -R .eh_frame -R .rela.eh_frame $< $@

# Not position-independent, so that nothing is relocated when it starts.
NO_LOADER := -Wl,--wrap=dlopen,--wrap=dlsym,--wrap=dlclose,--wrap=dlerror
$(B)/static/rulefuzz: $(FUZZ) $(RUNTIME) $(BASE) $(B)/static/rules.o $(B)/static/cJSON.o $(B)/static/no_loader.o
	$(call say,LINK)
	$(Q)$(CC) -static -no-pie -s $(CFLAGS) $(LDFLAGS) $(NO_LOADER) -Wl,--gc-sections $^ \
	    -lprotobuf-c -lxxhash -lsqlite3 -lz -lpthread -lm -o $@

static: checked ## build/static/rulefuzz, which needs nothing of the system that it runs on, not even its libc (2 min)
	$(SUBMAKE) $(B)/static/rulefuzz

# ---- the wheel: what `pip install` puts beside a framework

$(B)/wheel/librulesmith.so: $(B)/lib/runtime.o $(B)/lib/rules.o $(B)/static/cJSON.o packages/librulesmith.map
	$(call say,LINK)
	@mkdir -p $(@D)
	$(Q)$(SHARED) -s $(CFLAGS) $(LDFLAGS) -Wl,--version-script=packages/librulesmith.map $(filter %.o,$^) \
	    -l:libprotobuf-c.a -l:libxxhash.a -ldl -lpthread -lm -o $@

WHEEL_FILES := pyproject.toml $(addprefix packages/,wheel.sh build_hook.py installation.py description.md) \
    $(wildcard runtime/python/rulesmith/*) $(shell find runtime/python/rulefuzz traces/collect -name '*.py')
$(B)/dist/wheel.stamp: $(B)/static/rulefuzz $(B)/wheel/librulesmith.so $(WHEEL_FILES)
	$(call say,WHEEL,$(B)/dist)
	@mkdir -p $(@D)
	$(Q)DEPS=skip sh packages/wheel.sh $(B) $(VENVS)/wheel >$@.new
	@mv $@.new $@

.PHONY: wheel
wheel: checked ## build/dist/rulesmith-….whl: pip installs the static rulefuzz, the workers and the module rulesmith (3 min)
	$(SUBMAKE) $(B)/dist/wheel.stamp

# ---- the Debian package

ARCHITECTURE = $(shell dpkg --print-architecture 2>/dev/null)
DEB = $(B)/dist/rulesmith_$(VERSION)_$(ARCHITECTURE).deb

.PHONY: deb
deb: all ## build/dist/rulesmith_….deb of what `make install` puts under /usr (3 min)
	@rm -rf $(B)/deb
	@$(MAKE) --no-print-directory -s -o all install DESTDIR=$(CURDIR)/$(B)/deb PREFIX=/usr
	$(call say,DEB,$(DEB))
	$(Q)sh packages/deb.sh $(B)/deb $(VERSION) $(DEB)

# ---- all of it

.PHONY: release release-check
release: checked ## the static program, the wheel and the Debian package (5 min)
	@$(MAKE) --no-print-directory static
	@$(MAKE) --no-print-directory wheel
	@$(MAKE) --no-print-directory deb

release-check: release ## make them, install them in empty roots and environments, measure, and build the commit again: the same bytes? (15 min)
	@tests/run.sh $(B) release
	@sh packages/measure.sh $(B)
	@sh packages/twice.sh $(B)
