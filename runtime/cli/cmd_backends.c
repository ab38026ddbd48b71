/* rulefuzz backends: the compilers that there are to fuzz, which are installed, and what installs the others. */
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
	puts("usage: rulefuzz backends [--installed] [--json] [NAME…]\n\n"
	     "Lists the backends, one a line: name, framework, the versions that are installed or what is\n"
	     "missing, what it is, and what installs it. Nothing is imported: versions are read from the\n"
	     "names of files.\n\n"
	     "  NAME         these only\n"
	     "  --installed  only those that are there\n"
	     "  --json       as JSON\n\n"
	     "Exit codes: 0; 5 a NAME is no backend, or is not installed.");
	return EXIT_CLEAN;
}

typedef struct listing {
	const package *package;
	char **names;
	int nnames, missing;
	bool json, installed;
	const char *comma;
	buf out;
} listing;

typedef struct state { /* of one target */
	buf versions, missing;
	bool json;
} state;

static void add_need(state *s, const char *python, const char *need)
{
	char version[64], name[80];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(need, "="), need);
	bool met = is_met(python, need, version);
	if (!met) {
		buf_puts(&s->missing, s->missing.length ? ", " : "");
		(s->json ? buf_json : buf_puts)(&s->missing, need);
		if (*version && !s->json)
			buf_printf(&s->missing, " (but %s)", version);
	} else if (*version && s->json) {
		buf_puts(&s->versions, s->versions.length ? "," : "");
		buf_json(&s->versions, name);
		buf_putc(&s->versions, ':');
		buf_json(&s->versions, version);
	} else if (*version) {
		buf_printf(&s->versions, "%s%s %s", s->versions.length ? ", " : "", name, version);
	}
}

/* Of the framework's requirements those with a version: the framework and what its reference runs on; then the target's. */
static void look(const target *t, const char *python, state *s)
{
	char need[80];
	for (const char *at = framework_requirements(t->framework); *at;) {
		int n = (int)strcspn(at, " ");
		snprintf(need, sizeof need, "%.*s", n, at);
		if (strstr(need, "=="))
			add_need(s, python, need);
		at += n + (at[n] == ' ');
	}
	for (int i = 0; i < t->nneeds; i++)
		if (strstr(t->needs[i], "==") || strncmp(t->needs[i], "program:", 8) == 0)
			add_need(s, python, t->needs[i]);
}

static void put_json(listing *l, const target *t, const state *s, const char *install)
{
	const struct {
		const char *key, *value;
	} texts[] = {{"name", t->name}, {"framework", t->framework}, {"environment", target_environment(t)},
	    {"about", t->about}, {"install", install}};
	buf_printf(&l->out, "%s\n{", l->comma);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		buf_printf(&l->out, "\"%s\":", texts[i].key);
		buf_json(&l->out, texts[i].value);
		buf_putc(&l->out, ',');
	}
	buf_printf(&l->out, "\"installed\":%s,\"versions\":{%s},\"missing\":[%s]}", s->missing.length ? "false" : "true",
	    buf_text(&s->versions), buf_text(&s->missing));
	l->comma = ",";
}

static void put_text(listing *l, const target *t, const state *s, const char *install)
{
	buf_printf(&l->out, "%-20s %-11s ", t->name, t->framework);
	if (s->missing.length)
		buf_printf(&l->out, "no %s: `%s`; %s\n", s->missing.text, install, t->about);
	else
		buf_printf(&l->out, "%s; %s\n", buf_text(&s->versions), t->about);
}

/* Of the names given only those that are no target's stay. */
static bool is_chosen(listing *l, const target *t)
{
	bool chosen = l->nnames == 0;
	for (int i = 0; i < l->nnames; i++)
		if (l->names[i] && strcmp(l->names[i], t->name) == 0) {
			l->names[i] = NULL;
			chosen = true;
		}
	return chosen;
}

static bool show(void *context, const target *t)
{
	listing *l = context;
	char python[PATH_MAX];
	diag none;
	if (!is_chosen(l, t))
		return true;
	state s = {.json = l->json};
	buf install = {0};
	package_installer(l->package, "BACKEND", t->name, &install);
	if (!package_target_interpreter(l->package, t, NULL, python, &none))
		snprintf(python, sizeof python, "/none/bin/python");
	look(t, python, &s);
	l->missing += s.missing.length != 0;
	if (s.missing.length == 0 || !l->installed)
		(l->json ? put_json : put_text)(l, t, &s, buf_text(&install));
	buf_end(&l->out, &install);
	buf_end(&l->out, &s.missing);
	buf_end(&l->out, &s.versions);
	return true;
}

static int list(listing *l)
{
	package p;
	diag d = {""};
	l->package = &p;
	l->comma = "";
	int named = l->nnames;
	if (l->json)
		buf_puts(&l->out, "{\"schema\":1,\"command\":\"backends\",\"backends\":[");
	if (!package_find(&p, &d) || !package_each_target(&p, show, l, &d)) {
		fprintf(stderr, "rulefuzz backends: %s\n", d.text);
		return EXIT_BACKEND;
	}
	for (int i = 0; i < named; i++)
		if (l->names[i] && !package_target(&p, l->names[i], &(target){.own = false}, &d)) {
			fprintf(stderr, "rulefuzz backends: %s\n", d.text);
			return EXIT_BACKEND;
		}
	if (l->json)
		buf_puts(&l->out, "]}\n");
	if (l->out.failed || (l->out.length && fwrite(l->out.text, 1, l->out.length, stdout) != l->out.length)
	    || fflush(stdout) != 0) {
		fprintf(stderr, "rulefuzz backends: error: cannot write the list\n");
		return EXIT_INPUT;
	}
	return named && l->missing ? EXIT_BACKEND : EXIT_CLEAN;
}

int cmd_backends(int argc, char **argv)
{
	enum { INSTALLED = 256, JSON, HELP };
	static const struct option options[] = {{"installed", no_argument, NULL, INSTALLED},
	    {"json", no_argument, NULL, JSON}, {"help", no_argument, NULL, HELP}, {0}};
	listing l = {0};
	optind = 1;
	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;)
		if (c == HELP)
			return help();
		else if (c == INSTALLED)
			l.installed = true;
		else if (c == JSON)
			l.json = true;
		else
			return EXIT_USAGE;
	l.names = argv + optind;
	l.nnames = argc - optind;
	int code = list(&l);
	buf_free(&l.out);
	return code;
}
