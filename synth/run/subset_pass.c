#include "subset_pass.h"

#include <stdlib.h>
#include <string.h>

#include "record_subset.h"
#include "need.h"

/* The state of a signature before the pass. */
typedef struct earlier {
	operator op;
	rule own, final; /* its own rule, before API rules were formed; and its rule afterwards */
	operator left;	 /* the best result so far: the subset */
	rule found;	 /* and its rule */
} earlier;

static bool has_exclusions(const operator *op)
{
	return op->empty || op->outside;
}

/* Whether it has no rule or an overfitted one, and no record is excluded yet. */
static bool is_weak(const subset_task *c, int i)
{
	const rule *r = &c->rules[i];
	return (r->why || r->thin) && !has_exclusions(&c->records->ops[i]);
}

/* A function that makes a subset (record_subset.h); how: its last argument. */
typedef bool subset_function(const operator *op, int how, operator *to, arena *memory);

static bool without_empty(const operator *op, int how, operator *to, arena *memory)
{
	return subset_without_empty(op, (enum subset_tensors)how, to, memory);
}

static bool without_negative(const operator *op, int how, operator *to, arena *memory)
{
	return subset_without_negative(op, (enum subset_sign)how, to, memory);
}

/* Solves the signatures again; returns their number. */
static int solve_again(const subset_task *c, int *list, int n)
{
	c->over(c->user, list, n, PASS_OUTPUTS);
	c->over(c->user, list, n, PASS_RULES);
	return n;
}

/* Searches clauses that may reject a few passing records, given the outputs of the first pass. */
static void solve_tolerant(const subset_task *c, int *list, int n, enum pass pass)
{
	for (int k = 0; k < n; k++)
		c->rules[list[k]] = c->outputs[list[k]];
	c->over(c->user, list, n, pass);
}

/* Finds rules for subsets of the signatures without a rule or (unless `none`) with an overfitted one. Puts these
 * signatures into list and returns their number. */
static int solve_subsets(const subset_task *c, subset_function *make, int how, bool none, int *list)
{
	int n = 0;
	for (int k = 0; k < c->nwanted; k++) {
		int i = c->wanted[k];
		operator *op = &c->records->ops[i], rest;
		if (!is_weak(c, i) || (none && !c->rules[i].why) || !make(op, how, &rest, c->records->memory))
			continue;
		*op = rest;
		list[n++] = i;
	}
	return solve_again(c, list, n);
}

static void restore(const subset_task *c, const earlier *before, int i)
{
	c->records->ops[i] = before[i].left;
	c->rules[i] = before[i].found;
}

/* Adds clauses that exclude empty tensors to the found rule, and counts the records again. */
static void accept_subset(const subset_task *c, const earlier *before, int i)
{
	operator *op = &c->records->ops[i];
	rule *r = &c->rules[i];
	*r = subset_rule(c->store, op, r);
	subset_readmit(&before[i].op, r, op, c->records->memory);
	rule_count(op, r);
}

/* Keeps the found rules that are not overfitted. */
static void accept_subsets(const subset_task *c, earlier *before, const int *list, int n)
{
	for (int k = 0; k < n; k++) {
		int i = list[k];
		operator *op = &c->records->ops[i];
		rule *r = &c->rules[i];
		if (op->empty && !r->why && !r->thin && !subset_is_overfitted(op, r, false)) {
			accept_subset(c, before, i);
			before[i].left = *op;
			before[i].found = *r;
		} else {
			restore(c, before, i);
		}
	}
}

/* Excludes the passing records that the found rules reject, if these are few. Moves these signatures to the front of
 * the list and returns their number. Restores the others. */
static int exclude_rejected(const subset_task *c, const earlier *before, bool aside, int *list, int n)
{
	int found = 0;
	for (int k = 0; k < n; k++) {
		int i = list[k];
		operator subset;
		rule *r = &c->rules[i];
		if (!r->why && !r->thin && subset_without_rejected(&before[i].op, r, aside, &subset, c->records->memory)) {
			c->records->ops[i] = subset;
			list[found++] = i;
		} else {
			restore(c, before, i);
		}
	}
	return found;
}

/* Finds rules that reject a few passing records for signatures without a rule or with an overfitted one, then solves
 * these signatures without those records. Puts them into list and returns their number. */
