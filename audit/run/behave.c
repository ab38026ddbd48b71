#include "behave.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record_lines.h"
#include "ruletext.h"
#include "sampling.h"

enum { BATCH = 16, MOST = 4096, LINE = 200 };

typedef const rs_op *find_fn(const rs_library *lib, const char *name);

/* What one process works with. */
typedef struct runner {
	const rules *rules;
	const behaviour_options *o;
	const rs_library *lib;
	find_fn *find;
	behaviour *sum;
} runner;

/* A rule's text as terms; said: it could be read. */
typedef struct spoken {
	bool said;
	term *holds, **value;
} spoken;

static void *library_symbol(const char *path, const char *name, const char **why)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol = handle ? dlsym(handle, name) : NULL;
	*why = symbol ? NULL : dlerror();
	return symbol;
}

static bool open_library(runner *r, const char **why)
{
	void *find = library_symbol(r->o->library, "rs_library_find", why);
	r->lib = find ? library_symbol(r->o->library, "rs_rules", why) : NULL;
	memcpy(&r->find, &find, sizeof find);
	return r->lib != NULL;
}

static bool compiled(const rs_op *op, const int64_t *s, int64_t *out)
{
	return op->valid && op->valid(s) && op->propagate(s, out);
}

static void put_row(char *text, size_t size, const int64_t *row, unsigned n)
{
	size_t at = (size_t)snprintf(text, size, "[");
	for (unsigned i = 0; i < n && at + 24 < size; i++)
		at += (size_t)snprintf(text + at, size - at, "%s%lld", i ? "," : "", (long long)row[i]);
	snprintf(text + at, size - at, "]");
}

void behave_at(const char *library, const char *op, const int64_t *s, unsigned nsym, char *text, size_t size)
{
	const char *why = NULL;
	runner r = {.o = &(behaviour_options){.library = library}};
	static int64_t out[MOST];
	if (!open_library(&r, &why)) {
		snprintf(text, size, "not asked: %s", why);
		return;
	}
	const rs_op *o = r.find(r.lib, op);
	if (!o || o->nsym != nsym || o->nodim > MOST)
		snprintf(text, size, "not asked: the library has no such operator");
	else if (!compiled(o, s, out))
		snprintf(text, size, "refused");
	else
		put_row(text + snprintf(text, size, "accepted, "), size - 10, out, o->nodim);
}

/* ---- the rule's text */

static spoken speak(const audited_rule *r)
{
	static term *value[MOST];
	spoken s = {.value = value};
	if (setjmp(terms_escape))
		return (spoken){.said = false};
	s.holds = term_true();
	for (unsigned i = 0; i < r->nvalid; i++)
		s.holds = term_and(s.holds, ruletext_clause(r->valid[i], r->nsym));
	for (unsigned i = 0; i < r->nout; i++)
		s.holds = term_and(s.holds, ruletext_output(r->out[i], r->nsym, &value[i]));
	s.said = true;
	return s;
}

static bool text_accepts(const spoken *text, const audited_rule *r, const int64_t *s, const int64_t *out)
{
	bool same = term_holds(text->holds, s);
	for (unsigned i = 0; i < r->nout && same; i++) {
		long double about;
		same = term_value(text->value[i], s, &about) == out[i];
	}
	return same;
}

/* ---- records */

static void say_wrong(runner *r, const record_line *l, const char *what, const int64_t *row, unsigned n)
{
	char text[LINE];
	put_row(text, sizeof text, row, n);
	fprintf(stderr, "%s:%u: error: WRONG: %s %s %s\n", l->path, l->line, l->op, what, text);
	r->sum->wrong++;
}

static bool is_empty(const audited_rule *a, const int64_t *row)
{
	for (unsigned i = 0; i < a->nsym; i++)
		if (a->dimension[i] && row[i] == 0)
			return true;
	return false;
}

/* What returned a dimension below 0 is no call of a rule's. */
static bool returned_sizes(const int64_t *out, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (out[i] < 0)
			return false;
	return true;
}

/* A refused call that is also recorded as passing is left out by whoever learns from it. */
static bool also_passed(const record_line *l, const int64_t *row)
{
	for (unsigned k = 0; k < l->npass; k++)
		if (!memcmp(l->pass + (size_t)k * (l->nsym + l->nodim), row, l->nsym * sizeof *row))
			return true;
	return false;
}

