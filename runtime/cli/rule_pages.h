/* Pages: the rule of an API in readable notation, the comment at the top of its file in generated/. The pages of the built-in
 * rules are linked into the program, so it needs no checkout. */
#ifndef RULE_PAGES_H
#define RULE_PAGES_H

#include <stdbool.h>

#include "buf.h"

/* Appends the page of an API of the built-in rules. False: it has none. */
bool rule_page_built_in(const char *api, buf *to);

/* The same for a rule library that `rulesmith learn` wrote: its code is in the folder code/ beside it. */
bool rule_page_beside(const char *library, const char *framework, const char *api, buf *to);

#endif
