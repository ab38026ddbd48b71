/* rulefuzz run: generates models, runs them on a backend and its reference, stores findings. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "backend.h"
#include "buf.h"
#include "campaign.h"
#include "capabilities.h"
#include "clock.h"
#include "cmd_run.h"
#include "commands.h"
#include "file.h"
#include "gen_options.h"
#include "json.h"
#include "op_versions.h"
#include "package.h"
#include "pending.h"
#include "presume.h"
#include "probe.h"
#include "replay.h"
#include "rules_version.h"
#include "run_summary.h"
#include "signals.h"
#include "stored.h"
#include "tiers.h"
#include "venv.h"

#define DEFAULT_DB "rulefuzz.db"
#define SETTINGS_UNTOLD UINT32_MAX

typedef struct options {
	gen_choice gen;
	const char *backend, *command, *python, *db, *save_models, *corpus;
	int64_t audit; /* samples of each excuse; 0: none */
	char samples[PATH_MAX]; /* their folder */
	const char *asked; /* the backend with its version, if one was given */
	enum agree_preset tolerance;
	double begun; /* clock at the start of the command, or of this backend's share of --time */
	double seconds, start_timeout, reduce, probe, progress; /* probe, progress: seconds, below 0: not given */
	int64_t jobs, timeout, memory, shard, shards;
	uint32_t asked_settings, settings; /* per mille of the models; SETTINGS_UNTOLD: not given */
	uint32_t triage; /* per mille of the time */
	bool pending; /* for `rulefuzz triage`: no models */
	bool resume, no_fast_path, no_tiers, json, verbose, help;
} options;

static const char HELP_TEXT[] =
    "usage: rulefuzz run --backend B [OPTION…]\n"
    "\n"
    "Generates models, runs each on the reference and on the backend under test, compares the\n"
    "results, and stores each difference, error, crash or hang as a finding in a database.\n"
    "\n"
    "Examples:\n"
    "  rulefuzz run --backend onnxruntime --time 10m\n"
    "  rulefuzz run --backend openvino,tract --time 1h --jobs 4\n"
    "  rulefuzz run --backend tract --api '*.Conv*' --count 1000 --seed 7\n"
    "\n"
    "What to run:\n"
    "  --backend B,…      a backend, or several separated by commas; `rulefuzz backends` lists all.\n"
    "                     Neighbours that share an environment are tiers of one run: a model goes on\n"
    "                     to the next tier while they agree. Others share --time equally.\n"
    "                     A backend that compiles several models as one gets its cheaper stages as\n"
    "                     tiers unless they are named; --no-tiers: as named\n"
    "                     NAME@VERSION: in another version, as `backends.sh` installs it\n"
    "  --framework F      whose operators to use (default: those that B runs)\n"
    "  --backend-command CMD\n"
    "                     a shell command that starts your own worker; --backend names it\n"
    "  --python PATH      the worker's Python (default: $RULEFUZZ_PYTHON, or the virtual environment\n"
    "                     of B)\n"
    "  --shard I/N        run shard I of N (models with index % N == I); join the databases with\n"
    "                     `rulefuzz merge`\n"
    "\n"
    "Limits:\n"
    "  --time T           total time, startup included: 90s, 10m, 4h (default 60s, unlimited with\n"
    "                     --count). No model starts later; running work is stopped 3 s later\n"
    "  --count C          number of models; a resumed run counts earlier parts\n"
    "  --timeout S        seconds for one model (default 60)\n"
    "  --start-timeout S  seconds for a worker to start (default 300)\n"
    "  --memory M         MiB for a worker and its children (default 4096; 0: no limit)\n"
    "  --jobs J           parallel workers (default 1)\n"
    "\n"
    "Phases before fuzzing:\n"
    "  --probe T          time to spend probing which calls the backend supports (default: a quarter\n"
    "                     of --time; beside the models if the backend compiles several as one; 0: use\n"
    "                     cached results only). Skipped with --count alone, --ops or --api. Results\n"
    "                     are cached for each version of the backend\n"
    "  --settings R       fraction of models with settings of the backend that are not the default, such\n"
    "                     as threads or the optimization level (default 0.3 or what the backend states)\n"
    "  --corpus DIR       first replay the models in DIR/B.jsonl, for at most an eighth of --time;\n"
    "                     then keep the few models there that cover most calls and edges\n"
    "\n"
    "Findings:\n"
    "  --db FILE          database of findings and runs (default rulefuzz.db)\n"
    "  --resume           continue the latest run of the same backend, framework, seed and options\n"
    "  --reduce-time T    time to reduce one finding (default 60s; 0: do not reduce);\n"
    "                     `rulefuzz reduce` continues\n"
    "  --triage-share R   fraction of the time for triage: failures that exceed it wait for time that\n"
    "                     is left, or for `rulefuzz triage` (default 0.15; 1: no limit; 0: all wait).\n"
    "                     The first 10 s (2 s of CPU time) are free; a reduction ends after 20 s\n"
    "  --tolerance T      how far floats may differ: measured on the model itself, exact where\n"
    "                     elements are exact (default), or as in the papers neuri, isra\n"
    "  --no-fast-path     give every model to the full oracle\n"
    "  --save-models DIR  write every model to DIR\n"
    "  --audit-excuses N  keep N models of each excuse, with the values that it excused, in\n"
    "                     FILE.excuses/NAME/ beside the database\n"
    "\n"
    "Output:\n"
    "  --progress S       print a progress line to standard error every S seconds; 0: none\n"
    "                     (default: 30; a terminal shows one line that is updated)\n"
    "  --verbose          print the full summary: tiers, stages, CPU time, rejected APIs\n"
    "  --json             print the summary as JSON\n"
    "  --help\n"
    "\n"
    "Models, as for `rulefuzz gen`:\n"
