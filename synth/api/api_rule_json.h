/* API rules as JSON: the key "api_rule" of rules.jsonl (docs/reference/file-formats.md has the grammar). */
#ifndef API_RULE_JSON_H
#define API_RULE_JSON_H

#include <cjson/cJSON.h>

#include "api_rule.h"
#include "buf.h"

/* Appends the rule as one JSON object. */
void api_rule_put(buf *to, const api_rule *r);

/* Reads the rule of n signatures, in `memory`. NULL and d ("path:line: error: …") if the object is not such a rule. It is not
 * checked that the signatures are instances. */
api_rule *api_rule_read(arena *memory, expr_pool *pool, const cJSON *object, const api_signature *list, int n, const char *path, long line,
    diag *d);

#endif
