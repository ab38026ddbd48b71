/* rulefuzz run: generate models, run them on a backend and its reference, keep findings. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "buf.h"
#include "campaign.h"
#include "capabilities.h"
#include "clock.h"
#include "cmd_run.h"
#include "commands.h"
#include "file.h"
#include "gen_options.h"
#include "package.h"
#include "presume.h"
#include "probe.h"
#include "revisit.h"
#include "stored.h"
#include "signals.h"
#include "tiers.h"
#include "venv.h"

typedef struct options {
	gen_choice gen;
	const char *backend, *command, *python, *db, *save_models, *revisit;
	enum agree_preset tolerance;
	double seconds, start_timeout, reduce, probe, progress; /* probe, progress: seconds, less than 0: not told */
	int64_t jobs, timeout, memory, shard, shards;
	bool resume, no_screen, json, help;
} options;

static int help(void)
{
	puts("usage: rulefuzz run --backend B [OPTION…]\n\n"
	     "Generates models, runs each by the reference and by the backend under test, "
	     "compares, and\n"
	     "keeps what differs, fails, crashes or hangs in a database. docs/guides/fuzz-onnxruntime.md tells "
	     "more.\n\n"
	     "  --backend B,…      of `rulefuzz backends`. Neighbours that share an environment are tiers of\n"
	     "                     one run, cheap ones first: one reference, and a model goes on while they\n"
	     "                     agree; others run one after another in an equal share of --time\n"
	     "  --time T           how long in all, from the start of the first worker on: 90s, 10m, 4h (default\n"
	     "                     60s, without --count). New models get a quarter at least, however long what\n"
	     "                     is before them takes; what is at work at the end is finished\n"
	     "  --count C          C models, those of earlier parts of a resumed run included\n"
	     "  --db FILE          findings and runs (default rulefuzz.db)\n"
	     "  --resume           go on with the latest run of the same backend, framework and seed;\n"
	     "                     it must have the same rules and options below\n"
	     "  --shard I/N        only the models whose number leaves I when divided by N, on one of N\n"
	     "                     machines: 0/4 … 3/4; `rulefuzz merge` makes one database of all\n"
	     "  --progress S       a line on standard error every S seconds: how it goes and how long it\n"
	     "                     may take; 0: none (default: on a terminal one that is rewritten, else 60)\n"
	     "  --jobs J           workers at a time (default 1)\n"
	     "  --no-screen        no first look by the screen that B may have\n"
	     "  --timeout S        seconds for one model (default 60)\n"
	     "  --start-timeout S  seconds for a worker to start (default 300)\n"
	     "  --memory M         MiB that a worker and its children may hold together (default\n"
	     "                     4096; 0: no limit)\n"
	     "  --tolerance T      how far floats may lie apart: measured: what rounding was seen to\n"
	     "                     do to the model, nothing where elements are exact (default); neuri,\n"
	     "                     isra: as the papers have it\n"
	     "  --probe T          at most so long of --time, first, on what B can do: each operator and row of\n"
	     "                     dtypes in a call of its own. What B refuses, gets wrong or dies of is\n"
	     "                     kept, by versions, in the user's cache (or the file of --capabilities)\n"
	     "                     and out of models. Default: a quarter of --time; 0: no more than\n"
	     "                     is known. Not with --count alone, --ops or --api\n"
	     "  --reduce-time T    at most so long on making one finding smaller (default 60s); 0: none;\n"
	     "                     `rulefuzz reduce` goes on\n"
	     "  --python PATH      the worker's Python (default $RULEFUZZ_PYTHON, or that of the virtual\n"
	     "                     environment that `make backends BACKEND=B` makes)\n"
	     "  --revisit DIR      first run those models of earlier runs again that DIR/B.jsonl keeps, for an\n"
	     "                     eighth of --time at most; afterwards it keeps the few that reach what all\n"
	     "                     models of these runs reached (calls and edges, by dtypes)\n"
	     "  --save-models DIR  write every model to DIR\n"
	     "  --backend-command CMD  a worker of your own: a shell command; --backend is its "
	     "name\n"
	     "  --framework F      whose operators (default: those that B takes)\n"
	     "  --json             the summary as JSON\n"
	     "  --help\n\n"
	     "Models to generate, as `rulefuzz gen` does:\n"
	     GEN_HELP
	     "\n"
	     "Exit codes: 0 no new bug, 3 a new bug, 4 stopped before the budget was used, 5 the "
	     "worker\n"
	     "cannot start, 1 bad input or I/O, 2 usage.");
	return EXIT_CLEAN;
}

