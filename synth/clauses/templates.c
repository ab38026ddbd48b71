#include "templates.h"

#include <stdlib.h>
#include <string.h>

#include "costs.h"

enum { MAX_GROUPS = 64, MAX_SHARED = 24 };

/* Expressions of the same kind: the items of a list, the dimensions of a tensor or output, or one dimension of every tensor
 * of a list except the first. */
typedef struct peers {
	const expr **e;
	int n;
	const expr *first; /* of a list of tensors: the dimension of the first tensor */
	bool outputs;
} peers;

typedef struct generator {
	solver *s;
	peers peers[MAX_GROUPS];
	int n;
	template_offer *offer;
	void *user;
} generator;

typedef struct template {
	const char *text; /* over s0, s1, s2: the item of the group and the expressions that it is compared with */
	int cost;
} template;

#define X(text, price) {text, price},
static const template ONE[] = {PATTERNS_ONE(X)};
static const template SHARED[] = {PATTERNS_SHARED(X)};
static const template ALIGNED[] = {PATTERNS_ALIGNED(X)};
static const template TRIPLE[] = {PATTERNS_TRIPLE(X)};
#undef X

static const template BROADCASTS = {"s0 == s1 or s0 == 1 or s1 == 1", COST_ONE_BROADCAST};

/* ---- peers */

static peers *new_peers(generator *g, int room)
{
	if (g->n == MAX_GROUPS)
		return NULL;
	peers *f = &g->peers[g->n];
	*f = (peers){.e = ARENA_ARRAY(g->s->scratch, const expr *, room + 1)};
	return f;
}

static void keep_peers(generator *g, const peers *f, int least)
{
	if (f && f->n >= least)
		g->n++;
}

/* Adds the items of one list (list > 0), or all integers of an argument with nested lists. */
static void add_items(generator *g, int list, int arg)
{
	const operator *op = g->s->op;
	peers *f = new_peers(g, op->nsym);
	for (int i = 0; f && i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_ITEM
		    && (list ? op->roles[i].list == list : op->roles[i].arg == arg && op->roles[i].outer_len))
			f->e[f->n++] = expr_sym(g->s->pool, i);
	keep_peers(g, f, 2);
}

static void add_dims(generator *g, int tensor)
{
	const operator *op = g->s->op;
	peers *f = new_peers(g, op->nsym);
	for (int i = 0; f && i < op->nsym; i++)
		if (op->roles[i].kind == ROLE_DIM && op->roles[i].tensor == tensor)
			f->e[f->n++] = expr_sym(g->s->pool, i);
	keep_peers(g, f, 1);
}

static void add_across_tensors(generator *g, int list, int pos)
{
	const operator *op = g->s->op;
	peers *f = new_peers(g, op->nsym);
	for (int i = 0; f && i < op->nsym; i++) {
		const role *r = &op->roles[i];
		if (r->kind != ROLE_DIM || r->list != list || r->pos != pos)
			continue;
		if (!f->first)
			f->first = expr_sym(g->s->pool, i);
		else
			f->e[f->n++] = expr_sym(g->s->pool, i);
	}
	keep_peers(g, f, 2);
}

static void add_outputs(generator *g, int output)
{
	const operator *op = g->s->op;
	peers *f = new_peers(g, op->nodim);
	for (int d = 0; f && d < op->nodim; d++)
		if (op->out_tensor[d] == output && g->s->rule->out[d]->size > 0)
			f->e[f->n++] = g->s->rule->out[d];
	if (f)
		f->outputs = true;
	keep_peers(g, f, 2);
}

static void collect(generator *g)
{
	const operator *op = g->s->op;
	int last_arg = -1;
	for (int list = 1; list <= op->nlists; list++) {
		add_items(g, list, 0);
		for (int pos = 0; pos < 8; pos++)
			add_across_tensors(g, list, pos);
	}
	for (int i = 0; i < op->nsym; i++)
		if (op->roles[i].outer_len && op->roles[i].kind == ROLE_ITEM && op->roles[i].arg != last_arg) {
			last_arg = op->roles[i].arg;
			add_items(g, 0, last_arg);
		}
	for (int t = 0; t < op->nin && t < 8; t++)
		add_dims(g, t);
	for (int t = 0; t < op->nout && t < 4; t++)
		add_outputs(g, t);
}

/* ---- patterns */

static const expr *conjoin(generator *g, const expr *so_far, const expr *each, const expr *a, const expr *b,
    const expr *c)
{
	const expr *with[] = {a, b, c};
	return expr_join(g->s->pool, OP_AND, so_far, expr_substitute(g->s->pool, each, with));
}

static const expr *parsed(generator *g, const template *t)
{
	return expr_parse(g->s->pool, t->text, 3, "pattern", 0, NULL);
}

static bool member(const peers *f, const expr *e)
{
	for (int i = 0; i < f->n; i++)
		if (f->e[i] == e)
			return true;
	return false;
}

