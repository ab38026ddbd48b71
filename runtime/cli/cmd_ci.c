/* rulefuzz ci: one command for a job: rechecks findings, fuzzes, writes the reports. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "cmd_run.h"
#include "commands.h"
#include "digest.h"
#include "escape.h"
#include "file.h"
#include "report_files.h"
#include "room.h"
#include "signals.h"

static int help(void)
{
	puts("usage: rulefuzz ci --backend B [--time T] [--db FILE] [--out DIR] [--baseline] [option of `run`…]\n\n"
	     "One command for a CI job. It rechecks the findings in FILE, runs the models of earlier jobs that\n"
	     "reached something new, fuzzes as `rulefuzz run` does, and writes reports to DIR: report.html,\n"
	     "summary.md, junit.xml, rulefuzz.sarif and scripts/ID.py. If GITHUB_STEP_SUMMARY names a file, the\n"
	     "summary is appended to it. Keep FILE, FILE.models and the user's cache from job to job.\n"
	     "docs/guides/ci.md has the details.\n\n"
	     "  --backend B,…   backends, as listed by `rulefuzz backends`\n"
	     "  --time T        total time (default 60s); rechecks take a quarter of it at most, longest\n"
	     "                  unchecked first; all work ends 3 s after it\n"
	     "  --db FILE       findings and runs (default rulefuzz.db)\n"
	     "  --out DIR       the reports (default rulefuzz-report)\n"
	     "  --baseline      accept all findings of this job: mark open ones known, exit 0. For the first\n"
	     "                  job of a repository\n"
	     "  --corpus DIR    the models that are kept (default FILE.models)\n"
	     "  --seed S        seed of the models (default: another one in each job, from FILE)\n"
	     "  --no-recheck    do not recheck findings\n"
	     "  and every option of `rulefuzz run`\n\n"
	     "Exit codes: 0 nothing new (known bugs keep a job green, also when they are seen again); 3 a new\n"
	     "finding, or a fixed one regressed; 4 stopped before the budget was used, nothing new; 5 the worker\n"
	     "cannot start; 1 bad input or I/O; 2 usage. The reports are written in all cases except 2.");
	return EXIT_CLEAN;
}

typedef struct job {
	char **argv; /* of `run` */
	int argc;
	const char *db, *out, *backend, *seed, *corpus, *time, *python, *command, *timeout, *memory;
	bool resume, no_recheck, baseline, help;
	digest_mark before;
	arena *arena;
} job;

/* ---- options: those of ci are removed, the others are passed to run */

/* The value of --NAME VALUE or --NAME=VALUE at argv[*i], and advances *i to it; NULL: it is another option. */
static const char *value_of(const char *name, char **argv, int argc, int *i)
{
	size_t n = strlen(name);
	if (strncmp(argv[*i], name, n) != 0)
		return NULL;
	if (argv[*i][n] == '=')
		return argv[*i] + n + 1;
	return !argv[*i][n] && *i + 1 < argc ? argv[++*i] : NULL;
}

/* Reads an option that `run` has, too, and passes it on. */
static bool take_shared(job *j, char **argv, int argc, int *i)
{
	const struct {
		const char *name, **to;
	} SHARED[] = {{"--db", &j->db}, {"--backend", &j->backend}, {"--seed", &j->seed}, {"--corpus", &j->corpus},
	    {"--time", &j->time}, {"--python", &j->python}, {"--backend-command", &j->command},
	    {"--timeout", &j->timeout}, {"--memory", &j->memory}};
	int first = *i;
	for (size_t k = 0; k < sizeof SHARED / sizeof *SHARED; k++) {
		const char *value = value_of(SHARED[k].name, argv, argc, i);
		if (!value)
			continue;
		*SHARED[k].to = value;
		for (; first <= *i; first++)
			j->argv[j->argc++] = argv[first];
		return true;
	}
	return false;
}

static void take_all(job *j, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *out = value_of("--out", argv, argc, &i);
		if (out) {
			j->out = out;
		} else if (strcmp(argv[i], "--no-recheck") == 0) {
			j->no_recheck = true;
		} else if (strcmp(argv[i], "--baseline") == 0) {
			j->baseline = true;
		} else if (strcmp(argv[i], "--help") == 0) {
			j->help = true;
		} else if (!take_shared(j, argv, argc, &i)) {
			j->resume |= strcmp(argv[i], "--resume") == 0;
			j->argv[j->argc++] = argv[i];
		}
	}
}

/* ---- before */

static void pass(job *j, const char *option, const char *value)
{
	j->argv[j->argc++] = (char *)option; /* run changes only the value of --backend, in a copy */
	j->argv[j->argc++] = (char *)value;
}

