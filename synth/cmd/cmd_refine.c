/* rulesmith refine: asks a live framework what the records leave open. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <getopt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "json.h"
#include "venv.h"
#include "smith_commands.h"
#include "crew.h"
#include "family.h"
#include "functions.h"
#include "oracle.h"
#include "inquiry.h"

static const char HELP[] =
    "usage: rulesmith refine --oracle FRAMEWORK|COMMAND --traces DIR [OPTION…]\n\n"
    "Where readings of about equal cost agree with an operator's records and differ elsewhere, asks the live\n"
    "framework about an input that tells them apart, found by trial or by Z3, and about inputs at borders\n"
    "(zero-size, dimension 1, negative and large numbers). Answers that the rule did not foretell, and some\n"
    "that refute another reading, become records; then the API is solved again. Ends when nothing is left\n"
    "to tell apart in dimensions 0..64 and attributes -3..64, or with the rounds or the budget.\n\n"
    "  --oracle F     a framework that `make backends` installed, or a command that answers JSON lines\n"
    "  --traces DIR   the folder of its record files\n"
    "  --op GLOB      only APIs of which an operator's name matches\n"
    "  --rounds N     times an API is solved and asked about (default 4)\n"
    "  --budget N     questions for each operator, all rounds together (default 200)\n"
    "  --seed N       other questions (default 1)\n"
    "  -j N           threads, each with an oracle of its own (default 2)\n"
    "  --cache DIR    of rulesmith synth: operators solved already\n"
    "  --report FILE  JSON lines: what became of each operator\n"
    "  --help\n\n"
    "The oracle writes the records after each API, so a run that is stopped loses only the APIs in work.\n"
    "Exit codes: 0; 1 bad input; 2 usage; 5 the oracle is missing or does not stay alive.\n";

enum {
	MAX_OFFERS = 48,
	SILENCE = 300, /* seconds without an answer: the oracle bounds its calls itself, so it hangs */
};

typedef struct job {
	const char *oracle, *traces, *report;
	char *command;
	int rounds, budget;
	uint64_t seed;
	crew_options crew;
} job;

typedef struct group {
	int from, n; /* of the records */
	bool chosen;
} group;

typedef struct session {
	const job *job;
	records *records;
	const crew_result *solved;
	functions *library;
	group *groups;
	int ngroups, noperators; /* chosen */
	tally *tallies; /* one for each operator of the records */
	char **open;	/* and what is open of it, as JSON */
	pthread_mutex_t lock; /* of what follows */
	tally sum;
	long files;
	atomic_bool failed;
	bool refused; /* failed because the oracle would not keep or save */
	diag why;
	atomic_int next, done;
} session;

/* What one thread has. */
typedef struct asker {
	session *s;
	oracle *oracle;
	prover *prover, *finder;
} asker;

/* ---- the API in work */

typedef struct offers {
	const expr *list[MAX_OFFERS];
	int where[MAX_OFFERS]; /* the output, or -1: a clause */
	int n;
} offers;

typedef struct unit {
	asker *a;
	family family; /* the rules in force */
	inquiry *inquiries;
	offers *offers;
	int n, from;
} unit;

static void offer(offers *o, int where, const expr *e)
{
	for (int k = 0; k < o->n; k++)
		if (o->where[k] == where && o->list[k] == e)
			return;
	if (o->n == MAX_OFFERS)
		return;
	o->list[o->n] = e;
	o->where[o->n++] = where;
}

static void offer_output(void *user, int i, int d, const expr *e)
{
	offer(&((unit *)user)->offers[i], d, e);
}

/* The rule as `synth` finds it, siblings and all. */
static void take_solved(family *f, int i, const solved *s)
{
	const operator *op = f->solvers[i].op;
	rule *r = &f->rules[i];
	r->why = s->why;
	if (s->why)
		return;
	r->nclauses = s->nvalid;
	r->clauses = ARENA_ARRAY(f->memory, const expr *, s->nvalid + 1);
	for (int d = 0; d < s->nodim; d++)
		r->out[d] = expr_parse(f->pool, s->out[d], op->nsym, op->path, op->line, NULL);
	for (int k = 0; k < s->nvalid; k++)
		r->clauses[k] = expr_parse(f->pool, s->valid[k], op->nsym, op->path, op->line, NULL);
}