/* Each item against one expression; NULL: the item alone. */
static void offer_shared(generator *g, const peers *f, const template *list, size_t n, const expr *with)
{
	if (f->n < 2 || (with && member(f, with)))
		return;
	for (size_t k = 0; k < n; k++) {
		const expr *each = parsed(g, &list[k]), *e = NULL;
		for (int i = 0; i < f->n; i++)
			e = conjoin(g, e, each, f->e[i], with, NULL);
		g->offer(g->user, e, list[k].cost + (with && with->size ? COST_SHARED_FORMULA : 0));
	}
}

/* If e is x broadcast with another dimension, that dimension; otherwise e. x broadcasts with both alike. */
static const expr *other_of(const expr *x, const expr *e)
{
	if (e->op != OP_ITE || e->c->op != OP_EQ || e->c->a != e->b || e->c->b->op != OP_CONST || e->c->b->value != 1)
		return e;
	const expr *other = e->a == x ? e->b : e->b == x ? e->a : e;
	return other->op == OP_SYM ? other : e;
}

/* Item by item, aligned at the last item if from_right, else at the first. */
static void offer_aligned(generator *g, const peers *a, const peers *b, const peers *c, bool from_right)
{
	int n = a->n < b->n ? a->n : b->n;
	n = c && c->n < n ? c->n : n;
	const expr **x = a->e + (from_right ? a->n - n : 0), **y = b->e + (from_right ? b->n - n : 0);
	const expr **z = c ? c->e + (from_right ? c->n - n : 0) : NULL;
	const template *list = c ? TRIPLE : ALIGNED;
	size_t count = c ? sizeof TRIPLE / sizeof *TRIPLE : sizeof ALIGNED / sizeof *ALIGNED;
	for (size_t k = 0; k < count; k++) {
		const expr *each = parsed(g, &list[k]), *e = NULL;
		bool broadcasts = strcmp(list[k].text, BROADCASTS.text) == 0;
		for (int i = 0; i < n; i++)
			e = conjoin(g, e, each, x[i], broadcasts ? other_of(x[i], y[i]) : y[i], z ? z[i] : NULL);
		g->offer(g->user, e, list[k].cost + (a->n != b->n || (c && c->n != b->n) ? COST_OTHER_LENGTHS : 0));
	}
}

/* Two dimensions at the same position from the right broadcast. */
static void offer_broadcasts(generator *g, const peers *a, const peers *b)
{
	const expr *each = parsed(g, &BROADCASTS);
	for (int i = 1; i <= a->n && i <= b->n; i++)
		g->offer(g->user, conjoin(g, NULL, each, a->e[a->n - i], b->e[b->n - i], NULL), BROADCASTS.cost);
}

static void offer_pairs(generator *g)
{
	for (int i = 0; i < g->n; i++)
		for (int j = 0; j < g->n; j++) {
			const peers *a = &g->peers[i], *b = &g->peers[j];
			if (i == j || a->first || b->first || a->outputs || g->n > 16)
				continue;
			offer_aligned(g, a, b, NULL, true);
			if (a->n != b->n)
				offer_aligned(g, a, b, NULL, false);
			if (i < j && !b->outputs)
				offer_broadcasts(g, a, b);
			for (int k = 0; k < g->n && g->n <= 6; k++)
				if (k != i && k != j && !g->peers[k].first)
					offer_aligned(g, a, b, &g->peers[k], true);
		}
}

/* An integer below one of two others: output padding is less than stride or dilation. */
static void offer_below_either(generator *g)
{
	enum { MAX_INTEGERS = 14 };
	const operator *op = g->s->op;
	expr_pool *p = g->s->pool;
	int ints[MAX_INTEGERS], n = 0;
	for (int i = 0; i < op->nsym && n < MAX_INTEGERS; i++)
		if (op->roles[i].kind != ROLE_DIM)
			ints[n++] = i;
	for (int x = 0; x < n; x++)
		for (int y = 0; y < n; y++)
			for (int z = y + 1; z < n; z++) {
				if (x == y || x == z)
					continue;
				const expr *below = expr_make(p, OP_LT, expr_sym(p, ints[x]), expr_sym(p, ints[y]));
				const expr *other = expr_make(p, OP_LT, expr_sym(p, ints[x]), expr_sym(p, ints[z]));
				g->offer(g->user, expr_make(p, OP_OR, below, other), COST_BELOW_EITHER);
			}
}

void templates_generate(solver *s, template_offer *offer, void *user)
{
	generator *g = ARENA_NEW(s->scratch, generator);
	*g = (generator){.s = s, .offer = offer, .user = user};
	collect(g);
	for (int i = 0; i < g->n; i++) {
		const peers *f = &g->peers[i];
		int most = s->op->nsym < MAX_SHARED ? s->op->nsym : MAX_SHARED;
		if (f->first) {
			offer_shared(g, f, SHARED, 1, f->first);
			offer_shared(g, f, SHARED + sizeof SHARED / sizeof *SHARED - 1, 1, f->first); /* the template for equality or 1:
			                                                                               * broadcasting */
			continue;
		}
		offer_shared(g, f, ONE, sizeof ONE / sizeof *ONE, NULL);
		for (int k = 0; k < most && !f->outputs; k++)
			offer_shared(g, f, SHARED, sizeof SHARED / sizeof *SHARED, expr_sym(s->pool, k));
	}
	offer_pairs(g);
	offer_below_either(g);
}