static void replay(runner *r, const audited_rule *a, const rs_op *op, const record_line *l)
{
	static int64_t out[MOST];
	unsigned without = 0;
	r->sum->beyond += l->beyond;
	for (unsigned k = 0; k < l->npass; k++) {
		const int64_t *row = l->pass + (size_t)k * (l->nsym + l->nodim);
		if (!returned_sizes(row + l->nsym, l->nodim))
			continue;
		bool accepts = compiled(op, row, out);
		if (accepts && memcmp(out, row + l->nsym, l->nodim * sizeof *out))
			say_wrong(r, l, "gives another output than recorded", row, l->nsym + l->nodim);
		else if (accepts)
			r->sum->passed++;
		else if (a->empty && is_empty(a, row))
			without++;
		else
			say_wrong(r, l, "refuses what passed", row, l->nsym);
	}
	if (without > a->empty)
		say_wrong(r, l, "refuses more empty tensors that passed than it says", (int64_t[]){without, a->empty}, 2);
	r->sum->left_out += without;
	for (unsigned k = 0; k < l->nfail; k++) {
		const int64_t *row = l->fail + (size_t)k * l->nsym;
		if (!compiled(op, row, out))
			r->sum->failed++;
		else if (!also_passed(l, row))
			say_wrong(r, l, "accepts what was refused", row, l->nsym);
	}
}

/* ---- draws */

/* Where a draw looks: dimensions to `high`, integers as the records show and two more on each side. */
static void find_box(const audited_rule *a, int64_t high, int64_t *from, int64_t *to)
{
	unsigned width = a->nsym + a->nodim;
	for (unsigned i = 0; i < a->nsym; i++) {
		from[i] = a->dimension[i] ? high > 8 ? 0 : 1 : -2;
		to[i] = a->dimension[i] ? high : 2;
		for (unsigned k = 0; k < a->nrecords && !a->dimension[i]; k++) {
			int64_t v = a->record[(size_t)k * width + i];
			from[i] = v - 2 < from[i] && v > -RS_LIMIT / 2 ? v - 2 : from[i];
			to[i] = v + 2 > to[i] && v < RS_LIMIT / 2 ? v + 2 : to[i];
		}
	}
}

/* Judges a call that a sampler gave. */
static void judge(runner *r, const audited_rule *a, const spoken *text, const record_line *l, const int64_t *s, const int64_t *out,
    const char *which)
{
	if (text->said && !text_accepts(text, a, s, out))
		say_wrong(r, l, which, s, a->nsym);
}

/* Backwards: the output that a forward draw had comes out again. */
static void draw_back(runner *r, const audited_rule *a, const rs_op *op, const spoken *text, const record_line *l, rs_draw *d, const int64_t *forward)
{
	static int64_t want[MOST], out[MOST];
	static uint8_t wanted[MOST];
	unsigned at = 0, which = rng_below(d->rng, op->nout);
	for (unsigned i = 0; i < which; i++)
		at += op->out_ranks[i];
	memset(wanted, 0, op->nodim);
	memset(wanted + at, 1, op->out_ranks[which]);
	memcpy(want, forward, op->nodim * sizeof *want);
	memset((void *)d->known, 0, a->nsym);
	d->out = want;
	d->wanted = wanted;
	r->sum->backward++;
	/* Whoever draws looks whether the output came out, too (rs_sample_backward). */
	if (!op->back(d) || !compiled(op, d->s, out) || memcmp(out + at, want + at, op->out_ranks[which] * sizeof *out))
		r->sum->none_back++;
	else
		judge(r, a, text, l, d->s, out, "draws backwards what its text refuses");
}

static void draw(runner *r, const audited_rule *a, const rs_op *op, const spoken *text, const record_line *l)
{
	static int64_t s[MOST], from[MOST], to[MOST], out[MOST];
	static uint8_t known[MOST], wanted[MOST];
	rng g = rng_seed(a->hash);
	for (unsigned k = 0; k < r->o->draws && op->sample && a->nsym; k++) {
		find_box(a, k % 2 ? 40 : 8, from, to);
		memset(known, 0, a->nsym);
		memset(wanted, 0, op->nodim);
		rs_draw d = {.s = s, .known = known, .out = out, .wanted = wanted, .low = from, .high = to, .rng = &g};
		r->sum->forward++;
		if (!op->sample(&d)) {
			r->sum->none++;
			r->sum->none_direct += op->sampler == RS_SAMPLER_DIRECT;
			continue;
		}
		if (!compiled(op, s, out)) { /* an output's dimension is below 0 */
			r->sum->none++;
			continue;
		}
		judge(r, a, text, l, s, out, "draws what its text refuses");
		if (op->back && op->nout)
			draw_back(r, a, op, text, l, &d, memcpy(to, out, op->nodim * sizeof *out));
	}
}

