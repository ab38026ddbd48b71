/* API rules as JSON: the key "api_rule" of rules.jsonl (docs/reference/api-rules.md has the grammar). */
#ifndef API_RULE_PUT_H
#define API_RULE_PUT_H

#include "api_rule.h"
#include "buf.h"

/* The names in JSON, for writer and reader. */
static const char *const WHOLE_NAMES[] = {"same", "broadcast", "drop", "set", "insert", "swap", "permute", "replace", "concat", "broadcast_all", "merge"};
static const char *const LIST_NAMES[] = {"dims", "items", "bounds", "out"};
static const char *const EACH_NAMES[] = {"", "positive", "copied", "nonzero", "distinct"};
static const char *const ASPECT_NAMES[] = {"constant", "kind", "rank"};

static const char *const OTHERWISE_NAMES[] = {"all", "first", "last"};

#define NAMES_OF(list) (int)(sizeof(list) / sizeof *(list))

/* Appends the rule as one JSON object. */
void api_rule_put(buf *to, const api_rule *r);

#endif