;

static const char HELP_END[] =
    "\nExit codes: 0 no new finding, 3 a new finding, 4 stopped before the end or failures wait for\n"
    "triage, 5 a worker cannot start, 1 bad input or I/O, 2 usage.";

static int help(void)
{
	fputs(HELP_TEXT, stdout);
	gen_help_options();
	puts(HELP_END);
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
	AUDIT_EXCUSES,
	CORPUS,
	SETTINGS,
	TRIAGE_SHARE,
	TOLERANCE,
	NO_FAST_PATH,
	NO_TIERS,
	COMMAND,
	JSON,
	VERBOSE,
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
    {"audit-excuses", required_argument, NULL, AUDIT_EXCUSES},
    {"corpus", required_argument, NULL, CORPUS},
    {"settings", required_argument, NULL, SETTINGS},
    {"triage-share", required_argument, NULL, TRIAGE_SHARE},
    {"tolerance", required_argument, NULL, TOLERANCE},
    {"no-fast-path", no_argument, NULL, NO_FAST_PATH},
    {"no-tiers", no_argument, NULL, NO_TIERS},
    {"backend-command", required_argument, NULL, COMMAND},
    {"json", no_argument, NULL, JSON},
    {"verbose", no_argument, NULL, VERBOSE},
    {"help", no_argument, NULL, HELP},
    {0},
};

static bool take_tolerance(options *o)
{
	int preset = agree_parse(optarg);
	if (preset < 0)
		return usage_error("run", "--tolerance: expected measured, neuri or isra, got '%s'", optarg), false;
	o->tolerance = (enum agree_preset)preset;
	return true;
}

static bool take_shard(options *o)
{
	char behind;
	int n = sscanf(optarg, "%" SCNd64 "/%" SCNd64 "%c", &o->shard, &o->shards, &behind);
	if (n != 2 || o->shards < 1 || o->shards > 1000000 || o->shard < 0 || o->shard >= o->shards)
		return usage_error("run", "--shard: expected I/N with 0 <= I < N, got '%s'", optarg), false;
	return true;
}

static bool take_start_timeout(options *o)
{
	int64_t seconds;
	bool ok = parse_number("run", "--start-timeout", optarg, 1, 86400, &seconds);
	if (ok)
		o->start_timeout = (double)seconds;
	return ok;
}

static bool take_option(int option, options *o)
{
	switch (option) {
	case BACKEND:
		return (o->backend = optarg) != NULL;
	case TIME:
		return parse_duration("run", "--time", optarg, &o->seconds);
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
		return take_start_timeout(o);
	case MEMORY:
		return parse_number("run", "--memory", optarg, 0, 1 << 30, &o->memory);
	case PYTHON:
		return (o->python = optarg) != NULL;
	case SAVE_MODELS:
		return (o->save_models = optarg) != NULL;
	case AUDIT_EXCUSES:
		return parse_number("run", "--audit-excuses", optarg, 1, 1000000, &o->audit);
	case CORPUS:
		return (o->corpus = optarg) != NULL;
	case SETTINGS:
		return parse_share("run", "--settings", optarg, 0, &o->asked_settings);
	case TRIAGE_SHARE:
		return parse_share("run", "--triage-share", optarg, 0, &o->triage);
	case TOLERANCE:
		return take_tolerance(o);
	case NO_FAST_PATH:
		return o->no_fast_path = true;
	case NO_TIERS:
		return o->no_tiers = true;
	case COMMAND:
		return (o->command = optarg) != NULL;
	case JSON:
		return o->json = true;
	case VERBOSE:
		return o->verbose = true;
	case HELP:
		return o->help = true;
	default:
		return gen_option("run", option, &o->gen);
	}
}

static options default_options(void)
{
	options o = {.gen = GEN_CHOICE,
	    .begun = clock_seconds(),
	    .db = DEFAULT_DB,
	    .jobs = 1,
	    .timeout = 60,
	    .probe = -1,
	    .progress = -1,
	    .shards = 1,
	    .reduce = 60,
	    .asked_settings = SETTINGS_UNTOLD,
	    .triage = 150,
	    .start_timeout = 300,
	    .memory = 4096};
	o.gen.count = -1;
	return o;
}