static void start(unit *u)
{
	const operator **ops = calloc((size_t)u->n + 1, sizeof *ops);
	family *f = &u->family;
	for (int i = 0; i < u->n; i++)
		ops[i] = u->inquiries[i].op;
	family_start(f, ops, u->n, &u->a->s->job->crew.search);
	f->offer = offer_output;
	f->user = u;
	free(ops);
	memset(u->offers, 0, sizeof *u->offers * (size_t)u->n);
}

static void solve(unit *u)
{
	family *f = &u->family;
	family_free(f);
	start(u);
	family_shapes(f);
	family_improve(f, u->a->s->library);
	family_clauses(f);
	for (int i = 0; i < u->n; i++)
		if (!f->rules[i].why)
			drop_implied(f->solvers[i].op, f->pool, u->a->prover, &f->rules[i]);
}

static int prepare(unit *u, int round)
{
	family *f = &u->family;
	const session *s = u->a->s;
	int questions = 0;
	for (int i = 0; i < u->n; i++) {
		inquiry *q = &u->inquiries[i];
		const offers *o = &u->offers[i];
		q->nquestions = 0;
		if (f->rules[i].why)
			continue;
		inquiry_prepare(q, &f->rules[i], f->pool, f->scratch, u->a->finder, round, round + 1 == s->job->rounds, o->list,
		    o->where, o->n);
		questions += q->nquestions;
	}
	return questions;
}

/* ---- questions and answers */

typedef struct exchange {
	question **questions;
	const inquiry **of;
	char **lines;
	int n;
	long errors;
	char first[200]; /* error */
} exchange;

static void add_numbers(buf *to, const int64_t *x, int n)
{
	buf_putc(to, '[');
	for (int i = 0; i < n; i++) {
		if (i)
			buf_putc(to, ',');
		buf_int(to, x[i]);
	}
	buf_putc(to, ']');
}

static char *question_line(const inquiry *q, const question *k)
{
	buf b = {0};
	buf_puts(&b, "{\"op\":");
	buf_json(&b, q->op->name);
	buf_puts(&b, ",\"in\":");
	add_numbers(&b, k->in, q->op->nsym);
	buf_putc(&b, '}');
	return b.text;
}

static bool read_outputs(const cJSON *out, int n, int64_t *to)
{
	if (!cJSON_IsArray(out) || cJSON_GetArraySize(out) != n)
		return false;
	const cJSON *item = out->child;
	for (int d = 0; d < n; d++, item = item->next)
		if (json_int64(item, &to[d]) != JSON_INT || to[d] < 0)
			return false;
	return true;
}

static void note_error(exchange *x, const cJSON *answer)
{
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	if (!x->errors++ || !*x->first)
		snprintf(x->first, sizeof x->first, "%s", cJSON_IsString(error) ? error->valuestring : "an answer without outcome");
}

/* A call that returns other types than the operator's is refused as this operator's call. */
static bool take_answer(void *user, int line, const cJSON *answer, diag *d)
{
	exchange *x = user;
	question *k = x->questions[line];
	const cJSON *outcome = answer ? cJSON_GetObjectItemCaseSensitive(answer, "outcome") : NULL;
	const char *what = cJSON_IsString(outcome) ? outcome->valuestring : "";
	if (strcmp(what, "fail") == 0 || strcmp(what, "other") == 0)
		k->outcome = FAILED;
	else if (strcmp(what, "pass") == 0) /* dimensions that are no dimensions decide nothing */
		k->outcome = read_outputs(cJSON_GetObjectItemCaseSensitive(answer, "out"), x->of[line]->op->nodim, k->out) ? PASSED : UNDECIDED;
	else if (answer && strcmp(what, "mixed") != 0 && strcmp(what, "lost") != 0)
		note_error(x, answer);
	(void)d;
	return true;
}

