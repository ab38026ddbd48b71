/* Arrays that rows of the table share: most operators have the arguments and dtypes of some other. An array
 * is named by a hash of its text, so that a new operator changes no other's row.
 */
#ifndef ARRAYS_H
#define ARRAYS_H

#include "arena.h"
#include "buf.h"
#include "diag.h"

typedef struct array {
	const char *name, *text; /* "values_0123456789ab", "static const rs_value …[] = {…};\n" */
} array;

typedef struct arrays {
	arena *memory;
	array *list;
	size_t count, room;
} arrays;

void arrays_free(arrays *a);
/* The name of a static array of this type and content ("{…}"); what: the name's first part. */
const char *arrays_add(arrays *a, const char *type, const char *what, const char *content);
/* Sorts by name and leaves each once. False and d when two have one name. */
bool arrays_finish(arrays *a, diag *d);

#endif