static bool parse_options(int argc, char **argv, options *o)
{
	*o = default_options();
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

/* ---- the run */

/* Whether the worker has the versions of the run to resume; prints a line if not. The campaign reports failed starts. */
static bool same_versions(const run_row *run, judge *warm)
{
	diag why = {""};
	bool stopped;
	char *now = judge_start(warm, &why, &stopped);
	bool same = !now || versions_agree(warm->options.versions, run->versions, &why);
	free(now);
	if (!same)
		fprintf(stderr, "rulefuzz run: cannot resume run %" PRId64 ": %s; starting a new run\n", run->id, diag_what(&why));
	return same;
}

static bool begin(const options *o, judge *warm, store *s, run_row *run, arena *a, diag *d)
{
	const run_row fresh = *run;
	int found = o->resume ? runs_resume(s, run, a, d) : 0;
	if (found < 0)
		return false;
	if (o->resume && !found)
		fprintf(stderr, "rulefuzz run: no run to resume; starting at model %" PRIu64 "\n",
		    run->next);
	if (found && !same_versions(run, warm)) {
		*run = fresh;
		found = 0;
	}
	return found || runs_begin(s, run, d);
}

static int exit_code(enum campaign_end end, int64_t fresh, int64_t waiting)
{
	if (end == CAMPAIGN_BACKEND)
		return EXIT_BACKEND;
	if (end == CAMPAIGN_INPUT)
		return EXIT_INPUT;
	return fresh > 0 ? EXIT_CHECK : end == CAMPAIGN_SHORT || waiting > 0 ? EXIT_PARTIAL : EXIT_CLEAN;
}

static const char *const ENDED[] = {[CAMPAIGN_DONE] = "done",
    [CAMPAIGN_SHORT] = "stopped early",
    [CAMPAIGN_BACKEND] = "backend failed",
    [CAMPAIGN_INPUT] = "failed"};

#define FAST_PATH_SECONDS 10.0 /* for a model; the full oracle has --timeout */
#define GRACE_SECONDS 3.0 /* seconds after --time in which running models may still end */

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
	bool screened = b->screen_argv[0] && !o->no_fast_path;
	return (campaign_options){.table = table,
	    .gen = gen_choice_options(g),
	    .worker = worker_of(o, b->argv, timeout, stop_fd),
	    .screen = worker_of(o, screened ? b->screen_argv : NULL,
		timeout < FAST_PATH_SECONDS ? timeout : FAST_PATH_SECONDS, stop_fd),
	    .backend = o->backend,
	    .memory_mib = o->memory,
	    .tolerance = o->tolerance,
	    .seconds = o->seconds,
	    .reduce_seconds = o->reduce,
	    .triage_share = o->triage,
	    .count = g->count < 0 ? UINT64_MAX : (uint64_t)(g->first + g->count),
	    .jobs = o->jobs,
	    .batch = b->batch,
	    .save_models = o->save_models,
	    .audit = o->samples,
	    .audited = o->audit,
	    .settings = &b->settings,
	    .settings_share = o->settings,
	    .progress = o->progress,
	    .shard = (uint64_t)o->shard,
	    .shards = (uint64_t)o->shards};
}

/* ---- a run, and its phases */

typedef struct session {
	options *o;
	campaign_options *c;
	store *store;
	arena *arena;
	judge warm; /* its worker is started for the first phase and serves the first job of each */
	campaign_phases phases;
	double deadline;     /* time when workers are killed (clock_seconds); 0: never */
	run_summary summary; /* counts of earlier phases */
	char capabilities[PATH_MAX]; /* their file; "": there is none */
	char models[PATH_MAX];	     /* of the corpus */
	bool all_unreadable;
	diag d;
} session;

/* Seconds of --time that are left, above 0; 0: no limit. */
static double seconds_left(const session *r)
{
	double left = r->o->seconds - (clock_seconds() - r->o->begun);
	return r->o->seconds <= 0 ? 0 : left > 0.001 ? left : 0.001;
}

/* Sets the time when running work is killed: some seconds after --time, or, in phases before fuzzing, when a quarter of --time is
 * left. */
static void set_deadline(session *r, bool last)
{
	double seconds = last ? r->o->seconds + GRACE_SECONDS : r->o->seconds * 3 / 4;
	r->deadline = r->o->seconds > 0 ? r->o->begun + seconds : 0;
}

/* Seconds for a phase before fuzzing; a quarter of --time is reserved for fuzzing. 0: none are left. */
static double seconds_before(const session *r, double wanted)
{
	double left = r->o->seconds > 0 ? seconds_left(r) - r->o->seconds / 4 : wanted;
	return left < wanted ? left > 0 ? left : 0 : wanted;
}

