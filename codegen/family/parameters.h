/* The parameters of an API's functions: its arguments by their recorded names, and the argument of a signature for each.
 *
 *   dims input     the dimensions of a tensor                       FROM(0, 4)
 *   ints padding   a list, or absent in some signatures             ITEMS(s[4], 1), ONE(1), NONE
 *   wide groups    an integer in all signatures                     s[6]
 *
 * In C every list is the same to look at: at(input, -1) is its last number, item(padding, i) too, and the number itself where it
 * is one by itself (code.h).
 */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "lower.h"
#include "template.h"

enum { MAX_PARAMETERS = 40 };

typedef struct parameter {
	list_name list;
	int16_t bound; /* of LIST_BOUNDS: 0 the lower one, 1 the upper one; else -1 */
	const char *name; /* in C */
	bool is_list;
} parameter;

typedef struct parameters {
	const api_calls *forms;
	const bool *members; /* of the forms: who calls */
	parameter list[MAX_PARAMETERS];
	int n;
	bool full; /* there were too many */
} parameters;

/* Asks for a list: as a whole, or for numbers of it, or for one that is a number. */
void parameters_add_list(parameters *p, list_name name);
void parameters_add_number(parameters *p, list_name name);
void parameters_add_template(parameters *p, const template *t);
/* Sorts and names them: after all was asked for. */
void parameters_name(parameters *p);

const char *parameter_name(const parameters *p, list_name name);
const char *parameter_number(const parameters *p, list_name name); /* its only number */
/* A reference as C; i: of the index_range, "i", or a number where it stands still. */
const char *parameter_text(const parameters *p, const reference *r, const char *i);
/* What has to hold for it to be there: "has(input, -3)". */
const char *parameter_guard(const parameters *p, const reference *r, const char *i);
/* The symbols of a template as C. */
lower_symbol *parameter_symbols(const parameters *p, const template *t, const char *i);

/* "dims input, ints padding" */
void parameters_put(buf *to, const parameters *p);
/* The arguments of a signature: "FROM(0, 4), ONE(1)". s: its symbols are read. */
void parameters_put_call(buf *to, const parameters *p, const api_call *form);

#endif
