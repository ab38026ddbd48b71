/* Sampling of single calls (rulesmith.h): one signature, as the index describes it, and the sampler. */
#include <stdlib.h>
#include <string.h>

#include "rulesmith.h"
#include "sample.h"
#include "sampling.h"

enum { HIGH = 8, MAX_NUMEL = 65536 };

struct rs_caller {
	arena *arena;
	index_op op;
	sample_box box;
	int64_t v[INDEX_WIDTH_MAX];
	uint8_t known[INDEX_WIDTH_MAX];
};

static sample_box box_of(const rs_box *box)
{
	rs_box b = box ? *box : (rs_box){0};
	bool told = b.low || b.high;
	return (sample_box){.low = told ? b.low : 1,
	    .high = told ? b.high : HIGH,
	    .zero = b.empty,
	    .numel = b.max_numel > 0 ? b.max_numel : MAX_NUMEL};
}

rs_caller *rs_caller_new(const rs_op *op, const rs_box *box)
{
	rs_caller *c = (size_t)op->nsym + op->nodim <= INDEX_WIDTH_MAX ? calloc(1, sizeof *c) : NULL;
	if (!c)
		return NULL;
	c->box = box_of(box);
	c->arena = arena_new();
	if (!c->arena || !index_describe(c->arena, op, c->box.numel, &c->op) || !c->op.nfull) {
		rs_caller_free(c);
		return NULL;
	}
	c->op.symbolic = op->valid && op->propagate && !(op->flags & RS_BY_RECORD);
	return c;
}

void rs_caller_free(rs_caller *c)
{
	if (c)
		arena_free(c->arena);
	free(c);
}

static void begin(rs_caller *c, const int64_t *symbols, const uint8_t *known)
{
	for (unsigned i = 0; i < c->op.nsym; i++) {
		c->known[i] = known && known[i];
		c->v[i] = c->known[i] ? symbols[i] : 0;
	}
}

static bool finish(const rs_caller *c, int64_t *symbols, int64_t *out)
{
	unsigned nsym = c->op.nsym;
	if (nsym)
		memcpy(symbols, c->v, nsym * sizeof *symbols);
	if (c->op.width > nsym)
		memcpy(out, c->v + nsym, (c->op.width - nsym) * sizeof *out);
	return true;
}

bool rs_sample_forward(rs_caller *c, uint64_t seed, int64_t *symbols, const uint8_t *known, int64_t *out)
{
	rng r = rng_seed(seed);
	begin(c, symbols, known);
	return sample_forward(&c->op, c->v, c->known, c->box, &r) && finish(c, symbols, out);
}

bool rs_sample_backward(rs_caller *c, uint64_t seed, int64_t *symbols, const uint8_t *known,
    unsigned output, const int64_t *shape, int64_t *out)
{
	rng r = rng_seed(seed);
	begin(c, symbols, known);
	if (output >= c->op.nout)
		return false;
	unsigned rank = c->op.out_ranks[output];
	for (unsigned i = 0; i < rank; i++)
		if (shape[i] < 0 || shape[i] > RS_LIMIT)
			return false;
	if (!rank)
		shape = c->v; /* may be NULL, which memcpy does not accept */
	return sample_backward(&c->op, c->v, c->known, output, shape, c->box, &r) && finish(c, symbols, out);
}
