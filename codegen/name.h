/* Names and texts that come from trace files, made harmless: as file names, as C string literals,
 * and inside comments. */
#ifndef NAME_H
#define NAME_H

#include <stdbool.h>

#include "arena.h"
#include "buf.h"

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

uint64_t name_hash(const char *text, size_t length);
/* How many leading hexadecimal digits tell two hashes apart; 17: none. */
unsigned name_digits(uint64_t a, uint64_t b);

#endif
