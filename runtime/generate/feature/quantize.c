/* Quantized models: QuantizeLinear (Q) and DequantizeLinear (DQ) around float tensors, where quantizers place them and elsewhere.
 *
 * An activation becomes x ─► Q ─► DQ ─► users. There may be a second pair, some users may keep x, and the result of the model
 * is x, Q or DQ.
 *
 * A constant or an input of the model becomes integers ─► DQ ─► users, or a pair. A quarter of the models have only weights
 * quantized, mostly to 4 or 8 bits.
 *
 * A bias is a third operand behind dequantized ones. It becomes int32 ─► DQ. Its scale is the product of the other scales, or
 * its own.
 *
 * The elements keep their class, so that all calls still get the elements that they were drawn for. */
#include "features.h"

#include "quantizer.h"

enum {
	WEIGHTS_ONE_IN = 8,   /* fraction of models in which only weights are quantized */
	WEIGHTED_ONE_IN = 2,  /* of those whose calls mostly have weights */
	USUAL_ONE_IN = 2,     /* fraction of the others that are quantized as quantizers do */
	WIDE_ONE_IN = 3,      /* fraction of the rest that have 32-bit integers as inputs */
	USUAL_ALIKE = 850,    /* per mille of their results with the numbers of an operand */
	SMALL = 5,	      /* dtypes of 4 and 8 bits that their weights have */
	OTHERS = 2,	      /* operands before a bias */
	AGAIN_ONE_IN = 6,     /* fraction of pairs that another pair follows */
	SOME_ONE_IN = 4,      /* fraction of pairs that only some users take */
	EACH_ONE_IN = 5,      /* fraction of pairs with a dequantization for each user */
	NEW_ONE_IN = 4,	      /* fraction of dequantizations with other tensors of equal elements */
	MISMATCHED_ONE_IN = 8, /* fraction of dequantizations with other numbers */
};

/* How a model is quantized. */
typedef struct plan {
	gen *g;
	rng *r;
	quantizer_style style;
	bool weights; /* only constants of rank 2 and more */
	uint32_t share; /* per mille of its float tensors */
	uint32_t alike; /* per mille of quantized results with the numbers of an operand */
	uint32_t last;	/* the number of tensors before */
	quantizer *by; /* [last] the dequantization that replaces a tensor; number 0: none */
} plan;

static bool one_in(plan *p, uint32_t n)
{
	return rng_below(p->r, n) == 0;
}

/* Bounded elements would get another range. */
static bool suits(const plan *p, uint32_t tensor)
{
	const graph_tensor *t = &p->g->graph->tensors[tensor];
	if (p->weights && (!t->constant || t->rank < 2))
		return false;
	return t->live && t->rank <= QUANTIZER_RANK && t->numel > 0 && t->values < RS_VALUES_ANY && (t->nuses || t->kept)
	       && t->dtype >= RS_FLOAT16 && t->dtype <= RS_FLOAT64 && !t->layout && quantizer_sources(p->g, t->dtype)
	       && !graph_is_ranged(p->g->graph, tensor);
}

/* Whether a tensor is only the third or a later operand of a call, behind two float tensors. */
static bool is_bias(const plan *p, uint32_t tensor)
{
	const graph *m = p->g->graph;
	const graph_tensor *t = &m->tensors[tensor];
	if (t->nuses != 1 || !t->constant)
		return false;
	const graph_node *n = &m->nodes[m->uses[t->uses].node];
	bool floats = t->uses - n->inputs >= OTHERS;
	for (unsigned i = 0; floats && i < OTHERS; i++)
		floats = m->tensors[graph_node_input(m, n, i)].dtype == t->dtype;
	return floats;
}

/* ---- numbers */

/* The numbers by which an operand of a call was dequantized; NULL: it was not. */
static const quantizer *operand_of(const plan *p, const graph_node *n, unsigned i)
{
	const graph *m = p->g->graph;
	const graph_tensor *t = &m->tensors[graph_node_input(m, n, i)];
	const graph_node *maker = t->producer == GRAPH_NONE ? NULL : &m->nodes[t->producer];
	for (uint32_t k = 0; maker && maker->nin > 1 && k < p->last; k++)
		if (p->by[k].number && graph_node_input(m, maker, 1) == p->by[k].scale)
			return &p->by[k];
	return NULL;
}