/* ---- options */

enum run_option {
	BACKEND = GEN_OPTION_END,
	TIME,
	PROBE, REDUCE_TIME,
	DB,
	RESUME,
	SHARD,
	PROGRESS,
	JOBS,
	TIMEOUT,
	START_TIMEOUT,
	MEMORY,
	PYTHON,
	SAVE_MODELS,
	REVISIT,
	TOLERANCE,
	NO_SCREEN,
	COMMAND,
	JSON,
	HELP
};

static const struct option LONG_OPTIONS[] = {GEN_LONG_OPTIONS,
    {"backend", required_argument, NULL, BACKEND},
    {"time", required_argument, NULL, TIME},
    {"probe", required_argument, NULL, PROBE}, {"reduce-time", required_argument, NULL, REDUCE_TIME},
    {"db", required_argument, NULL, DB},
    {"resume", no_argument, NULL, RESUME},
    {"shard", required_argument, NULL, SHARD},
    {"progress", required_argument, NULL, PROGRESS},
    {"jobs", required_argument, NULL, JOBS},
    {"timeout", required_argument, NULL, TIMEOUT},
    {"start-timeout", required_argument, NULL, START_TIMEOUT},
    {"memory", required_argument, NULL, MEMORY},
    {"python", required_argument, NULL, PYTHON},
    {"save-models", required_argument, NULL, SAVE_MODELS},
    {"revisit", required_argument, NULL, REVISIT},
    {"tolerance", required_argument, NULL, TOLERANCE},
    {"no-screen", no_argument, NULL, NO_SCREEN},
    {"backend-command", required_argument, NULL, COMMAND},
    {"json", no_argument, NULL, JSON},
    {"help", no_argument, NULL, HELP},
    {0},
};

static bool take_tolerance(options *o)
{
	int preset = agree_parse(optarg);
	if (preset < 0)
		return usage_error("run", "--tolerance %s: not measured, neuri or isra", optarg), false;
	o->tolerance = (enum agree_preset)preset;
	return true;
}

static bool take_shard(options *o)
{
	char behind;
	int n = sscanf(optarg, "%" SCNd64 "/%" SCNd64 "%c", &o->shard, &o->shards, &behind);
	if (n != 2 || o->shards < 1 || o->shards > 1000000 || o->shard < 0 || o->shard >= o->shards)
		return usage_error("run", "--shard takes I/N with I from 0 to N - 1, not '%s'", optarg), false;
	return true;
}

static bool take_option(int option, options *o)
{
	int64_t number = 0;
	switch (option) {
	case BACKEND:
		return (o->backend = optarg) != NULL;
	case TIME:
		return parse_time("run", "--time", optarg, &o->seconds)
		       && (o->seconds > 0 || (usage_error("run", "--time 0 is no time"), false));
	case PROBE:
		return parse_time("run", "--probe", optarg, &o->probe);
	case REDUCE_TIME:
		return parse_time("run", "--reduce-time", optarg, &o->reduce);
	case DB:
		return (o->db = optarg) != NULL;
	case RESUME:
		return o->resume = true;
	case SHARD:
		return take_shard(o);
	case PROGRESS:
		return parse_time("run", "--progress", optarg, &o->progress);
	case JOBS:
		return parse_number("run", "--jobs", optarg, 1, 1024, &o->jobs);
	case TIMEOUT:
		return parse_number("run", "--timeout", optarg, 1, 86400, &o->timeout);
	case START_TIMEOUT:
		if (!parse_number("run", "--start-timeout", optarg, 1, 86400, &number))
			return false;
		o->start_timeout = (double)number;
		return true;
	case MEMORY:
		return parse_number("run", "--memory", optarg, 0, 1 << 30, &o->memory);
	case PYTHON:
		return (o->python = optarg) != NULL;
	case SAVE_MODELS:
		return (o->save_models = optarg) != NULL;
	case REVISIT:
		return (o->revisit = optarg) != NULL;
	case TOLERANCE:
		return take_tolerance(o);
	case NO_SCREEN:
		return o->no_screen = true;
	case COMMAND:
		return (o->command = optarg) != NULL;
	case JSON:
		return o->json = true;
	case HELP:
		return o->help = true;
	default:
		return gen_option("run", option, &o->gen);
	}
}

