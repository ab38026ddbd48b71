#include "chain_call.h"

#include <string.h>

#include "broadcast.h"
#include "elements.h"
#include "literals.h"

enum {
	TRIES = 6,	/* signatures tried for a call */
	UNTRAINED_IN = 4, /* new weights that keep the recorded elements, which come from untrained models */
	OTHER_RANKS_IN = 2, /* calls of broadcasting patterns whose new inputs have any ranks */
	NO_MORE_DIMENSIONS_IN = 3, /* rescaled constants that may have no more dimensions than the other operands */
	OTHERS = 24,	/* signatures drawn to replace a call */
	CONSTS_MAX = 512, /* constants of a call */
};

/* One call being inserted. */
typedef struct insertion {
	gen *g;
	const chain_line *chain;
	chain_match *match;
	const chain_plan *plan;
	uint32_t *map;
	uint32_t tries; /* signatures that may still be tried */
	bool swapped; /* the first two operands are exchanged */
	bool rescaled; /* a signature with another rank for a constant of one element */
	bool clean;   /* all elements are of the classes that the signature accepts */
} insertion;

static const chain_slot *slot_of(const insertion *in, unsigned slot)
{
	return &in->match->slots[in->swapped && slot < 2 ? 1 - slot : slot];
}

/* The model's tensor for a slot; GRAPH_NONE: not decided yet. */
static uint32_t mapped(const insertion *in, unsigned slot)
{
	uint32_t tensor = slot_of(in, slot)->tensor;
	return tensor == GRAPH_NONE ? GRAPH_NONE : in->map[tensor];
}

/* ---- does a signature fit? */

/* The ranks of the decided inputs of a call, as in chain_call; 0 for the others. */
typedef struct ranks {
	uint64_t decided, mask;
} ranks;

static ranks find_ranks(const insertion *in, uint32_t node)
{
	const graph *m = &in->chain->model;
	const graph_node *n = &m->nodes[node];
	ranks r = {0, 0};
	for (unsigned i = 0; i < n->nin && i < CHAIN_INPUTS; i++) {
		uint32_t x = in->map[graph_node_input(m, n, i)];
		if (x == GRAPH_NONE)
			continue;
		r.decided |= (uint64_t)gen_tensor(in->g, x)->rank << 4 * i;
		r.mask |= UINT64_C(15) << 4 * i;
	}
	return r;
}

/* Whether a candidate takes the decided inputs, and others of the recorded ranks; recorded: the bits of these others. */
static bool ranks_fit(const chain_candidate *c, uint64_t of_record, ranks r, uint64_t recorded)
{
	return !((c->ranks ^ r.decided) & r.mask) && !((c->ranks ^ of_record) & ~r.mask & recorded);
}

/* The recorded ranks of a call's inputs, as the plan changes them. */
static uint64_t planned_ranks(const insertion *in, uint32_t node)
{
	uint64_t all = in->chain->nodes[node].recorded, planned = 0;
	for (unsigned i = 0; i < CHAIN_INPUTS; i++)
		planned |= (uint64_t)chain_plan_rank(in->plan, all >> 4 * i & 15) << 4 * i;
	return planned;
}

/* The same, input by input, if operands are exchanged. */
static bool inputs_fit(const insertion *in, bool recorded)
{
	for (unsigned i = 0; i < in->match->op->nin; i++) {
		uint32_t tensor = slot_of(in, i)->tensor, x = mapped(in, i);
		unsigned rank = x != GRAPH_NONE ? gen_tensor(in->g, x)->rank
				: recorded && tensor != GRAPH_NONE ? chain_plan_rank(in->plan, in->chain->model.tensors[tensor].rank)
								   : in->match->op->inputs[i].rank;
		if (rank != in->match->op->inputs[i].rank)
			return false;
	}
	return true;
}

enum { ANY_DTYPE = 255 };

/* The dtypes of the decided inputs; recorded: and of new ones in the record. */
static void find_dtypes(const insertion *in, bool recorded, uint8_t *dtypes)
{
	for (unsigned i = 0; i < in->match->op->nin; i++) {
		uint32_t tensor = slot_of(in, i)->tensor, x = mapped(in, i);
		const chain_slot *s = slot_of(in, i);
		dtypes[i] = x != GRAPH_NONE		       ? gen_tensor(in->g, x)->dtype
			    : recorded && tensor != GRAPH_NONE ? in->chain->model.tensors[tensor].dtype
			    : recorded && s->value	       ? s->dtype
							       : ANY_DTYPE;
	}
}

