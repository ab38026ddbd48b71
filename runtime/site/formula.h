/* The rule notation (docs/reference/rule-notation.md) as MathML. `(s - k)//t` becomes a fraction in floor brackets, `x[i]`
 * a subscript, `a if c else b` cases. Text that is not in the notation is escaped and unchanged. */
#ifndef FORMULA_H
#define FORMULA_H

#include "buf.h"

void formula_put(buf *out, const char *text);

#endif
