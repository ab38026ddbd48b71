#include "index_ranks.h"

#include <string.h>

#include "rng.h"
#include "rulesmith.h"

enum {
	RECORDED = 5, /* the rank of the signature that others are made from */
	SAMPLES = 48, /* shapes for which a rule is evaluated */
	RECORDS = 8,  /* of a new signature */
	WIDEST = 2 * INDEX_RANKS_LAST,
	NEIGHBOURS = 64, /* signatures of an API among which that of rank 4 is searched */
};

/* ---- rules of the new signatures */

static bool any(const int64_t *s)
{
	(void)s;
	return true;
}

static bool broadcasts(const int64_t *s, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++)
		if (s[i] != s[rank + i] && s[i] != 1 && s[rank + i] != 1)
			return false;
	return true;
}

static bool broadcast(const int64_t *s, int64_t *out, unsigned rank)
{
	for (unsigned i = 0; i < rank; i++)
		out[i] = s[i] == 1 ? s[rank + i] : s[i];
	return true;
}

static bool copy(const int64_t *s, int64_t *out, unsigned rank)
{
	memcpy(out, s, rank * sizeof *out);
	return true;
}

#define RULES(rank)                                                                                                            \
	static bool broadcasts_##rank(const int64_t *s)                                                                        \
	{                                                                                                                      \
		return broadcasts(s, rank);                                                                                    \
	}                                                                                                                      \
	static bool equal_##rank(const int64_t *s)                                                                             \
	{                                                                                                                      \
		return memcmp(s, s + (rank), (rank) * sizeof *s) == 0;                                                         \
	}                                                                                                                      \
	static bool broadcast_##rank(const int64_t *s, int64_t *out)                                                           \
	{                                                                                                                      \
		return broadcast(s, out, rank);                                                                                \
	}                                                                                                                      \
	static bool copy_##rank(const int64_t *s, int64_t *out)                                                                \
	{                                                                                                                      \
		return copy(s, out, rank);                                                                                     \
	}
RULES(1)
RULES(2)
RULES(3)
RULES(4)
RULES(5)
RULES(6)
RULES(7)
RULES(8)

static const struct rules {
	rs_valid_fn *broadcasts, *equal;
	rs_propagate_fn *broadcast, *copy;
} OF_RANK[] = {
#define ROW(rank) [rank] = {broadcasts_##rank, equal_##rank, broadcast_##rank, copy_##rank}
    ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), ROW(8)};

/* ---- elementwise operators */

/* Whether all tensors have this rank, and all other arguments are constants. Lists of several items, which may be axes, are
 * excluded. */
static bool has_rank(const rs_op *op, unsigned rank)
{
	if (!op->valid || !op->propagate || op->nout != 1 || op->out_ranks[0] != rank || op->nin < 1 || op->nin > 2 || op->nsym != op->nin * rank
	    || op->flags & (RS_RECORDED | RS_RANDOM | RS_UNFIT | RS_HELD | RS_DELICATE))
		return false;
	for (unsigned i = 0; i < op->nvalues; i++) {
		const rs_value *v = &op->values[i];
		if (v->kind == RS_INT || v->kind == RS_RANGED || (v->kind == RS_TENSOR && v->count != rank) || (v->kind == RS_LIST && v->count > 1))
			return false;
	}
	return true;
}

/* Shapes of two operands: the same, or some dimensions of one or both replaced. */
static void draw_shapes(rng *r, unsigned rank, int64_t *s)
{
	uint32_t way = rng_below(r, 3);
	for (unsigned i = 0; i < rank; i++) {
		s[i] = 1 + rng_below(r, 6);
		s[rank + i] = way && rng_below(r, 2) ? (way == 1 ? 1 : 1 + (int64_t)rng_below(r, 6)) : s[i];
	}
}

static bool obeys(const rs_op *op, enum elementwise kind, unsigned rank, const int64_t *s)
{
	int64_t out[RECORDED], want[RECORDED];
	bool valid = kind == ELEMENTWISE_UNARY || (kind == ELEMENTWISE_BROADCAST ? broadcasts(s, rank) : memcmp(s, s + rank, rank * sizeof *s) == 0);
	if (rs_eval(op, s, out) != valid)
		return false;
	(void)(kind == ELEMENTWISE_BROADCAST ? broadcast(s, want, rank) : copy(s, want, rank));
	return !valid || memcmp(out, want, rank * sizeof *out) == 0;
}

