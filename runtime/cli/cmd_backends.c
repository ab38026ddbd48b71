/* rulefuzz backends: lists the compilers to fuzz, the installed versions, and the commands that install the others. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "commands.h"
#include "framework.h"
#include "package.h"

static int help(void)
{
	puts("usage: rulefuzz backends [OPTION…] [NAME…]\n\n"
	     "Lists the backends: name, framework, installed versions or the command that installs them, and a\n"
	     "description. The second group is for tests of rulefuzz itself. No framework is imported: versions\n"
	     "are read from file names. All backends run on the CPU.\n\n"
	     "  NAME         only these backends; NAME@VERSION: in another version (onnxruntime@1.17.1)\n"
	     "  --installed  only installed backends\n"
	     "  --names      print only the names, one per line\n"
	     "  --json       print one JSON object with \"schema\": 1\n"
	     "  --help       show this text\n\n"
	     "Exit codes: 0 success, 2 unknown NAME, 5 a NAME is not installed.");
	return print_examples("backends");
}

typedef struct listing {
	const package *package;
	char *const *names;
	int nnames, missing;
	bool json, installed, only_names;
	bool test; /* the group that is printed: backends to fuzz, or for tests */
	int printed; /* of the group */
	const char *comma;
	buf out;
} listing;

typedef struct state { /* of one target */
	buf versions, tested, missing;
	bool json;
} state;

static void put_pair(buf *to, const char *name, const char *version)
{
	buf_puts(to, to->length ? "," : "");
	buf_json(to, name);
	buf_putc(to, ':');
	buf_json(to, version);
}

/* An installed requirement. rules: its pinned version is the one that the rules were learned from. */
static void add_installed(state *s, const char *need, const char *version, bool rules, bool same)
{
	char name[80];
	const char *pinned = strstr(need, "==");
	snprintf(name, sizeof name, "%.*s", (int)strcspn(need, "="), need);
	if (s->json) {
		put_pair(&s->versions, name, version);
		if (pinned)
			put_pair(&s->tested, name, pinned + 2);
		return;
	}
	buf_printf(&s->versions, "%s%s %s", s->versions.length ? ", " : "", name, version);
	if (!same)
		buf_printf(&s->versions, " (%s %s)", rules ? "rules learned from" : "tested with", pinned + 2);
}

static void add_need(state *s, const char *python, const char *need, bool rules)
{
	char version[64];
	bool met = is_met(python, need, version);
	if (*version) {
		add_installed(s, need, version, rules, met);
	} else if (!met) {
		buf_puts(&s->missing, s->missing.length ? ", " : "");
		(s->json ? buf_json : buf_puts)(&s->missing, need);
	}
}

/* Looks for the pinned requirements of the framework and of the target, and for the target's programs. */
static void look(const target *t, const char *python, state *s)
{
	char need[80];
	for (const char *at = framework_requirements(t->framework); *at;) {
		int n = (int)strcspn(at, " ");
		snprintf(need, sizeof need, "%.*s", n, at);
		if (strstr(need, "=="))
			add_need(s, python, need, true);
		at += n + (at[n] == ' ');
	}
	for (int i = 0; i < t->nneeds; i++)
		if (strstr(t->needs[i], "==") || strncmp(t->needs[i], "program:", 8) == 0)
			add_need(s, python, t->needs[i], false);
}

static void put_json(listing *l, const target *t, const state *s, const char *install)
{
	char environment[128];
	target_environment(t, environment);
	const struct {
		const char *key, *value;
	} texts[] = {{"name", t->name}, {"framework", t->framework}, {"environment", environment},
	    {"about", t->about}, {"install", install}};
	buf_printf(&l->out, "%s\n{", l->comma);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		buf_printf(&l->out, "\"%s\":", texts[i].key);
		buf_json(&l->out, texts[i].value);
		buf_putc(&l->out, ',');
	}
	buf_printf(&l->out, "\"for_tests\":%s,\"installed\":%s,\"versions\":{%s},\"tested_with\":{%s},\"missing\":[%s]}",
	    t->test ? "true" : "false", s->missing.length ? "false" : "true", buf_text(&s->versions), buf_text(&s->tested),
	    buf_text(&s->missing));
	l->comma = ",";
}

