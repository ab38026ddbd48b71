/* A call form as text: its call with the symbols in place of numbers, and what each symbol is by name. */
#ifndef FORM_TEXT_H
#define FORM_TEXT_H

#include "buf.h"
#include "site_rules.h"

/* "input: i64[s0..s3], kernel_size=[s4], ceil_mode=True", for people; not escaped. */
void form_text_put(buf *out, const site_op *op);
/* A line a symbol: "input[0]", "kernel_size[0]", "dim", "index.high"; names are not escaped, but have no newline. */
void form_text_names(buf *out, const site_op *op);
/* A letter a symbol: d for a tensor's dimension, n for another number. */
void form_text_kinds(buf *out, const site_op *op);

#endif
