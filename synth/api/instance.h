/* Instances: the clauses and outputs of an API rule in a signature. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "api_rule.h"

/* Whether the instances of the cases that signature `form` is in are its rule: the same clauses, beside what these imply, and the
 * same outputs. */
bool api_rule_is_instance(const api_rule *r, int form);
/* The same of clauses alone. */
bool api_clauses_are_rule(const api_rule *r, const api_clauses *all, int form);
bool api_shapes_are_rule(const api_rule *r, const api_shapes *s, int form);
/* Drops signatures from cases of which they are no instances, and cases without signatures. */
void api_rule_drop_strangers(api_rule *r);

/* Counts the recorded rejections that violate each clause of the accept cases. ops: the records of each signature of the rule. */
void api_evidence_find(api_rule *r, const operator *const *ops);

#endif
