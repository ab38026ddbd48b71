#include "subset_pass.h"

#include <stdlib.h>
#include <string.h>

#include "record_subset.h"
#include "need.h"

/* What there was before. */
typedef struct earlier {
	operator op;
	rule own, final; /* of the operator alone, without what it goes without; and of its family */
	operator left;	 /* what is kept where nothing better is found: without what, */
	rule found;	 /* and its rule */
} earlier;

static bool goes_without(const operator *op)
{
	return op->empty || op->outside;
}

/* Without a rule, or with an overfitted one, and nothing excluded yet. */
static bool is_weak(const narrowing *c, int i)
{
	const rule *r = &c->rules[i];
	return (r->why || r->thin) && !goes_without(&c->records->ops[i]);
}

/* The operator without some of its records; how: record_subset.h. */
typedef bool narrower(const operator *op, int how, operator *to, arena *memory);

static bool without_empty(const operator *op, int how, operator *to, arena *memory)
{
	return narrow_operator(op, (enum narrow)how, to, memory);
}

static bool without_negative(const operator *op, int how, operator *to, arena *memory)
{
	return narrow_signs(op, (enum narrow_signs)how, to, memory);
}

/* Solves operators with excluded records again; returns their number. */
static int solve_again(const narrowing *c, int *list, int n)
{
	c->over(c->user, list, n, OUTPUTS);
	c->over(c->user, list, n, RULES);
	return n;
}

/* From the outputs of the first pass, searches clauses that may reject a few passing records. */
static void solve_tolerant(const narrowing *c, int *list, int n, enum pass pass)
{
	for (int k = 0; k < n; k++)
		c->rules[list[k]] = c->outputs[list[k]];
	c->over(c->user, list, n, pass);
}

/* The operators without a rule, and unless `none` those with one that looks fitted, without what `narrow` leaves out: their rules
 * for the rest. They go to list; how many. */
static int solve_narrow(const narrowing *c, narrower *narrow, int how, bool none, int *list)
{
	int n = 0;
	for (int k = 0; k < c->nwanted; k++) {
		int i = c->wanted[k];
		operator *op = &c->records->ops[i], rest;
		if (!is_weak(c, i) || (none && !c->rules[i].why) || !narrow(op, how, &rest, c->records->memory))
			continue;
		*op = rest;
		list[n++] = i;
	}
	return solve_again(c, list, n);
}

static void restore(const narrowing *c, const earlier *before, int i)
{
	c->records->ops[i] = before[i].left;
	c->rules[i] = before[i].found;
}

/* Makes what was found for an operator without empty tensors its rule, which says that it is without, and counts its records anew. */
static void take_narrow(const narrowing *c, const earlier *before, int i)
{
	operator *op = &c->records->ops[i];
	rule *r = &c->rules[i];
	*r = narrow_rule(c->store, op, r);
	narrow_take_back(&before[i].op, r, op, c->records->memory);
	rule_count(op, r);
}

/* Takes what was found where it does not look fitted. */
static void settle_narrow(const narrowing *c, earlier *before, const int *list, int n)
{
	for (int k = 0; k < n; k++) {
		int i = list[k];
		operator *op = &c->records->ops[i];
		rule *r = &c->rules[i];
		if (op->empty && !r->why && !r->thin && !narrow_looks_fitted(op, r, false)) {
			take_narrow(c, before, i);
			before[i].left = *op;
			before[i].found = *r;
		} else {
			restore(c, before, i);
		}
	}
}

/* Excludes the passing records that the found rules reject, if these are few. The operators concerned go to the
 * front of the list; returns their number. The others are unchanged. */
static int leave_outliers(const narrowing *c, const earlier *before, bool aside, int *list, int n)
{
	int found = 0;
	for (int k = 0; k < n; k++) {
		int i = list[k];
		operator narrow;
		rule *r = &c->rules[i];
		if (!r->why && !r->thin && narrow_outliers(&before[i].op, r, aside, &narrow, c->records->memory)) {
			c->records->ops[i] = narrow;
			list[found++] = i;
		} else {
			restore(c, before, i);
		}
	}
	return found;
}

/* Operators without a rule, or with an overfitted one, for which a rule is found that rejects only a few passing
 * records. Without these records, they get the rule for the others. They go to list; returns their number. */
