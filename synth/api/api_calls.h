/* The lists of a call, as expressions over the symbols of its signature: dimensions of a tensor, items of an argument.
 *
 *   conv2d(input: s0 × s1 × s2, padding=[s3, 1], groups=s4)       input     s0, s1, s2
 *                                                                 padding   s3, 1
 *                                                                 groups    s4
 *
 * All signatures of an API rule look up a list by the name of its argument. An argument that a signature omits has its default
 * (`stride = kernel_size`) or an empty list.
 */
#ifndef API_CALLS_H
#define API_CALLS_H

#include "call.h"
#include "record.h"
#include "rule.h"

enum { LIST_LENGTH = 32 }; /* longer lists are ignored */

enum list_kind { LIST_DIMS, LIST_ITEMS, LIST_BOUNDS /* low and high of a tensor's elements */, LIST_OUT /* an output's dimensions */ };

/* The argument name of output lists; their `item` is the output. */
extern const char LIST_OUTPUT[];

static inline bool list_is_dims(int kind)
{
	return kind == LIST_DIMS || kind == LIST_OUT;
}


/* The name of a list: its argument and, for a list of tensors, the index of the tensor (-1: not a list of tensors). */
typedef struct list_name {
	const char *argument;
	int16_t item;
	uint8_t kind;
} list_name;

static inline bool list_is(list_name a, list_name b)
{
	return a.argument == b.argument && a.item == b.item && a.kind == b.kind;
}

typedef struct call_list {
	const expr *e[LIST_LENGTH];
	int n;
	bool number; /* the argument is a single integer */
	bool there;  /* false: the argument is omitted and has no default */
} call_list;

/* The position of a symbol. */
typedef struct list_place {
	list_name list;
	int at, n; /* index in the list, and length of the list */
} list_place;

/* A cached list. */
typedef struct list_seen {
	list_name name;
	call_list list;
} list_seen;

enum { MAX_SEEN = 24 };

/* A signature and its rule. */
typedef struct api_signature {
	const char *name;
	const call *call;
	const rule *rule;
} api_signature;

/* A signature of an API rule. */
typedef struct api_call {
	list_seen *seen; /* cache of nseen lists while the rule is fitted; else NULL */
	int nseen;
	api_signature of;
	operator roles; /* for tidy.h: all symbols are items, because the generated functions must be correct for negative values
	                 * too */
	list_place *places; /* of each symbol; argument NULL: not in a list */
} api_call;

/* The value of an omitted argument. */
typedef struct default_of {
	const char *argument, *instead; /* another argument; NULL: `number` */
	int64_t number;
} default_of;

typedef struct api_calls {
	arena *memory, *scratch; /* lifetime of the result, and of the fitting */
	expr_pool *pool;
	const char **names; /* of all arguments, interned: equal names are equal pointers */
	int nnames;
	default_of *defaults;
	int ndefaults, most_defaults;
	api_call *forms;
	int n;
} api_calls;

/* The calls of n signatures, allocated in `memory`. Expressions of their rules must be in `pool`. */
api_calls api_calls_of(arena *memory, arena *scratch, expr_pool *pool, const api_signature *list, int n);

/* The interned name of an argument; NULL if no signature has it. */
const char *api_calls_name(const api_calls *f, const char *name);
/* Adds the default of an omitted argument: the name of another argument or the text of an integer. Ignores other texts. Call
 * before api_calls_place. */
void api_calls_add_default(api_calls *f, const char *argument, const char *instead);
/* Finds where the symbols stand: after all defaults are known. */
void api_calls_place(api_calls *f);

/* The next argument from *at on that some signature omits and that has no default; NULL at the end. */
const char *api_calls_lacking(const api_calls *f, int *at);
/* Sets or removes a number as the default of an argument. */
void api_calls_default(api_calls *f, const char *argument, int64_t number);
void api_calls_forget(api_calls *f, const char *argument);

/* Drops the cached lists, after the rule is fitted. */
void api_calls_found(api_calls *f);

call_list call_list_of(const api_calls *f, const api_call *form, list_name name);
/* The argument of a signature without defaults; NULL if it is omitted. */
const call_value *call_value_of(const api_call *form, const char *argument);

#endif