static int solve_outliers(const subset_task *c, const earlier *before, int *list)
{
	int n = 0;
	for (int k = 0; k < c->nwanted; k++)
		if (is_weak(c, c->wanted[k]))
			list[n++] = c->wanted[k];
	solve_tolerant(c, list, n, PASS_OUTLIERS);
	return solve_again(c, list, exclude_rejected(c, before, false, list, n));
}

/* Whether it has no rule, one with low support, or one with an overfitted alternative. */
static bool is_doubtful(const earlier *before, int i)
{
	const rule *r = &before[i].found;
	return r->why || r->thin || subset_has_overfitted_or(&before[i].left, r);
}

/* How many signatures at the front of the list belong to the same API. */
static int of_same_api(const subset_task *c, const int *list, int n)
{
	int same = 1;
	while (same < n && strcmp(c->records->ops[list[0]].api, c->records->ops[list[same]].api) == 0)
		same++;
	return same;
}

/* Keeps signatures of APIs with at least three of them in the list; restores the others. Returns how many are kept. */
static int keep_frequent(const subset_task *c, const earlier *before, int *list, int n)
{
	enum { MIN_SIGNATURES = 3 };
	int kept = 0;
	for (int k = 0, same; k < n; k += same) {
		same = of_same_api(c, list + k, n - k);
		for (int j = k; j < k + same; j++)
			if (same >= MIN_SIGNATURES)
				list[kept++] = list[j];
			else
				restore(c, before, list[j]);
	}
	return kept;
}

/* Whether some signature of an API needs a subset and at least two thirds of them are doubtful. A single signature
 * with many long lists may lack support by itself. */
static bool is_mostly_doubtful(const subset_task *c, const earlier *before, const int *members, int n)
{
	int weak = 0, doubtful = 0;
	for (int k = 0; k < n; k++) {
		weak += is_weak(c, members[k]);
		doubtful += is_doubtful(before, members[k]);
	}
	return weak && doubtful * 3 >= n * 2;
}

/* Finds clauses that all signatures of a mostly doubtful API share. Few records support a clause in each signature, but it is
 * no coincidence if many signatures support it. Empty inputs are excluded before, as outliers. */
static int solve_common(const subset_task *c, const earlier *before, int *list)
{
	int n = 0;
	for (int k = 0, same; k < c->nwanted; k += same) {
		const int *members = c->wanted + k;
		same = of_same_api(c, members, c->nwanted - k);
		bool any = is_mostly_doubtful(c, before, members, same);
		for (int j = 0; j < same && any; j++) {
			int i = members[j];
			operator rest, *op = &c->records->ops[i];
			if (op->outside || (op->empty && !is_doubtful(before, i)))
				continue;
			*op = subset_without_empty_inputs(&before[i].op, &rest, c->records->memory) ? rest : before[i].op;
			list[n++] = i;
		}
	}
	solve_tolerant(c, list, n, PASS_COMMON);
	for (int k = 0; k < n; k++)
		if (!is_doubtful(before, list[k]))
			restore(c, before, list[k]);
	n = exclude_rejected(c, before, true, list, n);
	return solve_again(c, list, keep_frequent(c, before, list, n));
}

/* Whether a signature's rule agrees with all passing records that it accepts, and failing records test it. Adds its
 * clauses to w. */
static bool is_supported(const subset_task *c, const earlier *before, int i, bool shared, clause_support *w)
{
	operator whole = c->records->ops[i];
	const rule *r = &c->rules[i];
	return !r->why && !r->thin && subset_readmit(&before[i].op, r, &whole, c->records->memory) && subset_count_support(&whole, r, shared, w);
}

/* Keeps the found rules with enough support; shared: see subset_is_overfitted. The subset stays as it was solved,
 * since the API rule must reject at least as much. readmit_records() puts back the records that the final rule
 * accepts. */
static void keep_supported(const subset_task *c, const earlier *before, const int *list, int n, bool shared)
{
	for (int k = 0; k < n; k++) {
		clause_support w = {0};
		if (!is_supported(c, before, list[k], shared, &w) || subset_has_low_support(w))
			restore(c, before, list[k]);
	}
}

/* The same for clauses that the signatures of an API share: the rejected records of all of them count together. */
static void keep_supported_apis(const subset_task *c, const earlier *before, int *list, int n)
{
	for (int k = 0, same; k < n; k += same) {
		clause_support w = {0};
		int right = 0;
		same = of_same_api(c, list + k, n - k);
		for (int j = k; j < k + same; j++)
			if (is_supported(c, before, list[j], true, &w))
				list[k + right++] = list[j];
			else
				restore(c, before, list[j]);
		for (int j = k; j < k + right && subset_has_low_support(w); j++)
			restore(c, before, list[j]);
	}
}

