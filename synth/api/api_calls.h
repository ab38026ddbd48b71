/* The lists of a call: the dimensions of a tensor, the items of an argument, as expressions over the signature's symbols.
 *
 *   conv2d(input: s0 × s1 × s2, padding=[s3, 1], groups=s4)       input     s0, s1, s2
 *                                                                 padding   s3, 1
 *                                                                 groups    s4
 *
 * All signatures of an API rule find a list by the argument's name. An argument that a signature omits has its default
 * (`stride = kernel_size`), or else an empty list.
 */
#ifndef API_CALLS_H
#define API_CALLS_H

#include "call.h"
#include "record.h"
#include "rule.h"

enum { LIST_LENGTH = 32 }; /* longer lists are not looked at */

enum list_kind { LIST_DIMS, LIST_ITEMS, LIST_BOUNDS /* low and high of a tensor's elements */, LIST_OUT /* an output's dimensions */ };

/* The argument of lists of outputs, whose `item` is the output. */
extern const char LIST_OUTPUT[];

static inline bool list_is_dims(int kind)
{
	return kind == LIST_DIMS || kind == LIST_OUT;
}


/* Which list: of an argument, and for a list of tensors the index of the tensor (-1: it is none). */
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
	bool number; /* an integer by itself */
	bool there;  /* false: it is omitted and has no default */
} call_list;

/* Where a symbol stands. */
typedef struct list_place {
	list_name list;
	int at, n; /* its position, and the length of the list */
} list_place;

/* A list that was looked up before. */
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
	list_seen *seen; /* while the rule is fitted, nseen of them; else NULL */
	int nseen;
	api_signature of;
	operator roles; /* for simplify.h, which must not take a symbol for a dimension: functions are right below 0, too */
	list_place *places; /* of each symbol; argument NULL: none */
} api_call;

/* The value of an omitted argument. */
typedef struct default_of {
	const char *argument, *instead; /* another argument, or NULL: */
	int64_t number;
} default_of;

typedef struct api_calls {
	arena *memory, *scratch; /* what is kept, and what is needed while the rule is fitted */
	expr_pool *pool;
	const char **names; /* of all arguments, each once: equal names are one pointer */
	int nnames;
	default_of *defaults;
	int ndefaults, most_defaults;
	api_call *forms;
	int n;
} api_calls;

/* The calls of n signatures, in `memory`; their rules' expressions are in `pool`. */
api_calls api_calls_of(arena *memory, arena *scratch, expr_pool *pool, const api_signature *list, int n);

/* The one pointer of an argument's name; NULL: no signature has it. */
const char *api_calls_name(const api_calls *f, const char *name);
/* Before api_calls_place: the value of an omitted argument, another argument's name or an integer's text. Other texts are ignored. */
void api_calls_add_default(api_calls *f, const char *argument, const char *instead);
/* Finds where the symbols stand: after all defaults are known. */
void api_calls_place(api_calls *f);

/* The next argument from *at on that some signature omits and that has no default; NULL: there are no more. */
const char *api_calls_lacking(const api_calls *f, int *at);
/* Makes a number its default, or no longer. */
void api_calls_default(api_calls *f, const char *argument, int64_t number);
void api_calls_forget(api_calls *f, const char *argument);

/* Forgets the looked up lists, once the rule is fitted. */
void api_calls_found(api_calls *f);

call_list call_list_of(const api_calls *f, const api_call *form, list_name name);
/* The argument of a signature as it is, defaults not applied; NULL: it is omitted. */
const call_value *call_value_of(const api_call *form, const char *argument);

#endif
