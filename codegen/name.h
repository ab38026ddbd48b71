/* Names and texts that come from trace files, made harmless: as file names, as C string literals,
 * inside comments, and as C variables. */
#ifndef NAME_H
#define NAME_H

#include <stdbool.h>

#include "arena.h"
#include "buf.h"
#include "rules_file.h"

/* The file of an API without ".c": the name without its framework, "nn.functional.relu". Names that
 * are too long, or reserved for other files, get a hash. */
const char *name_file(arena *a, const char *framework, const char *api);
/* The same with a hash, for a name that another one equals when case does not count. */
const char *name_file_hashed(arena *a, const char *framework, const char *api);
bool name_equal_folded(const char *a, const char *b); /* equal when ASCII case does not count */

/* A C string literal with its quotes: printable ASCII, the rest escaped. */
void name_literal(buf *out, const char *text);
/* Text inside a block comment: cannot end or open one, nor hide anything from the reader. */
void name_comment(buf *out, const char *text);
/* The number of a signature with its dash, "-3" of torch.abs-3; the whole name if it has none. */
const char *name_number(const rule_op *op);

/* What the C variables of an operator's nsym symbols are called, in the arena: after its arguments, with the position in a
 * shape or a list, input_2, kernel_size_0, padding, tensors_0_1, index_low; s7 where that is no C identifier or is taken. */
const char *const *name_locals(arena *a, const rule_op *op);

/* An argument's name as a parameter in C, with a `_` behind where that is taken; NULL: it is no identifier there. */
const char *name_parameter(arena *a, const char *argument);

uint64_t name_hash(const char *text, size_t length);
/* How many leading hexadecimal digits tell two hashes apart; 17: none. */
unsigned name_digits(uint64_t a, uint64_t b);
/* How many tell a hash from its neighbours (NULL: it has none there), `least` at least. */
unsigned name_length(uint64_t hash, const uint64_t *before, const uint64_t *after, unsigned least);

#endif
