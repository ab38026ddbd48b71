/* Sampler programs (samplercode.h) in executable form, decoded from their text once.
 *
 *   "R%D#.V#PD…"  ──►  ROW 2 | DIMENSION 0, 2 on | ONLY_WANTED 0 + place | PICK | DIMENSION …
 *
 * An instruction has 8 bytes. Jumps count instructions. Frequent pairs are fused: an operation and its right operand, a
 * comparison and the jump on it. Decoding checks all that execution relies on: indices are within the signature, jumps go
 * forward to instructions of the same symbol, the stack neither underflows nor overflows, and divisors are not 0.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "arena.h"
#include "diag.h"
#include "sampling.h"

/* The right operand of an operation: on the stack, a number, s[index]; for bounds also out[index]; for comparisons also
 * s[index] and a number. */
#define PROGRAM_OPERATION(X, NAME) X(NAME##_STACK) X(NAME##_NUMBER) X(NAME##_SYMBOL)
#define PROGRAM_BOUND(X, NAME) PROGRAM_OPERATION(X, NAME) X(NAME##_OUTPUT)
/* A comparison and the jump on it (program_then). */
#define PROGRAM_COMPARED(X, NAME) X(NAME) X(NAME##_IF) X(NAME##_OR) X(NAME##_TEST)
#define PROGRAM_COMPARISON(X, NAME) \
	PROGRAM_COMPARED(X, NAME##_STACK) PROGRAM_COMPARED(X, NAME##_NUMBER) PROGRAM_COMPARED(X, NAME##_SYMBOL) \
	PROGRAM_COMPARED(X, NAME##_BOTH)

enum program_form { PROGRAM_STACK, PROGRAM_NUMBER, PROGRAM_SYMBOL, PROGRAM_OUTPUT, PROGRAM_BOTH = PROGRAM_OUTPUT, PROGRAM_FORMS };
enum program_then { PROGRAM_ON, PROGRAM_IF, PROGRAM_OR, PROGRAM_TEST, PROGRAM_THENS };

/* Operations, named as in samplercode.h. WIDE: the next instruction is a 64-bit number. */
#define PROGRAM_CODES(X) \
	X(FINISH) X(FREE) X(ROW) X(DIMENSION) X(ATTRIBUTE) X(PICK) X(SEARCH) X(TEST) X(FOUND) \
	X(KNOWN) X(WANTED) X(IF) X(OR) X(GO_ON) X(ONLY_KNOWN) X(ONLY_WANTED) \
	X(SYMBOL) X(OUTPUT) X(LOW) X(NUMBER) X(WIDE) \
	PROGRAM_BOUND(X, AT_LEAST) PROGRAM_BOUND(X, AT_MOST) PROGRAM_BOUND(X, ONLY) PROGRAM_BOUND(X, HINT) \
	PROGRAM_OPERATION(X, ADD) PROGRAM_OPERATION(X, SUB) PROGRAM_OPERATION(X, MUL) PROGRAM_OPERATION(X, DIV) \
	PROGRAM_OPERATION(X, MOD) PROGRAM_OPERATION(X, MIN) PROGRAM_OPERATION(X, MAX) \
	PROGRAM_OPERATION(X, CHECKED_ADD) PROGRAM_OPERATION(X, CHECKED_SUB) PROGRAM_OPERATION(X, CHECKED_MUL) \
	PROGRAM_OPERATION(X, CHECKED_DIV) PROGRAM_OPERATION(X, CHECKED_MOD) \
	PROGRAM_COMPARISON(X, EQ) PROGRAM_COMPARISON(X, NE) PROGRAM_COMPARISON(X, LT) PROGRAM_COMPARISON(X, GT) \
	PROGRAM_COMPARISON(X, LE) PROGRAM_COMPARISON(X, GE)

enum program_code {
#define X(NAME) PROGRAM_##NAME##_,
	PROGRAM_CODES(X)
#undef X
	PROGRAM_CODE_COUNT
};

typedef struct instruction {
	uint8_t code;	    /* enum program_code */
	uint8_t moves : 1;  /* add the position in the row to the index */
	uint8_t height : 7; /* height of the stack for an undefined value */
	uint16_t index;	    /* index of a symbol or an output dimension */
	int16_t number;
	uint16_t skip; /* instructions to jump; FREE and ROW: number of symbols */
} instruction;

typedef struct program {
	uint32_t nsym, nodim; /* all indices are below these */
	instruction code[];   /* up to FINISH */
} program;

/* The index of an instruction; place: position in the row. */
static inline unsigned program_index(const instruction *c, unsigned place)
{
	return c->index + (place & -(unsigned)c->moves);
}

/* Decodes a program. NULL and d: the text is not a program, uses more symbols or output dimensions than given, or memory runs
 * out. The arena owns the result. */
const program *program_decode(arena *a, const char *text, unsigned nsym, unsigned nodim, diag *d);

#endif