/* Reports versions that differ from those that the rules were learned from. */
static void take_versions(session *r, const char *versions)
{
	buf note = {0};
	rules_version_note(r->c->table->framework, versions, &note);
	r->c->other_versions = note.length > 0;
	if (note.length)
		fprintf(stderr, "%s: %s\n", r->o->backend, note.text);
	buf_free(&note);
}

/* The exit code of a run whose worker did not start. */
static enum campaign_end no_start(session *r, bool stopped)
{
	if (stopped && signal_came())
		return CAMPAIGN_SHORT;
	if (stopped)
		diag_set(&r->d, "the worker was not ready within --time");
	return diag_is_memory(&r->d) ? CAMPAIGN_INPUT : CAMPAIGN_BACKEND;
}

/* ---- operator sets */

/* The newest operator set of the worker's versions; that of the records if it reports none. */
static int newest_set(const char *versions)
{
	cJSON *all = cJSON_Parse(versions);
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(all, "opset"));
	int64_t set = text ? strtoll(text, NULL, 10) : 0;
	cJSON_Delete(all);
	return set >= OP_SET_FIRST && set < OP_SET_LAST ? (int)set : OP_SET_LAST;
}

/* Starts the worker to learn the newest operator set that it supports, if models depend on it. */
static enum campaign_end choose_sets(session *r)
{
	bool stopped;
	if (!r->o->gen.opset_to)
		return CAMPAIGN_DONE;
	char *versions = judge_start(&r->warm, &r->d, &stopped);
	if (!versions)
		return no_start(r, stopped);
	bool ok = gen_choice_set_newest(&r->o->gen, newest_set(versions), &r->d);
	r->c->gen = gen_choice_options(&r->o->gen);
	free(versions);
	return ok ? CAMPAIGN_DONE : CAMPAIGN_INPUT;
}

/* ---- probing: which calls the target supports */

static double probe_seconds(const options *o)
{
	bool all = !o->gen.ops && !o->gen.api;
	return o->probe >= 0 ? o->probe : o->resume || o->command || !all ? 0 : o->seconds / 4;
}

/* Whether capabilities are used. */
static bool wants_capabilities(const options *o)
{
	const char *file = o->gen.capabilities;
	if (file)
		return strcmp(file, "none") != 0;
	return !o->command && (o->seconds > 0 || o->probe > 0) && !strchr(o->backend, '/');
}

/* The file of capabilities: the given one, or the one in the user's cache for this backend and these versions. */
static bool find_capabilities(session *r, const char *versions)
{
	char name[128], path[160];
	const char *file = r->o->gen.capabilities;
	if (file)
		return snprintf(r->capabilities, PATH_MAX, "%s", file) < PATH_MAX || diag_set(&r->d, "--capabilities: the path is too long");
	capabilities_name(r->o->backend, versions, name);
	snprintf(path, sizeof path, "capabilities/%s", name);
	return cache_path(r->capabilities, path, &r->d);
}

static void show_capabilities(const session *r)
{
	const capabilities *known = r->o->gen.known;
	size_t failed = 0;
	const struct {
		size_t count;
		const char *why;
	} OTHERS[] = {{capabilities_count(known, CAPABILITY_rejects), "not supported"},
	    {capabilities_count(known, CAPABILITY_invalid), "unknown to the reference of this version, or rejected by it"},
	    {capabilities_count(known, CAPABILITY_varies), "nondeterministic in the reference"},
	    {capabilities_presumed(known), "not probed, or similar to calls that failed"}};
	for (int i = 0; i < CAPABILITY_COUNT; i++)
		failed += capability_is_finding((enum capability)i) ? capabilities_count(known, (enum capability)i) : 0;
	if (failed)
		fprintf(stderr, "%s: %zu call%s excluded: %s in findings of %s\n", r->o->backend, failed, failed == 1 ? "" : "s",
		    failed == 1 ? "it fails" : "they fail", r->o->db);
	for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
		if (OTHERS[i].count)
			fprintf(stderr, "%s: %zu call%s excluded: %s\n", r->o->backend, OTHERS[i].count, OTHERS[i].count == 1 ? "" : "s",
			    OTHERS[i].why);
}

/* Whether calls are probed beside the models: a target that compiles several models as one is too slow to probe first. */
static bool probes_beside(const session *r)
{
	return r->c->batch > 1 && r->o->probe < 0;
}

static enum campaign_end probe(session *r)
{
	enum campaign_end end = CAMPAIGN_DONE;
	double seconds = seconds_before(r, probe_seconds(r->o));
	int64_t before = r->phases.found;
	if (seconds > 0 && !probes_beside(r)) {
		set_deadline(r, false);
		end = probe_target(r->c, r->o->gen.known, r->capabilities, seconds, r->store, r->arena, &r->d);
		set_deadline(r, true);
	}
	r->summary.probing = r->phases.found - before;
	return end;
}

/* Reads the capabilities, probes, and excludes calls that the target does not support. The worker started here serves the
 * other phases, too. */