static enum elementwise find_kind(const rs_op *op, unsigned rank)
{
	bool is[] = {[ELEMENTWISE_UNARY] = op->nin == 1, [ELEMENTWISE_BROADCAST] = op->nin == 2, [ELEMENTWISE_EQUAL] = op->nin == 2};
	rng r = rng_seed(rank);
	int64_t s[2 * RECORDED];
	for (int i = 0; i < SAMPLES; i++) {
		draw_shapes(&r, rank, s);
		for (enum elementwise k = ELEMENTWISE_UNARY; k <= ELEMENTWISE_EQUAL; k++)
			is[k] = is[k] && obeys(op, k, rank, s);
	}
	for (enum elementwise k = ELEMENTWISE_UNARY; k <= ELEMENTWISE_EQUAL; k++)
		if (is[k])
			return k;
	return NOT_ELEMENTWISE;
}

/* Whether two signatures are of one API and differ in ranks alone. */
static bool alike(const rs_op *a, const rs_op *b)
{
	if (strcmp(a->api, b->api) != 0 || a->nargs != b->nargs || a->nvalues != b->nvalues || a->nin != b->nin)
		return false;
	for (unsigned i = 0; i < a->nargs; i++)
		if (strcmp(a->args[i].name, b->args[i].name) != 0)
			return false;
	return true;
}

static enum elementwise kind_of(const rs_op *op, unsigned rank)
{
	return has_rank(op, rank) && !(op->flags & RS_THIN) ? find_kind(op, rank) : NOT_ELEMENTWISE;
}

/* Whether signatures near `at` that differ from it in ranks and constants alone have one of this rank and kind. */
static bool has_kind(const rs_table *t, uint32_t at, unsigned rank, enum elementwise kind)
{
	uint32_t first = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
	for (uint32_t i = first; i < t->nops && i < at + NEIGHBOURS; i++)
		if (alike(&t->ops[i], &t->ops[at]) && kind_of(&t->ops[i], rank) == kind)
			return true;
	return false;
}

enum elementwise index_elementwise(const rs_table *t, uint32_t at)
{
	enum elementwise kind = kind_of(&t->ops[at], RECORDED);
	return kind && has_kind(t, at, RECORDED - 1, kind) ? kind : NOT_ELEMENTWISE;
}

/* ---- ranks below that were recorded with other constants only */

static bool same_constants(const rs_op *a, const rs_op *b)
{
	if (!alike(a, b))
		return false;
	for (unsigned i = 0; i < a->nvalues; i++)
		if (a->values[i].kind != b->values[i].kind || (a->values[i].kind == RS_CONST && strcmp(a->values[i].text, b->values[i].text) != 0))
			return false;
	return true;
}

/* The ranks of the signatures with these constants, as bits; those of a rule with low support count, too. */
static uint32_t recorded_ranks(const rs_table *t, uint32_t at)
{
	uint32_t ranks = 0, first = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
	for (uint32_t i = first; i < t->nops && i < at + NEIGHBOURS; i++)
		if (same_constants(&t->ops[i], &t->ops[at]) && t->ops[i].out_ranks[0] < 32)
			ranks |= UINT32_C(1) << t->ops[i].out_ranks[0];
	return ranks;
}

static bool keeps_rank(const rs_op *op)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_TENSOR && op->values[i].count != op->out_ranks[0])
			return false;
	return true;
}

/* Whether an attribute decides the rank: signatures near `at` that differ from it in ranks and constants alone give another one. */
static bool has_other_rank(const rs_table *t, uint32_t at)
{
	uint32_t first = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
	for (uint32_t i = first; i < t->nops && i < at + NEIGHBOURS; i++)
		if (alike(&t->ops[i], &t->ops[at]) && t->ops[i].nout && !keeps_rank(&t->ops[i]))
			return true;
	return false;
}

/* Whether signatures near `at` with constants of their own, the same at both ranks, are elementwise at ranks 4 and 5, and none has
 * a lower rank than `at`: a constant that restricts ranks, such as torch.channels_last, was recorded at these alone. */
