#include "change.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* Offers the place for the choice; each offered one is equally likely. */
static void offer(place *chosen, uint32_t *seen, place p, rng *r)
{
	if (rng_below(r, ++*seen) == 0)
		*chosen = p;
}

/* Offers all places of a call. */
static void offer_call(const graph *g, uint32_t node, place *chosen, uint32_t *seen, rng *r)
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
			offer(chosen, seen, (place){node, arg, tensors++, NULL, (uint8_t)t->dtype, t->rank}, r);
		} else if (v->kind == RS_CONST) {
			const char *text = n->consts ? n->consts[constant] : v->text;
			constant++;
			if (!literal && is_number(text))
				offer(chosen, seen, (place){node, arg, numbers++, text, 0, 0}, r);
		}
	}
}

static graph_change to_number(const place *p, rng *r)
{
	static const char *const FLOATS[] = {"0.0", "-1.0", "-0.5", "1.5", "nan", "inf", "-inf", "1e+30"};
	static const char *const WHOLES[] = {"0", "-1", "-7", "99", "2.5"};
	bool whole = !strpbrk(p->text, ".en");
	const char *const *texts = whole ? WHOLES : FLOATS;
	unsigned n = whole ? COUNT(WHOLES) : COUNT(FLOATS), at = rng_below(r, n);
	at = strcmp(texts[at], p->text) == 0 ? (at + 1) % n : at;
	return (graph_change){.kind = CHANGE_NUMBER, .to = texts[at]};
}

static graph_change to_dtype(const place *p, rng *r)
{
	static const char *const DTYPES[] = {
	    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int8", "uint8", "bool", "complex64"};
	unsigned at = rng_below(r, COUNT(DTYPES));
	at = strcmp(DTYPES[at], rs_dtype_name((rs_dtype)p->dtype)) == 0 ? (at + 1) % COUNT(DTYPES) : at;
	return (graph_change){.kind = CHANGE_DTYPE, .to = DTYPES[at]};
}

static graph_change to_rank(const place *p, rng *r)
{
	static const char *const RANKS[] = {"more", "fewer", "scalar"};
	return (graph_change){.kind = CHANGE_RANK, .to = RANKS[p->rank ? rng_below(r, COUNT(RANKS)) : 0]};
}

static graph_change to_elements(rng *r)
{
	static const char *const ELEMENTS[] = {"negative", "large"};
	return (graph_change){.kind = CHANGE_ELEMENTS, .to = ELEMENTS[rng_below(r, COUNT(ELEMENTS))]};
}

static bool has_range(uint8_t dtype)
{
	return dtype != RS_BOOL && (dtype < RS_COMPLEX32 || dtype > RS_COMPLEX128) && dtype != RS_STRING && dtype != RS_OTHER;
}

static graph_change change_of(const place *p, rng *r)
{
	if (p->text)
		return to_number(p, r);
	unsigned kind = rng_below(r, 10);
	if (kind == 0)
		return (graph_change){.kind = CHANGE_MISSING, .to = "None"};
	if (kind < 3)
		return to_rank(p, r);
	return kind < 6 && has_range(p->dtype) ? to_elements(r) : to_dtype(p, r);
}

graph_change change_draw(const graph *g, rng *r, uint32_t *node)
{
	place p = {.node = GRAPH_NONE};
	uint32_t seen = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		if (!(g->nodes[i].op->flags & RS_UNFIT))
			offer_call(g, i, &p, &seen, r);
	*node = p.node;
	if (p.node == GRAPH_NONE)
		return (graph_change){.kind = CHANGE_NONE};
	graph_change change = change_of(&p, r);
	change.argument = g->nodes[p.node].op->args[p.arg].name;
	change.item = p.item;
	return change;
}
