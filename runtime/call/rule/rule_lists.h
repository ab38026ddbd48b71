/* The numbers that a rule reads: dimensions of tensors, integers of arguments, bounds of elements. */
#ifndef RULE_LISTS_H
#define RULE_LISTS_H

#include "arith.h"
#include "call_value.h"
#include "rule_code.h"

typedef struct rule_numbers { /* a list; absent: n is 0 and `at` NULL */
	const int64_t *at;
	int64_t n;
	bool items; /* of an argument: a list of one counts for every position */
} rule_numbers;

enum { RULE_ITEMS_MOST = 256, RULE_DEFAULTS_MOST = 4 };

typedef struct rule_frame { /* one call, as one rule sees it */
	const call_value *const *arguments;
	const call_value *const *fallbacks; /* by argument: the framework's default; NULL: none */
	rule_code defaults; /* of the rule */
	arena *memory; /* scratch of guards */
	const unsigned *ranks; /* of the outputs, nout */
	const int64_t *dims;   /* of all outputs, in order */
	unsigned nout;
	int64_t room[1024]; /* items that are copied; reset with `used` */
	unsigned used;
} rule_frame;

/* Reads a list and its numbers. */
rule_numbers rule_read_list(rule_frame *f, rule_code *at);

/* Reads the dimensions of a list of tensors, at most `most`. Returns how many; 0: it is not a list of tensors. */
unsigned rule_read_tensors(rule_frame *f, rule_code *at, rule_numbers *out, unsigned most);

/* The items of an argument, or of its default. */
rule_numbers rule_items(rule_frame *f, unsigned argument);

/* An argument, or the default of the framework. */
static inline const call_value *rule_argument(const rule_frame *f, unsigned argument)
{
	return f->arguments[argument] ? f->arguments[argument] : f->fallbacks[argument];
}

/* The item at a position; below 0: from the right. NULL: there is none. */
static inline const int64_t *rule_item(rule_numbers list, int64_t position)
{
	if (list.items && list.n == 1)
		return list.at;
	const int64_t i = position < 0 ? list.n + position : position;
	return i < 0 || i >= list.n ? NULL : &list.at[i];
}

#endif