static bool row_fits(const uint8_t *row, const uint8_t *dtypes, unsigned n)
{
	while (n && (dtypes[n - 1] == ANY_DTYPE || dtypes[n - 1] == row[n - 1]))
		n--;
	return !n;
}

/* A dtype row for the tensors; NULL: none. */
static const uint8_t *find_row(const insertion *in)
{
	const index_op *o = in->match->op;
	uint8_t dtypes[INDEX_TENSORS_MAX];
	for (int recorded = in->plan->dtypes; recorded >= 0; recorded--) {
		find_dtypes(in, recorded, dtypes);
		uint32_t start = rng_below(&in->g->rng, o->nrows), i = start;
		do {
			const uint8_t *row = index_row(o, i);
			if (row_fits(row, dtypes, o->nin))
				return row;
			i = i + 1 < o->nrows ? i + 1 : 0;
		} while (i != start);
	}
	return NULL;
}

/* ---- the trial */

/* Connects the decided tensors. In the record, elements between calls were finite in spite of their classes. Integers must be of
 * an accepted class: dividing them by 0 is an error, not an infinity. */
static bool connect(insertion *in, trial *t)
{
	gen *g = in->g;
	in->clean = true;
	for (unsigned i = 0; i < t->o->nin; i++) {
		uint32_t x = mapped(in, i);
		if (x == GRAPH_NONE)
			continue;
		bool may = gen_may_take(g, t, i, x);
		if (!gen_takes_results(t, i) || (!may && (t->o->delicate || t->row[i] <= RS_INT64)))
			return false;
		in->clean &= may;
		trial_fix_input(g, t, i, x);
	}
	return true;
}

static bool keep_attributes(const insertion *in, trial *t)
{
	bool any = false;
	for (unsigned i = 0; i < t->o->nsym; i++)
		if (in->match->numbers[i] != CHAIN_FREE) {
			t->v[i] = in->match->numbers[i];
			t->known[i] = 1;
			any = true;
		}
	return any;
}

/* The size of a dimension that equals one of another input in the record, the one at the same place from the end preferred. */
static int64_t size_of_equal(const insertion *in, const trial *t, unsigned slot, unsigned from_end, int64_t size)
{
	int64_t dims[INDEX_RANK_MAX], found = 0;
	for (unsigned i = 0; i < t->o->nin; i++) {
		unsigned rank;
		const graph_tensor *x = t->inputs[i] == GRAPH_NONE ? NULL : gen_tensor(in->g, t->inputs[i]);
		if (i == slot || !x || !chain_slot_shape(slot_of(in, i), &in->chain->model, &rank, dims, INDEX_RANK_MAX))
			continue;
		for (unsigned k = 1; k <= rank && k <= x->rank; k++)
			if (dims[rank - k] == size && (k == from_end || !found))
				found = x->shape[x->rank - k];
	}
	return found;
}

/* The shape of a new input that the record determines in this way. Samplers know all sizes of a tensor or none. */
static bool find_shape(const insertion *in, const trial *t, unsigned slot, int64_t *shape)
{
	int64_t dims[INDEX_RANK_MAX];
	unsigned rank;
	if (!chain_slot_shape(slot_of(in, slot), &in->chain->model, &rank, dims, INDEX_RANK_MAX) || rank != t->o->inputs[slot].rank)
		return false;
	for (unsigned i = 0; i < rank; i++)
		if (!(shape[i] = dims[i] == 1 ? 1 : size_of_equal(in, t, slot, rank - i, dims[i])))
			return false;
	return rank;
}

/* The connected operand with the most dimensions; NULL: none. */
static const graph_tensor *widest_operand(const insertion *in, const trial *t)
{
	const graph_tensor *widest = NULL;
	for (unsigned i = 0; i < t->o->nin; i++) {
		const graph_tensor *x = t->inputs[i] == GRAPH_NONE ? NULL : gen_tensor(in->g, t->inputs[i]);
		if (x && (!widest || x->rank > widest->rank))
			widest = x;
	}
	return widest;
}

