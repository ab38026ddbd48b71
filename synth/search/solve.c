#include "solve.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "costs.h"

enum { LOW_SUPPORT_PASSES = 5, MAX_WORK = 120000000 };

int solver_clause_rejections(const operator *op, const expr *clause, int max)
{
	int n = 0;
	for (int k = 0; k < op->npass && n <= max; k++)
		n += !expr_holds(clause, passing_record(op, k));
	return n;
}

bool solver_clause_holds(const operator *op, const expr *clause)
{
	return solver_clause_rejections(op, clause, 0) == 0;
}

void solver_mark_rejected(const expr *clause, const int64_t *rows, int n, int width, uint64_t *to)
{
	for (int k = 0; k < n; k++)
		if (!(to[k / 64] >> k % 64 & 1) && !expr_holds(clause, rows + (size_t)k * width))
			to[k / 64] |= (uint64_t)1 << k % 64;
}

int solver_output_refuted(const operator *op, int d, const expr *e, const int *rows, int n)
{
	for (int k = 0; k < n; k++) {
		const int64_t *row = passing_record(op, rows ? rows[k] : k);
		wide v;
		if (!expr_eval(e, row, &v) || v != row[op->nsym + d])
			return k;
	}
	return -1;
}

bool solver_output_holds(const operator *op, int d, const expr *e)
{
	return solver_output_refuted(op, d, e, NULL, op->npass) < 0;
}

/* ---- evidence */

typedef struct keyed {
	uint64_t key;
	int row;
} keyed;

static int by_key(const void *a, const void *b)
{
	const keyed *x = a, *y = b;
	return x->key != y->key ? (x->key < y->key ? -1 : 1) : x->row - y->row;
}