static int solve_outliers(const narrowing *c, const earlier *before, int *list)
{
	int n = 0;
	for (int k = 0; k < c->nwanted; k++)
		if (is_weak(c, c->wanted[k]))
			list[n++] = c->wanted[k];
	solve_tolerant(c, list, n, OUTLIERS);
	return solve_again(c, list, leave_outliers(c, before, false, list, n));
}

/* Whether it has no rule, or one that looks fitted or asks for one of two things for a few calls' sake. */
static bool is_doubtful(const earlier *before, int i)
{
	const rule *r = &before[i].found;
	return r->why || r->thin || narrow_has_fitted(&before[i].left, r);
}

/* How many of the first operators of a list, of n, are of one API. */
static int of_same_api(const narrowing *c, const int *list, int n)
{
	int same = 1;
	while (same < n && strcmp(c->records->ops[list[0]].api, c->records->ops[list[same]].api) == 0)
		same++;
	return same;
}

/* Keeps the found operators whose API has many of them; the others are as they were. */
static int keep_many(const narrowing *c, const earlier *before, int *list, int n)
{
	enum { FEWEST = 3 };
	int kept = 0;
	for (int k = 0, same; k < n; k += same) {
		same = of_same_api(c, list + k, n - k);
		for (int j = k; j < k + same; j++)
			if (same >= FEWEST)
				list[kept++] = list[j];
			else
				restore(c, before, list[j]);
	}
	return kept;
}

/* Whether an API of so many signatures has such operators, and most of its signatures are doubtful. A single one
 * of many long lists is weak by itself. */
static bool asks_little(const narrowing *c, const earlier *before, const int *members, int n)
{
	int weak = 0, doubtful = 0;
	for (int k = 0; k < n; k++) {
		weak += is_weak(c, members[k]);
		doubtful += is_doubtful(before, members[k]);
	}
	return weak && doubtful * 3 >= n * 2;
}

/* For the APIs with such operators, the same with clauses that hold of all their signatures. What two calls of
 * each ask for is no chance if many signatures ask for it. Empty inputs are excluded before, as outliers. */
static int solve_common(const narrowing *c, const earlier *before, int *list)
{
	int n = 0;
	for (int k = 0, same; k < c->nwanted; k += same) {
		const int *members = c->wanted + k;
		same = of_same_api(c, members, c->nwanted - k);
		bool any = asks_little(c, before, members, same);
		for (int j = 0; j < same && any; j++) {
			int i = members[j];
			operator rest, *op = &c->records->ops[i];
			if (op->outside || (op->empty && !is_doubtful(before, i)))
				continue;
			*op = narrow_inputs(&before[i].op, &rest, c->records->memory) ? rest : before[i].op;
			list[n++] = i;
		}
	}
	solve_tolerant(c, list, n, COMMON);
	for (int k = 0; k < n; k++)
		if (!is_doubtful(before, list[k]))
			restore(c, before, list[k]);
	n = leave_outliers(c, before, true, list, n);
	return solve_again(c, list, keep_many(c, before, list, n));
}

/* Whether an operator's rule agrees with all passing records except those it rejects, and the rejected records
 * ask for it; w: how much. */
static bool is_asked_for(const narrowing *c, const earlier *before, int i, bool shared, narrow_weight *w)
{
	operator whole = c->records->ops[i];
	const rule *r = &c->rules[i];
	return !r->why && !r->thin && narrow_take_back(&before[i].op, r, &whole, c->records->memory) && narrow_weigh(&whole, r, shared, w);
}

/* Takes a found rule if the rejected records show that it is not overfitted; shared: narrow_looks_fitted. The
 * operator stays as it was solved, since the rule of its API has to reject no less. finish_narrow puts back
 * records that the rule accepts. */
static void settle_outliers(const narrowing *c, const earlier *before, const int *list, int n, bool shared)
{
	for (int k = 0; k < n; k++) {
		narrow_weight w = {0};
		if (!is_asked_for(c, before, list[k], shared, &w) || narrow_is_weak(w))
			restore(c, before, list[k]);
	}
}

/* The same for clauses that the signatures of an API share, by the rejected records of all of them. */
static void settle_common(const narrowing *c, const earlier *before, int *list, int n)
{
	for (int k = 0, same; k < n; k += same) {
		narrow_weight w = {0};
		int right = 0;
		same = of_same_api(c, list + k, n - k);
		for (int j = k; j < k + same; j++)
			if (is_asked_for(c, before, list[j], true, &w))
				list[k + right++] = list[j];
			else
				restore(c, before, list[j]);
		for (int j = k; j < k + right && narrow_is_weak(w); j++)
			restore(c, before, list[j]);
	}
}