/* Resets APIs that have subsets now to the own rules of their signatures. Puts their signatures into list and
 * returns their number. */
static int restart_apis(const subset_task *c, earlier *before, int *list)
{
	int n = 0;
	for (int k = 0, same; k < c->nwanted; k += same) {
		const int *members = c->wanted + k;
		bool any = false;
		same = of_same_api(c, members, c->nwanted - k);
		for (int j = 0; j < same; j++)
			any |= has_exclusions(&c->records->ops[members[j]]);
		for (int j = 0; j < same && any; j++) {
			list[n++] = members[j];
			if (has_exclusions(&c->records->ops[members[j]]))
				before[members[j]].own = c->rules[members[j]];
			else
				c->rules[members[j]] = before[members[j]].own;
		}
	}
	return n;
}

/* Excludes only the passing records that the final rule rejects; false if it gives one of the others another output. */
static bool readmit_records(const subset_task *c, const earlier *before, int i)
{
	rule *r = &c->rules[i];
	if (!subset_readmit(&before[i].op, r, &c->records->ops[i], c->records->memory))
		return false;
	rule_count(&c->records->ops[i], r);
	return true;
}

static void log_subset(const subset_task *c, int i)
{
	const operator *op = &c->records->ops[i];
	if (has_exclusions(op) && c->logs && c->logs[i])
		buf_printf(c->logs[i], op->outside ? "outliers: the rule rejects %d passing records\n"
		    : "non-empty tensors: the rule rejects %d passing records with empty tensors\n", op->empty + op->outside);
}

/* Readmits records to an API's subsets by their API rules. Puts signatures whose API rule gives a wrong output into
 * `left` and returns their number. */
static int finish_members(const subset_task *c, const earlier *before, const int *members, int n, int *left)
{
	int nleft = 0;
	for (int k = 0; k < n; k++)
		if (has_exclusions(&c->records->ops[members[k]]) && !readmit_records(c, before, members[k]))
			left[nleft++] = members[k];
	return nleft;
}

/* Forms API rules again: one set without the signatures in `left`, and one of its own for each of these. */
static void finish_alone(const subset_task *c, const earlier *before, const int *members, int n, const int *left, int nleft)
{
	int *rest = need(calloc((size_t)n + 1, sizeof *rest), sizeof *rest), nrest = 0;
	for (int k = 0, l = 0; k < n; k++) {
		c->rules[members[k]] = before[members[k]].own;
		if (l < nleft && left[l] == members[k])
			l++;
		else
			rest[nrest++] = members[k];
	}
	c->over(c->user, rest, nrest, PASS_API_RULES);
	for (int l = 0; l < nleft; l++)
		c->over(c->user, &(int){left[l]}, 1, PASS_API_RULES);
	nleft = finish_members(c, before, members, n, rest);
	for (int l = 0; l < nleft; l++) {
		c->records->ops[rest[l]] = before[rest[l]].op;
		c->rules[rest[l]] = before[rest[l]].final;
	}
	free(rest);
}

/* Finishes the signatures of one API; members is in the order of the records. */
static void finish_api(const subset_task *c, const earlier *before, const int *members, int n)
{
	size_t some = (size_t)n + 1;
	operator *subsets = need(malloc(some * sizeof *subsets), some * sizeof *subsets);
	int *left = need(malloc(some * sizeof *left), some * sizeof *left);
	for (int k = 0; k < n; k++)
		subsets[k] = c->records->ops[members[k]];
	int nleft = finish_members(c, before, members, n, left);
	if (nleft) {
		for (int k = 0; k < n; k++)
			c->records->ops[members[k]] = subsets[k];
		finish_alone(c, before, members, n, left, nleft);
	}
	for (int k = 0; k < n; k++)
		log_subset(c, members[k]);
	free(left);
	free(subsets);
}

/* ---- excluding empty tensors from all signatures of an API */

/* A copy of an API's signatures and rules. */
typedef struct kept {
	operator *ops;
	rule *rules;
} kept;

static kept keep_members(const subset_task *c, const int *members, int n)
{
	size_t some = (size_t)n + 1;
	kept k = {need(malloc(some * sizeof *k.ops), some * sizeof *k.ops), need(malloc(some * sizeof *k.rules), some * sizeof *k.rules)};
	for (int j = 0; j < n; j++) {
		k.ops[j] = c->records->ops[members[j]];
		k.rules[j] = c->rules[members[j]];
	}
	return k;
}

