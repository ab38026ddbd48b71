#include "flags.h"

#include <stdlib.h>
#include <string.h>

#include "framework.h"

enum {
	SHARE = 350, /* per mille of calls that get a flag if there is one for them */
	REJECTED = 50, /* per mille of the records of one signature that the other one may reject */
	LEAST = 4, /* records that two signatures have in common */
	WIDTH = INDEX_WIDTH_MAX,
	ARGUMENTS = 64,
};

/* Two signatures of an operator: `with` has one more argument than `without`, a constant. */
typedef struct pair {
	const rs_op *without, *with;
	const rs_arg *arg; /* of `with` */
} pair;

/* An argument that calls of an API may get. */
typedef struct flag {
	const char *api;
	pair from;
} flag;

/* A signature with a flag. */
typedef struct made {
	const rs_op *base;
	const flag *flag;
	rs_op op;
	graph_form form;
	struct made *next;
} made;

typedef struct flags {
	flag *all;
	uint32_t n, room;
	made *made;
} flags;

/* ---- pairs of signatures */

static const rs_value *value_of(const rs_op *op, const rs_arg *a)
{
	return &op->values[a->value];
}

static bool equal_values(const rs_value *a, const rs_value *b)
{
	for (unsigned n = graph_value_size(a); n; n--, a++, b++)
		if (a->kind != b->kind || (a->kind == RS_CONST ? strcmp(a->text, b->text) != 0 : a->count != b->count))
			return false;
	return true;
}

/* The arguments of `with` are those of `without` and one more. */
static bool find_pair(const rs_op *without, const rs_op *with, pair *p)
{
	*p = (pair){.without = without, .with = with};
	if (with->nargs != without->nargs + 1 || with->nin != without->nin || with->nout != without->nout || with->nsym != without->nsym
	    || with->nodim != without->nodim || with->nvalues != without->nvalues + 1 || memcmp(with->out_ranks, without->out_ranks, with->nout) != 0)
		return false;
	for (unsigned i = 0, k = 0; i < with->nargs; i++) {
		const rs_arg *a = &with->args[i], *b = k < without->nargs ? &without->args[k] : NULL;
		if (b && strcmp(a->name, b->name) == 0 && equal_values(value_of(with, a), value_of(without, b)))
			k++;
		else if (p->arg || value_of(with, a)->kind != RS_CONST || a->by_position)
			return false;
		else
			p->arg = a;
	}
	return p->arg;
}

/* Counts the records of one signature that another one rejects. False: some results differ. */
static bool count_rejected(const rs_op *of, const rs_op *by, uint32_t *all, uint32_t *rejected)
{
	int64_t symbols[WIDTH], own[WIDTH], other[WIDTH];
	for (uint32_t i = 0; i < of->nrecords; i++) {
		for (unsigned k = 0; k < of->nsym; k++)
			symbols[k] = rs_record_number(of, (size_t)i * of->nsym + k);
		++*all;
		if (!by->valid(symbols))
			++*rejected;
		else if (!of->propagate(symbols, own) || !by->propagate(symbols, other) || memcmp(own, other, of->nodim * sizeof *own) != 0)
			return false;
	}
	return true;
}

static bool has_rule(const rs_op *op)
{
	return op->valid && op->propagate && op->nsym <= WIDTH && op->nodim <= WIDTH && op->nargs < ARGUMENTS && !(op->flags & (RS_RANDOM | RS_UNFIT | RS_HELD | RS_RECORDED));
}

/* Whether files keep all numbers of a call that is not of the table: they lack the ranges of its rule. */
static bool is_kept_in_files(const rs_op *op)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_RANGED)
			return false;
	return true;
}

enum verdict { UNKNOWN, AGREE, DIFFER };

static enum verdict judge(const pair *p)
{
	uint32_t all = 0, rejected = 0;
	if (!count_rejected(p->with, p->without, &all, &rejected) || !count_rejected(p->without, p->with, &all, &rejected) || rejected * 2 > all)
		return DIFFER;
	return all >= LEAST && rejected * 1000 <= all * REJECTED ? AGREE : UNKNOWN;
}

/* ---- the flags of a table */

static bool add(flags *f, const char *api, const pair *p)
{
	if (f->n == f->room) {
		uint32_t room = f->room ? 2 * f->room : 64;
		flag *all = realloc(f->all, room * sizeof *all);
		if (!all)
			return false;
		f->all = all;
		f->room = room;
	}
	f->all[f->n++] = (flag){api, *p};
	return true;
}

/* Whether a signature has the constant of a pair. */
static bool has_argument(const rs_op *op, const pair *p)
{
	const rs_value *v = graph_argument(op, p->arg->name);
	return v && v->kind == RS_CONST && strcmp(v->text, value_of(p->with, p->arg)->text) == 0;
}

