/* The parameters of an API's functions: its arguments by their recorded names, and the argument of a signature for each.
 *
 *   dims input     the dimensions of a tensor                       FROM(0, 4)
 *   ints padding   a list, or absent in some signatures             ITEMS(s[4], 1), ONE(1), NONE
 *   wide groups    an integer in all signatures                     s[6]
 *   tensors xs     a list of tensors as a whole                     TENSORS(FROM(0, 2), FROM(2, 2))
 *
 * In C every list is the same to look at: at(input, -1) is its last number, item(padding, i) too, and the number itself where it
 * is one by itself (code.h).
 */
#ifndef PARAMETERS_H
#define PARAMETERS_H

#include "api_cases.h"
#include "lower.h"

enum { MAX_PARAMETERS = 64 };

/* The whole list, a bound of a tensor's elements, or all tensors of a list. */
enum parameter_part { PART_LIST = -1, PART_LOW, PART_HIGH, PART_TENSORS };

typedef struct parameter {
	list_name list;
	int16_t part; /* a parameter_part */
	const char *name; /* in C */
	bool is_list;
} parameter;

typedef struct parameters {
	const api_cases *cases;
	parameter list[MAX_PARAMETERS];
	int n;
	bool full; /* there were too many */
} parameters;

/* Asks for a list: as a whole, or for numbers of it, or for one that is a number. */
void parameters_add_list(parameters *p, list_name name);
void parameters_add_number(parameters *p, list_name name);
void parameters_add_tensors(parameters *p, list_name name);
void parameters_add_template(parameters *p, const template *t);
void parameters_add_range(parameters *p, const index_range *x);
/* Sorts and names them: after all was asked for. */
void parameters_name(parameters *p);
/* Sorts and names some as in all of the API's. */
void parameters_name_as(parameters *p, const parameters *all);

const char *parameter_name(const parameters *p, list_name name);
const char *parameter_number(const parameters *p, list_name name); /* its only number */
const char *parameter_tensors(const parameters *p, list_name name);
/* An output: "out", or "out1" if there are several. */
const char *parameter_output(const parameters *p, int tensor);
/* A reference as C; i: of the index_range, "i", or a number where it stands still. */
const char *parameter_text(const parameters *p, const reference *r, const char *i);
/* What has to hold for it to be there: "has(input, -3)". */
const char *parameter_guard(const parameters *p, const reference *r, const char *i);

/* "dims input, ints padding" */
void parameters_put(buf *to, const parameters *p);
/* The arguments of a signature: "FROM(0, 4), ONE(1)". s: its symbols are read. */
void parameters_put_call(buf *to, const parameters *p, const case_signature *s);

#endif