static bool parse_options(int argc, char **argv, options *o)
{
	*o = (options){.gen = GEN_CHOICE,
	    .db = "rulefuzz.db",
	    .jobs = 1,
	    .timeout = 60,
	    .probe = -1,
	    .progress = -1,
	    .shards = 1,
	    .reduce = 60,
	    .start_timeout = 300,
	    .memory = 4096};
	o->gen.count = -1;
	optind = 1;
	for (int c; (c = next_option("run", argc, argv, "", LONG_OPTIONS)) != -1;)
		if (!take_option(c, o))
			return false;
	if (o->help)
		return true;
	if (optind < argc)
		return usage_error("run", "unexpected argument '%s'", argv[optind]), false;
	if (!o->backend)
		return usage_error("run", "--backend is missing"), false;
	if (o->seconds == 0 && o->gen.count < 0)
		o->seconds = 60;
	return gen_choice_finish("run", &o->gen, NULL) == EXIT_CLEAN;
}

/* ---- summary */

static int64_t candidates(const run_row *r)
{
	return r->inconsistency + r->error + r->crash + r->hang + r->memory;
}

typedef struct listing {
	bool json;
	const char *comma;
} listing;

static bool print_trouble(
    void *context, const char *api, const char *what, const char *message, int64_t count)
{
	listing *l = context;
	buf line = {0};
	if (l->json) {
		buf_printf(&line, "%s{\"api\":", l->comma);
		buf_json(&line, api);
		buf_printf(
		    &line, ",\"what\":\"%s\",\"count\":%" PRId64 ",\"message\":", what, count);
		buf_json(&line, message);
		buf_putc(&line, '}');
	} else {
		buf_printf(&line, "  %6" PRId64 " %-8s %s: %.100s\n", count, what, api, message);
	}
	fputs(line.text, stdout);
	buf_free(&line);
	l->comma = ",";
	return true;
}

static void add_tiers(const tiers *t, buf *b)
{
	buf_puts(b, "],\"tiers\":[");
	for (int i = 0; t && i < t->n; i++) {
		const tier *x = &t->tier[i];
		buf_printf(b,
		    "%s{\"backend\":\"%s\",\"models\":%" PRId64 ",\"unsupported\":%" PRId64 ",\"compared\":%" PRId64
		    ",\"failed\":%" PRId64 ",\"operators\":%" PRId64 ",\"cpu_seconds\":%.3f}",
		    i ? "," : "", x->name, x->models, x->refused, x->compared, x->failed, x->operators, x->cpu);
	}
}

static void print_tiers(const tiers *t)
{
	for (int i = 0; t && i < t->n; i++) {
		const tier *x = &t->tier[i];
		printf("  %-20s %" PRId64 " models, %.1f %% accepted, %" PRId64 " compared, %" PRId64
		       " failed; %" PRId64 " operators, %.1f a CPU second of %.1f\n",
		    x->name, x->models, x->models ? 100.0 * (double)(x->models - x->refused) / (double)x->models : 0.0,
		    x->compared, x->failed, x->operators, x->cpu > 0 ? (double)x->operators / x->cpu : 0.0, x->cpu);
	}
}

