#include "call_template.h"

#include <string.h>

#include "call_dtypes.h"
#include "equation.h"
#include "given.h"
#include "moved_axes.h"
#include "pieces.h"
#include "rulesmith.h"
#include "squeeze.h"

typedef enum reading_kind { READS_PIECES, READS_SQUEEZE, READS_MOVE, READS_EQUATION } reading_kind;

enum { NO_ARGUMENT = -1, AXES_FIXED = 3, READINGS = 64, SUPPORT = 12 };

typedef struct reading { /* a template and the roles of a call's integers */
	reading_kind kind;
	unsigned which; /* piece_template, strictness, whether axes are swapped, or equation options */
	int number, axis; /* indices of integers, or NO_ARGUMENT; of a move: from and to */
	int64_t fixed; /* the axis if no argument is one */
} reading;

typedef struct seen { /* on the records that readings follow */
	unsigned records;
	unsigned changes; /* bits: numbers of outputs, or of removed dimensions */
	unsigned ranks; /* bits: ranks of the first tensor */
	bool integers[GIVEN_INTEGERS], texts; /* several values */
	const given *first;
} seen;

/* ---- one call */

static void read_pieces(const reading *r, const given *g, rule_result *out, const char **why)
{
	const call_value *tensor = g->tensors[0], *axis = r->axis >= 0 ? g->integers[r->axis] : NULL;
	const int64_t rank = (int64_t)tensor->n;
	int64_t at = axis ? axis->integer : r->fixed;
	out->outcome = RULE_SILENT;
	if (rank == 0 || rank > RULE_RANK || (axis && axis->kind != CALL_INT) || (!axis && at >= rank))
		return;
	if (at < -rank || at >= rank) {
		out->outcome = RULE_REJECTS;
		*why = "the axis is not below the rank";
		return;
	}
	at += at < 0 ? rank : 0;
	pieces_cut((piece_template)r->which, tensor, at, r->number >= 0 ? g->integers[r->number] : NULL, out, why);
}

static void read_call(const reading *r, const given *g, rule_result *out, const char **why)
{
	switch (r->kind) {
	case READS_PIECES: read_pieces(r, g, out, why); return;
	case READS_SQUEEZE: squeeze_axes(g->tensors[0], r->axis >= 0 ? g->integers[r->axis] : NULL, r->which, out, why); return;
	case READS_MOVE: axes_move(g->tensors[0], g->integers[r->number], g->integers[r->axis], r->which, out, why); return;
	case READS_EQUATION: equation_evaluate(g->text, g->tensors, g->ntensors, r->which, out, why); return;
	}
}

static unsigned readings_of_pieces(const given *g, int axis, int64_t fixed, reading *out)
{
	unsigned n = 0;
	const unsigned numbers = g->nintegers - (axis >= 0);
	const int number = numbers == 1 ? (axis == 0) : NO_ARGUMENT;
	for (unsigned t = 0; numbers <= 1 && t < PIECES_TEMPLATES; t++)
		if (pieces_of_kind((piece_template)t, number >= 0 ? g->integers[number] : NULL))
			out[n++] = (reading){READS_PIECES, t, number, axis, fixed};
	return n;
}

/* All templates with all roles that the arguments may have. */
static unsigned readings_of(const given *g, reading *out)
{
	unsigned n = 0;
	if (g->text && !g->nintegers && g->ntensors) {
		for (; n < EQUATION_OPTIONS; n++)
			out[n] = (reading){READS_EQUATION, n, NO_ARGUMENT, NO_ARGUMENT, 0};
		return n;
	}
	if (g->text || g->ntensors != 1)
		return 0;
	for (int axis = 0; axis < (int)g->nintegers; axis++)
		n += readings_of_pieces(g, axis, 0, out + n);
	for (int64_t fixed = 0; fixed < AXES_FIXED; fixed++)
		n += readings_of_pieces(g, NO_ARGUMENT, fixed, out + n);
	for (unsigned strict = 0; g->nintegers <= 1 && strict <= g->nintegers; strict++)
		out[n++] = (reading){READS_SQUEEZE, strict, NO_ARGUMENT, g->nintegers ? 0 : NO_ARGUMENT, 0};
	for (int from = 0; g->nintegers == 2 && from < 2; from++)
		out[n++] = (reading){READS_MOVE, false, from, 1 - from, 0};
	if (g->nintegers == 2 && g->integers[0]->kind == CALL_INT && g->integers[1]->kind == CALL_INT)
		out[n++] = (reading){READS_MOVE, true, 0, 1, 0};
	return n;
}

