/* rulefuzz reduce: reduces the models of findings further. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "again.h"
#include "clock.h"
#include "commands.h"
#include "model_read.h"
#include "triage.h"

static int help(void)
{
	puts("usage: rulefuzz reduce [ID…] [--db FILE] [OPTION…]\n\n"
	     "Reduces the models of findings as long as they fail the same way: fewer operators, smaller\n"
	     "dimensions and attributes, simpler dtypes and elements. Continues an interrupted reduction. The\n"
	     "result is confirmed in a fresh worker, and gets a new script.\n\n"
	     "  ID…                default: all findings that are not fully reduced\n"
	     "  --db FILE          default rulefuzz.db\n"
	     "  --original         start from the model as generated\n"
	     "  --reduce-time S    seconds for each finding (default 60)\n" AGAIN_HELP "\n"
	     "Exit codes: 0 all fully reduced, 3 one no longer fails the same way, 4 time ran out for\n"
	     "some, or a signal, 5 a worker cannot start, 1 bad input or I/O, 2 usage.");
	return EXIT_CLEAN;
}

typedef struct request {
	again_options o;
	int64_t seconds;
	bool original;
	const rs_library *rules;
	store *s;
	double drawn;
	int64_t id;
} request;

static int64_t longest(const graph *g)
{
	int64_t most = 0;
	for (uint32_t i = 0; i < g->ntensors; i++)
		for (unsigned k = 0; g->tensors[i].live && k < g->tensors[i].rank; k++)
			most = g->tensors[i].shape[k] > most ? g->tensors[i].shape[k] : most;
	return most;
}

/* Each smaller model is stored, so an interruption loses nothing. */
static bool note(void *context, const triage *t, const graph *model, diag *d)
{
	request *r = context;
	double now = clock_seconds();
	if (isatty(STDERR_FILENO) && now - r->drawn > 0.2) {
		fprintf(stderr, "\r\033[K%" PRId64 ": %u operators, longest dimension %" PRId64 ", %" PRId64 " models tried", r->id,
		    model->live_nodes, longest(model), t->tried);
		r->drawn = now;
	}
	return store_note_smaller(r->s, r->id, t->text, d);
}

/* Stores the confirmed reduction. */
static int keep(request *r, const finding *f, triage *t, diag *d)
{
	char *detail = t->last.answer ? cJSON_PrintUnformatted(t->last.answer) : NULL;
	finding smaller = *f;
	smaller.bucket = t->signature;
	smaller.title = t->title;
	smaller.apis = t->apis;
	smaller.model = t->text;
	smaller.script = t->script;
	smaller.short_script = t->short_script;
	smaller.detail = detail;
	smaller.log = t->last.log;
	smaller.pass = t->pass;
	smaller.nodes = t->nodes;
	smaller.reduced = t->reduced;
	bool fixed;
	int64_t other = f->id;
	bool ok = store_bucket(r->s, t->signature, &other, &fixed, d) >= 0 && store_smaller(r->s, &smaller, d);
	free(detail);
	if (!ok)
		return EXIT_INPUT;
	printf("finding %" PRId64 ": %" PRId64 " %s, longest dimension %" PRId64 ", %" PRId64 " models tried%s\n", f->id, t->nodes,
	    t->nodes == 1 ? "operator" : "operators", longest(&t->model), t->tried, t->reduced ? "" : "; time ran out");
	if (other != f->id)
		printf("finding %" PRId64 ": the same bucket as finding %" PRId64 " once reduced; merged as finding %" PRId64 "\n", f->id, other,
		    smaller.id);
	return t->reduced ? EXIT_CLEAN : EXIT_PARTIAL;
}

static int confirm(request *r, const finding *f, const graph *model, const judgement *first, judge *by, triage *t, diag *d)
{
	judge fresh = again_judge(by);
	bool confirmed = false;
	if (!triage_confirm(&fresh, model, first, t, &confirmed, d))
		return EXIT_BACKEND;
	if (t->last.verdict == VERDICT_stopped)
		return EXIT_PARTIAL;
	if (confirmed)
		return keep(r, f, t, d);
	printf("finding %" PRId64 ": the reduced model does not fail in a fresh worker; kept unchanged\n", f->id);
	return store_note_smaller(r->s, f->id, "", d) ? EXIT_CHECK : EXIT_INPUT;
}

static int reduce_model(request *r, const finding *f, const graph *model, judge *by, diag *d)
{
	judgement first;
	triage t = {0};
	triage_options o = {.seconds = (double)r->seconds,
	    .table = rs_library_table(r->rules, model->framework),
	    .smaller = note,
	    .context = r};
	char *text = rs_graph_json(model);
	int code = EXIT_BACKEND;
	if (!text || !judge_model(by, text, &first, d)) {
		free(text);
		return code;
	}
	free(text);
	if (first.verdict == VERDICT_stopped) {
		code = EXIT_PARTIAL;
	} else if (!(r->original ? again_kind : again_fails)(f, &first)) {
		printf("finding %" PRId64 ": no longer fails the same way: %s\n", f->id, verdict_name(first.verdict));
		code = EXIT_CHECK;
	} else if (triage_reduce(by, model, &first, &o, &t, d)) {
		code = t.last.verdict == VERDICT_stopped ? EXIT_PARTIAL
		       : t.again				   ? confirm(r, f, model, &first, by, &t, d)
								   : EXIT_CHECK;
	}
	triage_free(&t);
	judgement_free(&first);
	return code;
}

static int reduce_one(void *context, const finding *f, judge *by, diag *d)
{
	request *r = context;
	graph model;
	const char *text = r->original ? f->original : *f->smaller ? f->smaller : f->model;
	if (!graph_init(&model)) {
		diag_set(d, "out of memory");
		return EXIT_INPUT;
	}
	r->id = f->id;
	int code = EXIT_INPUT;
	if (graph_read_json(&model, text, r->o.db, 0, r->rules, d)) {
		graph_number(&model);
		code = reduce_model(r, f, &model, by, d);
	}
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[K");
	graph_destroy(&model);
	return code;
}

static bool wanted(void *context, const finding *f)
{
	(void)context;
	return !f->reduced && strcmp(f->status, "unsupported") != 0;
}

int cmd_reduce(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {AGAIN_OPTIONS, {"original", no_argument, NULL, 'o'},
	    {"reduce-time", required_argument, NULL, 'r'}, {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.o = again_defaults("reduce"), .seconds = 60};
	optind = 1;
	for (int c; (c = next_option("reduce", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'o')
			r.original = true;
		else if (c == 'r' ? !parse_number("reduce", "--reduce-time", optarg, 1, 86400, &r.seconds)
				  : !again_option(&r.o, c, optarg))
			return EXIT_USAGE;
	}
	r.rules = open_rules(NULL);
	return r.rules ? again_each(&r.o, argc - optind, argv + optind, &r.s, wanted, reduce_one, &r) : EXIT_INPUT;
}
