/* Repeats some calls of a finished model, as test cases for common subexpression and dead code elimination. */
#include "features.h"

#include <string.h>

#include "round_trips.h"

enum {
	TENSORS = INDEX_TENSORS_MAX,
	WIDTH = INDEX_WIDTH_MAX,
	WAYS = 4, /* kinds of repetition: the same, nearly the same, and twice as often with another input */
	ROUND_TRIP_ONE_IN = 4, /* of the repetitions of calls whose results can be cast */
	DEAD_ONE_IN = 4,
	TRIES = 6, /* attempts to change an attribute */
};

/* A call to be repeated, with room for its changes. */
typedef struct again {
	int64_t symbols[WIDTH], out[WIDTH];
	uint32_t inputs[TENSORS];
	uint8_t dtypes[TENSORS];
} again;

static bool fits(const graph_node *n)
{
	return !(n->op->flags & RS_RANDOM) && n->nin && n->nin <= TENSORS && n->nout <= TENSORS
	       && n->nsym <= WIDTH && n->op->nodim <= WIDTH;
}

static void take(const graph *m, const graph_node *n, again *a)
{
	int64_t *out = a->out;
	memcpy(a->symbols, n->symbols, n->nsym * sizeof *n->symbols);
	for (unsigned i = 0; i < n->nin; i++)
		a->inputs[i] = graph_node_input(m, n, i);
	for (unsigned i = 0; i < n->nout; i++) {
		const graph_tensor *t = &m->tensors[n->outputs + i];
		a->dtypes[i] = t->dtype;
		memcpy(out, t->shape, t->rank * sizeof *out);
		out += t->rank;
	}
}

/* Whether all outputs are non-empty and not too large. */
static bool sizes_allowed(const gen *g, const rs_op *op, const int64_t *out)
{
	for (unsigned i = 0; i < op->nout; out += op->out_ranks[i], i++) {
		int64_t numel = 1;
		for (unsigned k = 0; k < op->out_ranks[i]; k++)
			if (out[k] < 1 || __builtin_mul_overflow(numel, out[k], &numel) || numel > g->max_numel)
				return false;
	}
	return true;
}

/* Another value for an integer argument. False: the rule accepts none that was tried. */
static bool change(const gen *g, const rs_op *op, again *a, rng *r)
{
	static const int64_t STEPS[] = {1, -1, 2, -2};
	unsigned places[WIDTH], n = 0;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_INT)
			places[n++] = op->values[i].first;
	if (!op->valid || op->flags & RS_BY_RECORD)
		return false;
	for (int i = 0; n && i < TRIES; i++) {
		unsigned at = places[rng_below(r, n)];
		int64_t before = a->symbols[at], out[WIDTH];
		a->symbols[at] += STEPS[rng_below(r, 4)];
		if (rs_eval(op, a->symbols, out) && sizes_allowed(g, op, out)) {
			memcpy(a->out, out, op->nodim * sizeof *out);
			return true;
		}
		a->symbols[at] = before;
	}
	return false;
}

/* Replaces one of the call's inputs by a new model input. False: out of memory. */
static bool exchange(gen *g, again *a, unsigned slot)
{
	graph_tensor like = g->graph->tensors[a->inputs[slot]];
	if (like.values > RS_VALUES_SMALL)
		like.values = RS_VALUES_SMALL;
	a->inputs[slot] = gen_input_like(g, &like);
	return a->inputs[slot] != GRAPH_NONE;
}

/* Whether an input is an integer tensor that other calls compute, so that it has no bounds, and the call may need some. */
static bool is_computed_index(const graph *m, const graph_node *n, unsigned slot)
{
	const graph_tensor *t = &m->tensors[graph_node_input(m, n, slot)];
	return t->producer != GRAPH_NONE && t->dtype < RS_FLOAT16 && may_bound_elements(n->op, slot);
}

/* Some later calls take the result of the repetition instead of the original. */
static void divert(graph *m, uint32_t first, uint32_t second, rng *r)
{
	uint32_t next;
	for (uint32_t u = m->tensors[first].uses; u != GRAPH_NONE; u = next) {
		next = m->uses[u].next;
		if (rng_below(r, 2))
			graph_retarget(m, u, second);
	}
}

static bool repeat(gen *g, uint32_t node, rng *r)
{
	again a;
	graph *m = g->graph;
	const graph_node *n = &m->nodes[node];
	take(m, n, &a);
	unsigned way = rng_below(r, WAYS);
	bool same = way == 0, other = way > 1 || (way == 1 && !change(g, n->op, &a, r));
	bool dead = rng_below(r, DEAD_ONE_IN) == 0, diverts = same && !dead && rng_below(r, 2);
	unsigned slot = other ? rng_below(r, n->nin) : 0;
	if (other && !is_computed_index(m, n, slot) && !exchange(g, &a, slot))
		return false;
	graph_call call = {.op = n->op, .symbols = a.symbols, .inputs = a.inputs, .consts = n->consts, .out = a.out,
	    .out_dtypes = a.dtypes};
	uint32_t copy = graph_insert(m, &call, n->next);
	if (copy == GRAPH_NONE)
		return false;
	for (unsigned i = 0; i < m->nodes[node].nout; i++) {
		uint32_t first = m->nodes[node].outputs + i, second = m->nodes[copy].outputs + i;
		m->tensors[second].values = m->tensors[first].values;
		if (diverts)
			divert(m, first, second, r);
		m->tensors[second].kept = !dead && !m->tensors[second].nuses;
		m->tensors[first].kept |= !m->tensors[first].nuses;
	}
	return true;
}

/* Repeats g->features.repeats per mille of the calls, on average. Below one half, only half of the models have repetitions,
 * twice as many. The other models keep long patterns, in which each result has one use.
 *
 * Each repetition is one more call, of one of these kinds:
 *
 *   the same       Its results are results of the model, or later calls take them instead of the original's.
 *
 *   nearly         It has another attribute, if the rule accepts it. Its results are results of the model.
 *
 *   other input    It has a new model input of the same shape, dtype and class. If memory is reused or calls are merged
 *                  wrongly, one result may replace the other.
 *
 *   round trip     It casts the result to another dtype and back (round_trips.h).
 *
 *   dead           It is any of these, and its results are unused.
 *
 * Random calls are not repeated. */
bool gen_repeat(gen *g, rng *r)
{
	uint32_t count = g->graph->nnodes, share = g->features.repeats < 500 ? 2 * g->features.repeats : 1000;
	if (share > g->features.repeats && rng_below(r, share) >= g->features.repeats)
		return true;
	for (uint32_t i = 0; i < count; i++) {
		const graph_node *n = &g->graph->nodes[i];
		if (!n->live || rng_below(r, 1000) >= share)
			continue;
		bool casts = g->ncasts && n->nout && rng_below(r, ROUND_TRIP_ONE_IN) == 0;
		if (casts ? !gen_round_trip(g, i, r) : fits(n) && !repeat(g, i, r))
			return false;
	}
	return true;
}