/* ---- the records */

static bool same_form(const rs_op *op, const rule_result *found)
{
	bool same = found->nout == op->nout;
	for (unsigned i = 0; same && i < op->nout; i++)
		same = found->ranks[i] == op->out_ranks[i];
	return same;
}

/* Whether a reading agrees with a recorded signature. A signature that rejects a call leaves it to those with other outputs. */
static bool follows(const rs_op *op, bool accepted, const int64_t *dims, const rule_result *found)
{
	if (!accepted)
		return found->outcome != RULE_ACCEPTS || !same_form(op, found);
	return found->outcome == RULE_ACCEPTS && same_form(op, found) && memcmp(found->dims, dims, op->nodim * sizeof *dims) == 0;
}

typedef struct trial {
	const recorded *row;
	int64_t *symbols, *dims;
	reading *readings; /* those that no record contradicts */
	unsigned *n;
	rule_result *found;
	arena *memory;
} trial;

/* Tries the readings on a call of the row's symbols. accepted: by the row. */
static bool try_readings(trial *t, bool accepted)
{
	binding b;
	given g;
	const char *why;
	unsigned left = 0;
	if (!recorded_instance(t->row, t->symbols, t->memory, &b))
		return false;
	if (!given_of(&b, &g))
		return true;
	for (unsigned i = 0; i < *t->n; i++) {
		read_call(&t->readings[i], &g, t->found, &why);
		if (follows(t->row->op, accepted, t->dims, t->found))
			t->readings[left++] = t->readings[i];
	}
	*t->n = left;
	return true;
}

static bool is_size(const rs_op *op, unsigned symbol)
{
	for (unsigned v = 0; v < op->nvalues; v++)
		if (rs_is_tensor(op->values[v].kind) && symbol >= op->values[v].first && symbol < op->values[v].first + op->values[v].count)
			return true;
	return false;
}

/* Tries the readings next to a record: each symbol plus or minus one. The row's rule decides which calls are accepted. */
static bool try_near(trial *t)
{
	const rs_op *op = t->row->op;
	for (unsigned k = 0; k < op->nsym; k++)
		for (int step = -1; step <= 1; step += 2) {
			const int64_t before = t->symbols[k];
			t->symbols[k] += step;
			if ((t->symbols[k] >= 0 || !is_size(op, k)) && !try_readings(t, rs_eval(op, t->symbols, t->dims)))
				return false;
			t->symbols[k] = before;
		}
	return true;
}

/* Tries the readings on the records of a row. False: out of memory. */
static bool try_row(trial *t, seen *s)
{
	const rs_op *op = t->row->op;
	for (unsigned i = 0; i < op->nrecords && *t->n; i++) {
		const arena_mark mark = arena_save(t->memory);
		rs_record(op, i, t->symbols);
		if (!rs_eval(op, t->symbols, t->dims))
			continue; /* an outlier that the row's own rule does not reproduce either */
		if (!try_readings(t, true) || !try_near(t))
			return false;
		arena_release(t->memory, mark);
		s->records++;
	}
	return true;
}

/* Notes a row that the readings were tried on. */
static void observe(seen *s, const given *g, const rs_op *op)
{
	const size_t rank = g->ntensors ? g->tensors[0]->n : 0;
	const size_t change = op->nout == 1 && op->out_ranks[0] <= rank ? rank - op->out_ranks[0] : op->nout;
	s->changes |= change < 32 ? 1u << change : 0;
	s->ranks |= rank < 32 ? 1u << rank : 0;
	if (s->first && g->text)
		s->texts = s->texts || strcmp(g->text, s->first->text) != 0;
	for (unsigned i = 0; s->first && i < g->nintegers; i++)
		s->integers[i] = s->integers[i] || !call_equal(g->integers[i], s->first->integers[i]);
	s->first = s->first ? s->first : g;
}