static void put_text(listing *l, const target *t, const state *s, const char *install)
{
	if (!l->nnames && !l->printed)
		buf_printf(&l->out, "%s\n", t->test ? "\nFor tests of rulefuzz and its oracle:" : "To fuzz:");
	char name[160];
	snprintf(name, sizeof name, "%s%s%s", t->name, *t->version ? "@" : "", t->version);
	buf_printf(&l->out, "%-20s %-11s ", name, t->framework);
	if (s->missing.length)
		buf_printf(&l->out, "not installed (needs %s): run `%s`; %s\n", s->missing.text, install, t->about);
	else
		buf_printf(&l->out, "%s; %s\n", buf_text(&s->versions), t->about);
}

static void put_target(listing *l, const target *t)
{
	char python[PATH_MAX];
	diag none;
	state s = {.json = l->json};
	buf install = {0};
	package_install_hint(l->package, t->framework, t, &install);
	if (!package_target_interpreter(l->package, t, NULL, python, &none))
		snprintf(python, sizeof python, "/none/bin/python");
	look(t, python, &s);
	l->missing += s.missing.length != 0;
	if (s.missing.length == 0 || !l->installed) {
		if (l->only_names)
			buf_printf(&l->out, "%s\n", t->name);
		else
			(l->json ? put_json : put_text)(l, t, &s, buf_text(&install));
		l->printed++;
	}
	buf_end(&l->out, &install);
	buf_end(&l->out, &s.missing);
	buf_end(&l->out, &s.tested);
	buf_end(&l->out, &s.versions);
}

static bool show(void *context, const target *t)
{
	listing *l = context;
	if (l->test == t->test && l->nnames == 0)
		put_target(l, t);
	for (int i = 0; i < l->nnames && l->test == t->test; i++) {
		target asked;
		diag none;
		if (package_target(l->package, l->names[i], &asked, &none) && strcmp(asked.name, t->name) == 0)
			put_target(l, &asked);
	}
	return true;
}

/* Reports the first name that is not a backend. */
static int check_names(const listing *l)
{
	target t;
	diag d = {""};
	for (int i = 0; i < l->nnames; i++)
		if (!package_target(l->package, l->names[i], &t, &d)) {
			fprintf(stderr, "rulefuzz backends: %s\n", d.text);
			return EXIT_USAGE;
		}
	return EXIT_CLEAN;
}

static int list(listing *l)
{
	package p;
	diag d = {""};
	l->package = &p;
	l->comma = "";
	if (!package_find(&p, &d)) {
		fprintf(stderr, "rulefuzz backends: %s\n", d.text);
		return EXIT_BACKEND;
	}
	int code = check_names(l);
	if (code)
		return code;
	if (l->json)
		buf_puts(&l->out, "{\"schema\":1,\"command\":\"backends\",\"backends\":[");
	for (int group = 0; group < 2; group++) {
		l->test = group == 1;
		l->printed = 0;
		if (!package_each_target(&p, show, l, &d)) {
			fprintf(stderr, "rulefuzz backends: %s\n", d.text);
			return EXIT_BACKEND;
		}
	}
	if (l->json)
		buf_puts(&l->out, "]}\n");
	if (l->out.failed || (l->out.length && fwrite(l->out.text, 1, l->out.length, stdout) != l->out.length)
	    || fflush(stdout) != 0) {
		fprintf(stderr, "rulefuzz backends: error: cannot write the list\n");
		return EXIT_INPUT;
	}
	return l->nnames && l->missing ? EXIT_BACKEND : EXIT_CLEAN;
}

int cmd_backends(int argc, char **argv)
{
	enum { INSTALLED = 256, NAMES, JSON, HELP };
	static const struct option options[] = {{"installed", no_argument, NULL, INSTALLED}, {"names", no_argument, NULL, NAMES},
	    {"json", no_argument, NULL, JSON}, {"help", no_argument, NULL, HELP}, {0}};
	listing l = {0};
	optind = 1;
	for (int c; (c = next_option("backends", argc, argv, "", options)) != -1;)
		if (c == HELP)
			return help();
		else if (c == INSTALLED)
			l.installed = true;
		else if (c == NAMES)
			l.only_names = true;
		else if (c == JSON)
			l.json = true;
		else
			return EXIT_USAGE;
	if (l.json && l.only_names)
		return usage_error("backends", "--names and --json exclude each other");
	l.names = argv + optind;
	l.nnames = argc - optind;
	int code = list(&l);
	buf_free(&l.out);
	return code;
}
