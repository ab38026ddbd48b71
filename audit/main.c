/* build/audit-c: checks the generated C against rules.jsonl. */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "equal.h"
#include "judge.h"
#include "memory.h"
#include "names.h"
#include "rules.h"
#include "shown.h"
#include "tabletext.h"

enum { VERSION = 2, BATCH = 24, LINE = 1200, FOLDERS = 16 };

typedef struct options {
	const char *rules, *generated, *include, *certificate, *check, *cache, *only, *library, *traces[FOLDERS];
	unsigned ntraces;
	int jobs;
} options;

typedef struct file {
	char folder[256], name[256];
	uint64_t hash;
} file;

/* A generated function and the part of a rule that it implements. */
typedef struct unit {
	const char *function;
	const audited_rule *rule;
	bool shape, done;
	int file; /* -1: not defined in any file */
	uint64_t key;
	finding f;
} unit;

typedef struct audit {
	options o;
	rules rules;
	rows *rows; /* by framework */
	char (*frameworks)[256];
	unsigned nframeworks;
	file *file;
	unsigned nfiles;
	names defined; /* functions, by the file that defines them */
	unit *unit;
	unsigned nunits, room;
	compiled *table; /* NULL: nothing is executed */
	judged *judged; /* by rule */
	uint64_t common; /* hash of code.h, arith.h and this program's version */
} audit;

/* ---- files */

static uint64_t hash_file(const char *path, uint64_t seed)
{
	size_t n;
	char *text = rules_file(path, &n);
	uint64_t h = text ? XXH3_64bits_withSeed(text, n, seed) : 0;
	free(text);
	return h;
}

/* Records the functions that a file defines: lines that begin with VALID(name, SHAPE(name, or bool name(. */
static void index_file(audit *a, const char *text, int file)
{
	static const char *const BEGIN[] = {"VALID(", "SHAPE(", "bool "};
	for (const char *p = text; p; p = strchr(p, '\n'), p += p ? 1 : 0)
		for (unsigned i = 0; i < 3; i++)
			if (!strncmp(p, BEGIN[i], strlen(BEGIN[i]))) {
				const char *name = p + strlen(BEGIN[i]);
				size_t n = strcspn(name, ",( \n");
				if (n)
					names_add(&a->defined, name, n, file);
			}
}

static int by_name(const struct dirent **x, const struct dirent **y)
{
	return strcmp((*x)->d_name, (*y)->d_name);
}

static bool index_folder(audit *a, const char *framework)
{
	char path[1024];
	struct dirent **entry;
	snprintf(path, sizeof path, "%s/%s", a->o.generated, framework);
	int n = scandir(path, &entry, NULL, by_name);
	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name, *dot = strrchr(name, '.');
		if (!dot || strcmp(dot, ".c") || !strcmp(name, "table.c"))
			continue;
		size_t length;
		snprintf(path, sizeof path, "%s/%s/%s", a->o.generated, framework, name);
		char *text = rules_file(path, &length);
		a->file = memory_grow(a->file, a->nfiles + 1, sizeof *a->file);
		file *f = &a->file[a->nfiles];
		snprintf(f->folder, sizeof f->folder, "%s", framework);
		snprintf(f->name, sizeof f->name, "%s", name);
		f->hash = XXH3_64bits_withSeed(text ? text : "", length, a->common);
		index_file(a, text ? text : "", (int)a->nfiles++);
		free(text);
	}
	return n >= 0;
}

static bool read_table(audit *a, const char *framework, rows *into)
{
	char base[512];
	size_t n;
	const char *why = "the preprocessor failed";
	snprintf(base, sizeof base, "%s/%s", a->o.generated, framework);
	char *text = source_preprocess("#include \"table.c\"\n", base, a->o.include, &n);
	bool ok = text && tabletext_read(text, into, &why);
	if (!ok)
		fprintf(stderr, "%s/table.c: error: %s\n", base, why);
	free(text);
	return ok;
}

