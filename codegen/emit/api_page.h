/* The page of an API: its rules in words, the evidence for each clause, and its signatures
 * (docs/reference/rule-notation.md). Synthesis writes the words into the rule of the representative
 * (docs/reference/file-formats.md).
 */
#ifndef API_PAGE_H
#define API_PAGE_H

#include "plan.h"

/* Texts of clauses, each with the number of APIs whose page says it. */
typedef struct clause_texts clause_texts;

clause_texts *clause_texts_of(const rule_set *rules); /* of all frameworks */
void clause_texts_free(clause_texts *t);

/* Whether all of an API's rules belong to families. */
bool api_page_is_known(const plan_api *api);
/* The comment that opens the API's file. */
void api_page_put(buf *out, const clause_texts *texts, const plan_api *api);
/* An operator's number: "-3". */
const char *api_page_number(const rule_op *op);
/* "-0, -3": the signatures that use a function. */
void api_page_users(buf *out, const plan_api *api, const plan_function *f);

#endif