/* Whether a slot is a constant of one element that gets another rank. */
static bool is_rescaled(const insertion *in, unsigned slot)
{
	const chain_slot *s = slot_of(in, slot);
	return in->rescaled && s->text && !s->several;
}

/* A shape for a new input as the plan demands. False: any. */
static bool plan_shape(const insertion *in, const trial *t, unsigned slot, int64_t *shape)
{
	for (unsigned i = 0; i < t->o->inputs[slot].rank; i++)
		shape[i] = 1;
	if (is_rescaled(in, slot))
		return t->o->inputs[slot].rank;
	const graph_tensor *widest = widest_operand(in, t);
	bool expands = in->plan->expands ? widest != NULL : in->plan->expanded != GRAPH_NONE && !widest;
	if (!in->plan->broadcasts && !expands)
		return in->plan->shapes && find_shape(in, t, slot, shape);
	if (t->o->inputs[slot].ranged)
		return false;
	if (expands)
		broadcast_expand(in->g, widest, t->o->inputs[slot].rank, shape);
	else
		broadcast_draw(in->g, widest, t->o->inputs[slot].rank, shape);
	return t->o->inputs[slot].rank;
}

static bool plan_shapes(const insertion *in, trial *t)
{
	bool any = false;
	int64_t shape[INDEX_RANK_MAX], limit = in->g->box.numel;
	for (unsigned i = 0; i < t->o->nin; i++) {
		const index_input *x = &t->o->inputs[i];
		if (t->inputs[i] != GRAPH_NONE || !plan_shape(in, t, i, shape) || bounded_numel(x->rank, shape, limit) > limit)
			continue; /* the sampler assumes that known shapes are of existing tensors */
		memcpy(t->v + x->first, shape, x->rank * sizeof *shape);
		memset(t->known + x->first, 1, x->rank);
		any = true;
	}
	return any;
}

/* Existing tensors as inputs of the chain. */
static bool overlap(const insertion *in, trial *t)
{
	bool any = false;
	gen *g = in->g;
	for (unsigned i = 0; i < t->o->nin; i++) {
		uint32_t tensor = slot_of(in, i)->tensor;
		if (tensor == GRAPH_NONE || t->inputs[i] != GRAPH_NONE || in->chain->model.tensors[tensor].constant || gen_chance(g, 3))
			continue;
		uint32_t x = gen_draw_of_type(g, t->o->inputs[i].rank, t->row[i]);
		if (x == GRAPH_NONE || !gen_may_take(g, t, i, x))
			continue;
		trial_fix_input(g, t, i, x);
		any = true;
	}
	return any;
}

/* Begins a trial with the decided tensors connected. */
static bool begin(insertion *in, trial *t, const uint8_t *row)
{
	trial_begin(t, in->match->op, row);
	t->reuse = 0;
	return connect(in, t);
}

/* Completes the numbers: with recorded attributes and existing tensors, or else without. */
static bool complete(insertion *in, trial *t, const uint8_t *row)
{
	bool more = false;
	for (int left = 1; left >= 0; left--) {
		if (!begin(in, t, row))
			return false;
		if (left)
			more = overlap(in, t);
		if (left)
			more |= plan_shapes(in, t);
		if (left && in->plan->attributes && in->match->same)
			more |= keep_attributes(in, t);
		if (gen_sample(in->g, t))
			return true;
		if (!more)
			return false;
	}
	return false;
}

static int64_t *dims_of(trial *t, unsigned slot)
{
	return t->v + t->o->inputs[slot].first;
}

/* For an undecided slot, an earlier one for which the record has the same tensor; -1: none. */
static int same_before(const insertion *in, const trial *t, unsigned slot)
{
	uint32_t tensor = slot_of(in, slot)->tensor;
	bool undecided = t->inputs[slot] == GRAPH_NONE && tensor != GRAPH_NONE;
	for (unsigned i = 0; undecided && i < slot; i++)
		if (t->inputs[i] == GRAPH_NONE && slot_of(in, i)->tensor == tensor
		    && t->o->inputs[i].rank == t->o->inputs[slot].rank && t->row[i] == t->row[slot])
			return (int)i;
	return -1;
}