static enum campaign_end learn(session *r)
{
	options *o = r->o;
	bool stopped;
	if (!wants_capabilities(o))
		return CAMPAIGN_DONE;
	char *versions = judge_start(&r->warm, &r->d, &stopped);
	if (!versions)
		return no_start(r, stopped);
	take_versions(r, versions);
	capabilities_free(o->gen.known); /* of the backend before */
	o->gen.known = capabilities_new(r->c->table, o->backend, versions);
	bool ok = find_capabilities(r, versions) && diag_memory(&r->d, o->gen.known)
		  && capabilities_read(o->gen.known, r->capabilities, &r->d)
		  && probe_keep_found(o->gen.known, r->store, &r->d);
	free(versions);
	if (!ok)
		return CAMPAIGN_INPUT;
	enum campaign_end end = probe(r);
	if (end <= CAMPAIGN_SHORT && !presume_untried(r->c->table, o->gen.known, &r->d))
		return CAMPAIGN_INPUT;
	show_capabilities(r);
	r->c->gen = gen_choice_options(&o->gen);
	o->gen.learning = o->probe != 0;
	return end;
}

/* ---- corpus replay */

/* NULL: no --corpus, or an error in r->d. */
static replay *open_corpus(session *r)
{
	const options *o = r->o;
	if (!o->corpus)
		return NULL;
	if (strchr(o->backend, '/') || snprintf(r->models, PATH_MAX, "%s/%s.jsonl", o->corpus, o->backend) >= PATH_MAX) {
		diag_at(&r->d, o->corpus, 0, "--corpus: no file name for the models of %.100s", o->backend);
		return NULL;
	}
	return make_directories(o->corpus, &r->d) ? replay_open(r->models, r->c->table, &r->d) : NULL;
}

/* Replays the models, and collects those of fuzzing. */
static enum campaign_end replay_earlier(session *r, replay *earlier)
{
	int64_t before = r->phases.found;
	double seconds = seconds_before(r, r->o->seconds / 8);
	enum campaign_end end = CAMPAIGN_DONE;
	if (seconds > 0 || r->o->seconds <= 0) {
		set_deadline(r, false);
		end = replay_run(earlier, r->c, seconds, r->store, r->arena, &r->d);
		set_deadline(r, true);
	}
	r->summary.replay = r->phases.found - before;
	replay_follow(earlier, r->c);
	return end;
}

/* ---- fuzzing */

/* The settings that the models of a run depend on: the generator's, and the shard. */
static const setting *settings_of(const options *o, const rs_table *table, arena *a, int *n)
{
	const setting *models = gen_choice_settings(&o->gen, table, a, n);
	setting *all = models ? ARENA_ARRAY(a, setting, *n + 2) : NULL;
	if (!all)
		return NULL;
	memcpy(all, models, (size_t)*n * sizeof *all);
	all[*n] = (setting){"shard", arena_printf(a, "%" PRId64 "/%" PRId64, o->shard, o->shards)};
	all[*n + 1] = (setting){"settings", arena_printf(a, "%" PRIu32, o->settings)};
	*n += 2;
	return all[*n - 2].value && all[*n - 1].value ? all : NULL;
}

static bool begin_fuzzing(session *r, run_row *run)
{
	run->settings = settings_of(r->o, r->c->table, r->arena, &run->nsettings);
	return run->settings ? begin(r->o, &r->warm, r->store, run, r->arena, &r->d) : diag_set(&r->d, "out of memory");
}

/* Fuzzes; if calls are probed beside the models, with these calls. */
static enum campaign_end fuzz_with(session *r, run_row *run, learner *l)
{
	campaign_options *c = r->c;
	aside a;
	if (!probes_beside(r) || probe_seconds(r->o) <= 0)
		return campaign_run(c, r->store, run, r->arena, &r->d);
	enum campaign_end end = CAMPAIGN_INPUT;
	if (aside_open(&a, l, c, run->seed, &r->d)) {
		c->beside = a.sources;
		c->nbeside = a.n;
		end = campaign_run(c, r->store, run, r->arena, &r->d);
	}
	c->beside = NULL;
	c->nbeside = 0;
	aside_close(&a);
	return end;
}

/* Fuzzes, with capability learning unless --probe 0. */
static enum campaign_end fuzz(session *r, run_row *run)
{
	learner l;
	diag why;
	campaign_options *c = r->c;
	c->phase = "fuzzing";
	c->last = true;
	c->seconds = seconds_left(r);
	if (!r->o->gen.learning || !*r->capabilities)
		return campaign_run(c, r->store, run, r->arena, &r->d);
	learner_open(&l, r->o->gen.known, r->capabilities);
	c->learner = &l;
	enum campaign_end end = fuzz_with(r, run, &l);
	c->learner = NULL;
	if (learner_close(&l, &why) || end > CAMPAIGN_SHORT)
		return end;
	r->d = why;
	return CAMPAIGN_INPUT;
}

