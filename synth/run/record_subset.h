/* Rules for tensors with elements only.
 *
 *   attention(q: 3 × 0, k: 2 × 5, v: 0 × 4)   passes: nothing of it is looked at, since something is empty
 *   attention(q: 3 × 6, k: 2 × 6, v: 2 × 4)   passes as q[1] == k[1], k[0] == v[0]
 *
 * Many operators check little or nothing where a tensor is empty: what they refuse and return then follows from how they are
 * written, and no short rule gives it. Where no rule agrees with all records, or only one that looks fitted, one is looked for
 * without those of empty tensors. It refuses them all, whether they pass or not, and says so (operator.empty). Others take
 * empty tensors as they take any, and waver only where something empty would come out:
 *
 *   max_pool(x: 2, kernel: 5, stride: 3, dilation: 1)    passes, and gives 0; with dilation 2 it is refused
 *
 * Where empty inputs are not what stands in the way, records of empty outputs are left out as well. And where neither is, a few
 * that stand apart:
 *
 *   gru(w_ih: g × 4, w_hh: g × 5)    passes where g == 3 * 5, and by chance where g is 3, as what it is cut into broadcasts
 *
 * A rule may refuse a fifth of what passes then, the outliers, if it is shorter than one that accepts them, and says so
 * (operator.outside). What it accepts is valid as ever.
 *
 * Where many stand apart, each by another clause, no clause alone shows it. Then what most have in common does: lines, a == k*b
 * for two dimensions and a small k, the line on which most lie first, each among what lies on those before. What lies on all of
 * them is the core, and a rule of the core may refuse up to two thirds of what passes. Which lines count is tried twice: those of
 * three in five, and of three in four. Where an operator has no rule even so, broadcasting is left beside the lines, too, and the
 * core may be a smaller part:
 *
 *   lstm(weights: 12 × 5, …)    checks little of what it is given; larger weights pass, and batches that broadcast
 *
 *   pad(x: 5, before: 2, after: -1)    takes one away; how that goes with what is put before it is not thought out
 *
 * Numbers that are negative do another thing with many operators than those that are not. The core is then also the records
 * without negative numbers, with empty inputs or without them.
 */
#ifndef RECORD_SUBSET_H
#define RECORD_SUBSET_H

#include "rule.h"

enum narrow { NARROW_INPUTS, NARROW_OUTPUTS }; /* whose emptiness: of tensors that go in; and of those that come out */

/* The operator without its records of empty tensors; false where it has none, or too few others: less than 8 that pass, or than a
 * quarter of all that do. Rows live in the arena. */
bool narrow_operator(const operator *op, enum narrow how, operator *to, arena *memory);
/* The operator without the passing records that a rule refuses; false where it refuses none, more than narrow_most_outliers (those
 * of empty inputs `aside`, if so), or leaves less than 8 or a third. */
bool narrow_outliers(const operator *op, const rule *r, bool aside, operator *to, arena *memory);
int narrow_most_outliers(const operator *op);
/* The operator without the passing records that are not of its core, by lines on which at least `most` of a hundred lie of what
 * is left; false where all are of it, or fewer than 8 or a third. */
bool narrow_core(const operator *op, int most, operator *to, arena *memory);
/* The same of an operator that has no rule otherwise, where broadcasting lies beside a line like anything else. They may be a small
 * part, but 24 of them are left and no more lie beside than were really refused: false otherwise, since its boundary would be of
 * this search's making. */
bool narrow_equal(const operator *op, int most, operator *to, arena *memory);
enum narrow_signs { SIGNS, SIGNS_AND_INPUTS }; /* negative numbers; and empty inputs */
/* The operator without the passing records that have a negative number, and those of empty inputs; false where fewer than 8 or a
 * third are left, or none has a negative number. */
bool narrow_signs(const operator *op, enum narrow_signs how, operator *to, arena *memory);
/* The operator without the passing records of empty inputs, as outliers; false where it has none, or too few others. */
bool narrow_inputs(const operator *op, operator *to, arena *memory);
/* How many more passing records may stand apart from an operator without its outliers before its core is too small a part. */
int narrow_room(const operator *op);
/* Whether a rule that was found so looks fitted: more than a third of its clauses are weak, which is that at most two refused
 * calls need them alone and that they refuse less than an eighth of all (`shared`: of more than eight clauses, less than their
 * share); or nothing was refused, so that nothing tests it. Clauses that only tell the sign of a number, or that something has
 * elements, are not counted. */
bool narrow_looks_fitted(const operator *op, const rule *r, bool shared);
/* The same of many rules together: counts its clauses, and those that are weak; false where nothing was refused. */
typedef struct narrow_weight {
	int told, weak;
} narrow_weight;
bool narrow_weigh(const operator *op, const rule *r, bool shared, narrow_weight *w);
bool narrow_is_weak(narrow_weight w);
/* Whether a clause is an alternative (`a or b`) that hardly a refused call asks for by itself. */
bool narrow_has_fitted(const operator *op, const rule *r);
/* The rule with what it does not say: that every tensor has elements, those that come out too where op is narrow so. */
rule narrow_rule(rule_store store, const operator *op, const rule *r);
/* Whether the rule's clause of that number claims nothing of the framework: it is one of these, or a call that stands apart passes
 * which breaks it alone. */
bool narrow_leaves_open(const operator *op, const rule *r, int clause);
/* Makes the narrow operator the whole one without those passing records that the rule refuses: what a family's rule says may hold
 * for some of what was left out, too. False where it gives one of them another output. */
bool narrow_take_back(const operator *whole, const rule *r, operator *to, arena *memory);

#endif
