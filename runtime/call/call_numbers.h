/* Numbers that a framework accepts as arguments, such as a probability between 0 and 1. They come from
 * traces/FRAMEWORK/NUMBERS.tsv, which `make numbers` writes. The file is compiled in. */
#ifndef CALL_NUMBERS_H
#define CALL_NUMBERS_H

#include "bind.h"

typedef enum number_answer {
	NUMBER_UNLISTED, /* the table has no row for the argument */
	NUMBER_UNKNOWN,	 /* calls with numbers on both sides have different answers */
	NUMBER_ACCEPTED,
	NUMBER_REJECTED
} number_answer;

/* The answer for the number that parameter i has in a call, and for its comparisons with the other numbers. `why` gets the reason
 * of a rejection: "p = 1.5: rejected from 1.5 to 1e+30"; it may be NULL. */
number_answer call_number(const char *api, const binding *b, size_t i, buf *why);

#endif
