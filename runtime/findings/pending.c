#include "pending.h"

#define STRING(x) STRING_OF(x)
#define STRING_OF(x) #x

enum { SAME_KEY = 3 }; /* models of one key that wait */

/* Counts the failure in the first row of its key, if there are enough. */
static bool count_one(store *s, const pending *p, bool *counted, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d, "SELECT min(id), count(*) FROM pending WHERE key = ?", "t", p->key);
	int more = st ? statement_step(s, st, d) : -1;
	int64_t first = more == 1 ? sqlite3_column_int64(st, 0) : 0;
	*counted = more == 1 && sqlite3_column_int64(st, 1) >= SAME_KEY;
	sqlite3_finalize(st);
	if (more < 0 || !*counted)
		return more >= 0;
	return statement_run(s, statement_new(s, d, "UPDATE pending SET count = count + 1 WHERE id = ?", "i", first), d);
}

/* Its rank is the number of models with its key that wait already. */
static bool insert(store *s, const pending *p, diag *d)
{
	return statement_run(s,
	    statement_new(s, d,
		"INSERT INTO pending(run, key, kind, model, rank, count)"
		" VALUES(?,?,?,?,(SELECT count(*) FROM pending WHERE key = ?),1)",
		"itttt", p->run, p->key, p->kind, p->model, p->key),
	    d);
}

bool pending_add(store *s, const pending *p, diag *d)
{
	bool counted = false;
	if (!database_begin(s, d))
		return false;
	return database_end(s, count_one(s, p, &counted, d) && (counted || insert(s, p, d)), d);
}

static bool is_among(const int64_t *ids, int n, int64_t id)
{
	for (int i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static bool take_row(sqlite3_stmt *st, pending *p, arena *a, diag *d)
{
	*p = (pending){.id = sqlite3_column_int64(st, 0), .run = sqlite3_column_int64(st, 1), .count = sqlite3_column_int64(st, 2)};
	const char **const texts[] = {&p->backend, &p->framework, &p->versions, &p->key, &p->kind, &p->model};
	for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++) {
		*texts[i] = arena_strdup(a, statement_text(st, 3 + i));
		if (!diag_memory(d, *texts[i]))
			return false;
	}
	return true;
}

bool pending_end(store *s, int64_t *rank, diag *d)
{
	return database_number(s, "SELECT max(coalesce(max(rank) + 1, 0), " STRING(PENDING_POSTPONED) ") FROM pending", rank, d);
}

int pending_first(store *s, const char *backend, int64_t end, const int64_t *except, int n, pending *p, arena *a, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT p.id, p.run, p.count, r.backend, r.framework, r.versions, p.key, p.kind, p.model FROM pending p JOIN runs r ON r.id = p.run"
	    " WHERE r.backend = ? AND p.rank < ? ORDER BY p.rank, p.kind = 'accepts-invalid', p.id LIMIT ?",
	    "tii", backend, end, (int64_t)n + 1);
	int more = st ? statement_step(s, st, d) : -1;
	while (more == 1 && is_among(except, n, sqlite3_column_int64(st, 0)))
		more = statement_step(s, st, d);
	if (more == 1 && !take_row(st, p, a, d))
		more = -1;
	if (sqlite3_finalize(st) == SQLITE_OK || more < 0) /* an error: a text is "" for lack of memory */
		return more;
	database_fail(s, d);
	return -1;
}

bool pending_settle(store *s, const pending *p, int64_t finding, diag *d)
{
	if (!database_begin(s, d))
		return false;
	bool ok = statement_run(s, statement_new(s, d, "DELETE FROM pending WHERE id = ?", "i", p->id), d)
		  && (finding == 0
		      || statement_run(s,
			  statement_new(s, d, "UPDATE findings SET count = count + ? WHERE id = ?", "ii", p->count - 1, finding), d));
	return database_end(s, ok, d);
}

bool pending_postpone(store *s, int64_t id, diag *d)
{
	int64_t rank;
	return pending_end(s, &rank, d)
	       && statement_run(s, statement_new(s, d, "UPDATE pending SET rank = ? WHERE id = ?", "ii", rank, id), d);
}

bool pending_count(store *s, const char *backend, int64_t *n, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT coalesce(sum(count), 0) FROM pending WHERE ? = '' OR run IN (SELECT id FROM runs WHERE backend = ?)", "tt", backend,
	    backend);
	int more = st ? statement_step(s, st, d) : -1;
	*n = more == 1 ? sqlite3_column_int64(st, 0) : 0;
	sqlite3_finalize(st);
	return more == 1;
}

bool pending_each_backend(store *s, pending_fn *fn, void *context, diag *d)
{
	sqlite3_stmt *st = statement_new(s, d,
	    "SELECT r.backend, r.framework, sum(p.count) FROM pending p JOIN runs r ON r.id = p.run GROUP BY 1, 2 ORDER BY 1, 2", "");
	int more = st ? statement_step(s, st, d) : -1;
	for (; more == 1; more = statement_step(s, st, d))
		if (!fn(context, statement_text(st, 0), statement_text(st, 1), sqlite3_column_int64(st, 2)))
			break;
	sqlite3_finalize(st);
	return more >= 0;
}
