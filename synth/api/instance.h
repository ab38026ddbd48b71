/* Instances: the clauses and outputs of an API rule in a signature. */
#ifndef INSTANCE_H
#define INSTANCE_H

#include "api_rule.h"

/* Whether the instance equals the rule of a signature: the same clauses, apart from implied ones, and the same outputs. */
bool api_rule_is_instance(const api_rule *r, int form);
/* The same for clauses or outputs only. */
bool api_clauses_are_rule(const api_rule *r, const api_clauses *all, int form);
bool api_shapes_are_rule(const api_rule *r, const api_shapes *s, int form);
/* Removes signatures from cases that they are not instances of, and cases without signatures. */
void api_rule_drop_non_instances(api_rule *r);

/* Counts the recorded rejections that violate each clause of the accept cases. ops: the records of each signature. */
void api_rule_count_evidence(api_rule *r, const operator *const *ops);

#endif