static void print_json(store *s, const run_row *r, const char *db, const char *ended, const campaign_options *c)
{
	buf b = {0};
	buf_puts(&b, "{\"schema\":1,\"command\":\"run\",\"backend\":");
	buf_json(&b, r->backend);
	buf_puts(&b, ",\"db\":");
	buf_json(&b, db);
	buf_printf(&b,
	    ",\"run\":%" PRId64 ",\"seed\":%" PRIu64 ",\"next\":%" PRIu64 ",\"ended\":\"%s\""
	    ",\"seconds\":%.3f,\"models_per_second\":%.3f,\"versions\":%s,\"settings\":{",
	    r->id, r->seed, r->next, ended, r->seconds,
	    r->seconds > 0 ? (double)r->models / r->seconds : 0.0,
	    *r->versions ? r->versions : "{}");
	for (int i = 0; i < r->nsettings; i++) {
		buf_printf(&b, "%s\"%s\":", i ? "," : "", r->settings[i].name);
		buf_json(&b, r->settings[i].value);
	}
	buf_puts(&b, "},\"counts\":{");
	const char *comma = "";
#define X(name, what)                                                                              \
	buf_printf(&b, "%s\"" #name "\":%" PRId64, comma, r->name);                                \
	comma = ",";
	RUN_COUNTERS(X)
#undef X
	buf_puts(&b, "},\"stage_seconds\":{");
	comma = "";
#define X(name)                                                                                    \
	buf_printf(&b, "%s\"" #name "\":%.3f", comma, r->t_##name);                                \
	comma = ",";
	RUN_STAGES(X)
#undef X
	buf_puts(&b, "},\"cpu_seconds\":");
	spent_json(c->spent, &b);
	buf_puts(&b, ",\"troubles\":[");
	fputs(b.text, stdout);
	buf_free(&b);
	listing l = {.json = true, .comma = ""};
	runs_each_trouble(s, r->id, 1000, print_trouble, &l, NULL);
	buf end = {0};
	add_tiers(c->tiers, &end);
	printf("%s]}\n", end.text ? end.text : "]");
	buf_free(&end);
}

static void print_text(store *s, const run_row *r, const char *db, const char *ended, const campaign_options *c)
{
	double models = r->models ? (double)r->models : 1;
	printf("%s: %" PRId64 " models in %.1f s (%.2f models/s), seed %" PRIu64
	       ", next model %" PRIu64 ", %s\n",
	    r->backend, r->models, r->seconds,
	    r->seconds > 0 ? (double)r->models / r->seconds : 0.0, r->seed, r->next, ended);
	printf("  valid in the reference %.1f %%: %" PRId64 " refused, %" PRId64
	       " with a wrong shape or dtype, %" PRId64 " over a limit\n",
	    100.0 * (double)r->valid / models, r->invalid, r->rule, r->resource + r->lost);
	printf("  operators compared: %" PRId64 ", %.1f a second\n", r->operators,
	    r->seconds > 0 ? (double)r->operators / r->seconds : 0.0);
	print_tiers(c->tiers);
	printf("  compared %" PRId64 ": %" PRId64 " agree, %" PRId64 " differ by rounding, %" PRId64
	       " are inconsistent\n",
	    r->compared, r->agreed, r->rounding, r->inconsistency);
	printf("  not compared: %" PRId64 " not deterministic, %" PRId64 " undefined, %" PRId64
	       " unsupported, %" PRId64 " errors, %" PRId64 " crashes, %" PRId64 " hangs, %" PRId64
	       " over memory, %" PRId64 " unreadable\n",
	    r->nondeterministic, r->undefined, r->unsupported, r->error, r->crash, r->hang,
	    r->memory, r->bad);
	printf("  findings: %" PRId64 " new, %" PRId64 " met again, %" PRId64 " of %" PRId64
	       " candidates did not reproduce; in %s\n",
	    r->new_findings, r->known_findings, r->unconfirmed, candidates(r), db);
	if (r->symbolic > 0)
		printf("  shapes that vary: %" PRId64 " models, %" PRId64 " assignments run, %" PRId64 " compiled again, %" PRId64 " refused\n",
		    r->symbolic, r->assignments, r->recompiled, r->specialised);
	if (r->left_out > 0)
		printf("  left out of further models: %" PRId64 " calls that failed by themselves\n", r->left_out);
	if (r->screened + r->passed_on > 0)
		printf("  first look: %" PRId64 " settled, %" PRId64 " left to the whole judge\n", r->screened,
		    r->passed_on);
	printf("  worker restarts: %" PRId64 "\n  seconds:", r->restarts);
#define X(name) printf(" " #name " %.1f", r->t_##name);
	RUN_STAGES(X)
#undef X
	buf cpu = {0};
	spent_text(c->spent, &cpu);
	printf("\n  %s\n", buf_text(&cpu));
	buf_free(&cpu);
	if (r->invalid + r->rule > 0)
		puts("  most often refused or predicted wrongly:");
	listing l = {.json = false, .comma = ""};
	runs_each_trouble(s, r->id, 10, print_trouble, &l, NULL);
}

/* ---- the run */

/* Whether what runs now is what a run was made of: says so where not. One that cannot start is the campaign's to report. */
static bool same_versions(const run_row *run, judge *warm)
{
	diag why = {""};
	bool stopped;
	char *now = judge_start(warm, &why, &stopped);
	bool same = !now || versions_agree(warm->options.versions, run->versions, &why);
	free(now);
	if (!same)
		fprintf(stderr, "rulefuzz run: of run %" PRId64 " %s: a new run begins\n", run->id, diag_what(&why));
	return same;
}

static bool begin(const options *o, judge *warm, store *s, run_row *run, arena *a, diag *d)
{
	const run_row fresh = *run;
	int found = o->resume ? runs_resume(s, run, a, d) : 0;
	if (found < 0)
		return false;
	if (o->resume && !found)
		fprintf(stderr, "rulefuzz run: nothing to resume, starting at model %" PRIu64 "\n",
		    run->next);
	if (found && !same_versions(run, warm)) {
		*run = fresh;
		found = 0;
	}
	return found || runs_begin(s, run, d);
}

static int exit_code(enum campaign_end end, int64_t fresh)
{
	if (end == CAMPAIGN_BACKEND)
		return EXIT_BACKEND;
	if (end == CAMPAIGN_INPUT)
		return EXIT_INPUT;
	return fresh > 0 ? EXIT_CHECK : end == CAMPAIGN_SHORT ? EXIT_PARTIAL : EXIT_CLEAN;
}

static const char *const ENDED[] = {[CAMPAIGN_DONE] = "done",
    [CAMPAIGN_SHORT] = "stopped early",
    [CAMPAIGN_BACKEND] = "backend failed",
    [CAMPAIGN_INPUT] = "failed"};

#define SCREEN_SECONDS 10.0 /* for a first look; the whole judge has --timeout */

static worker_options worker_of(const options *o, const char *const *argv, double call_seconds, int stop_fd)
{
	return (worker_options){.argv = argv,
	    .start_seconds = o->start_timeout,
	    .call_seconds = call_seconds,
	    .memory = o->memory << 20,
	    .stop_fd = stop_fd};
}

static campaign_options campaign_of(
    const options *o, const backend *b, const rs_table *table, int stop_fd)
{
	const gen_choice *g = &o->gen;
	double timeout = (double)o->timeout;
	bool screened = b->screen_argv[0] && !o->no_screen;
	return (campaign_options){.table = table,
	    .gen = gen_choice_options(g),
	    .worker = worker_of(o, b->argv, timeout, stop_fd),
	    .screen = worker_of(o, screened ? b->screen_argv : NULL,
		timeout < SCREEN_SECONDS ? timeout : SCREEN_SECONDS, stop_fd),
	    .backend = o->backend,
	    .memory_mib = o->memory,
	    .tolerance = o->tolerance,
	    .seconds = o->seconds,
	    .reduce_seconds = o->reduce,
	    .count = g->count < 0 ? UINT64_MAX : (uint64_t)(g->first + g->count),
	    .jobs = o->jobs,
	    .batch = b->batch,
	    .save_models = o->save_models,
	    .progress = o->progress,
	    .shard = (uint64_t)o->shard,
	    .shards = (uint64_t)o->shards};
}

/* ---- what the target can do */

/* Seconds for learning it. */
static double probe_seconds(const options *o)
{
	bool all = !o->gen.ops && !o->gen.api;
	return o->probe >= 0 ? o->probe : o->resume || o->command || !all ? 0 : o->seconds / 4;
}

/* The file; false: none takes part. */
static bool capabilities_path(const options *o, char path[PATH_MAX], diag *d)
{
	char name[128];
	const char *told = o->gen.capabilities;
	if (told && strcmp(told, "none") == 0)
		return false;
	if (told)
		return snprintf(path, PATH_MAX, "%s", told) < PATH_MAX || diag_set(d, "a path is too long");
	if (o->command || (o->seconds <= 0 && o->probe <= 0) || strchr(o->backend, '/'))
		return false;
	snprintf(name, sizeof name, "capabilities/%.64s.tsv", o->backend);
	return cache_path(path, name, d);
}

static void tell_capabilities(const options *o, const char *path)
{
	const char *comma = "";
	fprintf(stderr, "left out of models:");
#define X(name, calls)                                                                             \
	fprintf(stderr, "%s %zu calls " calls, comma, capabilities_count(o->gen.known, CAPABILITY_##name)); \
	comma = ",";
	CAPABILITIES(X)
#undef X
	fprintf(stderr, ", %zu not tried or like what is refused; in %s\n", capabilities_presumed(o->gen.known), path);
}

/* Reads and widens what is known, and has the generator leave out what the target cannot do. The worker that is started
 * for it stays for the campaign. */
static enum campaign_end learn(options *o, campaign_options *c, store *s, arena *a, int64_t *found, diag *d)
{
	char path[PATH_MAX];
	bool stopped;
	if (!capabilities_path(o, path, d))
		return d->text[0] ? CAMPAIGN_INPUT : CAMPAIGN_DONE;
	char *versions = judge_start(c->warm, d, &stopped);
	if (!versions)
		return stopped ? CAMPAIGN_SHORT : diag_is_memory(d) ? CAMPAIGN_INPUT : CAMPAIGN_BACKEND;
	capabilities_free(o->gen.known); /* of the backend before */
	o->gen.known = capabilities_new(c->table, o->backend, versions);
	free(versions);
	if (!o->gen.known)
		return diag_set(d, "out of memory"), CAMPAIGN_INPUT;
	if (!capabilities_read(o->gen.known, path, d))
		return CAMPAIGN_INPUT;
	double seconds = probe_seconds(o);
	enum campaign_end end = CAMPAIGN_DONE;
	if (seconds > 0)
		end = probe_target(c, o->gen.known, path, seconds, s, a, found, d);
	if (end <= CAMPAIGN_SHORT && !presume_untried(c->table, o->gen.known, d))
		return CAMPAIGN_INPUT;
	size_t n;
	capabilities_without(o->gen.known, &n);
	if (n)
		tell_capabilities(o, path);
	c->gen = gen_choice_options(&o->gen);
	o->gen.learning = o->probe != 0;
	return end;
}

/* The campaign, which learns on unless it was told not to. */
static enum campaign_end go(const options *o, campaign_options *c, store *s, run_row *run, arena *a, diag *d)
{
	learner l;
	diag why;
	char path[PATH_MAX];
	if (!o->gen.learning || !capabilities_path(o, path, d))
		return d->text[0] ? CAMPAIGN_INPUT : campaign_run(c, s, run, a, d);
	learner_open(&l, o->gen.known, path);
	c->learner = &l;
	enum campaign_end end = campaign_run(c, s, run, a, d);
	if (learner_close(&l, &why) || end > CAMPAIGN_SHORT)
		return end;
	*d = why;
	return CAMPAIGN_INPUT;
}

/* ---- models of earlier runs */

/* NULL: none are asked for, or d. */
static revisit *open_revisit(const options *o, const rs_table *table, char path[PATH_MAX], diag *d)
{
	if (!o->revisit)
		return NULL;
	if (strchr(o->backend, '/') || snprintf(path, PATH_MAX, "%s/%s.jsonl", o->revisit, o->backend) >= PATH_MAX) {
		diag_at(d, o->revisit, 0, "no place for the models of %.100s", o->backend);
		return NULL;
	}
	return make_directories(o->revisit, d) ? revisit_open(path, table, d) : NULL;
}

/* Runs them, and has the campaign add to them in the time that is left. */
static enum campaign_end run_earlier(
    revisit *earlier, const options *o, campaign_options *c, store *s, arena *a, int64_t *found, diag *d)
{
	enum campaign_end end = revisit_run(earlier, c, o->seconds / 8, s, a, found, d);
	revisit_follow(earlier, c);
	return end;
}

/* ---- all of it */

/* Seconds of --time for new models, when it began to count at `start`: what is left, a quarter at least. 0: no limit. */
static double seconds_left(const options *o, double start)
{
	double left = o->seconds - (clock_seconds() - start), least = o->seconds / 4;
	return left > least ? left : least;
}

/* What the models of a run depend on: those of the generator, and which of them this one takes. */
static const setting *settings_of(const options *o, const rs_table *table, arena *a, int *n)
{
	const setting *models = gen_choice_settings(&o->gen, table, a, n);
	setting *all = models ? ARENA_ARRAY(a, setting, *n + 1) : NULL;
	if (!all)
		return NULL;
	memcpy(all, models, (size_t)*n * sizeof *all);
	all[*n] = (setting){"shard", arena_printf(a, "%" PRId64 "/%" PRId64, o->shard, o->shards)};
	return all[(*n)++].value ? all : NULL;
}

static int run_with(options *o, campaign_options *c, store *s, arena *a)
{
	diag d = {""};
	judge warm = {.options = c->worker, .screen = c->screen, .backend = o->backend, .memory_mib = o->memory, .tolerance = o->tolerance};
	run_row run = {.backend = o->backend,
	    .framework = c->table->framework,
	    .seed = (uint64_t)o->gen.seed,
	    .next = (uint64_t)o->gen.first,
	    .versions = "{}"};
	int64_t before = 0, found = 0;
	tiers t;
	spent cpu = {0};
	c->warm = &warm;
	c->spent = &cpu;
	c->tiers = !o->command && strchr(o->backend, ',') && tiers_init(&t, o->backend) ? &t : NULL;
	char path[PATH_MAX];
	double start = clock_seconds();
	revisit *earlier = open_revisit(o, c->table, path, &d);
	enum campaign_end end = d.text[0] ? CAMPAIGN_INPUT : learn(o, c, s, a, &found, &d);
	if (earlier && end <= CAMPAIGN_SHORT)
		end = run_earlier(earlier, o, c, s, a, &found, &d);
	bool begun = false;
	if (end <= CAMPAIGN_SHORT) {
		end = CAMPAIGN_INPUT;
		run.settings = settings_of(o, c->table, a, &run.nsettings);
		begun = run.settings ? begin(o, &warm, s, &run, a, &d) : diag_set(&d, "out of memory");
	}
	if (begun) {
		before = run.new_findings;
		c->seconds = seconds_left(o, start);
		end = go(o, c, s, &run, a, &d);
		if (earlier && end <= CAMPAIGN_SHORT && !revisit_write(earlier, REVISIT_MOST, path, &d))
			end = CAMPAIGN_INPUT;
	}
	revisit_free(earlier);
	judge_close(&warm);
	if (end == CAMPAIGN_BACKEND && c->worker.versions->changed)
		fprintf(stderr, "rulefuzz run: error: backend %s was changed under the run: %s; begin another\n", o->backend, diag_what(&d));
	else if (end == CAMPAIGN_BACKEND)
		fprintf(stderr, "rulefuzz run: error: backend %s cannot start: %s%s%s%s\n", o->backend, diag_what(&d),
		    o->command ? "" : "; `make backends BACKEND=", o->command ? "" : o->backend,
		    o->command ? "" : "` installs what it needs");
	else if (d.text[0])
		fprintf(stderr, "%s\n", d.text);
	if (begun && (end != CAMPAIGN_BACKEND || run.models > 0))
		(o->json ? print_json : print_text)(s, &run, o->db, ENDED[end], c);
	return exit_code(end, run.new_findings - before + found);
}

static int open_and_run(options *o, const backend *b, const rs_table *table)
{
	diag d = {""};
	char scratch[PATH_MAX];
	int code = EXIT_INPUT, stop_fd = catch_signals();
	campaign_options c = campaign_of(o, b, table, stop_fd);
	versions whole, screen; /* apart: a library may name its version in another way than the package around it */
	versions_init(&whole);
	versions_init(&screen);
	c.worker.versions = &whole;
	c.screen.versions = &screen;
	arena *a = arena_new();
	bool ready = a ? !o->save_models || make_directories(o->save_models, &d)
		       : diag_set(&d, "out of memory");
	store *s = ready ? store_open(o->db, true, &d) : NULL;
	if (s && stored_rename(s, &d) && backend_scratch(scratch, &d)) {
		code = run_with(o, &c, s, a);
		backend_scratch_remove(scratch);
	} else {
		fprintf(stderr, "%s\n", d.text);
	}
	store_close(s);
	if (a)
		arena_free(a);
	versions_free(&whole);
	versions_free(&screen);
	close(stop_fd);
	return code;
}

static int find_and_run(options *o)
{
	diag d = {""};
	backend *b = malloc(sizeof *b); /* some paths long */
	if (!b || !backend_find(b, o->backend, o->command, o->python, &d)) {
		diag_memory(&d, b);
		fprintf(stderr, "rulefuzz run: %s\n", d.text);
		free(b);
		return diag_is_memory(&d) ? EXIT_INPUT : EXIT_BACKEND;
	}
	if (!o->gen.framework)
		o->gen.framework = b->framework;
	gen_choice_for_run(&o->gen);
	const rs_table *table = gen_choice_table(&o->gen);
	int code = table ? open_and_run(o, b, table) : o->gen.status;
	free(b);
	return code;
}

/* ---- several backends */

enum { MOST_BACKENDS = 64 };

/* Cuts the list at its commas; how many names, 0 after a message. */
static int split(char *list, char *names[MOST_BACKENDS])
{
	int n = 0;
	for (char *name = list, *rest; name; name = rest) {
		rest = strchr(name, ',');
		if (rest)
			*rest++ = '\0';
		if (n == MOST_BACKENDS || !*name) {
			usage_error("run", "--backend takes names with commas between them, %d at most", MOST_BACKENDS);
			return 0;
		}
		names[n++] = name;
	}
	return n;
}

/* Whether a worker may run both: they share an environment, and a first look is neither's. */
static bool share_worker(const package *p, const char *one, const char *other)
{
	target a, b;
	diag d;
	return package_target(p, one, &a, &d) && package_target(p, other, &b, &d) && strcmp(a.framework, b.framework) == 0
	       && strcmp(target_environment(&a), target_environment(&b)) == 0 && !*a.screen && !*b.screen;
}

/* Joins neighbours that share a worker again: names[i] becomes "torch-decomp,torch-inductor", which is how they stand in the
 * list. How many are left. */
static int join_tiers(char *names[MOST_BACKENDS], int n)
{
	package p;
	diag d;
	int groups = 0, tiers = 0;
	bool found = package_find(&p, &d), joined[MOST_BACKENDS] = {false};
	for (int i = 1; i < n; i++) {
		joined[i] = found && tiers + 1 < MOST_TIERS && share_worker(&p, names[i - 1], names[i]);
		tiers = joined[i] ? tiers + 1 : 0;
	}
	for (int i = 0; i < n; i++) {
		char *name = names[i];
		if (joined[i])
			name[-1] = ',';
		else
			names[groups++] = name;
	}
	return groups;
}

/* Whether all are there, before the first takes its time; else a message. */
static bool all_there(const options *o, char *const *names, int n)
{
	diag d = {""};
	backend *b = malloc(sizeof *b);
	bool ok = diag_memory(&d, b);
	for (int i = 0; ok && i < n; i++)
		ok = backend_find(b, names[i], NULL, o->python, &d);
	free(b);
	if (!ok)
		fprintf(stderr, "rulefuzz run: %s\n", d.text);
	return ok;
}

/* The exit code of several: that of the worst. */
static int worse(int a, int b)
{
	static const int WORST_FIRST[] = {EXIT_BACKEND, EXIT_INPUT, EXIT_USAGE, EXIT_CHECK, EXIT_PARTIAL};
	for (size_t i = 0; i < sizeof WORST_FIRST / sizeof *WORST_FIRST; i++)
		if (a == WORST_FIRST[i] || b == WORST_FIRST[i])
			return WORST_FIRST[i];
	return EXIT_CLEAN;
}

static int run_each(options *o, char *const *names, int n)
{
	const char *framework = o->gen.framework;
	const rs_features features = o->gen.features;
	int code = EXIT_CLEAN;
	if (n > 1 && !all_there(o, names, n))
		return EXIT_BACKEND;
	o->seconds /= n;
	for (int i = 0; i < n && !signal_came(); i++) {
		o->backend = names[i];
		o->gen.framework = framework;
		o->gen.features = features;
		code = worse(code, find_and_run(o));
		fflush(stdout);
	}
	return code;
}

bool run_would_start(int argc, char **argv)
{
	options o;
	bool ok = parse_options(argc, argv, &o);
	char *names[MOST_BACKENDS], *list = ok && !o.help && !o.command ? strdup(o.backend) : NULL;
	ok = ok && (!list || split(list, names) > 0);
	free(list);
	gen_choice_free(&o.gen);
	return ok;
}

int cmd_run(int argc, char **argv)
{
	options o;
	char *names[MOST_BACKENDS];
	if (!parse_options(argc, argv, &o))
		return EXIT_USAGE;
	if (o.help)
		return help();
	char *list = o.command ? NULL : strdup(o.backend);
	int n = list ? join_tiers(names, split(list, names)) : 0;
	int code = list && n == 0 ? EXIT_USAGE : n > 0 ? run_each(&o, names, n) : find_and_run(&o);
	free(list);
	gen_choice_free(&o.gen);
	return code;
}
