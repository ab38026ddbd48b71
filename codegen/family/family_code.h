/* The rule of an API as two C functions. Each signature is a line that calls them:
 *
 *   static inline bool torch_max_pool2d(dims input, ints kernel_size, ints stride)
 *   {
 *           for (int i = -2; i < 0; i++)
 *                   require(item(stride, i) > 0);
 *           …
 *   VALID(torch_valid_075f27df, torch_max_pool2d(FROM(0, 3), FROM(3, 2), FROM(3, 2)))
 *
 * A signature has such a line if the function computes its own rule: the same clauses and output dimensions. The expressions are
 * compared (template.h).
 */
#ifndef FAMILY_CODE_H
#define FAMILY_CODE_H

#include "api_rule.h"
#include "rules_file.h"

typedef struct family_code family_code;

/* The code of an API rule, in the rules' memory; name: "torch_max_pool2d". */
family_code *family_code_of(const rule_set *rules, const api_rule *r, const char *name);

const api_rule *family_code_rule(const family_code *c);

/* Whether the functions are an operator's rule. */
bool family_code_accepts(const family_code *c, const rule_op *op);
bool family_code_shapes(const family_code *c, const rule_op *op);

/* Whether two operators' functions are lines of one function. */
bool family_code_same(const family_code *a, const rule_op *one, const family_code *b, const rule_op *other, bool shape);

/* The functions of an operator: families whose clauses or outputs some forms have alone have up to three of each. */
void family_code_put_valid(buf *to, const family_code *c, const rule_op *op);
void family_code_put_shape(buf *to, const family_code *c, const rule_op *op);
/* A signature's line. name: of its function. */
void family_code_put_form(buf *to, const family_code *c, const rule_op *op, const char *name, bool shape);

#endif
