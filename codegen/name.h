/* Makes names and texts from trace files safe: as file names, C string literals, comments and C variables. */
#ifndef NAME_H
#define NAME_H

#include <stdbool.h>

#include "arena.h"
#include "buf.h"
#include "rules_file.h"

/* The file name of an API without ".c": its name without the framework, "nn.functional.relu". Names that are too
 * long, or reserved, get a hash. */
const char *name_file(arena *a, const char *framework, const char *api);
/* The same with a hash, for names that differ from another one by case only. */
const char *name_file_hashed(arena *a, const char *framework, const char *api);
bool name_equal_folded(const char *a, const char *b); /* equal, ignoring ASCII case */

/* A C string literal with quotes: printable ASCII, other characters escaped. */
void name_literal(buf *out, const char *text);
/* Text inside a block comment: cannot end or open a comment, or hide text from the reader. */
void name_comment(buf *out, const char *text);
/* The number of a signature with its dash, "-3" of torch.abs-3; the whole name if it has none. */
const char *name_number(const rule_op *op);

/* The C variables of a signature's nsym symbols, in the arena. They are named after arguments and positions:
 * input_2, kernel_size_0, padding, tensors_0_1, index_low. s7 if the name is no C identifier or is taken. */
const char *const *name_locals(arena *a, const rule_op *op);

/* An argument's name as a C parameter, with `_` appended if it is taken; NULL: it is no C identifier. */
const char *name_parameter(arena *a, const char *argument);

uint64_t name_hash(const char *text, size_t length);
/* The number of leading hexadecimal digits that distinguish two hashes; 17: none. */
unsigned name_digits(uint64_t a, uint64_t b);
/* The number of digits, at least `least`, that distinguish a hash from its neighbours (NULL: none). */
unsigned name_length(uint64_t hash, const uint64_t *before, const uint64_t *after, unsigned least);

#endif