/* Whether there are enough records for a template: as many as a signature needs, with outputs that vary, and several ranks, axes
 * and texts. */
static bool suffices(const seen *s, const given *g, const reading *r)
{
	if (s->records < SUPPORT)
		return false;
	if (r->kind == READS_EQUATION)
		return s->texts;
	const bool same_axis = r->axis < 0 || s->integers[r->axis] || call_equal(g->integers[r->axis], s->first->integers[r->axis]);
	const size_t rank = g->tensors[0]->n;
	const bool several = s->ranks & (s->ranks - 1), above = rank < 32 && (s->ranks & ((2u << rank) - 1));
	const bool one_axis = r->kind == READS_SQUEEZE && r->axis >= 0; /* which removes one dimension of any call */
	const bool varies = r->kind == READS_MOVE ? s->integers[0] && s->integers[1] : one_axis || s->changes & (s->changes - 1);
	return varies && same_axis && above && (several || s->ranks >> rank & 1);
}

/* The answer that all readings give. */
static void agree(const reading *readings, unsigned n, const given *g, rule_result *found, rule_result *out, const char **why)
{
	for (unsigned i = 0; i < n; i++) {
		rule_result *to = i ? found : out;
		const char *reason = NULL;
		read_call(&readings[i], g, to, &reason);
		*why = i ? *why : reason;
		if (i && !rule_results_equal(out, found))
			out->outcome = RULE_SILENT;
	}
}

/* Whether two readings disagree about a call. */
static bool disagree(const reading *readings, unsigned n, const given *g, rule_result *first, rule_result *found)
{
	const char *why;
	bool any = false, differ = false;
	for (unsigned i = 0; i < n; i++) {
		rule_result *to = any ? found : first;
		read_call(&readings[i], g, to, &why);
		differ = differ || (any && found->outcome != RULE_SILENT && !rule_results_equal(first, found));
		any = any || first->outcome != RULE_SILENT;
	}
	return differ;
}

bool call_template_evaluate(const recorded *rows, size_t n, const binding *b, arena *memory, rule_result *out, const char **why,
    bool *counts, bool *dtypes)
{
	given g;
	reading readings[READINGS];
	seen s = {.records = 0};
	uint8_t dtype;
	out->outcome = RULE_SILENT;
	unsigned left = given_of(b, &g) ? readings_of(&g, readings) : 0;
	const bool one_dtype = given_dtype(&g, &dtype);
	*counts = *dtypes = false;
	trial t = {.readings = readings, .n = &left, .memory = memory, .found = ARENA_NEW(memory, rule_result)};
	for (size_t i = 0; i < n && left; i++) {
		const rs_op *op = rows[i].op;
		given *row = ARENA_NEW(memory, given);
		t.row = &rows[i];
		t.symbols = ARENA_ARRAY(memory, int64_t, op->nsym + 1u);
		t.dims = ARENA_ARRAY(memory, int64_t, op->nodim + 1u);
		if (!row || !t.symbols || !t.dims || !t.found)
			return false;
		if (!op->valid || !given_of(&rows[i].bound, row) || !given_alike(row, &g) || (!g.text && row->tensors[0]->n == 0))
			continue; /* axes of a tensor without dimensions are an exception of their own */
		if (!try_row(&t, &s))
			return false;
		observe(&s, row, op);
		*dtypes = *dtypes || (one_dtype && dtype_row_uniform(op, dtype));
	}
	unsigned good = 0;
	for (unsigned i = 0; i < left; i++)
		if (suffices(&s, &g, &readings[i]))
			readings[good++] = readings[i];
	if (good) {
		agree(readings, good, &g, t.found, out, why);
	} else if (s.records && disagree(readings, left, &g, out, t.found)) {
		out->outcome = RULE_SILENT; /* the records do not distinguish them, so a rule that does is one of several */
		good = left;
	} else {
		agree(readings, s.records ? left : 0, &g, t.found, out, why);
	}
	*counts = good;
	return true;
}
