#include "reducer.h"

#include <stdlib.h>
#include <string.h>

#include "bypass.h"
#include "other_signature.h"
#include "numbers.h"
#include "reduce.h"
#include "rulesmith.h"
#include "scalars.h"
#include "sessions.h"
#include "written.h"

#define SEEN 4096 /* hashes, a power of two; older ones are overwritten */
#define MOVES 8	  /* changes of operands of rejected calls */
#define DRAWS 12  /* small calls drawn of each size */
#define SIGNATURES 16  /* signatures tried per API */
#define REDRAWN 256 /* symbols and output dimensions of drawn calls */

/* ---- one step */

static bool more(const reducer *r)
{
	return !r->failed && r->goes_on(r->context);
}

/* Whether the model was not tried recently; marks it as tried. */
static bool is_fresh(reducer *r, const graph *g)
{
	uint64_t hash = graph_hash(g);
	uint64_t *place = &r->seen[hash % SEEN];
	bool fresh = *place != hash;
	*place = hash;
	return fresh;
}

/* Keeps the next model if it fails the same way. */
static bool try(reducer *r)
{
	if (!more(r) || !is_fresh(r, &r->next) || !r->alike(r->context, &r->next))
		return false;
	graph before = *r->best;
	*r->best = r->next;
	r->next = before;
	return true;
}

/* ---- nodes */

/* The last node before a place in execution order. */
static uint32_t last_before(const graph *g, uint64_t order)
{
	uint32_t i = g->last;
	while (i != GRAPH_NONE && g->nodes[i].order >= order)
		i = g->nodes[i].previous;
	return i;
}

/* Makes a node's results the outputs: all, or one if all of them hide the failure, since results that are outputs may get their
 * own memory. */
static bool reduce_to_results(reducer *r, uint32_t node)
{
	unsigned nout = r->best->nodes[node].nout;
	uint32_t first = r->best->nodes[node].outputs;
	if (reduce_to_node(&r->next, r->best, node) && try(r))
		return true;
	for (unsigned k = 0; nout > 1 && k < nout && more(r); k++)
		if (reduce_to_output(&r->next, r->best, first + k) && try(r))
			return true;
	return false;
}

/* Replaces calls in bodies by identities: if the body itself causes the failure, its calls are irrelevant. */
static bool reduce_in_bodies(reducer *r)
{
	bool any = false;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; r->table && r->best->nbodies && (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		for (int keep = 0; keep < 2 && r->best->nodes[i].live; keep++)
			any |= reduce_to_identity(&r->next, r->best, i, keep, r->table) && try(r);
	}
	return any;
}

/* Drops writes, or has them write to copies, from the last one on, so that only relevant ones remain. */
static bool reduce_writes(reducer *r)
{
	bool any = false;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		for (int drop = 1; drop >= 0 && r->best->nodes[i].live; drop--)
			any |= reduce_write(&r->next, r->best, i, drop) && try(r);
	}
	return any;
}

/* Removes calls from the middle of a chain: pairs of calls, then single ones. */
static bool reduce_chains(reducer *r)
{
	bool any = false;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		bool done = false;
		for (unsigned depth = BYPASS_DEPTH; depth && !done; depth--)
			done = reduce_bypass(&r->next, r->best, i, depth) && try(r);
		any |= done;
	}
	return any;
}

