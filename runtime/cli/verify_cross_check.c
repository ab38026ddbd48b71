#include "verify_cross_check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cross_check.h"
#include "api_names.h"
#include "buf.h"
#include "cli.h"
#include "file.h"
#include "package.h"
#include "signals.h"
#include "suggest.h"

static const struct {
	const char *name, *framework;
} KINDS[] = {
#define KIND(name, framework) {name, framework},
#include "cross_check.def"
#undef KIND
};

static const char *framework_of(const char *kind)
{
	for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
		if (strcmp(KINDS[i].name, kind) == 0)
			return KINDS[i].framework;
	return NULL;
}

static int list_kinds(void)
{
	for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
		printf("%-12s %s\n", KINDS[i].name, KINDS[i].framework);
	return EXIT_CLEAN;
}

static int unknown_kind(const char *kind)
{
	suggestion s = suggest_start(kind);
	for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
		suggest_see(&s, KINDS[i].name);
	if (*s.name)
		return unknown_name("verify", "--cross-check: unknown kind", kind, s.name);
	return usage_error("verify", "--cross-check: unknown kind '%s'; `rulefuzz verify --cross-check list` prints all", kind);
}

/* ---- scripts */

/* The name is KIND-API-WHAT-NUMBER.py; characters that file names may not have become hyphens. */
static bool write_script(const verify_cross_check_options *o, const cross_check_group *g, uint32_t number, diag *d)
{
	buf path = {0};
	buf_printf(&path, "%s/%s-", o->scripts, o->kind);
	for (const char *c = g->api; *c; c++)
		buf_putc(&path, isalnum((unsigned char)*c) || *c == '.' || *c == '_' ? *c : '-');
	buf_printf(&path, "-%s-%u.py", g->what, number + 1);
	bool ok = !path.failed && file_write(path.text, g->script, strlen(g->script), d);
	buf_free(&path);
	return ok;
}

static bool write_scripts(const verify_cross_check_options *o, const cross_check_result *r, diag *d)
{
	bool ok = make_directories(o->scripts, d);
	for (uint32_t i = 0; ok && i < r->ngroups; i++)
		if (*r->groups[i].tiers)
			ok = write_script(o, &r->groups[i], i, d);
	return ok;
}

/* ---- reports */

static const char *tiers_of(const cross_check_group *g)
{
	return *g->tiers ? g->tiers : g->tried ? "not confirmed" : "not tried";
}

static void print_text(const verify_cross_check_options *o, const cross_check_result *r, const char *version)
{
	printf("verify --cross-check %s, %s, seed %llu: %llu calls, %llu second opinions, %llu agree, %llu differ; %llu lost, %llu errors\n",
	    o->kind, version, (unsigned long long)o->seed, (unsigned long long)r->asked, (unsigned long long)r->opinions,
	    (unsigned long long)r->same, (unsigned long long)r->differing, (unsigned long long)r->lost, (unsigned long long)r->errors);
	if (r->errors)
		printf("first error: %s\n", r->error);
	for (uint32_t i = 0; i < r->nnoise; i++)
		printf("%s%s %llu", i ? ", " : "excluded as noise: ", r->noise[i].name, (unsigned long long)r->noise[i].count);
	printf("%s%7s  %-8s %-22s %s\n", r->nnoise ? "\n" : "", "count", "what", "confirmed by", "API, call, live result, second opinion");
	for (uint32_t i = 0; i < r->ngroups; i++) {
		const cross_check_group *g = &r->groups[i];
		printf("%7llu  %-8s %-22s %s%s%s %s (%s): live %.160s; %s %.160s\n", (unsigned long long)g->count, g->what, tiers_of(g),
		    g->op, *g->form ? " as " : "", g->form, g->input, g->drawn, g->live, o->kind, g->said);
	}
}

static void put_key(buf *b, const char *key, const char *text)
{
	buf_printf(b, ",\"%s\":", key);
	buf_json(b, text);
}

