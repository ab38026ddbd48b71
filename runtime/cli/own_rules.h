/* Rules of a user's own operators: a library that `rulesmith learn` made. Beside rs_rules it exports
 *
 *   const char *const rs_own[]    "package.module:function", …, NULL: what these rules are of
 *
 * and that is why its tables stand beside the built-in ones, not instead of them. Only who names such a library with --rules allows
 * models to call what it lists: the list goes to workers and oracles in their environment, RULEFUZZ_OWN, when they start. */
#ifndef OWN_RULES_H
#define OWN_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "rulesmith.h"

/* Whether a library that was loaded is such a one; NULL is not. */
bool own_rules_are(const char *path);

/* Allows its functions to every process that is started from now on, beside those that are; nothing where it is another library.
 * Call it before there are threads. False and d: it names what is no function. */
bool own_rules_allow(const char *path, diag *d);

/* The built-in table of the framework with this one's rows among its own, sorted. free() it; NULL and d. */
rs_table *own_rules_join(const rs_table *own, diag *d);

#endif