/* ---- units */

static uint64_t unit_key(const audit *a, const unit *u)
{
	uint64_t h = XXH3_64bits(u->function, strlen(u->function)) ^ a->file[u->file].hash;
	const audited_rule *r = u->rule;
	unsigned n = u->shape ? r->nout : r->nvalid, numbers[] = {r->nsym, n, u->shape, VERSION};
	h = XXH3_64bits_withSeed(numbers, sizeof numbers, h);
	for (unsigned i = 0; i < n; i++) {
		const char *text = u->shape ? r->out[i] : r->valid[i];
		h = XXH3_64bits_withSeed(text, strlen(text) + 1, h);
	}
	return h;
}

static int by_key(const void *x, const void *y)
{
	const unit *a = x, *b = y;
	return a->file != b->file ? (a->file > b->file) - (a->file < b->file) : (a->key > b->key) - (a->key < b->key);
}

static void add_unit(audit *a, const char *function, const audited_rule *r, bool shape)
{
	if (a->nunits == a->room)
		a->unit = memory_grow(a->unit, a->room = a->room ? 2 * a->room : 4096, sizeof *a->unit);
	unit u = {.function = function, .rule = r, .shape = shape, .file = names_file(&a->defined, function)};
	if (u.file < 0)
		return;
	u.key = unit_key(a, &u);
	a->unit[a->nunits++] = u;
}

static bool wanted(const audit *a, const audited_rule *r)
{
	return r->id && (!a->o.only || !strcmp(r->api, a->o.only) || !strcmp(r->op, a->o.only));
}

static void make_units(audit *a)
{
	unsigned n = 0;
	for (unsigned f = 0; f < a->nframeworks; f++)
		for (unsigned i = 0; i < a->rows[f].n; i++) {
			const row *w = &a->rows[f].row[i];
			const audited_rule *r = w->name ? rules_find(&a->rules, w->name) : NULL;
			if (!r || !wanted(a, r) || !w->valid || !w->propagate)
				continue;
			add_unit(a, w->valid, r, false);
			add_unit(a, w->propagate, r, true);
		}
	if (a->nunits)
		qsort(a->unit, a->nunits, sizeof *a->unit, by_key);
	for (unsigned i = 0; i < a->nunits; i++)
		if (!n || by_key(&a->unit[n - 1], &a->unit[i]))
			a->unit[n++] = a->unit[i];
	a->nunits = n;
}

static unit *find_unit(audit *a, const char *function, const audited_rule *r, bool shape)
{
	unit u = {.function = function, .rule = r, .shape = shape, .file = names_file(&a->defined, function)};
	if (u.file < 0)
		return NULL;
	u.key = unit_key(a, &u);
	return bsearch(&u, a->unit, a->nunits, sizeof u, by_key);
}

/* ---- the cache, and the workers' messages: a line `key verdict method detail` */

static int by_key_alone(const void *x, const void *y)
{
	const unit *a = *(unit *const *)x, *b = *(unit *const *)y;
	return (a->key > b->key) - (a->key < b->key);
}

static void take_lines(audit *a, FILE *f)
{
	char line[LINE], method[32];
	unit **sorted = memory_new(a->nunits + 1, sizeof *sorted);
	for (unsigned i = 0; i < a->nunits; i++)
		sorted[i] = &a->unit[i];
	qsort(sorted, a->nunits, sizeof *sorted, by_key_alone);
	while (f && fgets(line, sizeof line, f)) {
		unit key, *k = &key, **found;
		unsigned long long h;
		int verdict, at = 0;
		if (sscanf(line, "%llx %d %31s %n", &h, &verdict, method, &at) < 3 || verdict < 0 || verdict > 3)
			continue;
		key.key = h;
		found = bsearch(&k, sorted, a->nunits, sizeof k, by_key_alone);
		if (!found)
			continue;
		line[strcspn(line, "\n")] = 0;
		(*found)->done = true;
		(*found)->f.verdict = (enum verdict)verdict;
		(*found)->f.method = memory_text(method);
		snprintf((*found)->f.detail, sizeof (*found)->f.detail, "%s", at ? line + at : "");
	}
	free(sorted);
}

