/* rulefuzz rules: prints the rule of an API, or how many APIs and signatures have one. */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_names.h"
#include "buf.h"
#include "commands.h"
#include "rule_pages.h"

typedef struct choice {
	const char *rules;	     /* a library, NULL: the built-in one */
	const char *framework, *api; /* api: a glob; NULL: all */
	bool missing;		     /* only signatures without a rule */
	bool json, list;
} choice;

typedef struct reason {
	const char *text;
	unsigned count;
} reason;

typedef struct counts { /* counts of one framework */
	const rs_table *table;
	unsigned apis, solved_apis, ops, solved, rules, thin, recorded, simplified, proved, records;
	unsigned samplers[RS_SAMPLER_DIRECT + 1]; /* signatures with a rule, by kind of sampler */
	reason *reasons; /* most frequent first */
	unsigned nreasons;
} counts;

static bool is_chosen(const choice *c, const rs_op *op)
{
	return (!c->api || fnmatch(c->api, op->api, 0) == 0) && !(c->missing && op->valid);
}

/* ---- counting */

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the strings and removes duplicates; returns the number left. */
static unsigned unique(const char **list, unsigned n)
{
	unsigned kept = 0;
	qsort(list, n, sizeof *list, by_string);
	for (unsigned i = 0; i < n; i++)
		if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
			list[kept++] = list[i];
	return kept;
}

