#include "change.h"

#include <stdlib.h>
#include <string.h>

#include "elements.h"

enum { DTYPES_MANY = 10, RANKS_MANY = 3, ELEMENTS_MANY = 2, WHOLES_MANY = 5, FLOATS_MANY = 8 };
/* A tensor or a number among the arguments of a call. */
typedef struct place {
	uint32_t node;
	unsigned arg;
	unsigned item; /* its index among the tensors, or the numbers, of the argument */
	const char *text; /* of a number; NULL: a tensor */
	uint8_t dtype;	  /* of a tensor */
	unsigned rank;
} place;

/* Whether a constant is a number: whole, or with a point. */
static bool is_number(const char *text)
{
	char *end;
	if (!strchr("-.0123456789", text[0]))
		return false;
	strtod(text, &end);
	return end != text && *end == '\0';
}

/* Offers a place; each offered place is equally likely. */
static void offer(place *chosen, uint32_t *seen, place p, rng *r)
{
	if (rng_below(r, ++*seen) == 0)
		*chosen = p;
}

/* The places that may be chosen. */
enum wanted { ANY, TENSORS, RANGED, NUMBERS };

/* Offers places of a call. */
static void offer_call(const graph *g, uint32_t node, enum wanted wanted, place *chosen, uint32_t *seen, rng *r)
{
	const graph_node *n = &g->nodes[node];
	unsigned input = 0, constant = 0, arg = 0, tensors = 0, numbers = 0;
	for (unsigned i = 0; i < n->op->nvalues; i++) {
		const rs_value *v = &n->op->values[i];
		while (arg + 1u < n->op->nargs && n->op->args[arg + 1u].value <= i)
			arg++, tensors = numbers = 0;
		bool literal = n->op->values[n->op->args[arg].value].kind == RS_ELEMENTS;
		if (rs_is_tensor(v->kind)) {
			const graph_tensor *t = &g->tensors[graph_node_input(g, n, input++)];
			const place found = {node, arg, tensors++, NULL, (uint8_t)t->dtype, t->rank};
			if (wanted != NUMBERS && (wanted != RANGED || elements_have_range(found.dtype)))
				offer(chosen, seen, found, r);
		} else if (v->kind == RS_CONST) {
			const char *text = n->consts ? n->consts[constant] : v->text;
			constant++;
			if (!literal && is_number(text) && (wanted == ANY || wanted == NUMBERS))
				offer(chosen, seen, (place){node, arg, numbers++, text, 0, 0}, r);
		}
	}
}

static bool is_whole(const char *number)
{
	return !strpbrk(number, ".en");
}

/* The number of values that may replace one. */
static unsigned numbers_for(const place *p)
{
	return is_whole(p->text) ? WHOLES_MANY : FLOATS_MANY;
}

/* Each `to_` function changes a place to one of its values. */
static graph_change to_number(const place *p, unsigned draw)
{
	static const char *const FLOATS[FLOATS_MANY] = {"0.0", "-1.0", "-0.5", "1.5", "nan", "inf", "-inf", "1e+30"};
	static const char *const WHOLES[WHOLES_MANY] = {"0", "-1", "-7", "99", "2.5"};
	const char *const *texts = is_whole(p->text) ? WHOLES : FLOATS;
	unsigned n = numbers_for(p), at = draw % n;
	at = strcmp(texts[at], p->text) == 0 ? (at + 1) % n : at;
	return (graph_change){.kind = CHANGE_NUMBER, .to = texts[at]};
}

