/* A rule as JSON, in rules.jsonl and in the cache (docs/reference/file-formats.md). */
#ifndef RULE_JSON_H
#define RULE_JSON_H

#include <cjson/cJSON.h>

#include "buf.h"
#include "call.h"
#include "rule.h"

/* Appends `,"out":[…],"valid":[…],"layer":…,"proof":…,"thin":true,"id":…,"passed":…,"failed":…` without braces.
 * Without a rule, appends `,"why":…` and the known parts. Appends `,"simplified":[[now, was],…]` if proofs are
 * outstanding. nsym, the number of symbols, is part of the id: two signatures have equal ids if they have equally
 * many symbols and equal rules. */
void rule_to_json(buf *to, const rule *r, int nsym);

/* Reads the same keys of an object. If it has a reason, an output may be "" (not found). On invalid input returns
 * false and fills d ("path:line: error: …"). */
bool rule_from_json(rule *r, rule_store to, const call *c, const cJSON *object, const char *path, long line, diag *d);

/* The proof level as in the files: "none", "proved", "checked" or "unknown". */
const char *rule_proof(const rule *r);

#endif