static void put_back(const subset_task *c, const int *members, int n, const kept *k)
{
	for (int j = 0; j < n; j++) {
		c->records->ops[members[j]] = k->ops[j];
		c->rules[members[j]] = k->rules[j];
	}
}

/* The number of an API's rules: of its representatives. */
static int count_rules(const subset_task *c, const int *members, int n)
{
	int rules = 0;
	for (int k = 0; k < n; k++)
		rules += c->rules[members[k]].family && strcmp(c->rules[members[k]].family, c->records->ops[members[k]].name) == 0;
	return rules;
}

/* Whether some but not all signatures of an API exclude empty tensors, none has outliers, and the API has several
 * rules. */
static bool excludes_empty_in_part(const subset_task *c, const int *members, int n)
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

/* Excludes empty tensors from the API's other signatures; false if one of them has no rule then. */
static bool solve_without_empty(const subset_task *c, earlier *before, const int *members, int n)
{
	int *list = need(calloc((size_t)n + 1, sizeof *list), ((size_t)n + 1) * sizeof *list), nlist = 0;
	bool found = true;
	for (int k = 0; k < n; k++) {
		operator *op = &c->records->ops[members[k]], rest;
		c->rules[members[k]] = before[members[k]].own;
		if (op->empty || !subset_without_empty(&before[members[k]].op, SUBSET_INPUTS, &rest, c->records->memory))
			continue;
		*op = rest;
		list[nlist++] = members[k];
	}
	solve_again(c, list, nlist);
	for (int k = 0; k < nlist && found; k++) {
		const rule *r = &c->rules[list[k]];
		found = !r->why && !r->thin && !subset_is_overfitted(&c->records->ops[list[k]], r, false);
		if (found)
			accept_subset(c, before, list[k]);
	}
	free(list);
	return found && nlist;
}

/* If some signatures of an API exclude empty tensors, the clauses of the others about them are mostly overfitted.
 * All exclude them if that leaves fewer rules. */
static void exclude_empty_from_all(const subset_task *c, earlier *before, const int *members, int n)
{
	if (!excludes_empty_in_part(c, members, n))
		return;
	kept was = keep_members(c, members, n);
	int rules = count_rules(c, members, n), *left = need(malloc(((size_t)n + 1) * sizeof *left), ((size_t)n + 1) * sizeof *left);
	bool even = solve_without_empty(c, before, members, n);
	if (even)
		c->over(c->user, (int *)members, n, PASS_API_RULES);
	if (!even || count_rules(c, members, n) >= rules || finish_members(c, before, members, n, left))
		put_back(c, members, n, &was);
	free(left);
	free(was.ops);
	free(was.rules);
}

void subset_pass(const subset_task *c)
{
	size_t n = (size_t)c->records->n + 1, bytes = n * sizeof(earlier);
	earlier *before = need(malloc(bytes), bytes);
	int *list = need(calloc(n, sizeof *list), n * sizeof *list);
	for (int i = 0; i < c->records->n; i++)
		before[i] = (earlier){c->records->ops[i], c->own[i], c->rules[i], c->records->ops[i], c->rules[i]};
	for (enum subset_tensors how = SUBSET_INPUTS; how <= SUBSET_OUTPUTS; how++)
		accept_subsets(c, before, list, solve_subsets(c, without_empty, how, false, list));
	keep_supported(c, before, list, solve_outliers(c, before, list), false);
	keep_supported_apis(c, before, list, solve_common(c, before, list));
	for (const int *most = (int[]){60, 75, 0}; *most; most++)
		keep_supported(c, before, list, solve_subsets(c, subset_inliers, *most, false, list), true);
	for (enum subset_sign how = SUBSET_SIGNS; how <= SUBSET_SIGNS_AND_INPUTS; how++)
		keep_supported(c, before, list, solve_subsets(c, without_negative, how, false, list), false);
	keep_supported(c, before, list, solve_subsets(c, subset_equal_inliers, 60, true, list), true);
	int again = restart_apis(c, before, list);
	c->over(c->user, list, again, PASS_API_RULES);
	for (int k = 0, same; k < again; k += same) {
		same = of_same_api(c, list + k, again - k);
		finish_api(c, before, list + k, same);
		exclude_empty_from_all(c, before, list + k, same);
	}
	free(list);
	free(before);
}