static bool give_up(session *s, const diag *d, bool refused)
{
	pthread_mutex_lock(&s->lock);
	if (!s->failed)
		s->why = *d;
	s->failed = true;
	s->refused = refused;
	pthread_mutex_unlock(&s->lock);
	return false;
}

static bool ask_all(unit *u, int count)
{
	asker *a = u->a;
	diag d;
	exchange x = {.questions = calloc((size_t)count + 1, sizeof *x.questions),
	    .of = calloc((size_t)count + 1, sizeof *x.of), .lines = calloc((size_t)count + 1, sizeof *x.lines)};
	for (int i = 0; i < u->n; i++)
		for (int k = 0; k < u->inquiries[i].nquestions; k++) {
			inquiry *q = &u->inquiries[i];
			x.questions[x.n] = &q->questions[q->nall - q->nquestions + k];
			x.of[x.n] = q;
			x.lines[x.n] = question_line(x.of[x.n], x.questions[x.n]);
			x.n++;
		}
	bool ok = oracle_ask(a->oracle, (const char *const *)x.lines, x.n, false, take_answer, &x, &d) || give_up(a->s, &d, false);
	if (x.errors)
		fprintf(stderr, "refine: warning: %s: the oracle refused %ld questions: %s\n", u->inquiries[0].op->api, x.errors, x.first);
	for (int k = 0; k < x.n; k++)
		free(x.lines[k]);
	free(x.lines);
	free(x.questions);
	free(x.of);
	return ok;
}

/* ---- what is kept */

static char *keep_line(const inquiry *q)
{
	buf b = {0};
	const operator *op = q->op;
	buf_puts(&b, "{\"keep\":");
	buf_json(&b, op->name);
	for (int failed = 0; failed < 2; failed++) {
		bool first = true;
		buf_puts(&b, failed ? ",\"fail\":[" : ",\"pass\":[");
		for (int k = 0; k < q->nkept; k++) {
			if (q->kept[k].passed == (failed == 1))
				continue;
			buf_puts(&b, first ? "" : ",");
			first = false;
			if (!failed)
				buf_putc(&b, '[');
			add_numbers(&b, q->kept[k].row, op->nsym);
			if (!failed) {
				buf_putc(&b, ',');
				add_numbers(&b, q->kept[k].row + op->nsym, op->nodim);
				buf_putc(&b, ']');
			}
		}
		buf_putc(&b, ']');
	}
	buf_putc(&b, '}');
	return b.text;
}

typedef struct saving {
	long files;
	char error[200];
} saving;

static bool take_saved(void *user, int line, const cJSON *answer, diag *d)
{
	saving *v = user;
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(answer, "error");
	const cJSON *files = cJSON_GetObjectItemCaseSensitive(answer, "saved");
	(void)line, (void)d;
	if (cJSON_IsString(error))
		snprintf(v->error, sizeof v->error, "%s", error->valuestring);
	if (cJSON_IsNumber(files))
		v->files = files->valueint;
	return true;
}

static bool save(unit *u)
{
	char **lines = calloc((size_t)u->n + 1, sizeof *lines);
	int n = 0;
	diag d;
	saving v = {0};
	bool ok = true;
	for (int i = 0; i < u->n; i++)
		if (u->inquiries[i].nkept)
			lines[n++] = keep_line(&u->inquiries[i]);
	if (n) {
		lines[n++] = strdup("{\"save\":true}");
		ok = oracle_ask(u->a->oracle, (const char *const *)lines, n, true, take_saved, &v, &d) || give_up(u->a->s, &d, false);
	}
	if (ok && *v.error) {
		diag_set(&d, "the oracle kept nothing of %s: %s", u->inquiries[0].op->api, v.error);
		ok = give_up(u->a->s, &d, true);
	}
	pthread_mutex_lock(&u->a->s->lock);
	u->a->s->files += v.files;
	pthread_mutex_unlock(&u->a->s->lock);
	for (int k = 0; k < n; k++)
		free(lines[k]);
	free(lines);
	return ok;
}

