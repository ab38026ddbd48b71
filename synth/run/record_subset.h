/* Record subsets: if no rule agrees with all passing records, or only an overfitted one, a rule is searched for a
 * subset of them. The rule rejects the excluded records. It counts them (operator.empty, operator.outside) and its
 * page reports them, so it is incomplete but what it accepts is valid.
 *
 * Empty tensors. Many operators check little if a tensor is empty, and no short rule describes what they do:
 *
 *   attention(q: 3 × 0, k: 2 × 5, v: 0 × 4)   passes: no check runs, since a tensor is empty
 *   attention(q: 3 × 6, k: 2 × 6, v: 2 × 4)   passes, since q[1] == k[1] and k[0] == v[0]
 *
 * Others accept empty inputs by the usual rule but are irregular if the output is empty:
 *
 *   max_pool(x: 2, kernel: 5, stride: 3, dilation: 1)    passes and returns size 0; with dilation 2 it fails
 *
 * So records of empty inputs are excluded first, then also those of empty outputs.
 *
 * Outliers. A rule may reject a fifth of the passing records if it is shorter than a rule that accepts them:
 *
 *   gru(w_ih: g × 4, w_hh: g × 5)    passes if g == 3 * 5, and by chance if g == 3, since its parts then broadcast
 *
 * Inliers. If there are many outliers, each with another reason, no single clause separates them. Then equations
 * a == k*b of two dimensions, with a small k, do. The equation that most records satisfy is chosen first, then the next
 * among the remaining records. The records that satisfy all chosen equations are the inliers. A rule of the inliers
 * may reject two thirds of the passing records. Equations need a share of 60 %, then of 75 % of the records. If there
 * still is no rule, broadcasting records count as outliers, too, and the inliers may be a smaller part:
 *
 *   lstm(weights: 12 × 5, …)    checks little of its inputs: larger weights and broadcasting batches pass
 *
 * Signs. Many operators treat negative arguments differently. So a subset without negative numbers is tried, with and
 * without empty inputs:
 *
 *   pad(x: 5, before: 2, after: -1)    removes an element; the combination with `before` follows no simple rule
 */
#ifndef RECORD_SUBSET_H
#define RECORD_SUBSET_H

#include "rule.h"

enum subset_tensors { SUBSET_INPUTS, SUBSET_OUTPUTS }; /* empty inputs; empty inputs or outputs */

/* The signature without its records of empty tensors, passing and failing. False if it has none, if fewer than 8
 * passing records are left, or fewer than a quarter. Rows live in the arena, also below. */
bool subset_without_empty(const operator *op, enum subset_tensors how, operator *to, arena *memory);
/* The signature without the passing records that the rule rejects. False if it rejects none, if more than
 * subset_max_outliers() are rejected (`aside`: not counting those of empty inputs), or if fewer than 8 or a third
 * are left. */
bool subset_without_rejected(const operator *op, const rule *r, bool aside, operator *to, arena *memory);
int subset_max_outliers(const operator *op);
/* The signature without the passing records off the equations that at least `most` percent of the remaining records
 * satisfy. False if there are none, or if fewer than 8 or a third are left. */
bool subset_inliers(const operator *op, int most, operator *to, arena *memory);
/* The same for a signature that has no rule otherwise. Broadcasting records are excluded like others. The inliers
 * may be a small part, but there must be 24 of them. There may be no more outliers than failing records, since the
 * search itself would draw the rule's boundary otherwise. */
bool subset_equal_inliers(const operator *op, int most, operator *to, arena *memory);
enum subset_sign { SUBSET_SIGNS, SUBSET_SIGNS_AND_INPUTS }; /* negative numbers; negative numbers or empty inputs */
/* The signature without the passing records that have a negative number, or also an empty input. False if no number
 * is negative, or if fewer than 8 or a third are left. */
bool subset_without_negative(const operator *op, enum subset_sign how, operator *to, arena *memory);
/* The signature without the passing records of empty inputs, as outliers. False if it has none, or if too few are
 * left. */
bool subset_without_empty_inputs(const operator *op, operator *to, arena *memory);
/* How many more outliers a signature may have before its inliers are too small a part. */
int subset_spare_outliers(const operator *op);
/* Whether a rule of a subset is overfitted: more than a third of its clauses have low support, or there is no
 * failing record. A clause has low support if it alone rejects at most two failing records and it rejects less than
 * an eighth of them all (`shared`: if the rule has more than eight clauses, less than 1/clauses). Clauses about the
 * sign of a number or about empty tensors do not count. */
bool subset_is_overfitted(const operator *op, const rule *r, bool shared);
/* The same for several rules together: adds the rule's clauses and those of low support to w. False if there is no
 * failing record. */
typedef struct clause_support {
	int clauses, weak;
} clause_support;
bool subset_count_support(const operator *op, const rule *r, bool shared, clause_support *w);
bool subset_has_low_support(clause_support w);
/* Whether some clause `a or b` is overfitted: hardly a failing record is rejected by it alone. */
bool subset_has_overfitted_or(const operator *op, const rule *r);
/* The rule with clauses that no tensor is empty: inputs, and outputs if the subset excludes empty outputs. */
rule subset_rule(rule_store store, const operator *op, const rule *r);
/* Whether a clause makes no claim about the framework: it excludes empty tensors, or an outlier breaks it alone. */
bool subset_leaves_open(const operator *op, const rule *r, int clause);
/* Recomputes the subset: excludes from `whole` only the passing records that the rule rejects, since a more general
 * rule may accept some of the excluded ones. False if the rule gives such a record another output. */
bool subset_readmit(const operator *whole, const rule *r, operator *to, arena *memory);

#endif