/* Whether a tensor that the record passes twice has one shape in both places. If not, `dims` gets a shape for each. */
static bool equal_shapes(const insertion *in, trial *t, int64_t *dims)
{
	bool equal = true;
	memcpy(dims, t->v, t->o->nsym * sizeof *dims);
	for (unsigned i = 1; i < t->o->nin; i++) {
		int before = same_before(in, t, i);
		if (before < 0)
			continue;
		size_t size = t->o->inputs[i].rank * sizeof *dims;
		equal &= memcmp(dims_of(t, (unsigned)before), dims_of(t, i), size) == 0;
		memcpy(dims + t->o->inputs[i].first, dims + t->o->inputs[before].first, size);
	}
	return equal;
}

/* Decides the shapes of tensors that the record passes twice, and samples the rest again. */
static bool sample_equal(insertion *in, trial *t, const uint8_t *row, const int64_t *dims)
{
	if (!begin(in, t, row))
		return false;
	for (unsigned i = 1; i < t->o->nin; i++) {
		int before = same_before(in, t, i);
		unsigned slots[2] = {(unsigned)before, i};
		for (int k = 0; before >= 0 && k < 2; k++) {
			const index_input *x = &t->o->inputs[slots[k]];
			memcpy(t->v + x->first, dims + x->first, x->rank * sizeof *dims);
			memset(t->known + x->first, 1, x->rank);
		}
	}
	return gen_sample(in->g, t);
}

/* Completes a trial; a tensor that the record passes twice gets one shape if the rule allows it. */
static bool complete_all(insertion *in, trial *t, const uint8_t *row)
{
	int64_t dims[INDEX_WIDTH_MAX];
	if (!complete(in, t, row))
		return false;
	return equal_shapes(in, t, dims) || sample_equal(in, t, row, dims) || complete(in, t, row);
}

/* Whether the tensor made for another slot serves a slot, too. */
static bool serves(const insertion *in, const trial *t, unsigned slot, uint32_t tensor)
{
	const index_input *x = &t->o->inputs[slot];
	return !x->ranged && gen_tensor(in->g, tensor)->dtype == t->row[slot] && gen_may_take(in->g, t, slot, tensor)
	       && gen_has_shape(gen_tensor(in->g, tensor), x->rank, t->v + x->first);
}

/* ---- new inputs */

/* A new input with the recorded elements, as far as known. */
static uint32_t make_input(insertion *in, trial *t, unsigned slot)
{
	gen *g = in->g;
	const chain_slot *s = slot_of(in, slot);
	int64_t number;
	uint32_t id = gen_new_input(g, t, slot);
	if (id == GRAPH_NONE)
		return id;
	graph_tensor *new = &g->graph->tensors[id];
	if (s->tensor != GRAPH_NONE) {
		const graph_tensor *like = &in->chain->model.tensors[s->tensor];
		new->constant = like->producer == GRAPH_NONE && like->constant && !gen_chance(g, 8);
		if (like->producer == GRAPH_NONE && like->values < new->values)
			new->values = like->values;
		in->map[s->tensor] = id;
	} else if (s->text && !gen_chance(g, 8)) {
		new->constant = true;
		bool kept = !s->several || new->dtype <= RS_INT64 || gen_chance(g, UNTRAINED_IN);
		if (in->plan->elements && kept && elements_have_range(new->dtype) && !t->o->inputs[slot].ranged && !t->o->delicate && literal_whole(s->text, &number)
		    && (number >= 0 || new->dtype > RS_UINT64))
			new->low = number, new->high = number + 1;
	}
	if (!new->constant)
		gen_enrol(g, id, !t->o->inputs[slot].ranged);
	return id;
}

/* The scalar inputs whose recorded elements are written into the call. Files do not state which inputs of a call without a
 * signature have bounds, so calls with bounded inputs keep their signature. */
static uint64_t find_written(const insertion *in, const trial *t)
{
	uint64_t mask = 0;
	for (unsigned i = 0; i < t->o->nin; i++)
		if (t->o->inputs[i].ranged)
			return 0;
	for (unsigned i = 0; i < t->o->nin; i++) {
		const chain_slot *s = slot_of(in, i);
		if (t->inputs[i] == GRAPH_NONE && s->text && !t->o->inputs[i].rank && in->plan->elements
		    && literal_suits(s->text, t->row[i]))
			mask |= UINT64_C(1) << i;
	}
	return mask;
}

