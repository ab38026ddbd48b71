/* The lists of a call: the dimensions of a tensor, the items of an argument, as expressions over the call form's symbols.
 *
 *   conv2d(input: s0 × s1 × s2, padding=[s3, 1], groups=s4)       input     s0, s1, s2
 *                                                                 padding   s3, 1
 *                                                                 groups    s4
 *
 * What all call forms of a family have is found by its name. An argument that a form lacks is what the page says stands for
 * it (`stride = kernel_size`), else an empty list.
 */
#ifndef CALL_LIST_H
#define CALL_LIST_H

#include "page.h"
#include "record.h"
#include "rules_file.h"

enum { LIST_LENGTH = 32 }; /* what is longer is no list here */

enum list_kind { LIST_DIMS, LIST_ITEMS, LIST_BOUNDS /* low and high of a tensor's elements */ };

/* Which list: of an argument, and of a list of tensors the how manieth (-1: it is none). */
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
	bool there;  /* false: it is left out, and nothing stands for it */
} call_list;

/* Where a symbol stands. */
typedef struct list_place {
	list_name list;
	int at, n; /* its position, and how long the list is */
} list_place;

/* A list that was asked for before. */
typedef struct list_seen {
	list_name name;
	call_list list;
} list_seen;

enum { MAX_SEEN = 24 };

/* A call form of a family. */
typedef struct call_form {
	list_seen *seen; /* while the family is found, nseen of them; else NULL */
	int nseen;
	const rule_op *op;
	operator roles; /* for tidy.h, which is to take no symbol for a dimension: functions are right below 0 too */
	list_place *places; /* of each symbol; argument NULL: none */
} call_form;

/* What stands for arguments that are left out. */
typedef struct default_of {
	const char *argument, *instead; /* another argument, or NULL: */
	int64_t number;
} default_of;

typedef struct family_forms {
	arena *memory, *scratch; /* what is kept, and what is looked at while the family is found */
	expr_pool *pool;
	const char **names; /* of all arguments, each once: equal names are one pointer */
	int nnames;
	default_of *defaults;
	int ndefaults;
	call_form *forms;
	int n;
} family_forms;

/* The forms of ops; page: their leader's. They live in the rules' memory. */
family_forms family_forms_of(const rule_set *rules, arena *scratch, const rule_op *const *ops, int n, const page *p);

/* The next argument from *at on that some form lacks, with nothing known to stand for it; NULL: there are no more. */
const char *family_forms_lacking(const family_forms *f, int *at);
/* Has a number stand for it, or no longer. */
void family_forms_default(family_forms *f, const char *argument, int64_t number);
void family_forms_forget(family_forms *f, const char *argument);

/* Forgets what was seen, once the family is found. */
void family_forms_found(family_forms *f);

call_list call_list_of(const family_forms *f, const call_form *form, list_name name);
/* The argument of a call form as it is there, a default not looked for; NULL: it is not. */
const rs_value *call_value_of(const call_form *form, const char *argument);
/* The integer that a constant is. */
bool call_constant(const rs_value *v, int64_t *to);

#endif