static enum campaign_end run_phases(session *r, run_row *run, bool *begun)
{
	replay *earlier = open_corpus(r);
	enum campaign_end end = r->d.text[0] ? CAMPAIGN_INPUT : choose_sets(r);
	if (end <= CAMPAIGN_SHORT)
		end = learn(r);
	if (earlier && end <= CAMPAIGN_SHORT)
		end = replay_earlier(r, earlier);
	if (end <= CAMPAIGN_SHORT) {
		end = CAMPAIGN_INPUT;
		*begun = begin_fuzzing(r, run);
	}
	if (*begun) {
		end = fuzz(r, run);
		if (earlier && end <= CAMPAIGN_SHORT && !replay_write(earlier, REPLAY_MOST, r->models, &r->d))
			end = CAMPAIGN_INPUT;
		r->all_unreadable = run->models > 0 && run->unreadable == run->models;
		end = end <= CAMPAIGN_SHORT && r->all_unreadable ? CAMPAIGN_BACKEND : end;
	}
	replay_free(earlier);
	return end;
}

/* Triages the waiting failures, in a run without models. */
static enum campaign_end triage_pending(session *r, run_row *run, bool *begun)
{
	static const setting strategy = {"strategy", "triage"};
	r->c->phase = "triage";
	r->c->last = r->c->only_pending = true;
	run->settings = &strategy;
	run->nsettings = 1;
	*begun = runs_begin(r->store, run, &r->d);
	return *begun ? campaign_run(r->c, r->store, run, r->arena, &r->d) : CAMPAIGN_INPUT;
}

/* Prints why a backend does not start, and the command that installs its requirements. */
static void show_no_start(const options *o, const char *why)
{
	package p;
	target t;
	diag none;
	char first[160];
	buf install = {0};
	snprintf(first, sizeof first, "%.*s", (int)strcspn(o->asked, ","), o->asked);
	if (!o->command && package_find(&p, &none) && package_target(&p, first, &t, &none))
		package_install_hint(&p, t.framework, &t, &install);
	fprintf(stderr, "rulefuzz run: error: backend %s cannot start: %s", o->backend, why);
	fprintf(stderr, install.length ? "; `%s` installs what it needs\n" : "%s\n", buf_text(&install));
	buf_free(&install);
}

static void show_error(const session *r, enum campaign_end end)
{
	const options *o = r->o;
	if (end == CAMPAIGN_BACKEND && r->all_unreadable)
		fprintf(stderr, "rulefuzz run: error: backend %s could read none of the models\n", o->backend);
	else if (end == CAMPAIGN_BACKEND && r->c->worker.versions->changed)
		fprintf(stderr, "rulefuzz run: error: backend %s was changed during the run: %s; start another run\n", o->backend,
		    diag_what(&r->d));
	else if (end == CAMPAIGN_BACKEND)
		show_no_start(o, diag_what(&r->d));
	else if (r->d.text[0])
		fprintf(stderr, "%s\n", r->d.text);
}

static void show_summary(session *r, const run_row *run, enum campaign_end end)
{
	buf text = {0}, command = {0};
	if (strcmp(r->o->db, DEFAULT_DB) != 0)
		buf_printf(&command, " --db %s", r->o->db);
	r->summary.run = run;
	r->summary.db = r->o->db;
	r->summary.ended = ENDED[end];
	r->summary.command = buf_text(&command);
	r->summary.found = r->phases.found;
	r->summary.first = r->phases.first;
	r->summary.duplicates = r->phases.duplicates;
	r->summary.verbose = r->o->verbose;
	(r->o->json ? run_summary_json : run_summary_text)(&r->summary, r->store, &text);
	fputs(buf_text(&text), stdout);
	buf_free(&text);
	buf_free(&command);
}

static void show_triage(session *r, const run_row *run, enum campaign_end end)
{
	const char *format = r->o->json ? "{\"schema\":2,\"command\":\"triage\",\"backend\":\"%s\",\"ended\":\"%s\",\"seconds\":%.3f,"
					  "\"findings\":{\"new\":%" PRId64 ",\"duplicates\":%" PRId64
					  ",\"not_reproduced\":%" PRId64 ",\"waiting\":%" PRId64 "}}\n"
					: "%s: %s in %.1f s: %" PRId64 " new, %" PRId64 " duplicates, %" PRId64
					  " did not reproduce, %" PRId64 " still wait\n";
	printf(format, r->o->backend, ENDED[end], run->seconds, r->phases.found, run->duplicates, run->unconfirmed, r->summary.waiting);
}