/* ---- the call */

static void choose_texts(const insertion *in, const index_op *o)
{
	gen_draw_texts(in->g, o);
	for (unsigned i = 0; in->match->told && i < o->nconsts && in->plan->attributes; i++)
		if (in->match->texts[i])
			in->g->texts[i] = in->match->texts[i];
}

static uint32_t insert(insertion *in, trial *t, uint64_t mask)
{
	gen *g = in->g;
	const index_op *o = t->o;
	const char *texts[CONSTS_MAX], *elements[INDEX_TENSORS_MAX] = {NULL};
	uint32_t inputs[INDEX_TENSORS_MAX];
	unsigned n = 0;
	const literal_op *written = mask ? literals_find(g->chains->literals, o, t->row, mask) : NULL;
	if (mask && !written)
		return GRAPH_NONE;
	for (unsigned i = 0; i < o->nin; i++) {
		elements[i] = slot_of(in, i)->text;
		if (!(mask >> i & 1))
			inputs[n++] = t->inputs[i];
	}
	graph_call call = {.op = written ? &written->op : o->op, .symbols = t->v, .inputs = inputs, .out = t->v + o->nsym,
	    .out_dtypes = t->row + o->nin, .form = written ? &written->form : o->form};
	if (o->nconsts) {
		choose_texts(in, o);
		call.consts = g->texts;
	}
	if (written) {
		literals_merge(o, mask, call.consts, elements, texts);
		call.consts = texts;
	}
	return graph_insert(g->graph, &call, GRAPH_NONE);
}

static bool commit(insertion *in, trial *t, uint32_t node)
{
	gen *g = in->g;
	uint64_t mask = t->o->op->nvalues + t->o->nin < CONSTS_MAX ? find_written(in, t) : 0;
	const graph_node *from = &in->chain->model.nodes[node];
	bool uses = false;
	for (unsigned i = 0; i < t->o->nin && !g->failed; i++) {
		uint32_t tensor = slot_of(in, i)->tensor;
		uses |= t->inputs[i] != GRAPH_NONE;
		uint32_t other = t->inputs[i] == GRAPH_NONE && tensor != GRAPH_NONE ? in->map[tensor] : GRAPH_NONE;
		if (other != GRAPH_NONE && serves(in, t, i, other))
			t->inputs[i] = other; /* the same input twice */
		else if (t->inputs[i] == GRAPH_NONE && !(mask >> i & 1))
			t->inputs[i] = make_input(in, t, i);
		else if (t->inputs[i] != GRAPH_NONE && tensor != GRAPH_NONE)
			in->map[tensor] = t->inputs[i];
	}
	uint32_t made = g->failed ? GRAPH_NONE : insert(in, t, mask);
	if (made == GRAPH_NONE) {
		g->failed = true;
		return false;
	}
	gen_enrol_outputs(g, t, made);
	for (unsigned k = 0; k < t->o->nout; k++) {
		uint32_t id = g->graph->nodes[made].outputs + k;
		if (!in->clean)
			g->graph->tensors[id].values = RS_VALUES_ANY;
		if (k < from->nout)
			in->map[from->outputs + k] = id;
	}
	*(uses ? &g->stats.forward : &g->stats.fresh) += 1;
	g->stats.symbolic++;
	return !g->failed;
}

static bool try_match(insertion *in, uint32_t node)
{
	gen *g = in->g;
	trial *t = &g->trial;
	const uint8_t *row = find_row(in);
	gen_begin_step(g);
	return row && complete_all(in, t, row) && commit(in, t, node);
}

/* Whether two operands may be exchanged: both are tensors of their own. */
static bool may_swap(const chain_match *m)
{
	return m->op->nin >= 2 && !m->op->inputs[0].ranged && !m->op->inputs[1].ranged;
}

/* Whether a rescaled constant has more dimensions than all other operands, so that the result has more than these. */
static bool adds_dimensions(const insertion *in)
{
	const index_op *o = in->match->op;
	unsigned constant = 0, other = 0;
	for (unsigned i = 0; i < o->nin; i++) {
		unsigned *rank = is_rescaled(in, i) ? &constant : &other;
		*rank = o->inputs[i].rank > *rank ? o->inputs[i].rank : *rank;
	}
	return constant > other;
}

