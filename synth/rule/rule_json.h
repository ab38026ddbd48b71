/* A rule as JSON, as it stands in rules.jsonl and in the cache of solved operators (docs/reference/file-formats.md). */
#ifndef RULE_JSON_H
#define RULE_JSON_H

#include <cjson/cJSON.h>

#include "buf.h"
#include "call.h"
#include "rule.h"

/* Appends `,"out":[…],"valid":[…],"layer":…,"proof":…,"thin":true,"id":…,"passed":…,"failed":…`, without braces; where
 * there is no rule the reason, `,"why":…`, and what there is; and `,"simplified":[[now, was],…]` where that is still to be
 * proved. nsym: the operator's symbols, part of the id. Two operators
 * have equal ids when they have equally many symbols and equal rules. */
void rule_put(buf *to, const rule *r, int nsym);

/* Reads the same keys of an object, for a call. Beside a reason an output may be "": it was not found. False and d
 * ("path:line: error: …") when they are not as they should be; stops the program when memory runs out. */
bool rule_take(rule *r, rule_store to, const call *c, const cJSON *object, const char *path, long line, diag *d);

/* How far it is proved, as in the files: "none", "proved", "checked" or "unknown". */
const char *rule_proof(const rule *r);

#endif