/* Whether a tensor's elements keep their class with numbers drawn for another tensor. */
static bool serves(const graph_tensor *t, const graph_tensor *other, const quantizer *q, uint32_t among)
{
	bool same_shape = t->rank == other->rank && !t->also && !other->also;
	for (unsigned i = 0; same_shape && i < t->rank; i++)
		same_shape = t->shape[i] == other->shape[i];
	return (among >> q->dtype & 1) && t->dtype == other->dtype && t->values >= other->values && t->values >= RS_VALUES_SMALL
	       && (q->grain == QUANTIZER_TENSOR || same_shape);
}

/* The numbers of a tensor: those of an operand of its producer, as quantizers choose for calls that move data, or others. */
static quantizer draw_numbers(plan *p, const graph_tensor *t, uint32_t among)
{
	const graph *m = p->g->graph;
	const graph_node *n = t->producer == GRAPH_NONE ? NULL : &m->nodes[t->producer];
	bool alike = rng_below(p->r, 1000) < p->alike;
	for (unsigned i = 0; alike && n && i < n->nin; i++) {
		const quantizer *q = operand_of(p, n, i);
		if (q && serves(t, &m->tensors[graph_node_input(m, n, i)], q, among)) {
			quantizer same = *q;
			if (one_in(p, NEW_ONE_IN))
				same.scale = same.zero_point = GRAPH_NONE;
			return same;
		}
	}
	return quantizer_draw(p->g, t, quantizer_limits(t), among, p->style, p->r);
}

/* ---- calls */

/* The node before which a tensor that replaces another one is made. */
static uint32_t place_of(const graph *m, uint32_t tensor)
{
	uint32_t producer = m->tensors[tensor].producer;
	return producer == GRAPH_NONE ? graph_first_user(m, tensor) : m->nodes[producer].next;
}

/* A dequantization whose numbers are the quantization's, or others. */
static quantizer for_pair(plan *p, const quantizer *q, bool positive)
{
	quantizer d = *q;
	if (one_in(p, MISMATCHED_ONE_IN))
		quantizer_mismatch(&d, positive, p->r);
	else if (one_in(p, NEW_ONE_IN))
		d.scale = d.zero_point = GRAPH_NONE;
	return d;
}

/* Users of `old` take `new` instead; some: about half of them. */
static void divert(plan *p, uint32_t old, uint32_t new, bool some)
{
	graph *m = p->g->graph;
	uint32_t next, maker = m->tensors[new].producer;
	for (uint32_t u = m->tensors[old].uses; u != GRAPH_NONE; u = next) {
		next = m->uses[u].next;
		if (m->nodes[m->uses[u].node].order > m->nodes[maker].order && !(some && rng_below(p->r, 2)))
			graph_retarget(m, u, new);
	}
}

/* Each user but one gets a dequantization of its own. */
static bool give_each(plan *p, uint32_t whole, uint32_t made, quantizer *d)
{
	graph *m = p->g->graph;
	uint8_t real = m->tensors[made].dtype, values = m->tensors[made].values;
	while (m->tensors[made].nuses > 1) {
		uint32_t use = m->tensors[made].uses;
		uint32_t own = quantizer_insert(p->g, d, false, whole, real, m->uses[use].node);
		if (own == GRAPH_NONE)
			return false;
		m->tensors[own].values = values;
		graph_retarget(m, use, own);
	}
	return true;
}