static bool print_json(const verify_cross_check_options *o, const cross_check_result *r)
{
	buf b = {0};
	buf_printf(&b, "{\"schema\":1,\"cross_check\":\"%s\",\"seed\":%llu,\"questions\":%llu,\"opinions\":%llu,\"same\":%llu", o->kind,
	    (unsigned long long)o->seed, (unsigned long long)r->asked, (unsigned long long)r->opinions, (unsigned long long)r->same);
	buf_printf(&b, ",\"differ\":%llu,\"lost\":%llu,\"errors\":%llu,\"stopped\":%s,\"noise\":{", (unsigned long long)r->differing,
	    (unsigned long long)r->lost, (unsigned long long)r->errors, r->stopped ? "true" : "false");
	for (uint32_t i = 0; i < r->nnoise; i++) {
		buf_puts(&b, i ? "," : "");
		buf_json(&b, r->noise[i].name);
		buf_printf(&b, ":%llu", (unsigned long long)r->noise[i].count);
	}
	buf_puts(&b, "},\"groups\":[");
	for (uint32_t i = 0; i < r->ngroups; i++) {
		const cross_check_group *g = &r->groups[i];
		buf_printf(&b, "%s{\"count\":%llu,\"tried\":%s,\"in\":%s", i ? "," : "", (unsigned long long)g->count,
		    g->tried ? "true" : "false", g->input);
		const char *const keys[] = {"key", g->key, "op", g->op, "api", g->api, "form", g->form, "what", g->what, "live", g->live,
		    "said", g->said, "drawn", g->drawn, "tiers", g->tiers, "script", g->script ? g->script : ""};
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k += 2)
			put_key(&b, keys[k], keys[k + 1]);
		buf_putc(&b, '}');
	}
	buf_puts(&b, "]}");
	if (!b.failed)
		puts(b.text);
	buf_free(&b);
	return !b.failed;
}

static int report(const verify_cross_check_options *o, const cross_check_result *r, const rs_table *t)
{
	diag d = {""};
	uint32_t confirmed = 0;
	bool ok = true;
	for (uint32_t i = 0; i < r->ngroups; i++)
		confirmed += *r->groups[i].tiers != '\0';
	if (o->json)
		ok = print_json(o, r);
	else
		print_text(o, r, t->version);
	if (!ok || fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "error: cannot write the report\n");
		return EXIT_INPUT;
	}
	if (o->scripts && !write_scripts(o, r, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return EXIT_INPUT;
	}
	return r->stopped ? EXIT_PARTIAL : confirmed ? EXIT_CHECK : EXIT_CLEAN;
}

/* ---- the command */

static int ask(const verify_cross_check_options *o, const rs_table *t, const char *command)
{
	cross_check_result r = {0};
	diag d = {""};
	const cross_check_options options = {.table = t, .kind = o->kind, .api = o->api, .count = o->count, .seed = o->seed,
	    .seconds = o->seconds, .stopped = signal_came, .progress = isatty(STDERR_FILENO)};
	catch_signals();
	oracle *asked = oracle_new(&(oracle_options){.command = command, .restarts = true});
	bool ok = asked ? cross_check(&options, asked, &r, &d) : diag_set(&d, "out of memory");
	oracle_free(asked);
	if (!ok)
		fprintf(stderr, "rulefuzz verify: %s\n", d.text);
	int code = r.asked ? report(o, &r, t) : EXIT_BACKEND;
	cross_check_result_free(&r);
	return ok || code == EXIT_INPUT ? code : EXIT_BACKEND;
}

int verify_cross_check(const verify_cross_check_options *o)
{
	package p;
	diag d = {""};
	buf command = {0};
	const char *framework = framework_of(o->kind);
	if (strcmp(o->kind, "list") == 0)
		return list_kinds();
	if (!framework)
		return unknown_kind(o->kind);
	if (o->framework && !o->oracle && strcmp(o->framework, framework) != 0)
		return usage_error("verify", "--cross-check %s needs --framework %s, got '%s'", o->kind, framework, o->framework);
	const rs_library *lib = open_rules(o->rules);
	if (!lib)
		return EXIT_INPUT;
	const rs_table *t = rs_library_table(lib, o->framework ? o->framework : framework);
	if (!t)
		return usage_error("verify", "--framework: no rules of '%s'", o->framework ? o->framework : framework);
	if (o->api && !api_matches(t, o->api))
		return unknown_api("verify", lib, t->framework, o->api);
	if (!o->oracle && (!package_find(&p, &d) || !package_use(&p, &d) || !package_opinions(&p, framework, o->kind, &command, &d))) {
		fprintf(stderr, "rulefuzz verify: %s\n", d.text);
		return EXIT_BACKEND;
	}
	int code = ask(o, t, o->oracle ? o->oracle : command.text);
	buf_free(&command);
	return code;
}
