/* What compiled samplers are written in: programs for rs_run (sampling.h), as text, since compilers read that ten
 * times faster than functions, and it is shorter.
 *
 *   SAMPLER(torch_sample_1fc0a8, torch_valid_73357874,
 *           "D#)wP…")
 *
 * An instruction is a letter, with its operands behind it: numbers, of one character each where they are small. For
 * each symbol that is not known, one after another: the bounds that its clauses give, then a value within them; where
 * there are tests, the first value that passes all. Values are computed on a stack.
 *
 * s are the symbols, o the output dimensions, low the least values of dimensions; k says which symbols are known, w
 * which dimensions are wanted (rs_draw). A letter whose operand is an index has a twin for symbols in a row, in
 * capitals: there the symbol's place in the row is added.
 */
#ifndef SAMPLERCODE_H
#define SAMPLERCODE_H

#include "sampling.h"

#define SAMPLER(NAME, VALID, PROGRAM) \
	bool NAME(rs_draw *d) \
	{ \
		return rs_run(d, PROGRAM) && VALID(d->s); \
	}
/* Of a rule without clauses. */
#define SAMPLER_ALWAYS(NAME, PROGRAM) \
	bool NAME(rs_draw *d) \
	{ \
		return rs_run(d, PROGRAM); \
	}

/* CODE(NAME, LETTER). n: how many, or how many characters to go on behind. */
#define RS_CODES(CODE) \
	CODE(FINISH, '.')	  /* the call is complete */ \
	CODE(FREE, 'F')		  /* symbols i … i + n - 1, of which nothing is asked */ \
	CODE(ROW, 'R')		  /* the next symbol, n times, with the symbols that follow it */ \
	CODE(DIMENSION, 'D')	  /* symbol i; n characters on where it is known */ \
	CODE(ATTRIBUTE, 'A')	  /* the same */ \
	CODE(PICK, 'P')		  /* any value of the span; a dead end where there is none */ \
	CODE(SEARCH, 'T')	  /* one value after another; tests follow */ \
	CODE(TEST, 't')		  /* the next value, unless the last comparison held */ \
	CODE(FOUND, 'E')	  /* all tests passed */ \
	\
	CODE(KNOWN, 'k')	  /* n characters on where s[i] is not known */ \
	CODE(WANTED, 'w')	  /* where o[i] is not wanted */ \
	CODE(IF, 'z')		  /* where the last comparison does not hold */ \
	CODE(OR, 'j')		  /* where it holds */ \
	CODE(GO_ON, 'J')	  /* always */ \
	CODE(REFUGE, 'f')	  /* from here on, what has no value goes on n characters behind this, with so many \
				     numbers on the stack, as after a comparison that does not hold */ \
	\
	CODE(AT_LEAST, 'g')	  /* bounds of the span, from the stack */ \
	CODE(AT_MOST, 'h') \
	CODE(ONLY, 'e') \
	CODE(HINT, 'i')		  /* worth trying first, in a search */ \
	CODE(ONLY_KNOWN, 'n')	  /* s[i], where it is known */ \
	CODE(ONLY_WANTED, 'v')	  /* o[i], where it is wanted */ \
	\
	CODE(SYMBOL, 's') CODE(OUTPUT, 'o') CODE(LOW, 'l') \
	CODE(NUMBER, 'c')	  /* a signed operand */ \
	/* what always fits 64 bits, and divisors that are positive constants */ \
	CODE(ADD, '+') CODE(SUB, '-') CODE(MUL, '*') CODE(DIV, '/') CODE(MOD, '%') CODE(MIN, 'm') CODE(MAX, 'x') \
	/* what may have no value */ \
	CODE(CHECKED_ADD, 'a') CODE(CHECKED_SUB, 'b') CODE(CHECKED_MUL, 'p') CODE(CHECKED_DIV, 'd') CODE(CHECKED_MOD, 'r') \
	CODE(EQ, '=') CODE(NE, '!') CODE(LT, '<') CODE(GT, '>') CODE(LE, '{') CODE(GE, '}') \
	/* the same with a right operand of their own: a number, or s[i] */ \
	CODE(ADD_NUMBER, 'Q') CODE(SUB_NUMBER, 'U') CODE(MUL_NUMBER, 'X') CODE(DIV_NUMBER, 'Y') CODE(MOD_NUMBER, 'Z') \
	CODE(EQ_NUMBER, 'B') CODE(NE_NUMBER, 'C') CODE(LT_NUMBER, 'G') CODE(GT_NUMBER, 'H') CODE(LE_NUMBER, 'I') \
	CODE(GE_NUMBER, 'M') \
	CODE(ADD_SYMBOL, ']') CODE(SUB_SYMBOL, '^') CODE(MUL_SYMBOL, '_') \
	CODE(EQ_SYMBOL, 'q') CODE(NE_SYMBOL, 'u') CODE(LT_SYMBOL, 'y') CODE(GT_SYMBOL, '(') CODE(LE_SYMBOL, ')') \
	CODE(GE_SYMBOL, '[')

/* What has a twin: its letter's capital. */
#define RS_TWINS(TWIN) TWIN(KNOWN) TWIN(WANTED) TWIN(ONLY_KNOWN) TWIN(ONLY_WANTED) TWIN(SYMBOL) TWIN(OUTPUT) TWIN(LOW)

enum rs_code {
#define RS_CODE(NAME, LETTER) RS_CODE_##NAME = LETTER,
	RS_CODES(RS_CODE)
#undef RS_CODE
	RS_CODE_TWIN = 'a' - 'A', /* what a twin's letter is less */
};

/* Operands are characters from '#' on; one that is too large is '~', a decimal number and ';'. Signed ones have
 * RS_CODE_ZERO added. */
enum { RS_CODE_FIRST = '#', RS_CODE_LONG = '~', RS_CODE_LARGEST = RS_CODE_LONG - RS_CODE_FIRST - 1, RS_CODE_ZERO = 10 };

enum { RS_CODE_STACK = 64 }; /* numbers */

#endif