/* The result of a pair, and its integers. GRAPH_NONE: out of memory. */
static uint32_t insert_pair(plan *p, uint32_t tensor, quantizer q, uint32_t before, uint32_t *whole, quantizer *d)
{
	graph *m = p->g->graph;
	uint8_t real = m->tensors[tensor].dtype, values = m->tensors[tensor].values;
	q.has_zero |= q.dtype != RS_UINT8; /* the dtype without a zero point */
	*whole = quantizer_insert(p->g, &q, true, tensor, real, before);
	*d = for_pair(p, &q, quantizer_limits(&m->tensors[tensor]).low > 0);
	uint32_t made = *whole == GRAPH_NONE ? GRAPH_NONE : quantizer_insert(p->g, d, false, *whole, real, before);
	if (made != GRAPH_NONE)
		m->tensors[made].values = values;
	return made;
}

/* The results of the model after a pair: the tensor itself if some users still take it, the integers, or the fractions. */
static void keep_results(plan *p, uint32_t tensor, uint32_t whole, uint32_t made)
{
	graph *m = p->g->graph;
	bool kept = m->tensors[tensor].kept;
	uint32_t way = rng_below(p->r, 4);
	if (kept && way) {
		m->tensors[tensor].kept = false;
		m->tensors[way == 1 ? whole : made].kept = true;
	}
	m->tensors[made].kept |= !m->tensors[made].nuses && !m->tensors[whole].kept;
}

static bool add_pair(plan *p, uint32_t tensor)
{
	graph *m = p->g->graph;
	const graph_tensor t = m->tensors[tensor];
	uint32_t before = place_of(m, tensor), whole, made, among = quantizer_targets(p->g, t.dtype);
	quantizer d;
	if (!among)
		return true;
	made = insert_pair(p, tensor, draw_numbers(p, &t, among), before, &whole, &d);
	if (made == GRAPH_NONE)
		return false;
	if (one_in(p, AGAIN_ONE_IN)) {
		quantizer again = one_in(p, 2) ? d : quantizer_draw(p->g, &t, quantizer_limits(&t), among, p->style, p->r);
		if (again.scale != GRAPH_NONE && one_in(p, 2))
			again.scale = again.zero_point = GRAPH_NONE;
		made = insert_pair(p, made, again, before, &whole, &d);
		if (made == GRAPH_NONE)
			return false;
	}
	p->by[tensor] = d;
	divert(p, tensor, made, one_in(p, SOME_ONE_IN));
	keep_results(p, tensor, whole, made);
	return m->tensors[made].nuses < 2 || !one_in(p, EACH_ONE_IN) || give_each(p, whole, made, &d);
}

/* Replaces a float input by integers and their dequantization. */
static bool replace_input(plan *p, uint32_t tensor, quantizer q)
{
	graph *m = p->g->graph;
	const graph_tensor t = m->tensors[tensor];
	int64_t low, high;
	if (!quantizer_range(&q, quantizer_limits(&t), &low, &high))
		return true;
	uint32_t whole = graph_input(m, t.rank, t.shape, (rs_dtype)q.dtype);
	if (whole == GRAPH_NONE)
		return false;
	graph_tensor *w = &m->tensors[whole];
	w->low = low, w->high = high;
	w->constant = t.constant;
	w->also = t.also;
	uint32_t made = quantizer_insert(p->g, &q, false, whole, t.dtype, place_of(m, tensor));
	if (made == GRAPH_NONE)
		return false;
	m->tensors[made].values = t.values;
	p->by[tensor] = q;
	graph_replace_alluse(m, tensor, made);
	graph_remove_input(m, tensor);
	return m->tensors[made].nuses < 2 || !one_in(p, EACH_ONE_IN) || give_each(p, whole, made, &q);
}

/* ---- one tensor */

/* A bias has 32 bits and, in half of the models, the product of the other scales. */
static void draw_bias(plan *p, uint32_t tensor, quantizer *q)
{
	const graph *m = p->g->graph;
	const graph_node *n = &m->nodes[m->uses[m->tensors[tensor].uses].node];
	const quantizer *a = operand_of(p, n, 0), *b = operand_of(p, n, 1);
	q->dtype = RS_INT32;
	q->zero = 0;
	if (!a || !b || a->grain || b->grain || one_in(p, 2))
		return;
	int64_t number = a->number * b->number, divisor = a->divisor * b->divisor;
	if (number <= INT32_MAX && divisor <= INT32_MAX / 32) {
		q->grain = QUANTIZER_TENSOR;
		q->number = number;
		q->divisor = divisor;
	}
}