static int run_with(options *o, campaign_options *c, store *s, arena *a)
{
	run_row run = {.backend = o->backend,
	    .framework = c->table->framework,
	    .seed = (uint64_t)o->gen.seed,
	    .next = (uint64_t)o->gen.first,
	    .versions = "{}"};
	tiers t;
	spent cpu = {0};
	session *r = calloc(1, sizeof *r); /* some paths long */
	if (!r)
		return fprintf(stderr, "error: out of memory\n"), EXIT_INPUT;
	*r = (session){.o = o, .c = c, .store = s, .arena = a, .phases = {.since = o->begun, .seconds = o->seconds, .drawn = o->begun}};
	set_deadline(r, true);
	c->worker.deadline = c->screen.deadline = &r->deadline;
	c->phases = &r->phases;
	r->warm = (judge){.options = c->worker, .screen = c->screen, .backend = o->backend, .memory_mib = o->memory, .tolerance = o->tolerance};
	c->warm = &r->warm;
	c->spent = &cpu;
	c->tiers = !o->command && strchr(o->backend, ',') && tiers_init(&t, o->backend) ? &t : NULL;
	r->summary.tiers = c->tiers;
	r->summary.cpu = &cpu;
	bool begun = false;
	enum campaign_end end = o->pending ? triage_pending(r, &run, &begun) : run_phases(r, &run, &begun);
	judge_close(&r->warm);
	show_error(r, end);
	if (begun && !pending_count(s, o->backend, &r->summary.waiting, &r->d))
		end = CAMPAIGN_INPUT;
	if (begun && o->pending)
		show_triage(r, &run, end);
	else if (begun && (end <= CAMPAIGN_SHORT || run.models > 0))
		show_summary(r, &run, end);
	int code = exit_code(end, r->phases.found, r->summary.waiting);
	free(r);
	return code;
}

static int open_and_run(options *o, const backend *b, const rs_table *table)
{
	diag d = {""};
	char scratch[PATH_MAX];
	int code = EXIT_INPUT, stop_fd = catch_signals();
	campaign_options c = campaign_of(o, b, table, stop_fd);
	versions whole, screen; /* compared separately: a library and its Python package may write one version differently */
	versions_init(&whole);
	versions_init(&screen);
	c.worker.versions = &whole;
	c.screen.versions = &screen;
	arena *a = arena_new();
	bool named = snprintf(o->samples, sizeof o->samples, "%s.excuses", o->db) < (int)sizeof o->samples;
	bool ready = a ? (!o->save_models || make_directories(o->save_models, &d)) && (named || diag_at(&d, o->db, 0, "the path is too long"))
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

/* Checks that a model can be generated, before a worker starts and a database is made. Returns an exit code. */
static int check_generator(const options *o, const rs_table *table)
{
	char message[512];
	const rs_gen_options wanted = gen_choice_options(&o->gen);
	rs_gen *gen = rs_gen_new(table, &wanted, message, sizeof message);
	rs_gen_free(gen);
	if (!gen && strcmp(message, "out of memory") == 0) {
		fputs("rulefuzz run: error: out of memory\n", stderr);
		return EXIT_INPUT;
	}
	return gen ? EXIT_CLEAN : usage_error("run", "%s", message);
}

static int find_and_run(options *o)
{
	diag d = {""};
	backend *b = malloc(sizeof *b); /* some paths long */
	o->asked = o->backend;
	if (!b || !backend_find(b, o->asked, o->command, o->python, &d)) {
		diag_memory(&d, b);
		fprintf(stderr, "rulefuzz run: %s\n", d.text);
		free(b);
		return diag_is_memory(&d) ? EXIT_INPUT : EXIT_BACKEND;
	}
	o->backend = b->name;
	o->settings = o->asked_settings == SETTINGS_UNTOLD ? b->settings.share : o->asked_settings;
	if (!o->gen.framework)
		o->gen.framework = b->framework;
	gen_choice_for_run(&o->gen);
	const rs_table *table = gen_choice_table(&o->gen);
	int code = table ? check_generator(o, table) : o->gen.status;
	if (code == EXIT_CLEAN)
		code = open_and_run(o, b, table);
	free(b);
	return code;
}

/* ---- several backends */

enum { MOST_BACKENDS = 64 };

/* Cuts the list at its commas. Returns the number of names, 0 after a message. */
static int split(char *list, char *names[MOST_BACKENDS])
{
	int n = 0;
	for (char *name = list, *rest; name; name = rest) {
		rest = strchr(name, ',');
		if (rest)
			*rest++ = '\0';
		if (n == MOST_BACKENDS || !*name) {
			usage_error("run", "--backend: expected up to %d names separated by commas", MOST_BACKENDS);
			return 0;
		}
		names[n++] = name;
	}
	return n;
}

/* Whether one worker may run both: they share an environment, and neither has a fast path. */
static bool share_worker(const package *p, const char *one, const char *other)
{
	target a, b;
	char of_a[128], of_b[128];
	diag d;
	if (!package_target(p, one, &a, &d) || !package_target(p, other, &b, &d))
		return false;
	target_environment(&a, of_a);
	target_environment(&b, of_b);
	return strcmp(a.framework, b.framework) == 0 && strcmp(of_a, of_b) == 0 && !*a.screen && !*b.screen;
}

/* Joins neighbours that share a worker: names[i] becomes "a,b", as in the list. Returns the number of groups. */
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

/* Whether a backend exists and runs models of the requested framework; else false after a message. */
static bool check_backend(const options *o, const package *p, const char *name)
{
	target t;
	diag d;
	if (!package_target(p, name, &t, &d)) {
		fprintf(stderr, "rulefuzz run: error: %s\n", diag_what(&d));
		return false;
	}
	if (o->python && *t.version) {
		usage_error("run", "--python: backend %s names a version, which has an environment of its own", name);
		return false;
	}
	if (o->gen.framework && strcmp(o->gen.framework, t.framework) != 0) {
		usage_error("run", "--framework %s: backend %s runs %s models", o->gen.framework, name, t.framework);
		return false;
	}
	return true;
}

/* Whether a list of names has one, in any version. */
static bool names_one(const char *list, const char *name)
{
	const size_t n = strlen(name);
	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, name, n) == 0 && strchr(",@", at[n]))
			return true;
	return false;
}