/* The operators of the APIs that have such rules now, with their own rules for the others: list; how many. */
static int narrow_apis(const narrowing *c, earlier *before, int *list)
{
	int n = 0;
	for (int k = 0, same; k < c->nwanted; k += same) {
		const int *members = c->wanted + k;
		bool any = false;
		same = of_same_api(c, members, c->nwanted - k);
		for (int j = 0; j < same; j++)
			any |= goes_without(&c->records->ops[members[j]]);
		for (int j = 0; j < same && any; j++) {
			list[n++] = members[j];
			if (goes_without(&c->records->ops[members[j]]))
				before[members[j]].own = c->rules[members[j]];
			else
				c->rules[members[j]] = before[members[j]].own;
		}
	}
	return n;
}

/* Excludes the passing records that the rule rejects; false if the rule gives another output than an excluded
 * record has. */
static bool finish_narrow(const narrowing *c, const earlier *before, int i)
{
	rule *r = &c->rules[i];
	if (!narrow_take_back(&before[i].op, r, &c->records->ops[i], c->records->memory))
		return false;
	rule_count(&c->records->ops[i], r);
	return true;
}

static void log_narrow(const narrowing *c, int i)
{
	const operator *op = &c->records->ops[i];
	if (goes_without(op) && c->logs && c->logs[i])
		buf_printf(c->logs[i], op->outside ? "outliers: the rule rejects %d passing records\n"
		    : "non-empty tensors: the rule rejects %d passing records with empty tensors\n", op->empty + op->outside);
}

/* The operators of one API that go without records, by the rules of their families; how many of these do not do: left. */
static int finish_members(const narrowing *c, const earlier *before, const int *members, int n, int *left)
{
	int nleft = 0;
	for (int k = 0; k < n; k++)
		if (goes_without(&c->records->ops[members[k]]) && !finish_narrow(c, before, members[k]))
			left[nleft++] = members[k];
	return nleft;
}

/* With families of their own for those operators that the rule of a family does not do for. */
static void finish_alone(const narrowing *c, const earlier *before, const int *members, int n, const int *left, int nleft)
{
	int *rest = need(calloc((size_t)n + 1, sizeof *rest), sizeof *rest), nrest = 0;
	for (int k = 0, l = 0; k < n; k++) {
		c->rules[members[k]] = before[members[k]].own;
		if (l < nleft && left[l] == members[k])
			l++;
		else
			rest[nrest++] = members[k];
	}
	c->over(c->user, rest, nrest, FAMILIES);
	for (int l = 0; l < nleft; l++)
		c->over(c->user, &(int){left[l]}, 1, FAMILIES);
	nleft = finish_members(c, before, members, n, rest);
	for (int l = 0; l < nleft; l++) {
		c->records->ops[rest[l]] = before[rest[l]].op;
		c->rules[rest[l]] = before[rest[l]].final;
	}
	free(rest);
}

/* The rules of families for the operators of one API, in the order of the records. */
static void finish_api(const narrowing *c, const earlier *before, const int *members, int n)
{
	size_t some = (size_t)n + 1;
	operator *narrow = need(malloc(some * sizeof *narrow), some * sizeof *narrow);
	int *left = need(malloc(some * sizeof *left), some * sizeof *left);
	for (int k = 0; k < n; k++)
		narrow[k] = c->records->ops[members[k]];
	int nleft = finish_members(c, before, members, n, left);
	if (nleft) {
		for (int k = 0; k < n; k++)
			c->records->ops[members[k]] = narrow[k];
		finish_alone(c, before, members, n, left, nleft);
	}
	for (int k = 0; k < n; k++)
		log_narrow(c, members[k]);
	free(left);
	free(narrow);
}

/* ---- all signatures of an API alike */

/* An API's operators and rules, to be put back. */
typedef struct kept {
	operator *ops;
	rule *rules;
} kept;

static kept keep_members(const narrowing *c, const int *members, int n)
{
	size_t some = (size_t)n + 1;
	kept k = {need(malloc(some * sizeof *k.ops), some * sizeof *k.ops), need(malloc(some * sizeof *k.rules), some * sizeof *k.rules)};
	for (int j = 0; j < n; j++) {
		k.ops[j] = c->records->ops[members[j]];
		k.rules[j] = c->rules[members[j]];
	}
	return k;
}