static bool any_has_argument(const rs_op *op, uint32_t n, const pair *p)
{
	for (const rs_op *end = op + n; op < end; op++)
		if (has_argument(op, p))
			return true;
	return false;
}

static uint32_t count_api(const rs_op *op, uint32_t left)
{
	uint32_t n = 1;
	while (n < left && strcmp(op[n].api, op->api) == 0)
		n++;
	return n;
}

/* Calls `each` for the pairs of an API's signatures. False: it returned false. */
static bool visit_pairs(flags *f, const rs_op *op, uint32_t n, bool (*each)(flags *f, const pair *p))
{
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++) {
			pair p;
			if (has_rule(&op[i]) && has_rule(&op[k]) && find_pair(&op[i], &op[k], &p) && !each(f, &p))
				return false;
		}
	return true;
}

static bool add_agreeing(flags *f, const pair *p)
{
	return judge(p) != AGREE || add(f, p->with->api, p);
}

/* Removes the flags with an argument that changes results in some operator: it has the same meaning in most others. */
static bool remove_differing(flags *f, const pair *p)
{
	uint32_t n = 0;
	if (judge(p) != DIFFER)
		return true;
	for (uint32_t i = 0; i < f->n; i++)
		if (strcmp(f->all[i].from.arg->name, p->arg->name) != 0)
			f->all[n++] = f->all[i];
	f->n = n;
	return true;
}

/* Gives an API the flags of another version of the operator if its calls have the argument, too. */
static bool find_others(flags *f, const rs_op *op, uint32_t n, const char *framework, uint32_t end)
{
	size_t length = framework_unversioned(framework, op->api);
	for (uint32_t i = 0; i < end; i++) {
		const char *api = f->all[i].api;
		bool other = strcmp(api, op->api) != 0 && framework_unversioned(framework, api) == length && strncmp(api, op->api, length) == 0;
		if (other && any_has_argument(op, n, &f->all[i].from) && !add(f, op->api, &f->all[i].from))
			return false;
	}
	return true;
}

static bool find_all(flags *f, const rs_table *t)
{
	bool (*const passes[])(flags *, const pair *) = {add_agreeing, remove_differing};
	for (unsigned k = 0; k < 2; k++)
		for (uint32_t i = 0, n; i < t->nops; i += n) {
			n = count_api(&t->ops[i], t->nops - i);
			if (!visit_pairs(f, &t->ops[i], n, passes[k]))
				return false;
		}
	for (uint32_t i = 0, n, end = f->n; i < t->nops; i += n) {
		n = count_api(&t->ops[i], t->nops - i);
		if (!find_others(f, &t->ops[i], n, t->framework, end))
			return false;
	}
	return true;
}

static const flags *flags_of(gen *g)
{
	if (!g->flags) {
		g->flags = calloc(1, sizeof *g->flags);
		if (g->flags && !find_all(g->flags, g->index.table))
			return NULL;
	}
	return g->flags;
}

void flags_close(gen *g)
{
	if (g->flags)
		free(g->flags->all);
	free(g->flags);
}

/* ---- a call */

/* Whether an argument decides what a flag does: a text, such as a mode, or a written tensor, such as axes. */
static bool decides(const rs_value *v)
{
	return (v->kind == RS_CONST && v->text[0] == '\'') || v->kind == RS_ELEMENTS;
}

/* Texts must be equal; of written tensors, only the number of elements. */
static bool agree(const rs_value *v, const rs_value *w)
{
	bool alike = v->kind == w->kind && graph_value_size(v) == graph_value_size(w);
	return alike && (v->kind != RS_CONST || strcmp(v->text, w->text) == 0);
}

/* Whether a signature has no text or written tensor that another one lacks or has otherwise. */
static bool same_forms(const rs_op *op, const rs_op *other)
{
	for (unsigned i = 0; i < op->nargs; i++) {
		const rs_value *v = value_of(op, &op->args[i]), *w = graph_argument(other, op->args[i].name);
		if (decides(v) && !(w && agree(v, w)))
			return false;
	}
	return true;
}

static bool has_row(const rs_op *op, const graph *m, const graph_node *n)
{
	uint8_t row[2 * INDEX_TENSORS_MAX];
	unsigned width = (unsigned)n->nin + n->nout;
	if (width > sizeof row || op->nin != n->nin || op->nout != n->nout)
		return false;
	graph_row(m, n, row);
	for (unsigned i = 0; i < op->ndtypes; i++)
		if (memcmp(op->dtypes + (size_t)i * width, row, width) == 0)
			return true;
	return false;
}