static bool quantize_input(plan *p, uint32_t tensor)
{
	const graph_tensor t = p->g->graph->tensors[tensor];
	uint32_t among = quantizer_sources(p->g, t.dtype);
	bool bias = is_bias(p, tensor) && among & (1u << RS_INT32) && !one_in(p, 3);
	bool wide = p->style.dtype == RS_INT32 && among & (1u << RS_INT32);
	bool replaced = p->weights || wide || rng_below(p->r, 10) < (t.constant ? 7 : 4);
	if (!bias && !replaced)
		return add_pair(p, tensor);
	quantizer q = quantizer_draw(p->g, &t, quantizer_limits(&t), among, p->style, p->r);
	if (bias)
		draw_bias(p, tensor, &q);
	return replace_input(p, tensor, q);
}

static bool quantize(plan *p, uint32_t tensor)
{
	bool input = p->g->graph->tensors[tensor].producer == GRAPH_NONE;
	return input ? quantize_input(p, tensor) : add_pair(p, tensor);
}

/* Biases last, since their scale depends on the other operands'. */
static bool quantize_all(plan *p)
{
	for (int biases = 0; biases < 2; biases++)
		for (uint32_t i = 0; i < p->last; i++)
			if (suits(p, i) && is_bias(p, i) == biases && rng_below(p->r, 1000) < p->share && !quantize(p, i))
				return false;
	return true;
}

/* ---- a model */

static quantizer_style draw_style(bool weights, rng *r)
{
	static const uint8_t DTYPES[] = {RS_INT4, RS_INT4, RS_UINT4, RS_INT8, RS_UINT8, RS_INT8, RS_UINT8, RS_INT16, RS_UINT16, RS_INT32};
	static const uint8_t GRAINS[] = {QUANTIZER_TENSOR, QUANTIZER_TENSOR, QUANTIZER_TENSOR, QUANTIZER_CHANNEL, QUANTIZER_BLOCK};
	return (quantizer_style){.dtype = DTYPES[rng_below(r, weights ? SMALL : sizeof DTYPES)], .grain = GRAINS[rng_below(r, sizeof GRAINS)], .odd = rng_below(r, 2)};
}

/* All tensors have 8 bits and one scale, and many results the numbers of an operand: optimizers mostly expect this. */
static void make_usual(plan *p)
{
	p->style.dtype = rng_below(p->r, 2) ? RS_INT8 : RS_UINT8;
	p->style.grain = QUANTIZER_TENSOR;
	p->style.strict = true;
	p->share = 1000;
	p->alike = USUAL_ALIKE;
}

bool gen_quantize(gen *g, rng *r)
{
	static const uint32_t SHARES[] = {150, 400, 700, 1000, 1000}, ALIKE[] = {0, 300, 900};
	if (rng_below(r, 1000) >= g->features.quantized)
		return true;
	if (!quantizers_of(g))
		return false;
	graph *m = g->graph;
	bool weights = rng_below(r, g->theme == GEN_WEIGHTED ? WEIGHTED_ONE_IN : WEIGHTS_ONE_IN) == 0;
	plan p = {.g = g, .r = r, .weights = weights, .style = draw_style(weights, r),
	    .share = weights ? 1000 : SHARES[rng_below(r, sizeof SHARES / sizeof *SHARES)],
	    .alike = ALIKE[rng_below(r, sizeof ALIKE / sizeof *ALIKE)], .last = m->ntensors};
	if (!weights && rng_below(r, USUAL_ONE_IN) == 0)
		make_usual(&p);
	else if (!weights && rng_below(r, WIDE_ONE_IN) == 0)
		p.style.dtype = RS_INT32;
	p.by = arena_zalloc(m->arena, (p.last + (size_t)1) * sizeof *p.by);
	return p.by && quantize_all(&p);
}