/* Tries the n first candidates, from a random one on. recorded: as in ranks_fit. */
static bool try_some(insertion *in, const chain_call *c, uint32_t node, uint32_t n, ranks r, uint64_t recorded)
{
	gen *g = in->g;
	uint64_t planned = planned_ranks(in, node);
	uint32_t start = n ? rng_below(&g->rng, n) : 0;
	for (uint32_t i = 0; i < n && in->tries && !g->failed; i++) {
		uint32_t at = start;
		start = start + 1 < n ? start + 1 : 0;
		in->swapped = in->plan->swaps && gen_per_mille(g, in->plan->swaps);
		if (!in->swapped && !ranks_fit(&c->of[at], planned, r, recorded))
			continue;
		if (in->rescaled && (in->swapped || !(c->of[at].ranks & CHAIN_OTHER_ELEMENTS)))
			continue;
		chain_match_op(in->match, &in->chain->model, node, c->of[at].op);
		if (in->swapped && (!may_swap(in->match) || !inputs_fit(in, recorded & ~CHAIN_OTHER_ELEMENTS)))
			continue;
		if (in->rescaled && !adds_dimensions(in) && !gen_chance(g, NO_MORE_DIMENSIONS_IN))
			continue;
		if (try_match(in, node))
			return true;
		in->tries--;
	}
	return false;
}

bool chain_insert_call(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map)
{
	chain_match match;
	const chain_call *call = chains_call(g->chains, c, node);
	insertion in = {.g = g, .chain = c, .plan = plan, .map = map, .tries = TRIES, .match = &match};
	g->failed |= !call;
	if (!call)
		return false;
	ranks r = find_ranks(&in, node);
	bool kept = plan->ranks && !(plan->broadcasts && r.mask && gen_chance(g, OTHER_RANKS_IN));
	in.rescaled = plan->rescales;
	if (in.rescaled && try_some(&in, call, node, call->n, r, 0))
		return true;
	in.rescaled = false, in.tries = TRIES;
	const uint64_t scalars = plan->elements ? CHAIN_OTHER_ELEMENTS : 0;
	const uint64_t levels[] = {kept ? UINT64_MAX : scalars, scalars, 0};
	for (int i = 0; i < 3 && !g->failed; i++)
		if ((plan->attributes && try_some(&in, call, node, call->nsame, r, levels[i]))
		    || (!g->failed && try_some(&in, call, node, call->n, r, levels[i])))
			return true;
	return false;
}

/* ---- replacement by another call */

/* A random signature of another API with this number of inputs; NULL: the draw has none. */
static const index_op *draw_other(gen *g, unsigned nin)
{
	uint32_t api = rng_below(&g->rng, g->index.napis);
	const index_api *forms = g->chains->places.twins[api], *own = &g->index.apis[api];
	uint32_t k = rng_below(&g->rng, own->count + (forms ? forms->count : 0));
	const index_op *o = k < own->count ? &g->index.ops[own->first + k] : &g->chains->forms.ops[forms->first + k - own->count];
	return o->nin == nin && o->nout == 1 && o->symbolic && !index_isolated(o) ? o : NULL;
}

bool chain_insert_other(gen *g, const chain_line *c, uint32_t node, const chain_plan *plan, uint32_t *map)
{
	const graph_node *n = &c->model.nodes[node];
	chain_match match;
	chain_plan free = {.dtypes = plan->dtypes, .expanded = GRAPH_NONE};
	insertion in = {.g = g, .chain = c, .plan = &free, .map = map, .match = &match};
	if (!n->nin || n->nin > INDEX_TENSORS_MAX)
		return false;
	match.same = match.told = false;
	for (unsigned i = 0; i < n->nin; i++)
		match.slots[i] = (chain_slot){.tensor = graph_node_input(&c->model, n, i)};
	for (int i = 0; i < OTHERS && !g->failed; i++)
		if ((match.op = draw_other(g, n->nin)) && inputs_fit(&in, false) && try_match(&in, node))
			return true;
	return false;
}