/* Reads the state of the database, and sets the options that depend on it. */
static bool look(job *j, diag *d)
{
	store *s = store_open(j->db, true, d);
	bool ok = s && digest_take(&j->before, s, j->arena, d);
	store_close(s);
	if (!ok)
		return false;
	j->before.baseline = j->baseline;
	const char *seed = arena_printf(j->arena, "%" PRId64, j->before.last_run + 1);
	const char *models = arena_printf(j->arena, "%s.models", j->db);
	if (!seed || !models)
		return diag_set(d, "out of memory");
	if (!j->seed && !j->resume)
		pass(j, "--seed", seed);
	if (!j->corpus)
		pass(j, "--corpus", models);
	return true;
}

/* ---- findings again */

enum { AT_ONCE = 25 /* findings by one worker between two checks of the time */ };

typedef struct turn { /* a finding to recheck */
	int64_t id;
	char checked[24];
} turn;

typedef struct queue {
	const job *j;
	turn *turns;
	int n;
	size_t room;
	bool failed;
} queue;

static bool is_ours(const char *list, const char *backend)
{
	size_t n = strlen(backend);
	for (const char *at = list; (at = strstr(at, backend)) != NULL; at++)
		if ((at == list || at[-1] == ',') && (at[n] == ',' || !at[n]))
			return true;
	return false;
}

static bool queue_up(void *context, const finding *f)
{
	queue *q = context;
	enum status s = status_parse(f->status);
	if (status_is_dismissed(s) || !is_ours(q->j->backend, f->backend))
		return true;
	turn *turns = room_for_one(q->turns, (size_t)q->n, &q->room, sizeof *turns);
	q->failed = !turns;
	if (!turns)
		return false;
	q->turns = turns;
	q->turns[q->n].id = f->id;
	snprintf(q->turns[q->n++].checked, sizeof q->turns->checked, "%s", f->checked);
	return true;
}