static int by_count(const void *a, const void *b)
{
	const reason *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void count_reasons(counts *k, const char **texts, unsigned n)
{
	qsort(texts, n, sizeof *texts, by_string);
	for (unsigned i = 0; i < n; i++) {
		if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
			k->reasons[k->nreasons++] = (reason){.text = texts[i]};
		k->reasons[k->nreasons - 1].count++;
	}
	qsort(k->reasons, k->nreasons, sizeof *k->reasons, by_count);
}

static void count_op(counts *k, const rs_op *op)
{
	k->ops++;
	k->records += op->nrecords;
	if (!op->valid)
		return;
	k->solved++;
	k->thin += (op->flags & RS_THIN) != 0;
	k->recorded += (op->flags & RS_RECORDED) != 0;
	k->simplified += (op->flags & (RS_PROVED | RS_UNPROVED)) != 0;
	k->proved += (op->flags & RS_PROVED) != 0;
	k->samplers[op->sampler <= RS_SAMPLER_DIRECT ? op->sampler : RS_SAMPLER_RECORD]++;
}

/* False: out of memory. */
static bool count_table(counts *k, const rs_table *table, const choice *c)
{
	size_t room = (size_t)table->nops + 1;
	const char **all = calloc(room * 4, sizeof *all);
	const char **solved = all + room, **rules = solved + room, **why = rules + room;
	unsigned n = 0, nsolved = 0, nwhy = 0;
	*k = (counts){.table = table, .reasons = calloc(room, sizeof *k->reasons)};
	for (uint32_t i = 0; all && k->reasons && i < table->nops; i++) {
		const rs_op *op = &table->ops[i];
		if (!is_chosen(c, op))
			continue;
		count_op(k, op);
		all[n++] = op->api;
		if (op->valid) {
			solved[nsolved] = op->api;
			rules[nsolved++] = op->rule;
		} else {
			why[nwhy++] = op->why ? op->why : "not known";
		}
	}
	bool ok = all && k->reasons;
	if (ok) {
		k->apis = unique(all, n);
		k->solved_apis = unique(solved, nsolved);
		k->rules = unique(rules, nsolved);
		count_reasons(k, why, nwhy);
	}
	free(all);
	return ok;
}

/* ---- printing */

static double percent(unsigned part, unsigned whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static void print_counts(const counts *k)
{
	printf("%s %s (rules %s)\n", k->table->framework, k->table->version, k->table->fingerprint);
	printf("  APIs          %6u, with a rule %u (%.1f %%)\n", k->apis, k->solved_apis,
	    percent(k->solved_apis, k->apis));
	printf("  signatures    %6u, with a rule %u (%.1f %%)\n", k->ops, k->solved,
	    percent(k->solved, k->ops));
	printf("  rules         %6u distinct; %u signatures have low support (few records)\n", k->rules, k->thin);
	printf("  by records    %6u signatures failed in models: only their recorded calls are generated\n", k->recorded);
	printf("  simplified    %6u of these rules: %u proved equivalent by Z3, %u not proved\n",
	    k->simplified, k->proved, k->simplified - k->proved);
	printf("  sampled       %6u signatures directly (%.1f %%), %u with dead ends, %u from records only\n",
	    k->samplers[RS_SAMPLER_DIRECT], percent(k->samplers[RS_SAMPLER_DIRECT], k->solved),
	    k->samplers[RS_SAMPLER_BOUNDED], k->samplers[RS_SAMPLER_RECORD]);
	printf("  records kept  %6u\n", k->records);
	if (k->nreasons)
		printf("  without a rule %5u:\n", k->ops - k->solved);
	for (unsigned i = 0; i < k->nreasons; i++)
		printf("    %6u  %s\n", k->reasons[i].count, k->reasons[i].text);
}

static void print_op(const rs_op *op)
{
	if (!op->valid)
		printf("%s\tno rule\t%s\n", op->name, op->why ? op->why : "not known");
	else
		printf("%s\t%u accepted, %u rejected%s%s\n", op->name, op->passed, op->failed,
		    op->flags & RS_THIN ? ", low support" : op->flags & RS_RECORDED ? ", by records" : "",
		    op->flags & RS_PROVED ? ", proved" : op->flags & RS_UNPROVED ? ", not proved" : "");
}

static void put_key(buf *out, const char *key, const char *value)
{
	buf_printf(out, "\"%s\":", key);
	buf_json(out, value);
	buf_putc(out, ',');
}

static void json_counts(buf *out, const counts *k)
{
	buf_putc(out, '{');
	put_key(out, "framework", k->table->framework);
	put_key(out, "version", k->table->version);
	put_key(out, "fingerprint", k->table->fingerprint);
	buf_printf(out,
	    "\"apis\":%u,\"apis_with_rule\":%u,\"operators\":%u,\"operators_with_rule\":%u,"
	    "\"rules\":%u,"
	    "\"thin\":%u,\"by_records\":%u,\"simplified\":%u,\"proved\":%u,\"records\":%u,"
	    "\"samplers\":{\"direct\":%u,\"bounded\":%u,\"record\":%u},\"reasons\":[",
	    k->apis, k->solved_apis, k->ops, k->solved, k->rules, k->thin, k->recorded, k->simplified, k->proved, k->records,
	    k->samplers[RS_SAMPLER_DIRECT], k->samplers[RS_SAMPLER_BOUNDED],
	    k->samplers[RS_SAMPLER_RECORD]);
	for (unsigned i = 0; i < k->nreasons; i++) {
		buf_puts(out, i ? ",{" : "{");
		put_key(out, "why", k->reasons[i].text);
		buf_printf(out, "\"operators\":%u}", k->reasons[i].count);
	}
	buf_puts(out, "]}");
}

static void json_op(buf *out, const rs_op *op)
{
	buf_putc(out, '{');
	put_key(out, "op", op->name);
	put_key(out, "api", op->api);
	if (op->valid)
		buf_printf(out,
		    "\"rule\":\"%s\",\"passed\":%u,\"failed\":%u,\"thin\":%s,\"by_records\":%s,\"simplified\":%s,\"proved\":%s,",
		    op->rule, op->passed, op->failed, op->flags & RS_THIN ? "true" : "false", op->flags & RS_RECORDED ? "true" : "false",
		    op->flags & (RS_PROVED | RS_UNPROVED) ? "true" : "false", op->flags & RS_PROVED ? "true" : "false");
	else
		put_key(out, "why", op->why ? op->why : "not known");
	buf_printf(out, "\"symbols\":%u,\"records\":%u}", op->nsym, op->nrecords);
}

/* ---- counts and lists */

static bool is_table(const choice *c, const rs_table *t)
{
	return !c->framework || strcmp(c->framework, t->framework) == 0;
}

static bool add_summaries(const rs_library *lib, const choice *c, bool json, buf *out)
{
	for (uint32_t i = 0, n = 0; i < lib->ntables; i++) {
		counts k;
		if (!is_table(c, lib->tables[i]))
			continue;
		if (!count_table(&k, lib->tables[i], c))
			return false;
		if (json) {
			buf_puts(out, n++ ? "," : "");
			json_counts(out, &k);
		} else {
			print_counts(&k);
		}
		free(k.reasons);
	}
	return true;
}

static void add_ops(const rs_library *lib, const choice *c, bool json, buf *out)
{
	for (uint32_t i = 0, n = 0; i < lib->ntables; i++) {
		const rs_table *t = lib->tables[i];
		for (uint32_t j = 0; is_table(c, t) && j < t->nops; j++) {
			if (!is_chosen(c, &t->ops[j]))
				continue;
			if (json) {
				buf_puts(out, n++ ? ",\n" : "");
				json_op(out, &t->ops[j]);
			} else {
				print_op(&t->ops[j]);
			}
		}
	}
}

static int show(const rs_library *lib, const choice *c)
{
	const bool json = c->json, list = c->list;
	buf out = {0};
	bool ok = true;
	if (json)
		buf_puts(&out, "{\"schema\":1,\"frameworks\":[");
	if (json || !list)
		ok = add_summaries(lib, c, json, &out);
	if (json)
		buf_puts(&out, list ? "],\"operators\":[\n" : "]");
	if (list)
		add_ops(lib, c, json, &out);
	if (json)
		buf_puts(&out, list ? "\n]}\n" : "}\n");
	ok = ok && !out.failed;
	if (ok && out.length)
		fwrite(out.text, 1, out.length, stdout);
	buf_free(&out);
	if (!ok)
		fprintf(stderr, "error: out of memory\n");
	else if (fflush(stdout) != 0 || ferror(stdout)) {
		fprintf(stderr, "error: cannot write the output\n");
		ok = false;
	}
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}

/* ---- the page of an API */

/* The table that has the API, NULL: none. */
static const rs_table *table_of(const rs_library *lib, const choice *c)
{
	for (uint32_t i = 0; i < lib->ntables; i++) {
		const rs_table *t = lib->tables[i];
		for (uint32_t k = 0; is_table(c, t) && k < t->nops; k++)
			if (strcmp(t->ops[k].api, c->api) == 0)
				return t;
	}
	return NULL;
}

static int print_page(const rs_library *lib, const choice *c)
{
	const rs_table *t = table_of(lib, c);
	buf page = {0};
	bool found = c->rules ? rule_page_beside(c->rules, t->framework, c->api, &page) : rule_page_built_in(c->api, &page);
	if (page.failed)
		return fputs("error: out of memory\n", stderr), EXIT_INPUT;
	if (found)
		fputs(buf_text(&page), stdout);
	else
		fprintf(stderr, "%s: error: the rule of %s is not in %s; add --list for counts\n", c->rules ? c->rules : "rulefuzz",
		    c->api, c->rules ? "the folder code/ beside the library" : "this program");
	buf_free(&page);
	return found ? EXIT_CLEAN : EXIT_INPUT;
}

/* ---- the command */

static int help(void)
{
	puts("usage: rulefuzz rules [OPTION…]\n"
	     "       rulefuzz rules --api NAME\n\n"
	     "Prints the rule of one API, or counts: how many APIs and signatures of each framework have a rule,\n"
	     "how many rules are proved, how calls are sampled, and why the others have no rule.\n\n"
	     "Every rule agrees with all records of its signature. \"Proved\" means that Z3 showed each\n"
	     "simplification of the rule to be equivalent for all integers.\n\n"
	     "  --api NAME|GLOB    print the rule of this API; a glob such as '*.nn.*' selects APIs to count\n"
	     "  --framework F      only this framework\n"
	     "  --missing          only signatures without a rule\n"
	     "  --list             one line per signature: name, support, proof, or why it has no rule\n"
	     "  --json             print one JSON object with \"schema\": 1; with --list every signature, too\n"
	     "  --rules FILE       use this rule library instead of the built-in one\n"
	     "  -h, --help         show this text");
	return print_examples("rules");
}

/* Returns EXIT_CLEAN to go on, -1 to print the help text, else EXIT_USAGE. */
static int parse(int argc, char **argv, choice *c)
{
	static const struct option OPTIONS[] = {{"rules", required_argument, NULL, 'r'},
	    {"framework", required_argument, NULL, 'f'}, {"api", required_argument, NULL, 'a'},
	    {"missing", no_argument, NULL, 'm'}, {"list", no_argument, NULL, 'l'},
	    {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {0}};
	optind = 1;
	for (int o; (o = next_option("rules", argc, argv, "h", OPTIONS)) != -1;)
		switch (o) {
		case 'r': c->rules = optarg; break;
		case 'f': c->framework = optarg; break;
		case 'a': c->api = optarg; break;
		case 'm': c->missing = true; break;
		case 'l': c->list = true; break;
		case 'j': c->json = true; break;
		case 'h': return -1;
		default: return EXIT_USAGE;
		}
	return optind < argc ? usage_error("rules", "unexpected argument '%s'; name an API with --api", argv[optind]) : EXIT_CLEAN;
}

static bool some_match(const rs_library *lib, const choice *c)
{
	for (uint32_t i = 0; i < lib->ntables; i++)
		if (is_table(c, lib->tables[i]) && api_matches(lib->tables[i], c->api))
			return true;
	return false;
}

int cmd_rules(int argc, char **argv)
{
	choice c = {0};
	int code = parse(argc, argv, &c);
	if (code)
		return code < 0 ? help() : code;
	const rs_library *lib = open_rules(c.rules);
	if (!lib)
		return EXIT_INPUT;
	if (c.framework && !rs_library_table(lib, c.framework))
		return unknown_framework("rules", "--framework: no rules of", lib, c.framework);
	if (c.api && !some_match(lib, &c))
		return unknown_api("rules", lib, c.framework, c.api);
	bool page = c.api && !c.list && !c.json && !c.missing && table_of(lib, &c);
	return page ? print_page(lib, &c) : show(lib, &c);
}
