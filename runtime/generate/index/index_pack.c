#include "index_pack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE ((size_t)2 << 20) /* bytes of a large page */

/* The position of the next piece; base NULL: only count. */
typedef struct cursor {
	char *base;
	size_t used;
} cursor;

static void align(cursor *c, size_t size)
{
	c->used = (c->used + size - 1) & ~(size - 1);
}

/* Copies an array. Returns its new address; the old one while counting. */
static const void *put(cursor *c, const void *from, size_t size)
{
	char *to = c->base ? c->base + c->used : NULL;
	c->used += size;
	if (to && size)
		memcpy(to, from, size);
	return to ? to : from;
}

static void put_operator(cursor *c, index_op *o)
{
	size_t tensors = o->nin + (size_t)o->nout;
	align(c, INDEX_LINE);
	const void *inputs = put(c, o->inputs, o->nin * sizeof *o->inputs),
		   *out_ranks = put(c, o->out_ranks, o->nout), *classes = NULL;
	if (o->classes)
		classes = put(c, o->classes, o->nin + (size_t)RS_VALUES_COUNT);
	const void *rows = put(c, o->rows, o->nrows * tensors + 2u * o->width);
	align(c, sizeof(int64_t));
	graph_form form = *o->form;
	const graph_form *there = put(c, &form, sizeof form);
	const void *hashes = put(c, form.consts, form.nconsts * sizeof *form.consts),
		   *consts = put(c, o->consts, o->nconsts * sizeof *o->consts),
		   *bounds = put(c, o->bounds, o->nsym * 2u * sizeof *o->bounds);
	if (!c->base)
		return;
	((graph_form *)there)->consts = hashes;
	((graph_form *)there)->out_ranks = out_ranks;
	o->inputs = inputs;
	o->out_ranks = out_ranks;
	o->classes = classes;
	o->rows = rows;
	o->form = there;
	o->consts = consts;
	o->bounds = bounds;
}

static void put_all(cursor *c, gen_index *x)
{
	const void *ops = put(c, x->ops, x->nops * sizeof *x->ops);
	align(c, INDEX_LINE);
	const void *apis = put(c, x->apis, x->napis * sizeof *x->apis);
	align(c, INDEX_LINE);
	const void *places = put(c, x->places, x->nplaces * sizeof *x->places);
	align(c, INDEX_LINE);
	const void *runs = put(c, x->runs, (x->mask + (size_t)1) * sizeof *x->runs);
	if (c->base) {
		x->ops = (index_op *)ops;
		x->apis = (index_api *)apis;
		x->places = (index_place *)places;
		x->runs = (index_run *)runs;
	}
	for (uint32_t i = 0; i < x->nops; i++)
		put_operator(c, &x->ops[i]);
}

bool index_pack(gen_index *x)
{
	_Static_assert(sizeof(index_op) == 2 * INDEX_LINE, "two lines of a cache");
	_Static_assert(sizeof(index_api) == 5 * INDEX_LINE, "five");
	cursor count = {0};
	put_all(&count, x);
	size_t unit = count.used >= LARGE ? LARGE : INDEX_LINE;
	align(&count, unit);
	cursor c = {.base = aligned_alloc(unit, count.used)};
	if (!c.base)
		return false;
	x->pack = c.base;
	if (unit == LARGE)
		(void)madvise(c.base, count.used, MADV_HUGEPAGE); /* a hint; failure does not matter */
	put_all(&c, x);
	return true;
}