/* ---- one API */

/* Asks once, and solves again when an answer was not foretold. False when nothing is left to ask, or the oracle gave up. */
static bool visit_once(unit *u, int round)
{
	bool more = false;
	long wrong = 0;
	int count = prepare(u, round);
	if (count && !ask_all(u, count))
		return false;
	for (int i = 0; i < u->n; i++) {
		inquiry *q = &u->inquiries[i];
		long before = q->tally.wrong;
		if (!q->nquestions)
			continue;
		inquiry_learn(q);
		wrong += q->tally.wrong - before;
		more |= q->stage != FINISHED;
	}
	if (wrong && round + 1 < u->a->s->job->rounds)
		solve(u);
	return more;
}

static void add_tally(tally *to, const tally *t)
{
	to->questions += t->questions;
	to->lost += t->lost;
	to->wrong += t->wrong;
	to->killed += t->killed;
	to->proved += t->proved;
	to->open += t->open;
	to->kept += t->kept;
}

static void visit(asker *a, const group *g)
{
	session *s = a->s;
	unit u = {.a = a, .n = g->n, .from = g->from, .inquiries = calloc((size_t)g->n + 1, sizeof *u.inquiries),
	    .offers = calloc((size_t)g->n + 1, sizeof *u.offers)};
	for (int i = 0; i < g->n; i++)
		inquiry_start(&u.inquiries[i], &s->records->ops[g->from + i], s->job->budget, s->job->seed);
	start(&u);
	for (int i = 0; i < g->n; i++)
		take_solved(&u.family, i, &s->solved->results[g->from + i]);
	for (int round = 0; round < s->job->rounds && visit_once(&u, round); round++)
		;
	family_free(&u.family);
	if (!s->failed)
		save(&u);
	pthread_mutex_lock(&s->lock);
	for (int i = 0; i < g->n; i++) {
		s->tallies[g->from + i] = u.inquiries[i].tally;
		s->open[g->from + i] = strdup(u.inquiries[i].open.text ? u.inquiries[i].open.text : "");
		add_tally(&s->sum, &u.inquiries[i].tally);
	}
	pthread_mutex_unlock(&s->lock);
	for (int i = 0; i < g->n; i++)
		inquiry_free(&u.inquiries[i]);
	free(u.inquiries);
	free(u.offers);
}

/* ---- all APIs */

static void progress(session *s, int done)
{
	pthread_mutex_lock(&s->lock);
	fprintf(stderr, "\rrefine: API %d/%d  %ld asked  %ld wrong  %ld open   %s", done, s->ngroups, s->sum.questions, s->sum.wrong,
	    s->sum.open, done == s->ngroups ? "\n" : "");
	pthread_mutex_unlock(&s->lock);
}

static void *work(void *argument)
{
	asker a = {.s = argument};
	session *s = a.s;
	a.oracle = oracle_new(&(oracle_options){.command = s->job->command, .silence = SILENCE, .restarts = true});
	a.prover = prover_new();
	a.finder = prover_new_finder();
	for (int k; !s->failed && (k = atomic_fetch_add(&s->next, 1)) < s->ngroups;) {
		visit(&a, &s->groups[k]);
		int done = atomic_fetch_add(&s->done, 1) + 1;
		if (isatty(2))
			progress(s, done);
	}
	prover_free(a.prover);
	prover_free(a.finder);
	oracle_free(a.oracle);
	return NULL;
}