static bool shows_all_ranks(const rs_table *t, uint32_t at)
{
	uint32_t first = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
	bool shown = false;
	for (uint32_t i = first; i < t->nops && i < at + NEIGHBOURS; i++) {
		if (!alike(&t->ops[i], &t->ops[at]))
			continue;
		if (t->ops[i].nout && t->ops[i].out_ranks[0] < t->ops[at].out_ranks[0])
			return false;
		if (shown || kind_of(&t->ops[i], RECORDED) != ELEMENTWISE_UNARY)
			continue;
		for (uint32_t k = first; !shown && k < t->nops && k < at + NEIGHBOURS; k++)
			shown = same_constants(&t->ops[k], &t->ops[i]) && kind_of(&t->ops[k], RECORDED - 1) == ELEMENTWISE_UNARY;
	}
	return shown;
}

uint32_t index_missing_ranks(const rs_table *t, uint32_t at)
{
	const rs_op *op = &t->ops[at];
	unsigned rank = op->nout ? op->out_ranks[0] : RECORDED;
	if (rank >= RECORDED || op->nin != 1 || !has_rank(op, rank) || (rank && find_kind(op, rank) != ELEMENTWISE_UNARY))
		return 0;
	if (!shows_all_ranks(t, at) || has_other_rank(t, at))
		return 0;
	uint32_t ranks = recorded_ranks(t, at), below = (UINT32_C(1) << rank) - 1, all = (UINT32_C(2) << INDEX_RANKS_LAST) - 1;
	if (ranks >> RECORDED & 1) /* which those above are made from */
		all &= ~(uint32_t)INDEX_RANKS_BEYOND;
	return ranks & below ? 0 : all & ~ranks & ~below;
}

/* ---- a signature */

/* Small calls: operands with equal shapes, and some that broadcast. */
static int64_t *make_records(arena *a, enum elementwise kind, unsigned nin, unsigned rank)
{
	int64_t *records = ARENA_ARRAY(a, int64_t, RECORDS * nin * rank);
	rng r = rng_seed(rank);
	for (unsigned i = 0; records && i < RECORDS; i++) {
		int64_t *s = records + (size_t)i * nin * rank;
		unsigned large = 0;
		for (unsigned k = 0; k < rank; k++) {
			s[k] = large < 4 ? 1 + (int64_t)rng_below(&r, 3) : 1;
			large += s[k] > 1;
			if (nin > 1)
				s[rank + k] = kind == ELEMENTWISE_BROADCAST && i % 2 && rng_below(&r, 2) ? 1 : s[k];
		}
	}
	return records;
}

static rs_value *make_values(arena *a, const rs_op *op, unsigned rank)
{
	rs_value *values = ARENA_ARRAY(a, rs_value, op->nvalues + 1);
	unsigned first = 0;
	for (unsigned i = 0; values && i < op->nvalues; i++) {
		values[i] = op->values[i];
		if (values[i].kind != RS_TENSOR)
			continue;
		values[i].count = (uint16_t)rank;
		values[i].first = (uint16_t)first;
		first += rank;
	}
	return values;
}

const rs_op *index_other_rank(const rs_op *from, enum elementwise kind, unsigned rank, arena *a)
{
	const struct rules *rules = &OF_RANK[rank];
	rs_op *op = ARENA_NEW(a, rs_op);
	rs_value *values = make_values(a, from, rank);
	int64_t *records = make_records(a, kind, from->nin, rank);
	uint8_t *ranks = ARENA_NEW(a, uint8_t);
	if (!op || !values || !records || !ranks)
		return NULL;
	*ranks = (uint8_t)rank;
	*op = *from;
	op->values = values;
	op->out_ranks = ranks;
	op->records = records;
	op->record_type = RS_RECORD_INT64;
	op->nrecords = RECORDS;
	op->nsym = (uint16_t)(from->nin * rank);
	op->nodim = (uint16_t)rank;
	op->sample = op->back = NULL;
	op->sampler = RS_SAMPLER_RECORD;
	op->flags &= (uint16_t)~RS_THIN;
	op->valid = kind == ELEMENTWISE_UNARY ? any : kind == ELEMENTWISE_BROADCAST ? rules->broadcasts : rules->equal;
	op->propagate = kind == ELEMENTWISE_BROADCAST ? rules->broadcast : rules->copy;
	return op;
}
