/* The code of samplers (rs_op.sample): programs for rs_run (sampling.h), as text. Compilers read it ten times faster than C
 * functions, and it is shorter.
 *
 *   SAMPLE(1fc0a8, "D#)wP…");
 *
 * An instruction is a letter followed by its operands: numbers, one character each if they are small. For each unknown symbol
 * in turn, the program computes the bounds from its clauses, then picks a value within; if there are tests, the first value that
 * passes all of them. Values are computed on a stack.
 *
 * s: symbols; o: output dimensions; low: minimum of dimensions; k: known symbols; w: wanted dimensions (rs_draw). A letter with
 * an index operand has a capital twin for consecutive symbols: the twin adds the position in the row to the index.
 */
#ifndef SAMPLERCODE_H
#define SAMPLERCODE_H

#include "sampling.h"

/* CODE(NAME, LETTER). n: a count, or the number of characters to jump. */
#define RS_CODES(CODE) \
	CODE(FINISH, '.')	  /* the call is complete */ \
	CODE(FREE, 'F')		  /* symbols i … i + n - 1 have no constraint */ \
	CODE(ROW, 'R')		  /* repeat the code of the next symbol for n consecutive symbols */ \
	CODE(DIMENSION, 'D')	  /* begin symbol i, a dimension; jump n if it is known */ \
	CODE(ATTRIBUTE, 'A')	  /* begin symbol i, an attribute; jump n if it is known */ \
	CODE(PICK, 'P')		  /* draw a value of the interval; a dead end if it is empty */ \
	CODE(SEARCH, 'T')	  /* try values in turn; tests follow */ \
	CODE(TEST, 't')		  /* try the next value unless the last comparison held */ \
	CODE(FOUND, 'E')	  /* all tests passed */ \
	\
	CODE(KNOWN, 'k')	  /* jump n if s[i] is unknown */ \
	CODE(WANTED, 'w')	  /* jump n if o[i] is not wanted */ \
	CODE(IF, 'z')		  /* jump n if the last comparison failed */ \
	CODE(OR, 'j')		  /* jump n if it held */ \
	CODE(GO_ON, 'J')	  /* jump n */ \
	CODE(REFUGE, 'f')	  /* from here on, a value that is undefined jumps n behind this instruction with the \
				     current stack, like a failed comparison */ \
	\
	CODE(AT_LEAST, 'g')	  /* bounds of the interval, from the stack */ \
	CODE(AT_MOST, 'h') \
	CODE(ONLY, 'e') \
	CODE(HINT, 'i')		  /* a value that a search tries first */ \
	CODE(ONLY_KNOWN, 'n')	  /* only the value s[i], if it is known */ \
	CODE(ONLY_WANTED, 'v')	  /* only the value o[i], if it is wanted */ \
	\
	CODE(SYMBOL, 's') CODE(OUTPUT, 'o') CODE(LOW, 'l') \
	CODE(NUMBER, 'c')	  /* a signed operand */ \
	/* operations that fit 64 bits, with positive constant divisors */ \
	CODE(ADD, '+') CODE(SUB, '-') CODE(MUL, '*') CODE(DIV, '/') CODE(MOD, '%') CODE(MIN, 'm') CODE(MAX, 'x') \
	/* operations that may be undefined */ \
	CODE(CHECKED_ADD, 'a') CODE(CHECKED_SUB, 'b') CODE(CHECKED_MUL, 'p') CODE(CHECKED_DIV, 'd') CODE(CHECKED_MOD, 'r') \
	CODE(EQ, '=') CODE(NE, '!') CODE(LT, '<') CODE(GT, '>') CODE(LE, '{') CODE(GE, '}') \
	/* the same with an immediate right operand: a number or s[i] */ \
	CODE(ADD_NUMBER, 'Q') CODE(SUB_NUMBER, 'U') CODE(MUL_NUMBER, 'X') CODE(DIV_NUMBER, 'Y') CODE(MOD_NUMBER, 'Z') \
	CODE(EQ_NUMBER, 'B') CODE(NE_NUMBER, 'C') CODE(LT_NUMBER, 'G') CODE(GT_NUMBER, 'H') CODE(LE_NUMBER, 'I') \
	CODE(GE_NUMBER, 'M') \
	CODE(ADD_SYMBOL, ']') CODE(SUB_SYMBOL, '^') CODE(MUL_SYMBOL, '_') \
	CODE(EQ_SYMBOL, 'q') CODE(NE_SYMBOL, 'u') CODE(LT_SYMBOL, 'y') CODE(GT_SYMBOL, '(') CODE(LE_SYMBOL, ')') \
	CODE(GE_SYMBOL, '[')

/* Instructions with a twin: the capital of their letter. */
#define RS_TWINS(TWIN) TWIN(KNOWN) TWIN(WANTED) TWIN(ONLY_KNOWN) TWIN(ONLY_WANTED) TWIN(SYMBOL) TWIN(OUTPUT) TWIN(LOW)

enum rs_code {
#define RS_CODE(NAME, LETTER) RS_CODE_##NAME = LETTER,
	RS_CODES(RS_CODE)
#undef RS_CODE
	RS_CODE_TWIN = 'a' - 'A', /* subtracted from a letter for its twin */
};

/* Operands are characters from '#' on; larger ones are '~', a decimal number and ';'. RS_CODE_ZERO is added to signed ones. */
enum { RS_CODE_FIRST = '#', RS_CODE_LONG = '~', RS_CODE_LARGEST = RS_CODE_LONG - RS_CODE_FIRST - 1, RS_CODE_ZERO = 10 };

enum { RS_CODE_STACK = 64 }; /* numbers */

#endif
