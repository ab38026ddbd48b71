#include "explain_rule.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api_page.h"
#include "function_owners.h"
#include "need.h"
#include "reasons.h"
#include "rules_file.h"

bool explain_is_asked(const char *glob, const char *op, const char *api)
{
	return fnmatch(glob, op, 0) == 0 || strcmp(glob, api) == 0;
}

/* ---- the records of one API */

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

/* The record files named after an API; all files if there is none. paths has room for ntraces. */
static int choose_paths(const explain_input *in, const char *api, arena *memory, const char **paths)
{
	char path[PATH_MAX];
	struct stat at;
	int n = 0;
	for (int i = 0; i < in->ntraces; i++) {
		const char *slash = strrchr(in->traces[i], '/'), *base = slash ? slash + 1 : in->traces[i];
		bool folder = stat(in->traces[i], &at) == 0 && S_ISDIR(at.st_mode);
		int length = snprintf(path, sizeof path, "%s.jsonl", api);
		if (!folder && strcmp(base, path) == 0)
			paths[n++] = in->traces[i];
		if (!folder)
			continue;
		length = snprintf(path, sizeof path, "%s/%s.jsonl", in->traces[i], api);
		if (length < PATH_MAX && access(path, R_OK) == 0)
			paths[n++] = need(arena_strdup(memory, path), (size_t)length);
	}
	if (n == 0)
		memcpy(paths, in->traces, sizeof *paths * (size_t)in->ntraces);
	return n ? n : in->ntraces;
}

static bool read_api(const explain_input *in, const char *api, records *r)
{
	arena *memory = arena_new();
	const char **paths = ARENA_ARRAY(memory, const char *, in->ntraces + 1);
	int n = choose_paths(in, api, memory, paths);
	bool ok = records_read(r, paths, n, report, NULL);
	arena_free(memory);
	return ok;
}

static const operator *find_operator(const records *r, const rule_op *o)
{
	for (int i = 0; i < r->n; i++)
		if (strcmp(r->ops[i].name, o->name) == 0 && r->ops[i].nsym == (int)o->nsym && r->ops[i].nodim == (int)o->nodim)
			return &r->ops[i];
	return NULL;
}

/* ---- output */

static void print_rule(const operator *op, const rule_op *o, expr_pool *pool)
{
	rule r = o->rule;
	buf b = {0};
	printf("%s\nfrom %s:%ld: %d accepted, %d rejected, %d contradictory records; %d symbols, %s\n\n", op->name, op->path, op->line,
	    op->npass, op->nfail, op->conflicts, op->nsym, op->structure);
	if (r.why) {
		printf("no rule: %s\n", r.why);
		return;
	}
	rule_count(op, &r);
	printf("layer %s; agrees with %u of %d accepted and %u of %d rejected records%s\n\n", r.layer, r.passed, op->npass, r.failed,
	    op->nfail, r.thin ? "; low support" : "");
	reasons_print(&b, op, &r, pool);
	fputs(need_text(&b), stdout);
	buf_free(&b);
}

static bool is_of_api(const char *op, const char *api, const void *user)
{
	(void)op;
	return strcmp(api, user) == 0;
}

/* Prints a comment of C without its delimiters. */
static void print_comment(const char *text)
{
	static const char BEGIN[] = "/* ", BESIDE[] = " *", END[] = " */\n";
	for (const char *line = text + strlen(BEGIN); strcmp(line, END) != 0 && *line;) {
		int n = (int)strcspn(line, "\n");
		printf("%.*s\n", n, line);
		line += n + (line[n] == '\n');
		if (strcmp(line, END) != 0 && strncmp(line, BESIDE, strlen(BESIDE)) == 0)
			line += strlen(BESIDE) + (line[strlen(BESIDE)] == ' ');
	}
}

/* Prints the page of an API from the rules of all its signatures. */
static bool print_page(const explain_input *in, const char *api)
{
	rule_set set;
	plan *plans;
	size_t n;
	diag d;
	buf page = {0};
	bool ok = rules_read_some(&set, in->rules, is_of_api, api, &d) && plan_make(&set, 1, &plans, &n, &d)
		  && function_owners_find(&set, plans, n, &d);
	if (!ok)
		report(&d, NULL);
	for (size_t i = 0; ok && i < n; i++)
		if (plans[i].napis && api_page_is_known(&plans[i].apis[0])) {
			api_page_put(&page, &set, NULL, &plans[i].apis[0]);
			printf("\nAPI rule:\n\n");
			print_comment(need_text(&page));
			buf_clear(&page);
		}
	buf_free(&page);
	rules_free(&set);
	return ok;
}

/* Prints the requested signatures of one API: set->ops[from] to before set->ops[to]. */
static bool print_api(const explain_input *in, const rule_set *set, size_t from, size_t to)
{
	records r;
	bool ok = read_api(in, set->ops[from].api, &r);
	bool solved = false;
	for (size_t i = from; i < to; i++) {
		const rule_op *o = &set->ops[i];
		const operator *op = find_operator(&r, o);
		if (op)
			print_rule(op, o, set->exprs);
		else
			fprintf(stderr, "%s:%ld: error: %s: --traces lacks its records, or its rule was learned from other ones; run 'make rules'\n",
			    set->path, o->line, o->name);
		ok &= op != NULL;
		solved |= o->rule.family != NULL;
		if (i + 1 < to)
			putchar('\n');
	}
	if (solved)
		ok &= print_page(in, set->ops[from].api);
	records_free(&r);
	return ok;
}

static bool is_asked(const char *op, const char *api, const void *user)
{
	return explain_is_asked(user, op, api);
}

int explain_rules(const explain_input *in, bool *found)
{
	rule_set set;
	diag d;
	bool ok = rules_read_some(&set, in->rules, is_asked, in->glob, &d);
	if (!ok)
		fprintf(stderr, "%s; run 'make rules', name a file with --rules, or search again with --search-log\n", d.text);
	*found = !ok || set.nops;
	for (size_t from = 0, to; ok && from < set.nops; from = to) {
		if (from)
			putchar('\n');
		for (to = from + 1; to < set.nops && strcmp(set.ops[to].api, set.ops[from].api) == 0;)
			to++;
		ok = print_api(in, &set, from, to);
	}
	rules_free(&set);
	return ok && *found ? 0 : 1;
}