/* Adds one name of the list, behind the tiers of a backend that compiles several models as one. These have its version. */
static void add_tiers(const package *p, const char *list, const char *name, buf *to)
{
	target t;
	diag none;
	bool named = !package_target(p, name, &t, &none) || t.batch <= 1;
	for (int i = 0; !named && i < t.nbefore; i++)
		named = names_one(list, t.before[i]);
	for (int i = 0; !named && i < t.nbefore; i++)
		buf_printf(to, "%s%s,", t.before[i], strchr(name, '@') ? strchr(name, '@') : "");
	buf_puts(to, name);
}

/* The backends of --backend, with default tiers. To free(); NULL: out of memory. */
static char *with_tiers(const options *o)
{
	package p;
	diag none;
	buf all = {0};
	char *list = strdup(o->backend), *rest = list;
	bool found = list && package_find(&p, &none) && !o->no_tiers;
	for (char *name; found && (name = strsep(&rest, ","));) {
		if (name != list)
			buf_putc(&all, ',');
		add_tiers(&p, o->backend, name, &all);
	}
	if (!found)
		buf_puts(&all, o->backend);
	free(list);
	list = all.failed ? NULL : strdup(buf_text(&all));
	buf_free(&all);
	return list;
}

/* Cuts the list as split does, and checks the names. */
static int split_known(const options *o, char *list, char *names[MOST_BACKENDS])
{
	package p;
	diag none;
	int n = split(list, names);
	if (!package_find(&p, &none)) /* reported when the backend is to start */
		return n;
	for (int i = 0; i < n; i++)
		if (!check_backend(o, &p, names[i]))
			return 0;
	return n;
}

/* Whether the workers of all backends can be started, checked before the first one runs; else a message. */
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

int worse_exit(int a, int b)
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
	double end = o->begun + o->seconds;
	bool timed = o->seconds > 0;
	int code = EXIT_CLEAN;
	if (n > 1 && !all_there(o, names, n))
		return EXIT_BACKEND;
	for (int i = 0; i < n && !signal_came(); i++) {
		o->backend = names[i];
		o->gen.framework = framework;
		o->gen.features = features;
		o->begun = i ? clock_seconds() : o->begun;
		double left = (end - o->begun) / (n - i);
		o->seconds = timed ? left > 0.001 ? left : 0.001 : 0;
		code = worse_exit(code, find_and_run(o));
		fflush(stdout);
	}
	return code;
}

bool run_would_start(int argc, char **argv)
{
	options o;
	bool ok = parse_options(argc, argv, &o);
	char *names[MOST_BACKENDS], *list = ok && !o.help && !o.command ? with_tiers(&o) : NULL;
	ok = ok && (!list || split_known(&o, list, names) > 0);
	free(list);
	gen_choice_free(&o.gen);
	return ok;
}

int cmd_run(int argc, char **argv)
{
	options o;
	char *names[MOST_BACKENDS];
	if (!parse_options(argc, argv, &o)) {
		gen_choice_free(&o.gen);
		return EXIT_USAGE;
	}
	if (o.help)
		return help();
	char *list = o.command ? NULL : with_tiers(&o);
	int n = list ? split_known(&o, list, names) : 0;
	int code = list && n == 0 ? EXIT_USAGE : n > 0 ? run_each(&o, names, join_tiers(names, n)) : find_and_run(&o);
	free(list);
	gen_choice_free(&o.gen);
	return code;
}

int run_pending(const again_options *a, const char *backend, const char *framework, const pending_choice *choice)
{
	options o = default_options();
	o.gen.framework = framework;
	o.backend = backend;
	o.command = a->backend_command;
	o.python = a->python;
	o.db = a->db;
	o.timeout = a->timeout;
	o.memory = a->memory;
	o.seconds = choice->seconds;
	o.reduce = choice->reduce;
	o.jobs = choice->jobs;
	o.json = choice->json;
	o.pending = true;
	int code = gen_choice_finish("triage", &o.gen, NULL);
	code = code == EXIT_CLEAN ? find_and_run(&o) : code;
	gen_choice_free(&o.gen);
	return code;
}
