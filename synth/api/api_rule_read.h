/* Reads API rules from JSON (docs/reference/api-rules.md has the grammar). */
#ifndef API_RULE_READ_H
#define API_RULE_READ_H

#include <cjson/cJSON.h>

#include "api_rule.h"

/* Reads the rule of n signatures, in `memory`. On invalid input returns NULL and sets d ("path:line: error: …"). Does not
 * check that the signatures are instances (instance.h). */
api_rule *api_rule_read(arena *memory, expr_pool *pool, const cJSON *object, const api_signature *list, int n, const char *path, long line,
    diag *d);

#endif
