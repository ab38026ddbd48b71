/* Classes of element values, learned by traces/collect/values.py (docs/values.md), into the rules that they belong to.
 *
 *   op             accepts  gives
 *   torch.div-0    lp       lllfff
 *
 * A letter is a class; accepts has one for each input tensor ("." if there is none), gives one for each class.
 */
#ifndef CLASSES_READ_H
#define CLASSES_READ_H

#include "rules_read.h"

/* False and d ("path:line: error: …") when the file cannot be read or a line is not as it should be. Operators that
 * the rules do not have are counted in unknown. */
bool classes_read(rule_set *rules, const char *path, unsigned *unknown, diag *d);

#endif
