/* rulefuzz triage: reduces and confirms the failures that `rulefuzz run` left. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "again.h"
#include "clock.h"
#include "cmd_run.h"
#include "commands.h"
#include "pending.h"
#include "room.h"
#include "signals.h"

static int help(void)
{
	puts("usage: rulefuzz triage [--db FILE] [OPTION…]\n\n"
	     "Reduces and confirms the failures that wait for triage because they exceeded --triage-share of\n"
	     "`rulefuzz run`. Each becomes a finding or a duplicate of one, or it does not reproduce.\n\n"
	     "  --backend B        only those of this backend (default: all)\n"
	     "  --db FILE          default rulefuzz.db\n"
	     "  --reduce-time S    seconds for each failure (default 60)\n"
	     "  --jobs J           parallel workers (default 1)\n"
	     "  --json             print the summary as JSON, one line for each backend\n" AGAIN_HELP "\n"
	     "Exit codes: 0 no new finding, 3 a new finding, 4 failures still wait, 5 a worker cannot start,\n"
	     "1 bad input or I/O, 2 usage.");
	return EXIT_CLEAN;
}

typedef struct group {
	char *backend, *framework;
} group;

typedef struct request {
	again_options o;
	pending_choice choice;
	const char *backend; /* NULL: all */
	int64_t reduce;
	group *groups;
	size_t n, room;
	bool failed;
} request;

static bool add_group(void *context, const char *backend, const char *framework, int64_t n)
{
	request *r = context;
	(void)n;
	if (r->backend && strcmp(r->backend, backend) != 0)
		return true;
	group *more = room_for_one(r->groups, r->n, &r->room, sizeof *more);
	r->failed = !more;
	if (!more)
		return false;
	r->groups = more;
	r->groups[r->n] = (group){strdup(backend), strdup(framework)};
	r->failed = !r->groups[r->n].backend || !r->groups[r->n].framework;
	r->n++;
	return !r->failed;
}

static bool list_groups(request *r, diag *d)
{
	store *s = store_open(r->o.db, false, d);
	bool ok = s && pending_each_backend(s, add_group, r, d) && diag_memory(d, !r->failed);
	store_close(s);
	return ok;
}

static int triage_groups(request *r)
{
	int code = EXIT_CLEAN;
	double end = clock_seconds() + r->o.seconds;
	for (size_t i = 0; i < r->n && !signal_came(); i++) {
		double left = end - clock_seconds();
		r->choice.seconds = r->o.seconds <= 0 ? 0 : left > 0.001 ? left : 0.001;
		code = worse_exit(code, run_pending(&r->o, r->groups[i].backend, r->groups[i].framework, &r->choice));
		fflush(stdout);
	}
	if (r->n == 0 && !r->choice.json)
		puts("no failures wait for triage");
	return code;
}

static int run(request *r)
{
	diag d = {""};
	int code = EXIT_INPUT;
	r->choice.reduce = (double)r->reduce;
	if (list_groups(r, &d))
		code = triage_groups(r);
	else
		fprintf(stderr, "%s\n", d.text);
	for (size_t i = 0; i < r->n; i++) {
		free(r->groups[i].backend);
		free(r->groups[i].framework);
	}
	free(r->groups);
	return code;
}

static bool take_option(request *r, int letter)
{
	switch (letter) {
	case 'b':
		return (r->backend = optarg) != NULL;
	case 'r':
		return parse_number("triage", "--reduce-time", optarg, 1, 86400, &r->reduce);
	case 'j':
		return parse_number("triage", "--jobs", optarg, 1, 1024, &r->choice.jobs);
	case 'J':
		return r->choice.json = true;
	default:
		return again_option(&r->o, letter, optarg);
	}
}

int cmd_triage(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {AGAIN_OPTIONS, {"backend", required_argument, NULL, 'b'},
	    {"reduce-time", required_argument, NULL, 'r'}, {"jobs", required_argument, NULL, 'j'}, {"json", no_argument, NULL, 'J'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.o = again_defaults("triage"), .choice = {.jobs = 1}, .reduce = 60};
	optind = 1;
	for (int c; (c = next_option("triage", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (!take_option(&r, c))
			return EXIT_USAGE;
	}
	if (optind < argc)
		return usage_error("triage", "unexpected argument '%s'", argv[optind]);
	return run(&r);
}