/* Finds the first node whose results show the failure, keeps it with its producers, and reduces that. */
static bool reduce_nodes(reducer *r)
{
	bool any = false;
	for (uint32_t i = r->best->first; i != GRAPH_NONE && more(r) && !any; i = r->best->nodes[i].next)
		any = reduce_to_results(r, i);
	uint64_t order = UINT64_MAX;
	for (uint32_t i; (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		for (int keep = 0; keep < 2 && r->best->nodes[i].live; keep++)
			any |= reduce_without_node(&r->next, r->best, i, keep) && try(r);
	}
	any |= reduce_writes(r);
	any |= reduce_chains(r);
	return reduce_in_bodies(r) || any;
}

/* ---- numbers */

/* The numbers to try, and those of the best model. */
typedef struct change {
	numbers before, now;
	int64_t from, to; /* which numbers change */
} change;

static bool is_attribute(const number *one)
{
	return one->kind == NUMBER_ATTRIBUTE;
}

/* Marks a number to change as well. */
static bool move(change *c, size_t i, int64_t to)
{
	number *one = &c->now.items[i];
	if (one->value != c->before.items[i].value || one->value == to || (!is_attribute(one) && to < 1))
		return false;
	one->value = to;
	return true;
}

/* Marks equal numbers: of a node's operands, or (GRAPH_NONE) of all inputs. */
static bool move_equals(change *c, const graph *g, uint32_t node)
{
	bool any = false;
	for (size_t i = 0; i < c->now.n; i++) {
		const number *one = &c->before.items[i];
		if (one->value == c->from && (node == GRAPH_NONE ? !is_attribute(one) : number_is_of(g, one, node)))
			any |= move(c, i, c->to);
	}
	return any;
}

/* Changes one attribute of a node in proportion, by the same difference, or to the same value, so that its rule accepts
 * it. */
static bool move_attribute(reducer *r, change *c, uint32_t node)
{
	for (size_t i = 0; i < c->now.n; i++) {
		int64_t value = c->before.items[i].value;
		if (!is_attribute(&c->before.items[i]) || c->before.items[i].owner != node || value <= c->to
		    || c->now.items[i].value != value)
			continue;
		int64_t tries[] = {c->from && value % c->from == 0 ? value / c->from * c->to : value,
		    value - (c->from - c->to), c->to};
		for (int k = 0; k < 3; k++) {
			uint32_t rejecting;
			if (!move(c, i, tries[k]))
				continue;
			if (numbers_apply(&r->scratch, r->best, &c->now, &rejecting) || rejecting != node)
				return true;
			c->now.items[i].value = value;
		}
	}
	return false;
}

/* Applies the change and its consequences. */
static bool settle(reducer *r, change *c)
{
	for (int moves = 0; moves < MOVES; moves++) {
		uint32_t rejecting;
		if (numbers_apply(&r->next, r->best, &c->now, &rejecting))
			return true;
		if (rejecting == GRAPH_NONE
		    || (!move_equals(c, r->best, rejecting) && !move_attribute(r, c, rejecting)
			&& !move_equals(c, r->best, GRAPH_NONE)))
			return false;
	}
	return false;
}

static bool try_change(reducer *r, change *c)
{
	return more(r) && numbers_size(&c->now) < numbers_size(&c->before) && settle(r, c)
	       && numbers_size(&c->now) < numbers_size(&c->before) && try(r);
}

/* Prepares c for another change of the best model. */
static bool begin(reducer *r, change *c)
{
	c->now.table = r->table;
	bool ok = numbers_read(r->best, &c->before) && numbers_copy(&c->now, &c->before);
	r->failed |= !ok;
	return ok;
}

enum which { WHICH_INPUTS, WHICH_ALL, WHICH_MULTIPLES };

/* True if every number is within its limit. */
static bool clamp(reducer *r, change *c, int64_t limit, enum which which)
{
	if (!begin(r, c))
		return false;
	for (size_t i = 0; i < c->now.n; i++)
		if (which == WHICH_ALL || !is_attribute(&c->now.items[i]))
			if (c->now.items[i].value > limit)
				c->now.items[i].value = limit;
	c->from = c->to = limit;
	return try_change(r, c);
}

/* Changes all equal numbers, or also all multiples, in proportion. */
static bool replace(reducer *r, change *c, int64_t from, int64_t to, enum which which)
{
	if (!begin(r, c))
		return false;
	c->from = from;
	c->to = to;
	for (size_t i = 0; i < c->now.n; i++) {
		int64_t value = c->now.items[i].value;
		if (which == WHICH_MULTIPLES ? value && value % from == 0
					     : value == from && (which == WHICH_ALL || !is_attribute(&c->now.items[i])))
			move(c, i, value / from * to);
	}
	return try_change(r, c);
}

/* Changes one number, with its consequences. */
static bool change_one(reducer *r, change *c, size_t i, int64_t to)
{
	if (!begin(r, c) || i >= c->now.n)
		return false;
	c->from = c->now.items[i].value;
	c->to = to;
	return move(c, i, to) && try_change(r, c);
}

/* The largest number below a limit; 1 if there is none. */
static int64_t largest_below(const numbers *ns, int64_t limit)
{
	int64_t largest = 1;
	for (size_t i = 0; i < ns->n; i++)
		if (ns->items[i].value < limit && ns->items[i].value > largest)
			largest = ns->items[i].value;
	return largest;
}

static bool reduce_equals(reducer *r, change *c)
{
	bool any = false;
	for (int64_t from = INT64_MAX; begin(r, c) && more(r);) {
		from = largest_below(&c->before, from);
		if (from <= 1)
			break;
		const int64_t tries[] = {1, 2, from / 2, from - 1};
		bool done = false;
		for (int k = 0; k < 4 && !done; k++)
			done = tries[k] < from && tries[k] > 0
			       && (replace(r, c, from, tries[k], WHICH_ALL)
				   || replace(r, c, from, tries[k], WHICH_INPUTS)
				   || replace(r, c, from, tries[k], WHICH_MULTIPLES));
		any |= done;
	}
	return any;
}

static bool reduce_each(reducer *r, change *c)
{
	bool any = false;
	for (size_t i = 0; begin(r, c) && i < c->before.n && more(r); i++) {
		int64_t value = c->before.items[i].value;
		bool attribute = is_attribute(&c->before.items[i]), done = false;
		const int64_t tries[] = {attribute ? 0 : 1, 1, 2, value / 2, value - 1, -1};
		for (int k = 0; k < (attribute ? 6 : 5) && !done; k++)
			done = change_one(r, c, i, tries[k]);
		any |= done;
	}
	return any;
}

/* Redraws the only call of a model by its rule. */
static bool redraw(reducer *r, change *c, rs_caller *caller, uint64_t seed)
{
	const graph_node *n = &r->best->nodes[r->best->first];
	int64_t symbols[REDRAWN], out[REDRAWN];
	if (!begin(r, c) || !rs_sample_forward(caller, seed, symbols, NULL, out))
		return false;
	for (size_t i = 0; i < c->now.n; i++) {
		number *one = &c->now.items[i];
		int first = is_attribute(one) ? 0 : numbers_symbol(r->best, n, one);
		if (first < 0)
			return false;
		one->value = symbols[first + one->place];
	}
	c->from = c->to = 0;
	uint32_t rejecting;
	return numbers_size(&c->now) < numbers_size(&c->before)
	       && numbers_apply(&r->next, r->best, &c->now, &rejecting) && try(r);
}

/* Tries small calls of a model's only operator. */
static bool reduce_by_drawing(reducer *r, change *c)
{
	const rs_op *op = r->best->live_nodes == 1 ? r->best->nodes[r->best->first].op : NULL;
	bool any = false;
	if (!op || !op->propagate || op->nsym > REDRAWN || op->nodim > REDRAWN)
		return false;
	for (int64_t high = 1; high <= 4 && !any && more(r); high++) {
		rs_caller *caller = rs_caller_new(op, &(rs_box){.low = 1, .high = high});
		for (uint64_t seed = 0; caller && seed < DRAWS && more(r); seed++)
			any |= redraw(r, c, caller, seed);
		rs_caller_free(caller);
	}
	return any;
}

static bool reduce_numbers(reducer *r)
{
	change c = {.from = 0};
	bool any = false;
	for (int64_t limit = 1; limit <= 4 && !any && more(r); limit++)
		any = clamp(r, &c, limit, WHICH_INPUTS) || clamp(r, &c, limit, WHICH_ALL);
	any |= reduce_equals(r, &c);
	any |= reduce_by_drawing(r, &c);
	any |= reduce_each(r, &c);
	numbers_free(&c.before);
	numbers_free(&c.now);
	return any;
}

/* ---- signatures */

static bool reduce_signature_of(reducer *r, uint32_t node)
{
	unsigned tries = 0;
	const rs_op *old = r->best->nodes[node].op;
	for (uint32_t i = 0; i < r->table->nops && tries < SIGNATURES && more(r); i++) {
		const rs_op *other = &r->table->ops[i];
		if (strcmp(other->api, old->api) != 0 || !signature_is_simpler(r->table, other, old)
		    || !reduce_signature(&r->next, r->best, node, other))
			continue;
		tries++;
		if (try(r))
			return true;
	}
	return false;
}

/* Tries other signatures of each call, and keeps the first one that fails the same way. */
static bool reduce_signatures(reducer *r)
{
	bool any = false;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; r->table && (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		any |= reduce_signature_of(r, i);
	}
	return any;
}

/* ---- dtypes, constants, elements */

/* A simpler dtype of its kind: 8 bits for 4 bits, since more calls accept these. */
static uint8_t plain_dtype(uint8_t dtype)
{
	if (dtype == RS_UINT4 || dtype == RS_INT4)
		return dtype == RS_UINT4 ? RS_UINT8 : RS_INT8;
	if (dtype >= RS_UINT8 && dtype <= RS_INT64)
		return RS_INT64;
	if (dtype >= RS_FLOAT16 && dtype <= RS_FLOAT64)
		return RS_FLOAT32;
	return dtype >= RS_COMPLEX32 && dtype <= RS_COMPLEX128 ? RS_COMPLEX64 : dtype;
}

static bool reduce_all_dtypes(reducer *r)
{
	bool any = false;
	for (uint8_t dtype = 0; dtype < RS_DTYPE_COUNT && more(r); dtype++)
		if (plain_dtype(dtype) != dtype && reduce_dtype(&r->next, r->best, GRAPH_NONE, dtype, plain_dtype(dtype)))
			any |= try(r);
	for (uint32_t i = 0; i < r->best->ntensors && more(r); i++) {
		const graph_tensor *t = &r->best->tensors[i];
		if (t->live && t->producer == GRAPH_NONE && plain_dtype(t->dtype) != t->dtype
		    && reduce_dtype(&r->next, r->best, i, t->dtype, plain_dtype(t->dtype)))
			any |= try(r);
	}
	return any;
}

/* Turns constants into inputs: all, or as many as possible. */
static bool reduce_all_constants(reducer *r)
{
	bool any = false;
	if (reduce_constant(&r->next, r->best, GRAPH_NONE) && try(r))
		return true;
	for (uint32_t i = 0; i < r->best->ntensors && more(r); i++)
		if (reduce_constant(&r->next, r->best, i))
			any |= try(r);
	return any;
}

static bool reduce_all_elements(reducer *r)
{
	bool any = false;
	for (int64_t element = 1; element >= 0 && !any && more(r); element--)
		any = reduce_elements(&r->next, r->best, GRAPH_NONE, element) && try(r);
	for (uint32_t i = 0; i < r->best->ntensors && more(r); i++)
		for (int64_t element = 1; element >= 0; element--)
			if (reduce_elements(&r->next, r->best, i, element))
				any |= try(r);
	return any;
}

/* Makes constant operands scalars if no rule has other signatures. */
static bool reduce_all_scalars(reducer *r)
{
	bool any = false;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; r->ops && (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		any |= reduce_to_scalars(&r->next, r->best, i, r->ops) && try(r);
	}
	return any;
}

/* Writes computed integers into the calls that take them: shapes first, then the integers that they are computed from. */
static bool reduce_all_written(reducer *r)
{
	bool any = false;
	uint64_t order = UINT64_MAX;
	for (uint32_t i; r->ops && r->table && (i = last_before(r->best, order)) != GRAPH_NONE && more(r);) {
		order = r->best->nodes[i].order;
		bool done = false; /* the next node is then the changed call */
		for (unsigned k = 0; k < r->best->nodes[i].nin && !done && more(r); k++)
			done = reduce_written(&r->next, r->best, i, k, r->table, r->ops) && try(r);
		any |= done;
	}
	return any;
}

/* Merges constants: each with the first one that it can be merged with. */
static bool reduce_all_merges(reducer *r)
{
	bool any = false;
	for (uint32_t i = 0; i < r->best->ntensors && more(r); i++) {
		bool done = false;
		for (uint32_t k = 0; k < i && !done && more(r); k++)
			done = reduce_merge(&r->next, r->best, i, k) && try(r);
		any |= done;
	}
	return any;
}

/* ---- all */

bool reducer_open(reducer *r)
{
	r->seen = calloc(SEEN, sizeof *r->seen);
	bool ok = graph_init(&r->next);
	ok = graph_init(&r->scratch) && ok && r->seen;
	r->failed = !ok;
	return ok;
}

void reducer_close(reducer *r)
{
	free(r->seen);
	graph_destroy(&r->next);
	graph_destroy(&r->scratch);
}

/* Keeps one shape instance, which needs no dynamic shapes, or two. */
static bool reduce_shapes(reducer *r)
{
	const graph *g = r->best;
	for (unsigned both = 0; both < 2; both++)
		for (uint32_t k = both; k < g->assignments && g->assignments > 2 - !both && more(r); k++)
			if (reduce_assignments(&r->next, g, k, both) && try(r))
				return true;
	return false;
}

/* Drops functions and subgraphs as far as possible, so that only relevant ones remain, in a plain form. */
static bool reduce_bodies(reducer *r)
{
	bool any = false;
	for (unsigned i = r->best->nbodies; i-- > 0 && more(r);)
		any |= reduce_body(&r->next, r->best, i) && try(r);
	for (unsigned i = r->best->nbodies; i-- > 0;)
		for (unsigned k = 0; k < BODY_TRAITS && more(r); k++)
			any |= reduce_body_trait(&r->next, r->best, i, k) && try(r);
	return any;
}

/* Drops settings of the target: all, or as many as possible, so that only relevant ones remain. */
static bool reduce_settings(reducer *r)
{
	if (!more(r) || !reduce_setting(&r->next, r->best, GRAPH_SETTINGS_MAX))
		return false;
	bool any = try(r);
	for (unsigned i = r->best->nsettings; i-- > 0 && r->best->nsettings > 1 && more(r);)
		any |= reduce_setting(&r->next, r->best, i) && try(r);
	return any;
}

/* Drops the session, or as many of its changes and constructs as possible, and makes the rest plain. */
static bool reduce_sessions(reducer *r)
{
	if (!more(r) || !reduce_session(&r->next, r->best))
		return false;
	bool any = try(r);
	for (unsigned step = 0; step < 4; step++) { /* changes cost a call each, so they go first */
		unsigned list = step % 2 ? SESSION_CONSTRUCTS : SESSION_CHANGES;
		for (unsigned i = r->best->session[list].n; i-- > 0 && more(r);)
			any |= reduce_session_item(&r->next, r->best, list, i, step < 2) && try(r);
	}
	return any;
}

/* Drops settings, gradients, bodies and the module first: without them, the oracle is faster and the model easier to read.
 * Maintainers expect a recent operator set. */
static bool reduce_kind(reducer *r)
{
	bool any = reduce_settings(r);
	any |= reduce_sessions(r);
	any |= more(r) && reduce_gradients(&r->next, r->best) && try(r);
	any |= reduce_bodies(r);
	any |= more(r) && reduce_opset(&r->next, r->best) && try(r);
	return (more(r) && reduce_module(&r->next, r->best) && try(r)) || any;
}

/* Drops layouts: all, or as many as possible, so that only relevant ones remain. */
static bool reduce_layouts(reducer *r)
{
	if (!more(r) || !reduce_layout(&r->next, r->best, GRAPH_NONE))
		return false;
	bool any = try(r);
	for (uint32_t i = 0; i < r->best->ntensors && !any && more(r); i++)
		any = reduce_layout(&r->next, r->best, i) && try(r);
	return any;
}

void reducer_nodes(reducer *r)
{
	memset(r->seen, 0, SEEN * sizeof *r->seen);
	reduce_kind(r);
	reduce_shapes(r);
	reduce_nodes(r);
}

bool reducer_run(reducer *r)
{
	bool any = true;
	while (any && more(r)) {
		any = reduce_kind(r);
		any |= reduce_shapes(r);
		any |= reduce_layouts(r);
		any |= reduce_all_written(r);
		any |= reduce_nodes(r);
		bool fixed = r->best->near_miss || r->best->assignments > 1; /* no rule covers other values */
		any |= !fixed && reduce_numbers(r);
		any |= !fixed && reduce_signatures(r);
		any |= reduce_all_dtypes(r);
		any |= reduce_all_constants(r);
		any |= reduce_all_elements(r);
		any |= reduce_all_scalars(r);
		any |= reduce_all_merges(r);
	}
	return !any && more(r);
}
