/* Rules of user-defined operators: a library from `rulesmith learn`. Besides rs_rules it exports
 *
 *   const char *const rs_own[]    "package.module:function", …, NULL: the functions of these rules
 *
 * Therefore its tables are added to the built-in ones. Models may call these functions only if the user names the library
 * with --rules: the list is passed to workers and oracles in the environment variable RULEFUZZ_OWN. */
#ifndef OWN_RULES_H
#define OWN_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"
#include "rulesmith.h"

/* Whether a loaded library has user-defined operators; false for NULL. */
bool own_rules_are(const char *path);

/* Allows its functions in all processes started later, in addition to functions allowed before; does nothing for other
 * libraries. Call it before there are threads. False and d: an entry is not a function name. */
bool own_rules_allow(const char *path, diag *d);

/* The built-in table of the framework merged with this one, sorted. Free it with free(). NULL and d on an error. */
rs_table *own_rules_join(const rs_table *own, diag *d);

#endif
