#include "instance.h"

#include <string.h>

#include "need.h"

enum { POSITIONS = 128 };

/* ---- clauses */

/* Marks the clauses of a signature's rule that an instance covers. Returns false if the instance contains anything else. */
static bool mark_clause(const api_rule *r, const api_clause *c, const api_call *form, bool *covered)
{
	int at[POSITIONS], n = index_range_positions(&c->where, &r->calls, form, 0, at, POSITIONS);
	if (n == POSITIONS)
		return false;
	for (int k = 0; k < n; k++) {
		bool absent[MAX_REFERENCES] = {false}, asks = false;
		const expr *e = template_instance(&c->t, &r->calls, form, at[k], absent);
		for (int j = 0; j < c->t.n; j++)
			asks |= absent[j] && c->asks[j];
		if (!e && !asks)
			return false;
		int is = e ? template_clause(&r->calls, form, e) : -1;
		if (is >= 0)
			covered[is] = true;
		else if (e && !template_is_implied(&r->calls, form, e))
			return false;
	}
	return true;
}

bool api_clauses_are_rule(const api_rule *r, const api_clauses *all, int form)
{
	const api_call *x = &r->calls.forms[form];
	int n = x->of.rule->nclauses, found = 0;
	bool *covered = NEED_ARRAY(r->calls.scratch, bool, n);
	for (int k = 0; k < all->n; k++)
		if (!mark_clause(r, &all->list[k], x, covered))
			return false;
	for (int k = 0; k < n; k++)
		found += covered[k];
	return found == n;
}

/* ---- outputs */

static bool is_line(const api_rule *r, const shape_line *l, const api_call *form, const expr *const *out, int rank, bool *covered)
{
	int at[POSITIONS], n = index_range_positions(&l->where, &r->calls, form, rank, at, POSITIONS);
	for (int k = 0; k < n && n < POSITIONS; k++) {
		int d = at[k] < 0 ? at[k] + rank : at[k];
		const expr *e = d >= 0 && d < rank ? template_instance(&l->t, &r->calls, form, at[k], NULL) : NULL;
		if (!e || !template_equals(&r->calls, form, e, out[d]))
			return false;
		covered[d] = true;
	}
	return n < POSITIONS;
}

static bool is_rank(const api_rule *r, const output_rank *x, const api_call *form, int rank)
{
	int plus = x->plus;
	for (int k = 0; k < x->n; k++)
		plus += call_list_of(&r->calls, form, x->lists[k]).n;
	return !x->known || plus == rank;
}

bool api_shapes_are_rule(const api_rule *r, const api_shapes *s, int form)
{
	const api_call *x = &r->calls.forms[form];
	const expr *const *out = x->of.rule->out;
	if (x->of.call->nout != (int)s->ntensors)
		return false;
	for (unsigned t = 0; t < s->ntensors; t++) {
		const tensor_shape *is = &s->tensors[t];
		int rank = x->of.call->outputs[t].rank, found = 0;
		bool *covered = NEED_ARRAY(r->calls.scratch, bool, rank);
		int of_lines = is->is_whole ? is->whole.cut : rank;
		bool ok = is->is_whole ? whole_shape_is(&is->whole, &r->calls, x, t) : is_rank(r, &is->rank, x, rank);
		for (int k = 0; k < is->nlines && ok; k++)
			ok = is_line(r, &is->lines[k], x, out, rank, covered);
		for (int d = rank - of_lines; d < rank && ok; d++)
			found += covered[d];
		if (!ok || found != of_lines)
			return false;
		out += rank;
	}
	return true;
}

bool api_rule_is_instance(const api_rule *r, int form)
{
	int accept = api_rule_accept_case(r, form), shape = api_rule_shape_case(r, form);
	return (accept < 0 || api_clauses_are_rule(r, &r->accept[accept], form)) && (shape < 0 || api_shapes_are_rule(r, &r->shapes[shape], form));
}

static int drop_others(const api_rule *r, bool *members, bool shape, int k)
{
	int n = 0;
	for (int i = 0; i < r->calls.n; i++) {
		members[i] = members[i] && (shape ? api_shapes_are_rule(r, &r->shapes[k], i) : api_clauses_are_rule(r, &r->accept[k], i));
		n += members[i];
	}
	return n;
}

void api_rule_drop_non_instances(api_rule *r)
{
	int naccept = 0, nshapes = 0;
	for (int k = 0; k < r->naccept; k++)
		if ((r->accept[k].nmembers = drop_others(r, r->accept[k].members, false, k)))
			r->accept[naccept++] = r->accept[k];
	for (int k = 0; k < r->nshapes; k++)
		if ((r->shapes[k].nmembers = drop_others(r, r->shapes[k].members, true, k)))
			r->shapes[nshapes++] = r->shapes[k];
	r->naccept = naccept;
	r->nshapes = nshapes;
}

/* ---- evidence */

/* The instances of a clause in one signature; all must hold. */
typedef struct instances {
	const expr *e[POSITIONS];
	int n;
} instances;

static void find_instances(instances *to, const api_rule *r, const api_clause *c, const api_call *form)
{
	int at[POSITIONS], n = index_range_positions(&c->where, &r->calls, form, 0, at, POSITIONS);
	to->n = 0;
	for (int k = 0; k < n; k++) {
		const expr *e = template_instance(&c->t, &r->calls, form, at[k], NULL);
		if (e)
			to->e[to->n++] = e;
	}
}

static bool holds(const instances *of, const int64_t *x)
{
	for (int k = 0; k < of->n; k++)
		if (!expr_holds(of->e[k], x))
			return false;
	return true;
}

/* Numbers of rejections with an empty tensor: all, and those that no other clause explains. */
typedef struct empties {
	int all, alone;
} empties;

static void count_record(api_clauses *all, const instances *of, empties *empty, const operator *op, int form, const int64_t *x)
{
	int violated = 0, last = 0;
	const bool is_empty = record_is_of_empty(op, x);
	for (int k = 0; k < all->n; k++) {
		if (holds(&of[k], x))
			continue;
		all->list[k].rejects[form]++;
		empty[k].all += is_empty;
		violated++;
		last = k;
	}
	if (violated == 1) {
		all->list[last].alone++;
		empty[last].alone += is_empty;
	}
}

static void judge_empty(const api_rule *r, api_clause *c, const empties *empty)
{
	int sum = 0;
	for (int i = 0; i < r->calls.n; i++)
		sum += c->rejects[i];
	c->empty = sum && (c->alone ? empty->alone == c->alone : empty->all == sum);
}

void api_rule_count_evidence(api_rule *r, const operator *const *ops)
{
	for (int j = 0; j < r->naccept; j++) {
		api_clauses *all = &r->accept[j];
		instances *of = NEED_ARRAY(r->calls.scratch, instances, all->n);
		empties *empty = NEED_ARRAY(r->calls.scratch, empties, all->n);
		for (int k = 0; k < all->n; k++)
			all->list[k].rejects = NEED_ARRAY(r->calls.memory, int, r->calls.n);
		for (int i = 0; i < r->calls.n; i++) {
			for (int k = 0; k < all->n && all->members[i]; k++)
				find_instances(&of[k], r, &all->list[k], &r->calls.forms[i]);
			for (int x = 0; x < ops[i]->nfail - ops[i]->beside && all->members[i]; x++)
				count_record(all, of, empty, ops[i], i, ops[i]->fail + (size_t)x * ops[i]->nsym);
		}
		for (int k = 0; k < all->n; k++)
			judge_empty(r, &all->list[k], &empty[k]);
	}
}