static void run_threads(session *s)
{
	int n = s->job->crew.threads;
	pthread_t *threads = calloc((size_t)n, sizeof *threads);
	bool *started = calloc((size_t)n, sizeof *started);
	for (int i = 1; i < n; i++)
		started[i] = pthread_create(&threads[i], NULL, work, s) == 0;
	work(s);
	for (int i = 1; i < n; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
	free(started);
	free(threads);
}

/* Operators are in the order of names, so those of one API are neighbours. */
static void make_groups(session *s)
{
	const crew_result *c = s->solved;
	s->groups = calloc((size_t)c->n + 1, sizeof *s->groups);
	s->tallies = calloc((size_t)c->n + 1, sizeof *s->tallies);
	s->open = calloc((size_t)c->n + 1, sizeof *s->open);
	for (int k = 0; k < c->n; k++) {
		const operator *op = &s->records->ops[k];
		const char *glob = s->job->crew.glob;
		if (k == 0 || strcmp(op->api, s->records->ops[k - 1].api) != 0)
			s->groups[s->ngroups++] = (group){.from = k};
		group *g = &s->groups[s->ngroups - 1];
		g->n++;
		g->chosen |= !glob || fnmatch(glob, op->name, 0) == 0;
	}
	int n = 0;
	for (int k = 0; k < s->ngroups; k++)
		if (s->groups[k].chosen) {
			s->noperators += s->groups[k].n;
			s->groups[n++] = s->groups[k];
		}
	s->ngroups = n;
}

static bool write_report(const session *s, diag *d)
{
	buf text = {0};
	for (int g = 0; g < s->ngroups; g++)
		for (int k = s->groups[g].from; k < s->groups[g].from + s->groups[g].n; k++) {
			const tally *t = &s->tallies[k];
			buf_puts(&text, "{\"op\":");
			buf_json(&text, s->records->ops[k].name);
			buf_printf(&text,
			    ",\"questions\":%ld,\"undecided\":%ld,\"wrong\":%ld,\"refuted\":%ld,\"proved\":%ld,\"kept\":%ld,"
			    "\"open\":%ld,\"rivals\":[%s]}\n",
			    t->questions, t->lost, t->wrong, t->killed, t->proved, t->kept, t->open, s->open[k] ? s->open[k] : "");
		}
	bool ok = !text.failed || diag_set(d, "out of memory for the report");
	ok = ok && file_write(s->job->report, text.length ? text.text : "", text.length, d);
	buf_free(&text);
	return ok;
}

static int refine(const job *j, records *r)
{
	diag d;
	double start = clock_seconds();
	crew_options all = j->crew;
	all.glob = NULL;
	crew_result solved = crew_solve(r, &all); /* what others found is part of what is asked about */
	session s = {.job = j, .records = r, .solved = &solved};
	s.library = functions_mine(r, solved.todo, solved.n, solved.results);
	pthread_mutex_init(&s.lock, NULL);
	make_groups(&s);
	if (s.ngroups == 0) {
		diag_set(&s.why, "no operator matches '%s'", j->crew.glob ? j->crew.glob : "*");
		s.failed = s.refused = true;
	}
	run_threads(&s);
	const tally *t = &s.sum;
	fprintf(stderr,
	    "refine: %d APIs, %d operators: %ld questions (%ld undecided), %ld not as the rules said; %ld rivals refuted, %ld "
	    "proved to agree on the box, %ld open; %ld records kept in %ld files; %.1f s\n",
	    s.ngroups, s.noperators, t->questions, t->lost, t->wrong, t->killed, t->proved, t->open, t->kept, s.files, clock_seconds() - start);
	int code = s.failed ? (s.refused ? 1 : 5) : 0;
	if (s.failed)
		fprintf(stderr, "%s\n", s.why.text);
	if (j->report && !write_report(&s, &d)) {
		fprintf(stderr, "%s\n", d.text);
		code = code ? code : 1;
	}
	functions_free(s.library);
	pthread_mutex_destroy(&s.lock);
	for (int k = 0; k < r->n; k++)
		free(s.open[k]);
	free(s.open);
	free(s.groups);
	free(s.tallies);
	crew_free(&solved, r);
	return code;
}

/* ---- the command */

static int usage(const char *what, const char *value)
{
	fprintf(stderr, "rulesmith refine: error: %s%s; try 'rulesmith refine --help'\n", what, value);
	return 2;
}

/* A number within bounds; false otherwise. */
static bool number(const char *text, long low, long high, long *to)
{
	char *end;
	errno = 0;
	*to = strtol(text, &end, 10);
	return !errno && end != text && !*end && *to >= low && *to <= high;
}

static int parse_options(job *j, int argc, char **argv)
{
	static const struct option LONG[] = {{"oracle", required_argument, 0, 'o'}, {"traces", required_argument, 0, 't'},
	    {"op", required_argument, 0, 'p'}, {"rounds", required_argument, 0, 'r'}, {"budget", required_argument, 0, 'b'},
	    {"seed", required_argument, 0, 's'}, {"cache", required_argument, 0, 'c'}, {"report", required_argument, 0, 'w'},
	    {"help", no_argument, 0, 'h'}, {0}};
	long n;
	for (int o; (o = getopt_long(argc, argv, "j:h", LONG, NULL)) != -1;) {
		switch (o) {
		case 'o':
			j->oracle = optarg;
			break;
		case 't':
			if (j->traces)
				return usage("--traces takes one folder, not also ", optarg);
			j->traces = optarg;
			break;
		case 'p':
			j->crew.glob = optarg;
			break;
		case 'c':
			j->crew.cache = optarg;
			break;
		case 'w':
			j->report = optarg;
			break;
		case 'r':
			if (!number(optarg, 1, 100, &n))
				return usage("--rounds takes 1 to 100, not ", optarg);
			j->rounds = (int)n;
			break;
		case 'b':
			if (!number(optarg, 1, 1000000, &n))
				return usage("--budget takes 1 to 1000000, not ", optarg);
			j->budget = (int)n;
			break;
		case 's':
			if (!number(optarg, 0, 2147483647, &n))
				return usage("--seed takes 0 to 2147483647, not ", optarg);
			j->seed = (uint64_t)n;
			break;
		case 'j':
			if (!number(optarg, 1, 64, &n))
				return usage("-j takes a number of threads from 1 to 64, not ", optarg);
			j->crew.threads = (int)n;
			break;
		case 'h':
			fputs(HELP, stdout);
			return 0;
		default:
			return usage("unknown option", "");
		}
	}
	if (optind < argc)
		return usage("unexpected argument ", argv[optind]);
	return j->oracle && j->traces ? -1 : usage("--oracle and --traces are needed", "");
}

static void add_quoted(buf *to, const char *text)
{
	buf_putc(to, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_puts(to, "'\\''");
		else
			buf_putc(to, *text);
	buf_putc(to, '\'');
}

/* The command of an installed framework; any other oracle is a command already. NULL and a message when the framework
 * is not installed. */
static char *oracle_command(const job *j)
{
	const char *c = j->oracle;
	char python[PATH_MAX];
	buf b = {0};
	diag d = {""};
	while (isalnum((unsigned char)*c) || *c == '_')
		c++;
	if (*c || c == j->oracle)
		return strdup(j->oracle);
	if (!venv_python(python, j->oracle, &d)) {
		fprintf(stderr, "%s\n", d.text);
	} else if (access(python, X_OK) == 0) {
		buf_puts(&b, "exec ");
		add_quoted(&b, python);
		buf_printf(&b, " -m traces.collect.cli.ask %s --traces ", j->oracle);
		add_quoted(&b, j->traces);
	} else {
		fprintf(stderr, "error: %s is not installed (no %s); run 'make backends FRAMEWORK=%s'\n", j->oracle, python, j->oracle);
	}
	return b.text;
}

static void report(const diag *d, void *user)
{
	(void)user;
	fprintf(stderr, "%s\n", d->text);
}

int cmd_refine(int argc, char **argv)
{
	job j = {.rounds = 4, .budget = 200, .seed = 1, .crew.threads = 2};
	int code = parse_options(&j, argc, argv);
	if (code >= 0)
		return code;
	j.command = oracle_command(&j);
	if (!j.command)
		return 5;
	records r;
	code = records_read(&r, &j.traces, 1, report, NULL) ? refine(&j, &r) : 1;
	records_free(&r);
	free(j.command);
	return code;
}
