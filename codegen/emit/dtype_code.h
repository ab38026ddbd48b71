/* Dtype rules as byte code (runtime/include/apirules.h). */
#ifndef DTYPE_CODE_H
#define DTYPE_CODE_H

#include "dtype_rule.h"
#include "plan.h"

/* Appends the byte code of a framework's dtype rules. False: it has none. */
bool dtype_code_put(buf *code, const plan *p);

/* The dtype rule of an API, in the arena; NULL: it has none. */
const dtype_rule *dtype_code_rule(arena *a, const plan_api *api);

#endif
