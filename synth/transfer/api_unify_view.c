#include "api_unify_view.h"

#include <string.h>

#include "api_clauses.h"
#include "need.h"

static const operator *op_of(const api_solver *f, int i)
{
	return f->solvers[i].op;
}

api_unify_view *api_unify_view_new(const api_solver *f, int nops, int nclauses)
{
	api_unify_view *v = NEED_ARRAY(f->memory, api_unify_view, 1);
	*v = (api_unify_view){.ops = NEED_ARRAY(f->memory, const operator *, nops), .outs = NEED_ARRAY(f->memory, const expr *const *, nops),
	    .clauses = NEED_ARRAY(f->memory, api_unify_clause, nclauses), .nclauses = nclauses,
	    .open = NEED_ARRAY(f->memory, uint64_t *, nops)};
	for (int k = 0; k < nclauses; k++) {
		v->clauses[k].refused = NEED_ARRAY(f->memory, uint64_t *, nops);
		v->clauses[k].passed = NEED_ARRAY(f->memory, uint64_t *, nops);
	}
	return v;
}

uint64_t *api_unify_view_bits(const api_solver *f, int n)
{
	return NEED_ARRAY(f->memory, uint64_t, n / 64 + 1);
}

api_unify_view *api_unify_view_alone(const api_solver *f, int i)
{
	const rule *r = &f->rules[i];
	api_unify_view *v = api_unify_view_new(f, 1, r->nclauses);
	v->ops[0] = op_of(f, i);
	v->outs[0] = r->out;
	v->n = v->nparts = 1;
	v->part = NEED_ARRAY(f->memory, int, 1);
	v->leads = NEED_ARRAY(f->memory, int, 1);
	const operator *op = v->ops[0];
	v->open[0] = api_unify_view_bits(f, op->nfail);
	memset(v->open[0], 0xff, sizeof *v->open[0] * (size_t)(op->nfail / 64 + 1));
	for (int k = 0; k < r->nclauses; k++) {
		api_unify_clause *c = &v->clauses[k];
		c->e = r->clauses[k];
		c->cost = api_clauses_length(c->e);
		c->refused[0] = api_unify_view_bits(f, op->nfail);
		c->passed[0] = api_unify_view_bits(f, op->outside);
		solver_mark_rejected(c->e, op->fail, op->nfail, op->nsym, c->refused[0]);
		solver_mark_rejected(c->e, op->apart, op->outside, op->nsym + op->nodim, c->passed[0]);
	}
	return v;
}

/* ---- folding clauses */

/* Whether an index is an output dimension, or all of them. */
static bool has_output(const expr_template *g)
{
	for (int k = 0; k < g->n; k++)
		if (g->indices[k].kind == INDEX_OUT || g->indices[k].kind == FOLD_OUT)
			return true;
	return false;
}

/* The number of clauses not covered yet that an instantiation covers, if it is made of clauses of the rule only. 0 if it
 * covers one clause and is not shorter. */
static int newly_covered(const api_solver *f, int i, const quantified_clause *s, instantiation how, const bool *covered_clauses)
{
	const rule *r = &f->rules[i];
	parts p;
	int n = 0, cost = 0;
	quantified_clause_instantiate(&p, s, how, &(instance_site){.pool = f->pool, .op = op_of(f, i), .out = r->out});
	for (int k = 0; k < p.n && p.holds && !p.missing; k++) {
		int own = rule_clause(r, p.list[k]);
		if (own < 0)
			return 0;
		n += !covered_clauses[own];
		cost += covered_clauses[own] ? 0 : api_clauses_length(r->clauses[own]);
	}
	return n > 1 || (has_output(&s->f) && how.cost < cost) ? n : 0;
}

/* Whether a list has two items per dimension. Any list of four has pairs. */
static bool is_of_pairs(const quantified_clause *s, alignment x)
{
	return x.dims == FROM_RIGHT && quantified_clause_is_halved(s, FROM_RIGHT, FROM_RIGHT);
}

/* Finds the instantiation that covers most clauses, and of those the shortest. Returns the number. */
static int find_fold(const api_solver *f, int i, const quantified_clauses *all, const bool *covered_clauses, instantiation *best)
{
	int most = 0;
	for (int k = 0; k < all->n; k++) {
		const quantified_clause *s = &all->list[k];
		for (int span = 0; span < s->nranges; span++)
			for (int w = 0; w < WAYS; w++) {
				alignment x = alignment_at(w);
				instantiation how = {k, quantified_clause_cost(s, span, x.dims, x.values), (uint8_t)span, x.dims, x.values, 0, NULL};
				bool moves = (s->f.positional[0] || !x.dims) && (s->f.positional[1] || !x.values) && (x.values < PAIRS || is_of_pairs(s, x));
				int n = moves ? newly_covered(f, i, s, how, covered_clauses) : 0;
				if (n > most || (n && n == most && how.cost < best->cost)) {
					most = n;
					*best = how;
				}
			}
	}
	return most;
}

