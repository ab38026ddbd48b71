/* Calls with their integers as symbols: parses "args" and "outputs" (docs/reference/file-formats.md).
 *
 *   [{"name":"x","pos":true,"value":{"tensor":["s0","s1"],"dtype":"float32"}},
 *    {"name":"size","pos":false,"value":["s2",{"const":"1"}]}]
 *
 *   args ──► x: TENSOR s0 s1     size: LIST ──► INT s2, CONST 1
 *
 * The symbols s0, s1, … appear once each, in the order of the text. So do the output dimensions o0, o1, ….
 */
#ifndef CALL_H
#define CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <cjson/cJSON.h>

#include "arena.h"
#include "diag.h"

enum { CALL_SYMBOLS = 4096, CALL_DIMS = 16384 }; /* maximum number of symbols, and of dimensions of all outputs */

enum call_kind {
	CALL_INT,      /* a symbol */
	CALL_TENSOR,   /* its dimensions are symbols */
	CALL_LIST,     /* of values */
	CALL_ELEMENTS, /* integers passed as a tensor: one value that contains no tensor */
	CALL_CONST     /* a Python literal */
};

typedef struct call_value {
	uint8_t kind; /* a call_kind */
	bool ranged;  /* TENSOR: its elements lie in s<first+count> … s<first+count+1> - 1 */
	bool held;    /* TENSOR: the call takes it as part of another object */
	bool assumed; /* CONST: omitted in the call; the value is its default (operator_assuming) */
	int first;    /* INT, TENSOR: the first symbol */
	int count;    /* TENSOR: rank; LIST: length; ELEMENTS: 1; CONST: number of floats seen in its place */
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
	int nargs, nout; /* numbers of arguments and output tensors */
	int nsym, nin;	 /* numbers of symbols and input tensors */
	int nodim;	 /* number of dimensions of all outputs */
} call;

/* Reads the keys "args" and "outputs" of an object; everything is allocated in `memory`. On invalid input returns
 * false and fills d ("path:line: error: …"). */
bool call_read(call *c, arena *memory, const cJSON *object, const char *path, long line, diag *d);

/* An argument's value; NULL if the call has no such argument. */
const call_value *call_named(const call *c, const char *name);
/* Whether a value is omitted (NULL) or None. */
bool call_is_none(const call_value *v);
/* Reads an integer constant, alone or passed as a tensor. False if v is anything else. */
bool call_integer(const call_value *v, int64_t *to);

#endif
