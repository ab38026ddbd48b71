/* Calls as values: the text of a caller, before the API is looked up.
 *
 *   torch.nn.functional.max_pool2d(f32[1,3,8,8], 2, stride=(2, 2))
 *   name                           TENSOR        INT        TUPLE of INT
 *
 * All memory is of an arena. */
#ifndef CALL_VALUE_H
#define CALL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "ruletable.h"

typedef enum call_kind {
	CALL_NONE,
	CALL_BOOL,	/* integer: 0 or 1 */
	CALL_INT,	/* integer */
	CALL_FLOAT,	/* number; text: as written */
	CALL_STRING,	/* text: its content */
	CALL_NAME,	/* text: a dotted name such as torch.float32 */
	CALL_LIST,	/* items */
	CALL_TUPLE,	/* items; a tuple of integers may stand for a tensor of that shape */
	CALL_TENSOR,	/* dims; dtype RS_OTHER: unknown */
	CALL_ELEMENTS	/* a tensor of known elements: items[0] is an integer or a list, dtype as in CALL_TENSOR */
} call_kind;

typedef struct call_value {
	call_kind kind;
	uint8_t dtype;	  /* rs_dtype */
	bool bounded;	  /* CALL_TENSOR: elements lie in low … high - 1 */
	size_t n;	  /* of items, or of dims */
	int64_t integer;
	double number;
	int64_t low, high;
	const char *text;
	const struct call_value *items;
	const int64_t *dims;
	const rs_value *node; /* in a recorded signature: the value that stands here, whose numbers are symbols; else NULL */
} call_value;

typedef struct call_arg {
	const char *name; /* NULL: by position */
	call_value value;
} call_arg;

typedef struct call {
	const char *api;
	call_arg *args;
	size_t nargs;
} call;

static inline bool call_is_sequence(const call_value *v)
{
	return v->kind == CALL_LIST || v->kind == CALL_TUPLE;
}

/* Whether a value is a list or tuple of integers alone. */
bool call_is_integers(const call_value *v);

/* Whether two values are equal as arguments: 1 and 1.0, [1] and (1,) are. Tensors never are. */
bool call_equal(const call_value *a, const call_value *b);

/* Appends a value as it is written in a call. */
void call_print(buf *to, const call_value *v);

#endif