static int by_turn(const void *a, const void *b)
{
	const turn *x = a, *y = b;
	int order = strcmp(x->checked, y->checked);
	return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* Runs `rulefuzz recheck` on some of them. */
static int recheck_some(const job *j, const turn *turns, int n, double seconds)
{
	char ids[AT_ONCE][24], time[32];
	const char *argv[AT_ONCE + 16] = {"recheck", "--db", j->db, "--time", time};
	int argc = 5;
	snprintf(time, sizeof time, "%.3f", seconds > 0.001 ? seconds : 0.001);
	const struct {
		const char *option, *value;
	} PASSED[] = {{"--python", j->python}, {"--backend-command", j->command}, {"--timeout", j->timeout}, {"--memory", j->memory}};
	for (size_t i = 0; i < sizeof PASSED / sizeof *PASSED; i++)
		if (PASSED[i].value) {
			argv[argc++] = PASSED[i].option;
			argv[argc++] = PASSED[i].value;
		}
	for (int i = 0; i < n; i++) {
		snprintf(ids[i], sizeof ids[i], "%" PRId64, turns[i].id);
		argv[argc++] = ids[i];
	}
	return cmd_recheck(argc, (char **)argv);
}

/* Rechecks the findings of this job's backends, longest unchecked first, while there is time. Returns CLEAN, or an exit code that
 * ends the job. */
static int recheck_all(const job *j, double seconds, diag *d)
{
	queue q = {.j = j};
	double start = clock_seconds();
	int code = EXIT_CLEAN;
	store *s = store_open(j->db, false, d);
	bool ok = s && store_each(s, queue_up, &q, d) && diag_memory(d, !q.failed);
	store_close(s);
	if (ok && q.n)
		qsort(q.turns, (size_t)q.n, sizeof *q.turns, by_turn);
	for (int i = 0; ok && i < q.n && code == EXIT_CLEAN && (i == 0 || clock_seconds() - start < seconds); i += AT_ONCE) {
		code = recheck_some(j, q.turns + i, q.n - i < AT_ONCE ? q.n - i : AT_ONCE, seconds - (clock_seconds() - start));
		code = code == EXIT_PARTIAL && !signal_came() ? EXIT_CLEAN : code; /* its time was up */
		code = code == EXIT_CHECK ? EXIT_CLEAN : code; /* the reports show a regressed one */
		fflush(stdout);
	}
	free(q.turns);
	return ok ? code : EXIT_INPUT;
}

/* ---- after */

static const char *trouble_of(int code)
{
	if (code == EXIT_BACKEND)
		return "a backend is missing, or its worker cannot start: see the job's log";
	return code == EXIT_INPUT ? "bad input, or a file or the database failed: see the job's log" : "";
}

/* A line for each change, and the totals. */
static void print_changes(const digest *g, const char *out)
{
	buf line = {0};
	for (int i = 0; i < g->nentries; i++) {
		const digest_entry *e = &g->entries[i];
		if (e->change == CHANGE_UNCHANGED || e->change == CHANGE_CLOSED)
			continue;
		buf_clear(&line);
		escape_terminal(&line, e->f.title, false);
		printf("%s: finding %" PRId64 ": %s\n", change_name(e->change), e->f.id, buf_text(&line));
	}
	buf_clear(&line);
	digest_changes(g, &line);
	printf("ci: %s; %s/report.html\n", buf_text(&line), out);
	buf_free(&line);
}

/* The exit code of the job: a regressed bug is as bad as a new one. */
static int code_of(int code, const digest *g)
{
	bool worse = g->counts[CHANGE_NEW] + g->counts[CHANGE_REGRESSED] > 0;
	return worse && (code == EXIT_CLEAN || code == EXIT_PARTIAL) ? EXIT_CHECK : code;
}

static bool accept_all(const job *j, store *s, diag *d)
{
	int64_t n = 0;
	if (!j->baseline)
		return true;
	if (!store_baseline(s, &n, d))
		return false;
	printf("baseline: %" PRId64 " open %s marked known\n", n, n == 1 ? "finding" : "findings");
	return true;
}

static int report(job *j, int code)
{
	diag d = {""};
	digest g;
	store *s = store_open(j->db, false, &d);
	bool ok = s && accept_all(j, s, &d) && digest_make(&g, s, &j->before, j->arena, &d);
	if (ok) {
		code = code == EXIT_CHECK && j->baseline ? EXIT_CLEAN : code;
		g.backends = j->backend;
		g.trouble = trouble_of(code);
		g.exit_code = code = code_of(code, &g);
		ok = report_files_write(&g, j->out, j->arena, &d);
	}
	if (ok)
		print_changes(&g, j->out);
	else
		fprintf(stderr, "rulefuzz ci: %s\n", d.text);
	store_close(s);
	return ok ? code : EXIT_INPUT;
}

/* Checks before the job that the reports can be written. */
static bool can_report(const job *j)
{
	diag d = {""};
	if (make_directories(j->out, &d) && access(j->out, W_OK | X_OK) == 0)
		return true;
	usage_error("ci", "--out: cannot write to the folder '%s': %s", j->out, *d.text ? diag_what(&d) : strerror(errno));
	return false;
}

/* Whether a number of models, not time, ends `run`. */
static bool counts_models(const job *j)
{
	bool count = false, time = false;
	for (int i = 1; i < j->argc; i++) {
		count |= strncmp(j->argv[i], "--count", 7) == 0;
		time |= strncmp(j->argv[i], "--time", 6) == 0 && (j->argv[i][6] == '=' || !j->argv[i][6]);
	}
	return count && !time;
}

static int work(job *j)
{
	diag d = {""};
	double seconds, start = clock_seconds();
	if (!parse_time("ci", "--time", j->time, &seconds) || !run_would_start(j->argc, j->argv))
		return EXIT_USAGE;
	if (!can_report(j))
		return EXIT_USAGE;
	if (!look(j, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return EXIT_INPUT;
	}
	int code = j->no_recheck ? EXIT_CLEAN : recheck_all(j, seconds / 4, &d);
	if (d.text[0])
		fprintf(stderr, "%s\n", d.text);
	double left = seconds - (clock_seconds() - start);
	const char *rest = arena_printf(j->arena, "%.3f", left > 0.001 ? left : 0.001);
	if (code == EXIT_CLEAN && rest && !counts_models(j)) /* the last --time counts */
		pass(j, "--time", rest);
	if (code == EXIT_CLEAN)
		code = cmd_run(j->argc, j->argv);
	return code == EXIT_USAGE ? code : report(j, code);
}

int cmd_ci(int argc, char **argv)
{
	job j = {.db = "rulefuzz.db", .out = "rulefuzz-report", .time = "60s", .argc = 1, .arena = arena_new()};
	j.argv = calloc((size_t)argc + 7, sizeof *j.argv);
	if (!j.argv || !j.arena) {
		fprintf(stderr, "rulefuzz ci: error: out of memory\n");
		return EXIT_INPUT;
	}
	j.argv[0] = argv[0];
	take_all(&j, argc, argv);
	int code = j.help ? help() : j.backend ? work(&j) : usage_error("ci", "--backend is missing");
	free(j.argv);
	arena_free(j.arena);
	return code;
}
