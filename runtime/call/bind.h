/* Binds the arguments of a call to the parameters of an overload. After that, equivalent spellings of a call are equal.
 *
 *   max_pool2d(x, 2, stride=(2, 2))  ──►  input = x, kernel_size = 2, stride = (2, 2), padding: omitted, …
 */
#ifndef BIND_H
#define BIND_H

#include "api_signatures.h"

typedef struct binding {
	const overload *to;
	const call_value *values[PARAMETERS_MOST]; /* by parameter; NULL: omitted */
} binding;

/* How strictly types are compared. A lenient framework converts numbers and lists to tensors. A Python function may accept more
 * than its annotations: a list for a number, or a number for a list. */
typedef enum binding_types { BINDING_STRICT, BINDING_LENIENT, BINDING_LISTS } binding_types;

/* Binds a call. False: it does not fit the overload, or memory ran out. */
bool bind_call(const call *c, const overload *to, binding_types types, arena *memory, binding *out);

/* The first overload that a call fits: strictly, else leniently, else with lists for numbers. False: none. */
bool bind_overload(const call *c, const overload *overloads, size_t n, arena *memory, binding *out);

/* Binds numbers as tensors of rank 0 if another overload takes tensors in their place: torch.add(x, 1) as torch.add(x, y). False:
 * there is no such overload. */
bool bind_numbers(const binding *b, const overload *overloads, size_t n, binding *out);

/* Whether a value is a number that bind_numbers turned into a tensor. */
bool bound_number(const call_value *v);

/* The parameter of that name; its index, or -1. */
int parameter_find(const overload *o, const char *name);

/* The value of a parameter: the argument, or its default; NULL if it has neither or is None. An empty list as default counts as
 * None: PyTorch's schemas write it for "omitted". */
const call_value *bound_value(const binding *b, int parameter);

/* The same of the parameter of that name; NULL if there is none. */
const call_value *bound_named(const binding *b, const char *name);

#endif
