/* What rows of the table share: most signatures have the arguments, dtypes and sampler of some other. Each goes
 * by a hash of its text, so that a new operator changes no other's row.
 *
 * Rows are written twice: the first time the arrays are collected, then they get their names, as short as
 * tells them apart.
 */
#ifndef ARRAYS_H
#define ARRAYS_H

#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "diag.h"

enum array_kind { ARRAY_ARGS, ARRAY_CLASSES, ARRAY_DTYPES, ARRAY_FLOATS, ARRAY_SAMPLE, ARRAY_VALUES };

typedef struct array {
	enum array_kind kind;
	const char *content, *name; /* name: digits of the hash */
	uint64_t hash;
} array;

typedef struct arrays {
	arena *memory;
	array *list;
	size_t count, room;
	bool named;
} arrays;

void arrays_free(arrays *a);
/* The digits by which the array goes; "" while they are collected. */
const char *arrays_add(arrays *a, enum array_kind kind, const char *content);
/* Leaves each once, sorted, and names them. False and d when two cannot be told apart. */
bool arrays_name(arrays *a, diag *d);
/* "VALUES(0123ab, …);\n", as in tablerow.h. */
void arrays_put(buf *out, const array *a);

#endif