/* ---- operators */

static bool is_wanted(const runner *r, const audited_rule *a)
{
	return a && a->id && a->nsym + a->nodim < MOST
	       && (!r->o->only || !strcmp(r->o->only, a->api) || !strcmp(r->o->only, a->op));
}

static bool widths(void *user, const char *op, unsigned *nsym, unsigned *nodim)
{
	const runner *r = user;
	const audited_rule *a = rules_find(r->rules, op);
	*nsym = a ? a->nsym : 0;
	*nodim = a ? a->nodim : 0;
	return is_wanted(r, a);
}

static void take(void *user, const record_line *l)
{
	runner *r = user;
	const audited_rule *a = rules_find(r->rules, l->op);
	const rs_op *op = r->find(r->lib, l->op);
	if (!op || op->nsym != a->nsym || op->nodim != a->nodim) {
		say_wrong(r, l, "is not in the library", NULL, 0);
		return;
	}
	r->sum->rules++;
	replay(r, a, op, l);
	if (!r->o->draws)
		return;
	spoken text = speak(a);
	r->sum->unsaid += !text.said;
	draw(r, a, op, &text, l);
}

/* ---- files, in processes: the terms of a batch go with it */

typedef struct paths {
	char **list;
	unsigned n;
} paths;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool find_files(const behaviour_options *o, paths *to)
{
	for (unsigned t = 0; t < o->ntraces; t++) {
		DIR *d = opendir(o->traces[t]);
		if (!d) {
			fprintf(stderr, "%s: error: cannot be read\n", o->traces[t]);
			return false;
		}
		for (struct dirent *e; (e = readdir(d));) {
			const char *dot = strrchr(e->d_name, '.');
			if (!dot || strcmp(dot, ".jsonl") || !strcmp(e->d_name, "values.jsonl"))
				continue;
			char path[1024];
			snprintf(path, sizeof path, "%s/%s", o->traces[t], e->d_name);
			to->list = realloc(to->list, (to->n + 1) * sizeof *to->list);
			to->list[to->n++] = strdup(path);
		}
		closedir(d);
	}
	qsort(to->list, to->n, sizeof *to->list, by_text);
	return true;
}

static void work(runner *r, const paths *files, int me, bool *ok)
{
	for (unsigned from = (unsigned)me * BATCH; from < files->n; from += (unsigned)r->o->jobs * BATCH) {
		pid_t pid = fork();
		if (pid == 0) {
			bool good = true;
			for (unsigned k = from; k < from + BATCH && k < files->n; k++)
				good &= record_lines(files->list[k], widths, take, r);
			_exit(good ? 0 : 1);
		}
		int status = 1;
		if (pid < 0 || waitpid(pid, &status, 0) < 0 || status)
			*ok = false;
	}
}

static void add(behaviour *to, const behaviour *from)
{
	unsigned long *x = (unsigned long *)to;
	const unsigned long *y = (const unsigned long *)from;
	for (size_t i = 0; i < sizeof *to / sizeof *x; i++)
		x[i] += y[i];
}

bool behave(const rules *rules, const behaviour_options *o, behaviour *to)
{
	const char *why = NULL;
	runner r = {.rules = rules, .o = o};
	paths files = {0};
	struct shared {
		behaviour sum;
		bool ok;
	} *job = mmap(NULL, (size_t)o->jobs * sizeof *job, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*to = (behaviour){0};
	if (!open_library(&r, &why)) {
		fprintf(stderr, "%s: error: %s\n", o->library, why);
		return false;
	}
	if (job == MAP_FAILED || !find_files(o, &files))
		return false;
	fflush(NULL);
	for (int k = 0; k < o->jobs; k++)
		if (fork() == 0) {
			job[k].ok = true;
			r.sum = &job[k].sum;
			work(&r, &files, k, &job[k].ok);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	bool ok = true;
	for (int k = 0; k < o->jobs; k++) {
		ok &= job[k].ok;
		add(to, &job[k].sum);
	}
	return ok;
}