static uint64_t entry_hash(int symbol, int64_t value)
{
	uint64_t h = ((uint64_t)value + 0x632be59bd9b4e019u * (uint64_t)(symbol + 1)) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

/* For each symbol, collects pairs of records that differ only in it. Pairs are neighbours after sorting by a hash of
 * the other symbols. */
static void find_steps(solver *s)
{
	const operator *op = s->op;
	uint64_t *whole = ARENA_ARRAY(s->scratch, uint64_t, op->npass + 1);
	keyed *keys = ARENA_ARRAY(s->scratch, keyed, op->npass + 1);
	s->evidence.steps = ARENA_ARRAY(s->scratch, step *, op->nsym + 1);
	s->evidence.nsteps = ARENA_ARRAY(s->scratch, int, op->nsym + 1);
	for (int k = 0; k < op->npass; k++)
		for (int i = 0; i < op->nsym; i++)
			whole[k] += entry_hash(i, s->cols[i][k]);
	for (int i = 0; i < op->nsym; i++) {
		for (int k = 0; k < op->npass; k++)
			keys[k] = (keyed){whole[k] - entry_hash(i, s->cols[i][k]), k};
		qsort(keys, (size_t)op->npass, sizeof *keys, by_key);
		step *list = ARENA_ARRAY(s->scratch, step, op->npass + 1);
		int n = 0;
		for (int k = 1; k < op->npass; k++)
			if (keys[k].key == keys[k - 1].key)
				list[n++] = (step){keys[k - 1].row, keys[k].row};
		s->evidence.steps[i] = list;
		s->evidence.nsteps[i] = n;
	}
}

static void transpose(solver *s)
{
	const operator *op = s->op;
	int width = op->nsym + op->nodim;
	s->cols = ARENA_ARRAY(s->scratch, const int64_t *, width + 1);
	for (int i = 0; i < width; i++) {
		int64_t *col = ARENA_ARRAY(s->scratch, int64_t, op->npass + 1);
		for (int k = 0; k < op->npass; k++)
			col[k] = op->pass[(size_t)k * width + i];
		s->cols[i] = col;
	}
}

/* ---- the solver */

const char *stage_name(int stage)
{
	static const char *const NAMES[STAGE_COUNT] = {"1 operation", "linear, 2 terms, or 2 operations",
	    "linear, exact", "window", "linear, 5 terms", "3 operations", "clamp of two linear forms", "forms",
	    "clauses"};
	return NAMES[stage];
}

void solver_start(solver *s, const operator *op, expr_pool *pool, arena *memory, const options *o, rule *r,
    stage *stages)
{
	*s = (solver){.stages = stages, .op = op, .pool = pool, .scratch = memory, .options = o, .rule = r, .limit = MAX_WORK};
	*r = (rule){.layer = "columns", .nodim = op->nodim};
	r->out = ARENA_ARRAY(memory, const expr *, op->nodim + 1);
	s->explained = ARENA_ARRAY(memory, explained, op->nsym + 1);
	if (op->npass == 0) {
		r->why = "no passing record";
		return;
	}
	transpose(s);
	find_steps(s);
}

bool solver_moves(const solver *s, int symbol, int d)
{
	const int64_t *out = s->cols[s->op->nsym + d];
	for (int k = 0; k < s->evidence.nsteps[symbol]; k++) {
		step st = s->evidence.steps[symbol][k];
		if (out[st.a] != out[st.b])
			return true;
	}
	return false;
}

static int clause_cost(const expr *e)
{
	return e->size * COST_EVALUATION + (e->op == OP_OR ? COST_BRANCH : 0);
}

static int by_cost(const void *a, const void *b)
{
	const expr *x = *(const expr *const *)a, *y = *(const expr *const *)b;
	int order = clause_cost(x) - clause_cost(y);
	return order ? order : expr_compare(x, y);
}

int solver_same_column(const solver *s, int d)
{
	const operator *op = s->op;
	size_t bytes = sizeof **s->cols * (size_t)op->npass;
	for (int e = 0; e < d; e++)
		if (op->out_pos[e] == op->out_pos[d] && op->out_rank[e] == op->out_rank[d]
		    && memcmp(s->cols[op->nsym + e], s->cols[op->nsym + d], bytes) == 0)
			return e;
	return -1;
}

void solver_log(solver *s, const char *text, const expr *e, const char *format, ...)
{
	if (!s->log)
		return;
	va_list args;
	va_start(args, format);
	buf_puts(s->log, text);
	if (e)
		expr_print(s->log, e);
	buf_vprintf(s->log, format, args);
	buf_putc(s->log, '\n');
	va_end(args);
}

int solver_values(const operator *op, int i, int z, int max)
{
	int64_t seen[SOLVER_MAX_VALUES];
	int n = 0;
	for (int r = 0; r < op->npass && n < max; r++) {
		int64_t v = passing_record(op, r)[i];
		int k = 0;
		while (k < n && seen[k] != v)
			k++;
		if (k == n && (z < 0 || passing_record(op, r)[z] != 0))
			seen[n++] = v;
	}
	return n;
}

/* Whether symbol i has at least three values, among them 0 (dimension) or a negative one (integer). */
static bool ranges_freely(const operator *op, int i)
{
	enum { VALUES = 3 };
	bool low = false;
	for (int r = 0; r < op->npass && !low; r++) {
		int64_t v = passing_record(op, r)[i];
		low = op->roles[i].kind == ROLE_DIM ? v == 0 : v < 0;
	}
	return low && solver_values(op, i, -1, VALUES) == VALUES;
}

/* Whether symbol i occurs below, at and above symbol j. */
static bool unrelated(const operator *op, int i, int j)
{
	unsigned seen = 0;
	for (int r = 0; r < op->npass && seen != 7; r++) {
		const int64_t *row = passing_record(op, r);
		seen |= row[i] < row[j] ? 1 : row[i] == row[j] ? 2 : 4;
	}
	return seen == 7;
}

bool solver_untested(const operator *op)
{
	if (op->nfail || op->nin < 2)
		return false;
	for (int i = 0; i < op->nsym; i++) {
		if (!ranges_freely(op, i))
			return true;
		for (int j = 0; j < i; j++)
			if (!unrelated(op, i, j))
				return true;
	}
	return false;
}

/* Whether the few passing calls are all there are: of all inputs with values in -EDGE … EDGE, the rule accepts only
 * these, none of them at the edge, and enough calls were rejected. */
static bool is_exhaustive(const operator *op, const rule *r)
{
	enum { EDGE = 9, MIN_REJECTED = 10, MAX_SYMBOLS = 2 };
	int64_t x[MAX_SYMBOLS];
	int accepted = 0, across = op->nsym > 1 ? EDGE : 0;
	bool edge = false;
	if (op->nsym > MAX_SYMBOLS || op->nfail < MIN_REJECTED || r->why)
		return false;
	for (x[0] = -EDGE; x[0] <= EDGE; x[0]++)
		for (x[1] = -across; x[1] <= across; x[1]++)
			if (rule_accepts(op, r, x, NULL)) {
				accepted++;
				for (int i = 0; i < op->nsym; i++)
					edge |= x[i] == EDGE || x[i] == -EDGE;
			}
	return !edge && accepted == op->npass;
}

/* Low support: few passing records although more could exist, overfitted clauses, or constraints that were never
 * tested. */
static bool has_low_support(const operator *op, const rule *r)
{
	return r->thin || (op->npass < LOW_SUPPORT_PASSES && op->nsym && !is_exhaustive(op, r)) || solver_untested(op);
}

void solver_finish(solver *s)
{
	const operator *op = s->op;
	rule *r = s->rule;
	if (!r->why) {
		if (r->nclauses)
			qsort(r->clauses, (size_t)r->nclauses, sizeof *r->clauses, by_cost);
		rule_count(op, r);
		if (r->passed != (uint32_t)op->npass || r->failed != (uint32_t)op->nfail)
			r->why = "the rule found does not agree with every record";
	}
	r->thin = has_low_support(op, r);
}
