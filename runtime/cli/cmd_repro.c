/* rulefuzz repro: runs the minimized model of a finding in a fresh worker. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "again.h"
#include "commands.h"
#include "triage.h"

static int help(void)
{
	puts("usage: rulefuzz repro ID [--db FILE] [OPTION…]\n\n"
	     "Runs the minimized model of a finding again, in a fresh worker of its backend. The database is\n"
	     "not changed; `rulefuzz recheck` also updates the status.\n\n"
	     "  --db FILE          default rulefuzz.db\n"
	     "  --original         run the model as generated\n" AGAIN_HELP "\n"
	     "Exit codes: 3 the failure reproduces, 0 it does not, 4 stopped by a signal, 5 the worker cannot start.");
	return EXIT_CLEAN;
}

static int report(const finding *f, const judgement *j, bool original)
{
	char *title =
	    verdict_is_candidate(j->verdict) ? failure_title(j, f->backend, f->apis, NULL) : NULL;
	bool fails = (original ? again_kind : again_fails)(f, j);
	printf("finding %" PRId64 ": %s: %s\n", f->id, fails ? "reproduces" : "does not reproduce",
	    title         ? title
	    : *j->message ? j->message
			  : verdict_name(j->verdict));
	free(title);
	return fails ? EXIT_CHECK : EXIT_CLEAN;
}

static int run_again(void *context, const finding *f, judge *by, diag *d)
{
	const bool *original = context;
	judgement j;
	if (!judge_model(by, *original ? f->original : f->model, &j, d))
		return EXIT_BACKEND;
	int code = j.verdict == VERDICT_stopped ? EXIT_PARTIAL : report(f, &j, *original);
	if (code == EXIT_PARTIAL)
		fprintf(stderr, "rulefuzz repro: stopped\n");
	judgement_free(&j);
	return code;
}

int cmd_repro(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {
	    AGAIN_OPTIONS, {"original", no_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {0}};
	again_options o = again_defaults("repro");
	bool original = false;
	store *s;
	optind = 1;
	for (int c; (c = next_option("repro", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'o')
			original = true;
		else if (!again_option(&o, c, optarg))
			return EXIT_USAGE;
	}
	if (optind + 1 != argc)
		return usage_error("repro", "expected one finding's ID");
	return again_each(&o, 1, argv + optind, &s, NULL, run_again, &original);
}