static void write_lines(const audit *a, FILE *f, bool all)
{
	for (unsigned i = 0; i < a->nunits; i++)
		if (a->unit[i].done || all)
			fprintf(f, "%016llx %d %s %s\n", (unsigned long long)a->unit[i].key, (int)a->unit[i].f.verdict,
			    a->unit[i].f.method, a->unit[i].f.detail);
}

/* Writes beside the file and renames. */
static bool replace_file(const char *path, const audit *a, void (*write)(const audit *, FILE *))
{
	char beside[512];
	snprintf(beside, sizeof beside, "%s.%d", path, (int)getpid());
	FILE *f = fopen(beside, "w");
	if (f)
		write(a, f);
	if (!f || fclose(f) || rename(beside, path)) {
		fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}

static void write_cache(const audit *a, FILE *f)
{
	write_lines(a, f, false);
}

/* ---- workers */

static void unreadable(audit *a, unsigned from, unsigned to, const char *why)
{
	for (unsigned i = from; i < to; i++) {
		unit *u = &a->unit[i];
		u->f = (finding){.verdict = VERDICT_UNKNOWN, .method = "parse"};
		snprintf(u->f.detail, sizeof u->f.detail, "%s", why);
	}
}

static source *read_sources(const audit *a, unsigned from, unsigned to, const char **why)
{
	char *text, base[512];
	size_t n;
	FILE *list = open_memstream(&text, &n);
	int last = -1;
	for (unsigned i = from; i < to; i++) {
		if (a->unit[i].done || a->unit[i].file == last)
			continue;
		last = a->unit[i].file;
		fprintf(list, "#include \"%s\"\n", a->file[last].name);
	}
	fclose(list);
	snprintf(base, sizeof base, "%s/%s", a->o.generated, a->file[a->unit[from].file].folder);
	*why = "the preprocessor failed";
	char *c = source_preprocess(text, base, a->o.include, &n);
	free(text);
	return c ? source_parse(c, n, why) : NULL;
}

/* Checks the units of one batch of files and writes a line for each to f. */
static void do_batch(audit *a, unsigned from, unsigned to, FILE *f)
{
	const char *why;
	source *s = read_sources(a, from, to, &why);
	if (!s)
		unreadable(a, from, to, why);
	for (unsigned i = from; i < to; i++) {
		unit *u = &a->unit[i];
		if (u->done)
			continue;
		const audited_rule *r = u->rule;
		if (s)
			u->f = u->shape ? equal_shape(s, u->function, r->nsym, r->nout, r->out)
					: equal_valid(s, u->function, r->nsym, r->nvalid, r->valid);
		fprintf(f, "%016llx %d %s %s\n", (unsigned long long)u->key, (int)u->f.verdict, u->f.method, u->f.detail);
	}
}

/* The end of the batch that begins at `from`: at most BATCH files of one framework. */
static unsigned batch_end(const audit *a, unsigned from)
{
	unsigned i = from, files = 0;
	int last = -1;
	for (; i < a->nunits; i++) {
		if (strcmp(a->file[a->unit[i].file].folder, a->file[a->unit[from].file].folder))
			break;
		if (!a->unit[i].done && a->unit[i].file != last && files++ == BATCH)
			break;
		last = a->unit[i].done ? last : a->unit[i].file;
	}
	return i;
}

static void work(audit *a, int me, FILE *f)
{
	int batch = 0;
	for (unsigned from = 0, to; from < a->nunits; from = to, batch++) {
		to = batch_end(a, from);
		bool open = false;
		for (unsigned i = from; i < to; i++)
			open |= !a->unit[i].done;
		if (!open || batch % a->o.jobs != me)
			continue;
		pid_t pid = fork(); /* a process per batch, since terms are never freed */
		if (pid == 0) {
			do_batch(a, from, to, f);
			fflush(f);
			_exit(0);
		}
		int status;
		waitpid(pid, &status, 0);
	}
}

static void run(audit *a)
{
	FILE *out[64] = {0};
	for (int k = 0; k < a->o.jobs; k++) {
		out[k] = tmpfile();
		if (out[k] && fork() == 0) {
			work(a, k, out[k]);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	for (int k = 0; k < a->o.jobs; k++)
		if (out[k]) {
			rewind(out[k]);
			take_lines(a, out[k]);
		}
}

/* ---- report */

typedef struct answer {
	enum verdict verdict;
	const char *method, *detail;
	uint64_t c;
	enum verdict sampler; /* whether each call it draws is valid */
	bool samples, direct; /* direct: the row claims that it never meets a dead end */
	const judged *run; /* NULL: nothing was executed */
} answer;

static answer one_part(audit *a, const char *function, const audited_rule *r, bool shape)
{
	unit *u = function ? find_unit(a, function, r, shape) : NULL;
	if (!u || !u->done)
		return (answer){.verdict = VERDICT_UNKNOWN, .method = "none", .detail = u ? "its worker died" : "its function is nowhere"};
	return (answer){.verdict = u->f.verdict, .method = u->f.method, .detail = u->f.detail, .c = a->file[u->file].hash};
}

static answer wrong_row(const char *what)
{
	return (answer){.verdict = VERDICT_WRONG, .method = "row", .detail = what};
}

static answer of_functions(audit *a, const row *w, const audited_rule *r)
{
	if (strcmp(w->rule ? w->rule : "", r->id))
		return wrong_row("the row names another rule");
	if (w->nsym != r->nsym || w->nin != r->nin || w->nodim != r->nodim || r->nodim != r->nout || w->nout != r->noutputs
	    || memcmp(w->ranks, r->ranks, r->noutputs))
		return wrong_row("the row has other numbers of symbols, tensors, outputs or dimensions");
	if (strcmp(w->call, r->call))
		return wrong_row("the row's call is another");
	answer v = one_part(a, w->valid, r, false), p = one_part(a, w->propagate, r, true);
	answer worse = p.verdict > v.verdict ? p : v;
	if (worse.verdict == VERDICT_PROVED && (!strcmp(v.method, "z3") || !strcmp(p.method, "z3")))
		worse.method = "z3";
	worse.c = v.c * 31 + p.c;
	return worse;
}

/* Who runs a sampler's program gives its result to the row's acceptance function, so the verdict on that function is the
 * sampler's. */
static enum verdict of_sampler(audit *a, const row *w, const char *program, const audited_rule *r, uint64_t *hash)
{
	*hash = XXH3_64bits_withSeed(program, strlen(program), *hash);
	return one_part(a, w->valid, r, false).verdict;
}

/* Takes the result of execution if it is worse than the proof of the C. */
static void of_run(const judged *j, answer *x)
{
	static const char *const NO_ANSWER[] = {"no record of it was replayed", "its process was ended by what is compiled",
	    "the library's row is of another rule, or there is none", ""};
	x->run = j;
	const char *what = j->state != JUDGED_DONE ? NO_ANSWER[j->state] : j->records.wrong ? j->records.detail
	    : j->samplers.wrong ? j->samplers.detail : NULL;
	if (what && x->verdict != VERDICT_WRONG) {
		x->verdict = VERDICT_WRONG;
		x->method = "run";
		x->detail = what;
	}
}

static answer of_row(audit *a, const row *w, const audited_rule *r)
{
	answer x = of_functions(a, w, r);
	x.direct = w->sampler == 2;
	const char *sampler[] = {w->sample, w->back};
	for (unsigned i = 0; i < 2 && w->valid; i++)
		if (sampler[i]) {
			enum verdict v = of_sampler(a, w, sampler[i], r, &x.c);
			x.sampler = v > x.sampler ? v : x.sampler;
			x.samples = true;
		}
	if (a->judged)
		of_run(&a->judged[r - a->rules.rule], &x);
	return x;
}

/* Calls `each` for every wanted rule that has a row; returns their number. */
static unsigned each_row(audit *a, void (*each)(const audited_rule *r, const answer *x, void *user), void *user)
{
	unsigned seen = 0;
	for (unsigned k = 0; k < a->nframeworks; k++)
		for (unsigned i = 0; i < a->rows[k].n; i++) {
			const row *w = &a->rows[k].row[i];
			const audited_rule *r = w->name ? rules_find(&a->rules, w->name) : NULL;
			if (!r || !wanted(a, r))
				continue;
			answer x = of_row(a, w, r);
			each(r, &x, user);
			seen++;
		}
	return seen;
}

/* Writes the executed part: `records:HASH:passed/failed/empty/outside/left`, and for samplers
 * `dead-ends:met/calls` forwards, then backwards. */
static void certify_run(const judged *j, FILE *f)
{
	const replayed *p = &j->records;
	const trials *t = &j->samplers;
	fprintf(f, " records:%016llx:%u/%u/%u/%u/%u", (unsigned long long)p->hash, p->passed, p->failed, p->empty, p->outside, p->left);
	fprintf(f, " dead-ends:%u/%u,%u/%u", t->dead, t->forward, t->back_dead, t->back);
}

static void certify(const audited_rule *r, const answer *x, void *file)
{
	fprintf(file, "%s %016llx %016llx %s %s sampler:%s", r->op, (unsigned long long)r->hash, (unsigned long long)x->c,
	    VERDICT_NAMES[x->verdict], x->method, x->samples ? VERDICT_NAMES[x->sampler] : "none");
	if (x->run)
		certify_run(x->run, file);
	fprintf(file, "%s%s\n", *x->detail ? " " : "", x->detail);
}

static void write_certificate(const audit *cannot, FILE *f)
{
	each_row((audit *)cannot, certify, f);
}

typedef struct sums {
	audit *a;
	unsigned verdict[4], sampler[4], none;
	unsigned passed, failed, empty, outside, left;
	unsigned calls, straight, met, broken; /* samplers: calls drawn; rules without a dead end, and with one */
} sums;

static void count_run(const audited_rule *r, const answer *x, sums *n)
{
	const judged *j = x->run;
	const trials *t = &j->samplers;
	bool met = t->dead || t->back_dead;
	n->passed += j->records.passed;
	n->failed += j->records.failed;
	n->empty += j->records.empty;
	n->outside += j->records.outside;
	n->left += j->records.left;
	n->calls += t->forward + t->back;
	n->straight += t->forward && !met;
	n->met += met;
	if (!x->direct || !met)
		return;
	n->broken++;
	fprintf(stderr, "%s: warning: direct, and met a dead end in %u of %u calls, backwards in %u of %u\n", r->op, t->dead,
	    t->forward, t->back_dead, t->back);
}

static void count_verdict(const audited_rule *r, const answer *x, void *user)
{
	sums *n = user;
	n->verdict[x->verdict]++;
	if (x->samples)
		n->sampler[x->sampler]++;
	else
		n->none++;
	if (x->run)
		count_run(r, x, n);
	if (x->verdict == VERDICT_WRONG)
		fprintf(stderr, "%s: error: WRONG: %s\n", r->op, x->detail);
	if (x->samples && x->sampler != VERDICT_PROVED)
		fprintf(stderr, "%s: error: its sampler is not shown to give valid calls only\n", r->op);
	const rs_op *op = x->verdict == VERDICT_WRONG && n->a->table ? compiled_find(n->a->table, r->framework, r->op) : NULL;
	if (op && compiled_fits(op, r))
		shown_by_running(stderr, op, r, x->detail);
}

/* Prints rules without a row and the totals. Returns the number of rules that are wrong or have no row. */
static unsigned summary(audit *a)
{
	sums n = {.a = a};
	unsigned *v = n.verdict, *m = n.sampler, rules = 0, seen = each_row(a, count_verdict, &n);
	for (unsigned i = 0; i < a->rules.n; i++)
		rules += wanted(a, &a->rules.rule[i]);
	if (seen != rules)
		fprintf(stderr, "audit: error: %u rules, %u with a row\n", rules, seen);
	printf("%u rules: %u proved, %u bounded, %u unknown, %u WRONG\n", rules, v[VERDICT_PROVED], v[VERDICT_BOUNDED],
	    v[VERDICT_UNKNOWN], v[VERDICT_WRONG]);
	printf("samplers draw valid calls only: proved for %u rules, unknown for %u, WRONG for %u; %u have none\n", m[VERDICT_PROVED],
	    m[VERDICT_UNKNOWN] + m[VERDICT_BOUNDED], m[VERDICT_WRONG], n.none);
	if (a->judged) {
		printf("records answered as recorded: %u accepted, %u rejected; %u with empty tensors and %u others rejected, as their rules state; "
		       "%u outside any rule\n",
		    n.passed, n.failed, n.empty, n.outside, n.left);
		printf("dead ends in %u calls: none in the samplers of %u rules, some in %u (%u of these claim to be direct)\n", n.calls,
		    n.straight, n.met, n.broken);
	}
	return v[VERDICT_WRONG] + (rules - seen) + m[VERDICT_WRONG];
}

/* ---- the program */

static bool arithmetic_holds(audit *a)
{
	size_t n;
	const char *why = "the preprocessor failed";
	char *c = source_preprocess("#include \"code.h\"\n", a->o.generated, a->o.include, &n);
	source *s = c ? source_parse(c, n, &why) : NULL;
	if (!s) {
		fprintf(stderr, "%s/code.h: error: %s\n", a->o.generated, why);
		return false;
	}
	finding f = equal_arithmetic(s);
	if (f.verdict != VERDICT_PROVED)
		fprintf(stderr, "%s/arith.h: error: %s\n", a->o.include, f.detail);
	return f.verdict == VERDICT_PROVED;
}

static bool load(audit *a)
{
	char path[1024];
	struct dirent **entry;
	snprintf(path, sizeof path, "%s/code.h", a->o.generated);
	a->common = hash_file(path, VERSION);
	snprintf(path, sizeof path, "%s/arith.h", a->o.include);
	a->common = hash_file(path, a->common);
	if (!rules_read(a->o.rules, &a->rules))
		return false;
	int n = scandir(a->o.generated, &entry, NULL, by_name);
	a->rows = memory_new((size_t)(n > 0 ? n : 0) + 1, sizeof *a->rows);
	a->frameworks = memory_new((size_t)(n > 0 ? n : 0) + 1, sizeof *a->frameworks);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s/table.c", a->o.generated, entry[i]->d_name);
		if (access(path, R_OK))
			continue;
		snprintf(a->frameworks[a->nframeworks], sizeof *a->frameworks, "%s", entry[i]->d_name);
		if (!read_table(a, entry[i]->d_name, &a->rows[a->nframeworks]) || !index_folder(a, entry[i]->d_name))
			return false;
		a->nframeworks++;
	}
	if (!a->nframeworks)
		fprintf(stderr, "%s: error: no tables\n", a->o.generated);
	return a->nframeworks > 0;
}

static bool wanted_too(const audited_rule *r, const void *user)
{
	return wanted(user, r);
}

/* Executes the compiled table if --library is given. */
static bool run_library(audit *a)
{
	if (!a->o.library)
		return true;
	a->table = compiled_open(a->o.library);
	if (a->table)
		a->judged = judge_all(&a->rules, a->table, a->o.traces, a->o.ntraces, a->o.jobs, wanted_too, a);
	return a->judged;
}

/* True if the certificate equals the result of this run. */
static bool agrees(audit *a)
{
	char *mine = NULL;
	size_t n, length;
	FILE *f = open_memstream(&mine, &n);
	write_certificate(a, f);
	fclose(f);
	char *theirs = rules_file(a->o.check, &length);
	bool same = theirs && length == n && !memcmp(mine, theirs, n);
	unsigned line = 1;
	for (size_t i = 0; theirs && i < n && i < length && mine[i] == theirs[i]; i++)
		line += mine[i] == '\n';
	if (!same)
		fprintf(stderr, "%s:%u: error: %s\n", a->o.check, line, theirs ? "differs from the certificate of this run" : "cannot read it");
	return same;
}

static const char HELP[] =
    "usage: audit [OPTION…]\n"
    "Proves that generated C says what rules.jsonl says, for every int64 input.\n\n"
    "  --rules FILE        the rules (build/rules.jsonl)\n"
    "  --generated DIR     the C (generated)\n"
    "  --include DIR       arith.h and the other headers (runtime/include)\n"
    "  --library FILE      run this table: records and samplers (none)\n"
    "  --traces DIR        records to replay; may be repeated\n"
    "  --only NAME         rules of one API or operator\n"
    "  --cache FILE        do not prove again what it lists as proved\n"
    "  --certificate FILE  write a line for each rule\n"
    "  --check FILE        prove everything again and compare with this certificate\n"
    "  -j N                processes (2)\n";

static int parse(int argc, char **argv, options *o)
{
	static const struct option LONG[] = {{"rules", 1, 0, 'r'}, {"generated", 1, 0, 'g'}, {"include", 1, 0, 'i'},
	    {"only", 1, 0, 'o'}, {"cache", 1, 0, 'c'}, {"certificate", 1, 0, 'w'}, {"check", 1, 0, 'k'}, {"jobs", 1, 0, 'j'},
	    {"library", 1, 0, 'l'}, {"traces", 1, 0, 't'},
	    {"help", 0, 0, 'h'}, {0}};
	*o = (options){.rules = "build/rules.jsonl", .generated = "generated", .include = "runtime/include", .jobs = 2};
	for (int c; (c = getopt_long(argc, argv, "j:h", LONG, NULL)) >= 0;) {
		const char **text = c == 'r' ? &o->rules : c == 'g' ? &o->generated : c == 'i' ? &o->include : c == 'o' ? &o->only
		    : c == 'c' ? &o->cache : c == 'w' ? &o->certificate : c == 'k' ? &o->check
		    : c == 'l' ? &o->library : c == 't' && o->ntraces < FOLDERS ? &o->traces[o->ntraces++] : NULL;
		if (text)
			*text = optarg;
		else if (c == 'j')
			o->jobs = atoi(optarg) < 1 ? 1 : atoi(optarg) > 64 ? 64 : atoi(optarg);
		else
			return c == 'h' ? (fputs(HELP, stdout), 0) : (fputs(HELP, stderr), 2);
	}
	return optind < argc ? (fputs(HELP, stderr), 2) : -1;
}

int main(int argc, char **argv)
{
	static audit a;
	int end = parse(argc, argv, &a.o);
	if (end >= 0)
		return end;
	if (!load(&a))
		return 1;
	bool ok = arithmetic_holds(&a);
	make_units(&a);
	FILE *cache = a.o.cache && !a.o.check ? fopen(a.o.cache, "r") : NULL;
	take_lines(&a, cache);
	if (cache)
		fclose(cache);
	fflush(NULL);
	if (!run_library(&a))
		return 1;
	run(&a);
	ok &= !a.o.cache || a.o.check || replace_file(a.o.cache, &a, write_cache);
	ok &= !a.o.certificate || replace_file(a.o.certificate, &a, write_certificate);
	ok &= !a.o.check || agrees(&a);
	return summary(&a) == 0 && ok ? 0 : 1;
}
