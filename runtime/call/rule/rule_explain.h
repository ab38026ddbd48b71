/* Why the rule of an API rejects a call: the violated clause in rule notation. */
#ifndef RULE_EXPLAIN_H
#define RULE_EXPLAIN_H

#include "rule_evaluate.h"
#include "buf.h"

/* Appends the violated clause with its numbers: `input[-1] == other[-2], but 3 and 4`. */
void api_rule_explain(const api_rules *api, const rule_call *call, rule_case which, const rule_result *result, buf *to);

#endif
