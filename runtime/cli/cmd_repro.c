/* rulefuzz repro: a finding's minimised model once more, in a worker that has run nothing else. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "commands.h"
#include "signals.h"
#include "store.h"
#include "triage.h"

static int help(void)
{
	puts("usage: rulefuzz repro ID [--db FILE] [OPTION…]\n\n"
	     "Runs a finding's minimised model again, in a fresh worker of its backend.\n\n"
	     "  --db FILE       default rulefuzz.db\n"
	     "  --original      the model as it was generated\n"
	     "  --timeout S     seconds for the model (default 60)\n"
	     "  --memory M      MiB for the model (default 4096; 0: no limit)\n"
	     "  --python PATH, --backend-command CMD   as for `rulefuzz run`\n\n"
	     "Exit codes: 3 it still fails, 0 it does not, 4 stopped by a signal, 5 the worker cannot start.");
	return EXIT_CLEAN;
}

typedef struct request {
	const char *db, *python, *command;
	int64_t id, timeout, memory;
	bool original;
} request;

static bool still_fails(const finding *f, const judgement *j)
{
	if (strcmp(f->status, "unsupported") == 0)
		return j->verdict == VERDICT_unsupported;
	return verdict_is_candidate(j->verdict) && strcmp(verdict_name(j->verdict), f->kind) == 0;
}

static int report(const finding *f, const judgement *j)
{
	char *title =
	    verdict_is_candidate(j->verdict) ? failure_title(j, f->backend, f->apis) : NULL;
	bool fails = still_fails(f, j);
	printf("finding %" PRId64 " %s: %s\n", f->id, fails ? "reproduces" : "does not reproduce",
	    title         ? title
	    : *j->message ? j->message
			  : verdict_name(j->verdict));
	free(title);
	return fails ? EXIT_CHECK : EXIT_CLEAN;
}

/* The tolerance that a finding was judged by: its judgement has it where tensors differ. */
static enum agree_preset tolerance_of(const finding *f)
{
	cJSON *detail = cJSON_Parse(f->detail);
	const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(detail, "tolerance"));
	int preset = name ? agree_parse(name) : -1;
	cJSON_Delete(detail);
	return preset < 0 ? AGREE_MEASURED : (enum agree_preset)preset;
}

/* Runs it; whatever ends that, a signal too, leaves no worker behind. */
static int run_again(const request *r, const finding *f, const backend *b, int stop_fd)
{
	diag d = {""};
	judgement j;
	judge by = {.options = {.argv = b->argv,
			.start_seconds = 300,
			.call_seconds = (double)r->timeout,
			.memory = r->memory << 20,
			.stop_fd = stop_fd},
	    .backend = f->backend,
	    .memory_mib = r->memory,
	    .tolerance = tolerance_of(f)};
	int code = EXIT_BACKEND;
	if (!judge_model(&by, r->original ? f->original : f->model, &j, &d)) {
		fprintf(stderr, "rulefuzz repro: error: backend %s cannot start: %s\n", f->backend,
		    diag_what(&d));
	} else if (j.verdict == VERDICT_stopped) {
		fprintf(stderr, "rulefuzz repro: stopped\n");
		code = EXIT_PARTIAL;
	} else {
		code = report(f, &j);
	}
	judgement_free(&j);
	judge_close(&by);
	return code;
}

static int run_in_scratch(const request *r, const finding *f, const backend *b)
{
	diag d = {""};
	char scratch[PATH_MAX];
	int code = EXIT_INPUT, stop_fd = catch_signals();
	if (backend_scratch(scratch, &d)) {
		code = run_again(r, f, b, stop_fd);
		backend_scratch_remove(scratch);
	} else {
		fprintf(stderr, "%s\n", d.text);
	}
	close(stop_fd);
	return code;
}

static int repro(const request *r, store *s, arena *a)
{
	diag d = {""};
	finding f;
	int found = store_get(s, r->id, &f, a, &d);
	if (found != 1) {
		if (found == 0)
			diag_at(&d, r->db, 0, "no finding %" PRId64, r->id);
		fprintf(stderr, "%s\n", d.text);
		return EXIT_INPUT;
	}
	backend *b = malloc(sizeof *b);
	int code = EXIT_BACKEND;
	if (b && backend_find(b, f.backend, r->command, r->python, &d))
		code = run_in_scratch(r, &f, b);
	else
		fprintf(stderr, "rulefuzz repro: %s\n", b ? d.text : "error: out of memory");
	free(b);
	return code;
}

static int open_and_repro(const request *r)
{
	diag d = {""};
	store *s = store_open(r->db, false, &d);
	arena *a = arena_new();
	int code = EXIT_INPUT;
	if (s && a)
		code = repro(r, s, a);
	else
		fprintf(stderr, "%s\n", s ? "error: out of memory" : d.text);
	store_close(s);
	if (a)
		arena_free(a);
	return code;
}

static bool take_option(int option, request *r)
{
	switch (option) {
	case 'd':
		return (r->db = optarg) != NULL;
	case 'p':
		return (r->python = optarg) != NULL;
	case 'c':
		return (r->command = optarg) != NULL;
	case 'o':
		return r->original = true;
	case 't':
		return parse_number("repro", "--timeout", optarg, 1, 86400, &r->timeout);
	case 'm':
		return parse_number("repro", "--memory", optarg, 0, 1 << 30, &r->memory);
	default:
		usage_error("repro", "bad option");
		return false;
	}
}

int cmd_repro(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"db", required_argument, NULL, 'd'},
	    {"python", required_argument, NULL, 'p'},
	    {"backend-command", required_argument, NULL, 'c'}, {"original", no_argument, NULL, 'o'},
	    {"timeout", required_argument, NULL, 't'}, {"memory", required_argument, NULL, 'm'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.db = "rulefuzz.db", .timeout = 60, .memory = 4096};
	optind = 1;
	for (int c; (c = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1;) {
		if (c == 'h')
			return help();
		if (!take_option(c, &r))
			return EXIT_USAGE;
	}
	if (optind + 1 != argc)
		return usage_error("repro", "takes one finding's number");
	if (!parse_number("repro", "ID", argv[optind], 1, INT64_MAX, &r.id))
		return EXIT_USAGE;
	return open_and_repro(&r);
}
