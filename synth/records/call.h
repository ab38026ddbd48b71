/* Calls with their integers as symbols: the grammar of "args" and "outputs" (docs/reference/file-formats.md),
 * read once.
 *
 *   [{"name":"x","pos":true,"value":{"tensor":["s0","s1"],"dtype":"float32"}},
 *    {"name":"size","pos":false,"value":["s2",{"const":"1"}]}]
 *
 *   args ──► x: TENSOR s0 s1     size: LIST ──► INT s2, CONST 1
 *
 * Symbols s0, s1, … are in the order of the text, each once; so are the dimensions of outputs, o0, o1, ….
 */
#ifndef CALL_H
#define CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "arena.h"
#include "diag.h"

enum { CALL_SYMBOLS = 4096, CALL_DIMS = 16384 }; /* the most: symbols, and dimensions of all outputs together */

enum call_kind {
	CALL_INT,      /* a symbol */
	CALL_TENSOR,   /* its dimensions are symbols */
	CALL_LIST,     /* of values */
	CALL_ELEMENTS, /* integers that go as a tensor: one value, without a tensor in it */
	CALL_CONST     /* a Python literal */
};

typedef struct call_value {
	uint8_t kind; /* a call_kind */
	bool ranged;  /* TENSOR: its elements lie in s<first+count> … s<first+count+1> - 1 */
	bool held;    /* TENSOR: the call takes it inside of something else */
	bool assumed; /* CONST: the call leaves it out, and this is what it is then (operator_assuming) */
	int first;    /* INT, TENSOR: the first symbol */
	int count;    /* TENSOR: its rank; LIST: its length; ELEMENTS: 1; CONST: the floats seen in its place */
	const char *text; /* TENSOR, ELEMENTS: the dtype; CONST: the literal */
	const struct call_value *items; /* LIST, ELEMENTS */
	const char *const *seen;	/* CONST: the floats */
} call_value;

typedef struct call_argument {
	const char *name; /* an identifier */
	bool by_position;
	call_value value;
} call_argument;

typedef struct call_output {
	const char *dtype;
	int first, rank; /* its dimensions are o<first> … */
} call_output;

typedef struct call {
	const call_argument *args;
	const call_output *outputs;
	int nargs, nout; /* arguments, output tensors */
	int nsym, nin;	 /* symbols, input tensors */
	int nodim;	 /* dimensions of all outputs */
} call;

/* Reads the keys "args" and "outputs" of an object into `memory`. False and d ("path:line: error: …") when they are not
 * as they should be. Stops the program when memory runs out. */
bool call_read(call *c, arena *memory, const cJSON *object, const char *path, long line, diag *d);

/* An argument's value; NULL: the call has none of that name. */
const call_value *call_named(const call *c, const char *name);
/* Whether a value is omitted: NULL, or None. */
bool call_is_none(const call_value *v);
/* Of a constant that is an integer, by itself or as a tensor: its value. */
bool call_integer(const call_value *v, int64_t *to);

#endif
