/* The page of an API, the comment that opens its file: its rule in the notation of docs/reference/rule-notation.md, printed from
 * the rule's tree.
 */
#ifndef API_PAGE_H
#define API_PAGE_H

#include "api_heads.h"
#include "plan.h"

/* Whether all of an API's rules belong to families. */
bool api_page_is_known(const plan_api *api);
/* heads: the frameworks' signatures, or NULL. */
void api_page_put(buf *out, const rule_set *rules, const api_heads *heads, const plan_api *api);
/* "-0, -3": the signatures that use a function. */
void api_page_users(buf *out, const plan_api *api, const plan_function *f);

#endif
