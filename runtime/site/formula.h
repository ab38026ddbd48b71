/* The notation of pages (docs/reference/rule-notation.md) as mathematics: MathML, which browsers and screen readers
 * know. `(s - k)//t` is a fraction in floors, `x[i]` a subscript, `a if c else b` cases. What is not of the notation stands
 * as it is, escaped. */
#ifndef FORMULA_H
#define FORMULA_H

#include "buf.h"

void formula_put(buf *out, const char *text);

#endif
