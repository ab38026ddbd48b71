/* Names of APIs and operators as users type them: which ones a glob selects, and which one a misspelt name means. */
#ifndef API_NAMES_H
#define API_NAMES_H

#include <stdbool.h>

#include "buf.h"
#include "rulesmith.h"

/* Whether the glob matches an API of the table. */
bool api_matches(const rs_table *table, const char *glob);

/* Appends the known names nearest to an unknown one, such as "torch.conv2d or torch.nn.functional.conv2d": APIs with this last
 * part, else the one with the minimum edit distance. framework NULL: of all tables. False: none is near. */
bool api_suggest(const rs_library *lib, const char *framework, const char *given, buf *to);

/* The same for operators: "torch.mm" is near "torch.mm-0". */
bool operator_suggest(const rs_library *lib, const char *framework, const char *given, buf *to);

#endif
