/* The rule of an API as two C functions: one for accepted calls, one for output shapes. A line for each signature calls them:
 *
 *   static inline bool torch_max_pool2d(dims input, ints kernel_size, ints stride, sizes out)
 *   {
 *           for (int i = -2; i < 0; i++)
 *                   require(item(stride, i) > 0);
 *           require(torch_max_pool2d_shape(input, kernel_size, stride, out));
 *           …
 *   VALID(torch_valid_075f27df, torch_max_pool2d(FROM(0, 3), FROM(3, 2), FROM(3, 2), ROOM(3)))
 *
 * If the API has several cases (api_cases.h), the first parameter is the case. Lines of some cases stand in an `if`.
 */
#ifndef API_FUNCTIONS_H
#define API_FUNCTIONS_H

#include "api_rule.h"
#include "rules_file.h"

typedef struct api_functions api_functions;

/* The functions of an API's rules, in the rules' memory; NULL: it has none. name: "torch_max_pool2d". */
api_functions *api_functions_of(const rule_set *rules, const api_rule *const *list, int n, const char *name);

/* Whether the functions are the rule of a signature. */
bool api_functions_have(const api_functions *f, const rule_op *op, bool shape);

/* Whether the function of accepted calls calls the one of shapes. */
bool api_functions_call_shape(const api_functions *f);

/* Appends the function of accepted calls or of shapes. */
void api_functions_put(buf *to, const api_functions *f, bool shape);
/* Appends a signature's line. name: of its function. */
void api_functions_put_line(buf *to, const api_functions *f, const rule_op *op, const char *name, bool shape);

#endif
