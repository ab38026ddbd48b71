/* API rules as byte code (runtime/include/apirules.h): FRAMEWORK/api_rules.c. */
#ifndef API_CODE_H
#define API_CODE_H

#include "plan.h"

/* Appends the C file of a framework, without its banner. */
void api_code_put(buf *to, const plan *p);

#endif
