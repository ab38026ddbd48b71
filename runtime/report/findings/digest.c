#include "digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* ---- lists that grow in an arena, which frees the old copies */

static void *grown(arena *a, void *list, int n, size_t size)
{
	if (n & (n - 1)) /* the capacity is the next power of two */
		return list;
	void *copy = arena_alloc(a, size * (size_t)(n ? 2 * n : 1));
	if (copy && n)
		memcpy(copy, list, size * (size_t)n);
	return copy;
}

/* ---- before */

typedef struct gathering {
	digest_mark *mark;
	digest *digest;
	const digest_mark *since;
	arena *a;
	bool failed;
} gathering;

static bool take_status(void *context, const finding *f)
{
	gathering *g = context;
	digest_mark *m = g->mark;
	struct digest_status *list = grown(g->a, m->findings, m->nfindings, sizeof *list);
	g->failed = !list;
	if (list) {
		m->findings = list;
		m->findings[m->nfindings++] = (struct digest_status){f->id, status_parse(f->status)};
	}
	return !g->failed;
}

bool digest_take(digest_mark *m, store *s, arena *a, diag *d)
{
	*m = (digest_mark){0};
	gathering g = {.mark = m, .a = a};
	return database_number(s, "SELECT coalesce(max(id), 0) FROM runs", &m->last_run, d)
	       && store_each(s, take_status, &g, d) && diag_memory(d, !g.failed);
}

static int by_id(const void *key, const void *element)
{
	int64_t a = *(const int64_t *)key, b = ((const struct digest_status *)element)->id;
	return (a > b) - (a < b);
}

/* ---- findings */

static enum change find_change(const digest_mark *since, const finding *f)
{
	enum status now = status_parse(f->status);
	if (!since)
		return change_of(now, now);
	const struct digest_status *was = since->nfindings ? bsearch(&f->id, since->findings, (size_t)since->nfindings,
							 sizeof *since->findings, by_id)
							   : NULL;
	enum change change = change_of(was ? was->status : STATUS_NONE, now);
	return since->baseline && (change == CHANGE_NEW || change == CHANGE_REGRESSED) ? CHANGE_UNCHANGED : change;
}

static bool keep_line(const finding *f, finding *to, arena *a)
{
	*to = *f;
	const char **texts[] = {&to->bucket, &to->kind, &to->backend, &to->status, &to->title, &to->apis, &to->versions,
	    &to->found, &to->class, &to->reason, &to->pass, &to->checked, &to->fixed_in};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!(*texts[i] = arena_strdup(a, *texts[i])))
			return false;
	return true;
}

static bool add_entry(void *context, const finding *f)
{
	gathering *g = context;
	digest *to = g->digest;
	digest_entry *list = grown(g->a, to->entries, to->nentries, sizeof *list);
	enum change change = find_change(g->since, f);
	g->failed = !list || !keep_line(f, &list[to->nentries].f, g->a);
	if (g->failed)
		return false;
	to->entries = list;
	to->entries[to->nentries++].change = change;
	to->counts[change]++;
	to->statuses[status_parse(f->status)]++;
	return true;
}

static int by_change(const void *a, const void *b)
{
	const digest_entry *x = a, *y = b;
	if (x->change != y->change)
		return x->change < y->change ? -1 : 1;
	return (x->f.id > y->f.id) - (x->f.id < y->f.id);
}

/* ---- runs, days */

static bool add_run(void *context, const run_row *r)
{
	gathering *g = context;
	digest *to = g->digest;
	digest_run *list = grown(g->a, to->runs, to->nruns, sizeof *list);
	g->failed = !list;
	if (!list)
		return false;
	to->runs = list;
	list[to->nruns] = (digest_run){.id = r->id,
	    .models = r->models,
	    .valid = r->valid,
	    .unsupported = r->unsupported,
	    .fresh = r->new_findings,
	    .duplicates = r->duplicates,
	    .seconds = r->seconds,
	    .backend = arena_strdup(g->a, r->backend),
	    .versions = arena_strdup(g->a, r->versions),
	    .now = g->since && r->id > g->since->last_run};
	g->failed = !list[to->nruns].backend || !list[to->nruns].versions;
	to->nruns++;
	return !g->failed;
}

static int by_day(const void *a, const void *b)
{
	return strcmp(((const digest_day *)a)->day, ((const digest_day *)b)->day);
}

/* Days on which findings were first seen, without unsupported ones. */
static bool count_days(digest *g, arena *a)
{
	digest_day *all = ARENA_ARRAY(a, digest_day, g->nentries + 1);
	int n = 0;
	if (!all)
		return false;
	for (int i = 0; i < g->nentries; i++)
		if (status_parse(g->entries[i].f.status) != STATUS_UNSUPPORTED && strlen(g->entries[i].f.found) >= 10)
			memcpy(all[n++].day, g->entries[i].f.found, 10);
	qsort(all, (size_t)n, sizeof *all, by_day);
	g->days = all;
	for (int i = 0; i < n; i++) {
		if (!g->ndays || strcmp(all[g->ndays - 1].day, all[i].day) != 0) {
			digest_day day = all[i];
			day.found = 0;
			all[g->ndays++] = day;
		}
		all[g->ndays - 1].found++;
		all[g->ndays - 1].total = i + 1;
	}
	return true;
}

/* ---- all of it */

bool digest_make(digest *g, store *s, const digest_mark *since, arena *a, diag *d)
{
	*g = (digest){.store = s, .job = since != NULL, .db = s->path, .backends = "", .trouble = "", .scripts = "", .written = ""};
	gathering gather = {.digest = g, .since = since, .a = a};
	bool ok = store_each(s, add_entry, &gather, d) && !gather.failed && runs_each(s, 0, add_run, &gather, d);
	if (gather.failed)
		return diag_set(d, "out of memory");
	if (!ok)
		return false;
	if (g->nentries)
		qsort(g->entries, (size_t)g->nentries, sizeof *g->entries, by_change);
	return diag_memory(d, count_days(g, a));
}

void digest_changes(const digest *g, buf *out)
{
	buf_printf(out, "%d new %s", g->counts[CHANGE_NEW], g->counts[CHANGE_NEW] == 1 ? "finding" : "findings");
	for (int c = CHANGE_NEW + 1; c < CHANGE_CLOSED; c++)
		if (g->counts[c])
			buf_printf(out, ", %d %s", g->counts[c], change_name((enum change)c));
}

bool digest_whole(const digest *g, int entry, finding *f, arena *a, diag *d)
{
	int found = store_get(g->store, g->entries[entry].f.id, f, a, d);
	return found == 1 || (found == 0 && diag_set(d, "finding %" PRId64 " was deleted meanwhile", g->entries[entry].f.id));
}

void digest_script_path(const digest *g, const finding *f, buf *out)
{
	if (*g->scripts)
		buf_printf(out, "%s/%" PRId64 ".py", g->scripts, f->id);
}

void digest_fingerprint(const finding *f, char text[17])
{
	XXH64_hash_t hash = XXH3_64bits(f->bucket, strlen(f->bucket));
	static const char DIGITS[] = "0123456789abcdef";
	for (int i = 0; i < 16; i++)
		text[i] = DIGITS[hash >> (60 - 4 * i) & 15];
	text[16] = '\0';
}
