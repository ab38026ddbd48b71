/* Named sets of operators, published with the strategies: lists of API names. No other C file names an operator. */
#ifndef OPSET_H
#define OPSET_H

#include <stdbool.h>
#include <stddef.h>

/* The operators of a set in a framework, without the framework's module ("Add"), sorted by bytes. NULL and 0: there is no
 * such set, or not for this framework. */
const char *const *opset_list(const char *set, const char *framework, size_t *count);

/* Whether a set has an API, given with its module. */
bool opset_has(const char *set, const char *framework, const char *api);

bool opset_exists(const char *set); /* for some framework */

/* A framework that has the set; NULL: there is no such set. */
const char *opset_framework(const char *set);

/* The names of all sets, each once, into names; at most room. Returns how many. */
size_t opset_names(const char **names, size_t room);

#endif