static void add_bits(uint64_t *to, const uint64_t *from, int n)
{
	for (int w = 0; w <= n / 64; w++)
		to[w] |= from[w];
}

/* Replaces the clauses that an instantiation covers. at: current index of each clause; n: number of clauses. Returns the new
 * number. */
static int put_fold(api_unify_view *v, const api_solver *f, int i, const quantified_clause *s, instantiation how, bool *covered_clauses, int *at, int n)
{
	const operator *op = op_of(f, i);
	api_unify_clause *to = NULL;
	parts p;
	quantified_clause_instantiate(&p, s, how, &(instance_site){.pool = f->pool, .op = op, .out = f->rules[i].out});
	for (int k = 0; k < f->rules[i].nclauses; k++) {
		bool is = false;
		for (int j = 0; j < p.n; j++)
			is |= rule_clause(&f->rules[i], p.list[j]) == k;
		if (!is || covered_clauses[k])
			continue;
		covered_clauses[k] = true;
		api_unify_clause *c = &v->clauses[at[k]];
		if (!to) {
			to = c;
			quantified_clause *copy = NEED_ARRAY(f->memory, quantified_clause, 1);
			*copy = *s;
			to->s = copy;
			to->how = how;
			to->cost = how.cost;
			continue;
		}
		add_bits(to->refused[0], c->refused[0], op->nfail);
		add_bits(to->passed[0], c->passed[0], op->outside);
		int from = at[k];
		memmove(c, c + 1, sizeof *c * (size_t)(n - from - 1));
		n--;
		for (int j = 0; j < f->rules[i].nclauses; j++)
			at[j] -= at[j] > from;
	}
	return n;
}

static bool is_equation(const expr *e)
{
	return e->op == OP_EQ && e->b->op != OP_CONST;
}

/* Whether both sides are the same dimension of tensors of one list. */
static bool is_alike(const operator *op, const expr *a, const expr *b)
{
	const role *x = a->op == OP_SYM ? &op->roles[a->value] : NULL, *y = b->op == OP_SYM ? &op->roles[b->value] : NULL;
	return x && y && x->kind == ROLE_DIM && y->kind == ROLE_DIM && x->arg == y->arg && x->pos == y->pos;
}

/* Marks the equations connected to clause k and returns their number. Sets *alike if all are about one dimension of a list's
 * tensors. */
static int find_chain(const operator *op, const rule *r, int k, bool *in, bool *alike)
{
	const expr *first = r->clauses[k]->a;
	int n = 1;
	in[k] = *alike = true;
	for (int grown = 1; grown > 0; n += grown) {
		grown = 0;
		for (int i = 0; i < r->nclauses; i++)
			for (int j = 0; j < r->nclauses && !in[i] && is_equation(r->clauses[i]); j++) {
				const expr *x = r->clauses[i], *y = r->clauses[j];
				in[i] = in[j] && (x->a == y->a || x->a == y->b || x->b == y->a || x->b == y->b);
				grown += in[i];
			}
	}
	for (int i = 0; i < r->nclauses; i++)
		*alike &= !in[i] || (is_alike(op, first, r->clauses[i]->a) && is_alike(op, first, r->clauses[i]->b));
	return n;
}

/* Excludes equations that are printed as a chain, unless they are about one dimension of a list's tensors. */
static void exclude_chains(const api_solver *f, const operator *op, const rule *r, bool *covered_clauses)
{
	for (int k = 0; k < r->nclauses; k++) {
		bool *in = NEED_ARRAY(f->scratch, bool, r->nclauses), alike;
		if (covered_clauses[k] || !is_equation(r->clauses[k]) || find_chain(op, r, k, in, &alike) < MIN_LINKS || alike)
			continue;
		for (int i = 0; i < r->nclauses; i++)
			covered_clauses[i] |= in[i];
	}
}

void api_unify_view_fold(const api_solver *f, int i, api_unify_view *v)
{
	const rule *r = &f->rules[i];
	quantified_clauses all = {NEED_ARRAY(f->scratch, quantified_clause, MAX_QUANTIFIED), 0};
	bool *covered_clauses = NEED_ARRAY(f->scratch, bool, r->nclauses);
	int *at = NEED_ARRAY(f->scratch, int, r->nclauses);
	instantiation how;
	for (int k = 0; k < r->nclauses; k++)
		at[k] = k;
	quantified_clauses_add(&all, f->pool, op_of(f, i), r, true);
	exclude_chains(f, op_of(f, i), r, covered_clauses);
	while (find_fold(f, i, &all, covered_clauses, &how) > 0)
		v->nclauses = put_fold(v, f, i, &all.list[how.statement], how, covered_clauses, at, v->nclauses);
}