static void put_back(const narrowing *c, const int *members, int n, const kept *k)
{
	for (int j = 0; j < n; j++) {
		c->records->ops[members[j]] = k->ops[j];
		c->rules[members[j]] = k->rules[j];
	}
}

/* How many rules an API has: who leads a family has its page. */
static int count_rules(const narrowing *c, const int *members, int n)
{
	int rules = 0;
	for (int k = 0; k < n; k++)
		rules += c->rules[members[k]].page != NULL;
	return rules;
}

/* Whether some signatures of an API exclude empty tensors and others do not, none excludes anything else, and
 * they have several rules. */
static bool is_uneven(const narrowing *c, const int *members, int n)
{
	int without = 0;
	for (int k = 0; k < n; k++) {
		const operator *op = &c->records->ops[members[k]];
		if (op->outside || c->rules[members[k]].why)
			return false;
		without += op->empty > 0;
	}
	return without && without < n && count_rules(c, members, n) > 1;
}

/* Excludes empty tensors from the API's other signatures, too, if they have rules then; false if one of them has
 * none. */
static bool solve_even(const narrowing *c, earlier *before, const int *members, int n)
{
	int *list = need(calloc((size_t)n + 1, sizeof *list), ((size_t)n + 1) * sizeof *list), nlist = 0;
	bool found = true;
	for (int k = 0; k < n; k++) {
		operator *op = &c->records->ops[members[k]], rest;
		c->rules[members[k]] = before[members[k]].own;
		if (op->empty || !narrow_operator(&before[members[k]].op, NARROW_INPUTS, &rest, c->records->memory))
			continue;
		*op = rest;
		list[nlist++] = members[k];
	}
	solve_again(c, list, nlist);
	for (int k = 0; k < nlist && found; k++) {
		const rule *r = &c->rules[list[k]];
		found = !r->why && !r->thin && !narrow_looks_fitted(&c->records->ops[list[k]], r, false);
		if (found)
			take_narrow(c, before, list[k]);
	}
	free(list);
	return found && nlist;
}

/* If some signatures of an API exclude empty tensors, the others' clauses about them are mostly overfitted. All
 * exclude them if they have fewer rules then. */
static void even_out(const narrowing *c, earlier *before, const int *members, int n)
{
	if (!is_uneven(c, members, n))
		return;
	kept was = keep_members(c, members, n);
	int rules = count_rules(c, members, n), *left = need(malloc(((size_t)n + 1) * sizeof *left), ((size_t)n + 1) * sizeof *left);
	bool even = solve_even(c, before, members, n);
	if (even)
		c->over(c->user, (int *)members, n, FAMILIES);
	if (!even || count_rules(c, members, n) >= rules || finish_members(c, before, members, n, left))
		put_back(c, members, n, &was);
	free(left);
	free(was.ops);
	free(was.rules);
}

void narrow_pass(const narrowing *c)
{
	size_t n = (size_t)c->records->n + 1, bytes = n * sizeof(earlier);
	earlier *before = need(malloc(bytes), bytes);
	int *list = need(calloc(n, sizeof *list), n * sizeof *list);
	for (int i = 0; i < c->records->n; i++)
		before[i] = (earlier){c->records->ops[i], c->own[i], c->rules[i], c->records->ops[i], c->rules[i]};
	for (enum narrow how = NARROW_INPUTS; how <= NARROW_OUTPUTS; how++)
		settle_narrow(c, before, list, solve_narrow(c, without_empty, how, false, list));
	settle_outliers(c, before, list, solve_outliers(c, before, list), false);
	settle_common(c, before, list, solve_common(c, before, list));
	for (const int *most = (int[]){60, 75, 0}; *most; most++)
		settle_outliers(c, before, list, solve_narrow(c, narrow_core, *most, false, list), true);
	for (enum narrow_signs how = SIGNS; how <= SIGNS_AND_INPUTS; how++)
		settle_outliers(c, before, list, solve_narrow(c, without_negative, how, false, list), false);
	settle_outliers(c, before, list, solve_narrow(c, narrow_equal, 60, true, list), true);
	int again = narrow_apis(c, before, list);
	c->over(c->user, list, again, FAMILIES);
	for (int k = 0, same; k < again; k += same) {
		same = of_same_api(c, list + k, again - k);
		finish_api(c, before, list + k, same);
		even_out(c, before, list + k, same);
	}
	free(list);
	free(before);
}
