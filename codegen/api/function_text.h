/* The text of a C function of an API: conditions, each with the positions and the cases that it is of. */
#ifndef FUNCTION_TEXT_H
#define FUNCTION_TEXT_H

#include "parameters.h"

typedef struct function_text {
	arena *memory;
	const parameters *p;
	uint64_t all; /* the cases of the function */
	buf lines;  /* of C */
	buf alone;  /* the same as one condition, while that can be said */
	bool loops; /* it cannot */
	bool by_case;
	unsigned temps;
	const char *indent;
} function_text;

function_text function_text_begin(const parameters *p, uint64_t all);
/* `if (rule == 1) {`, unless the lines up to the end are of all cases. about: a comment, or NULL. */
void function_text_if(function_text *f, uint64_t of, const char *about);
void function_text_end_if(function_text *f, uint64_t of);
/* `for (int i = …) {`, unless the range is one position. several: more than one line follows. */
void function_text_for(function_text *f, const index_range *x, const char *over, bool several);
void function_text_end_for(function_text *f, const index_range *x, bool several);
void function_text_require(function_text *f, const char *condition);
/* Appends the function; outputs: its last parameters, ", sizes out". */
void function_text_put(buf *to, function_text *f, const char *name, const char *outputs);

/* A position of a range as C: "i", or a number if it is one position. */
const char *function_text_position(const function_text *f, const index_range *x);
/* A condition without the parentheses around all of it. */
const char *function_text_bare(arena *a, const char *line);

#endif
