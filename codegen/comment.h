/* What stands above a function: the operators it is for, and its rule as mathematics. Lines of a
 * block comment, each beginning with " * ". */
#ifndef COMMENT_H
#define COMMENT_H

#include "rules_file.h"

/* An operator's name, its call in Python's syntax, and what was observed and what proved of its
 * rule, or why it has none. */
void comment_operator(buf *out, const rule_op *op);
/* The rule: its id, an equation for each output dimension, and the clauses. */
void comment_mathematics(buf *out, const rule_op *op);

/* A dtype in short: f32. */
const char *comment_dtype(uint8_t dtype);

#endif