static bool same_ranks(const rs_op *op, const graph *m, const graph_node *n)
{
	bool same = op->nin == n->nin && op->nout == n->nout;
	for (unsigned i = 0; same && i < n->nin; i++)
		same = graph_input_value(op, i)->count == m->tensors[graph_node_input(m, n, i)].rank;
	for (unsigned i = 0; same && i < n->nout; i++)
		same = op->out_ranks[i] == m->tensors[n->outputs + i].rank;
	return same;
}

/* Whether the index has a signature of the API with the constant: others may be excluded, since the target rejects them. */
static bool is_supported(const gen_index *x, const flag *f)
{
	const index_api *a = gen_index_api(x, f->api);
	for (uint32_t i = 0; a && i < a->count; i++)
		if (has_argument(x->ops[a->first + i].op, &f->from))
			return true;
	return false;
}

static bool suits(const gen *g, const flag *f, const graph_node *n)
{
	const graph *m = g->graph;
	const rs_op *op = n->op, *without = f->from.without;
	return strcmp(f->api, op->api) == 0 && same_ranks(f->from.with, m, n) && !graph_argument(op, f->from.arg->name) && has_row(f->from.with, m, n) && same_forms(op, without)
	       && same_forms(without, op) && is_supported(&g->index, f);
}

/* A random flag for a call; NULL: none. */
static const flag *draw(const gen *g, const graph_node *n, rng *r)
{
	const flags *f = g->flags;
	const flag *found = NULL;
	uint32_t seen = 0;
	for (uint32_t i = 0; i < f->n; i++)
		if (suits(g, &f->all[i], n) && rng_below(r, ++seen) == 0)
			found = &f->all[i];
	return found;
}

static bool make(arena *a, made *to)
{
	const rs_op *base = to->base;
	const pair *p = &to->flag->from;
	rs_value *values = ARENA_ARRAY(a, rs_value, base->nvalues + 1);
	rs_arg *args = ARENA_ARRAY(a, rs_arg, base->nargs + 1);
	if (!values || !args)
		return false;
	memcpy(values, base->values, base->nvalues * sizeof *values);
	memcpy(args, base->args, base->nargs * sizeof *args);
	values[base->nvalues] = (rs_value){.kind = RS_CONST, .text = value_of(p->with, p->arg)->text};
	args[base->nargs] = (rs_arg){.name = p->arg->name, .value = base->nvalues};
	to->op = *base;
	to->op.name = base->api; /* it is no signature of a table */
	to->op.values = values, to->op.args = args;
	to->op.nvalues++, to->op.nargs++;
	to->op.records = NULL, to->op.nrecords = 0;
	to->op.sample = to->op.back = NULL;
	to->op.sampler = RS_SAMPLER_RECORD;
	return graph_find_form(&to->form, &to->op, a);
}

/* The signature with a flag; NULL: out of memory. */
static const made *find_made(gen *g, const rs_op *base, const flag *f)
{
	for (const made *m = g->flags->made; m; m = m->next)
		if (m->base == base && m->flag == f)
			return m;
	made *new = ARENA_NEW(g->index.arena, made);
	if (!new)
		return NULL;
	*new = (made){.base = base, .flag = f, .next = g->flags->made};
	if (!make(g->index.arena, new))
		return NULL;
	g->flags->made = new;
	return new;
}

static bool give(gen *g, uint32_t node, const flag *f)
{
	graph *m = g->graph;
	const graph_node *n = &m->nodes[node];
	const made *to = find_made(g, n->op, f);
	uint32_t inputs[INDEX_TENSORS_MAX];
	const char **consts = n->consts ? arena_alloc(m->arena, (n->nconsts + (size_t)1) * sizeof *consts) : NULL;
	if (!to || (n->consts && !consts))
		return false;
	for (unsigned i = 0; i < n->nin; i++)
		inputs[i] = graph_node_input(m, n, i);
	for (unsigned i = 0; n->consts && i < n->nconsts; i++)
		consts[i] = n->consts[i];
	if (consts)
		consts[n->nconsts] = to->op.values[to->op.nvalues - 1].text;
	graph_call call = {.op = &to->op, .symbols = n->symbols, .inputs = inputs, .consts = consts, .form = &to->form};
	return graph_replace_node(m, node, call) != GRAPH_NONE;
}

bool gen_add_flags(gen *g, rng *r)
{
	graph *m = g->graph;
	bool any = false;
	const flags *all = flags_of(g);
	for (uint32_t i = m->first, next; all && i != GRAPH_NONE; i = next) {
		const graph_node *n = &m->nodes[i];
		next = n->next;
		const flag *f = rng_below(r, 1000) < SHARE && has_rule(n->op) && is_kept_in_files(n->op) ? draw(g, n, r) : NULL;
		if (f && !give(g, i, f))
			return false;
		any |= f != NULL;
	}
	if (any)
		graph_remove_unused(m);
	return all;
}
