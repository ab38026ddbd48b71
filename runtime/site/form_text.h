/* A signature as text: the call with symbols in place of numbers, and the name and kind of each symbol. */
#ifndef FORM_TEXT_H
#define FORM_TEXT_H

#include "buf.h"
#include "site_rules.h"

/* "input: i64[s0..s3], kernel_size=[s4], ceil_mode=True"; not escaped. */
void form_text_put(buf *out, const site_op *op);
/* One line per symbol: "input[0]", "kernel_size[0]", "dim", "index.high". Not escaped, without other newlines. */
void form_text_names(buf *out, const site_op *op);
/* One letter per symbol: d for a dimension of a tensor, n for another number. */
void form_text_kinds(buf *out, const site_op *op);

#endif
