/* Comments above functions: the signatures of a function and its rule in mathematical notation. Lines of a block
 * comment, each beginning with " * ". */
#ifndef COMMENT_H
#define COMMENT_H

#include "rules_file.h"

/* A signature's name, its call in Python syntax, and the support and proof of its rule, or why it has none. */
void comment_operator(buf *out, const rule_op *op);
/* The rule: its id, an equation for each output dimension, and the clauses. */
void comment_mathematics(buf *out, const rule_op *op);

/* The short name of a dtype: f32. */
const char *comment_dtype(uint8_t dtype);

#endif