static graph_change to_dtype(const place *p, unsigned draw)
{
	static const char *const DTYPES[DTYPES_MANY] = {
	    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool", "complex64"};
	unsigned at = draw % DTYPES_MANY;
	at = strcmp(DTYPES[at], rs_dtype_name((rs_dtype)p->dtype)) == 0 ? (at + 1) % DTYPES_MANY : at;
	return (graph_change){.kind = CHANGE_DTYPE, .to = DTYPES[at]};
}

static graph_change to_rank(const place *p, unsigned draw)
{
	static const char *const RANKS[RANKS_MANY] = {"more", "fewer", "scalar"};
	return (graph_change){.kind = CHANGE_RANK, .to = RANKS[p->rank ? draw % RANKS_MANY : 0]};
}

static graph_change to_elements(unsigned draw)
{
	static const char *const ELEMENTS[ELEMENTS_MANY] = {"negative", "large"};
	return (graph_change){.kind = CHANGE_ELEMENTS, .to = ELEMENTS[draw % ELEMENTS_MANY]};
}

static graph_change change_of(const place *p, rng *r)
{
	if (p->text)
		return to_number(p, rng_below(r, numbers_for(p)));
	unsigned kind = rng_below(r, 10);
	if (kind == 0)
		return (graph_change){.kind = CHANGE_MISSING, .to = "None"};
	if (kind < 3)
		return to_rank(p, p->rank ? rng_below(r, RANKS_MANY) : 0);
	return kind < 6 && elements_have_range(p->dtype) ? to_elements(rng_below(r, ELEMENTS_MANY)) : to_dtype(p, rng_below(r, DTYPES_MANY));
}

/* A random place; its node is GRAPH_NONE if there is none. */
static place draw_place(const graph *g, enum wanted wanted, rng *r)
{
	place p = {.node = GRAPH_NONE};
	uint32_t seen = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (!(g->nodes[i].op->flags & RS_UNFIT))
			offer_call(g, i, wanted, &p, &seen, r);
	return p;
}

static graph_change at_place(const graph *g, const place *p, graph_change change)
{
	change.argument = g->nodes[p->node].op->args[p->arg].name;
	change.item = p->item;
	return change;
}

graph_change change_draw(const graph *g, rng *r, uint32_t *node)
{
	const place p = draw_place(g, ANY, r);
	*node = p.node;
	return p.node == GRAPH_NONE ? (graph_change){.kind = CHANGE_NONE} : at_place(g, &p, change_of(&p, r));
}

graph_change change_of_round(const graph *g, uint64_t round, rng *r, uint32_t *node)
{
	/* Kinds, with the number of rounds of eight that have each, and that had it before. */
	static const struct {
		enum change_kind kind;
		enum wanted wanted;
		unsigned each, before;
	} ROUNDS[CHANGE_ROUNDS] = {{CHANGE_NUMBER, NUMBERS, 2, 0}, {CHANGE_DTYPE, TENSORS, 3, 0}, {CHANGE_ELEMENTS, RANGED, 1, 0},
	    {CHANGE_DTYPE, TENSORS, 3, 1}, {CHANGE_NUMBER, NUMBERS, 2, 1}, {CHANGE_DTYPE, TENSORS, 3, 2}, {CHANGE_RANK, TENSORS, 1, 0}};
	/* float16, uint8, complex64, bool, float64, int64, bfloat16, int32, int8, float32: one of each sort that kernels lack first */
	static const unsigned DTYPES[DTYPES_MANY] = {2, 7, 9, 8, 1, 4, 3, 5, 6, 0};
	const unsigned at = (unsigned)(round % CHANGE_ROUNDS);
	const unsigned turn = (unsigned)(round / CHANGE_ROUNDS) * ROUNDS[at].each + ROUNDS[at].before;
	const place p = ROUNDS[at].kind == CHANGE_NONE ? (place){.node = GRAPH_NONE} : draw_place(g, ROUNDS[at].wanted, r);
	*node = p.node;
	switch (p.node == GRAPH_NONE ? CHANGE_NONE : ROUNDS[at].kind) {
	case CHANGE_NUMBER:
		return at_place(g, &p, to_number(&p, turn));
	case CHANGE_DTYPE:
		return at_place(g, &p, to_dtype(&p, DTYPES[turn % DTYPES_MANY]));
	case CHANGE_ELEMENTS:
		return at_place(g, &p, to_elements(turn));
	case CHANGE_RANK:
		return at_place(g, &p, to_rank(&p, turn));
	default:
		return (graph_change){.kind = CHANGE_NONE};
	}
}
