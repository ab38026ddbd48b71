/* Conditions of a page's lines: which calls a line is of.
 *
 *   ceil_mode == 1 and rank(X) >= 4, or axis in (0, 2)
 *
 * A condition holds for some signatures of an API and not for others. An omitted argument has the value of its default.
 */
#ifndef PAGE_GUARD_H
#define PAGE_GUARD_H

#include "arena.h"
#include "record.h"

enum { PAGE_TERMS = 3, PAGE_BRANCHES = 3, PAGE_VALUES = 4 };

typedef enum page_aspect {
	PAGE_GIVEN,
	PAGE_CONSTANT,
	PAGE_KIND,   /* "a list", "a number", "a tensor" */
	PAGE_RANK,   /* of a tensor, or of the first one of a list */
	PAGE_LENGTH, /* of a list */
	PAGE_OUTPUTS /* how many tensors come out; without an argument */
} page_aspect;

typedef enum page_relation { PAGE_IS, PAGE_IS_NOT, PAGE_AT_LEAST, PAGE_AT_MOST, PAGE_IN } page_relation;

typedef struct page_term {
	const char *argument;
	page_aspect aspect;
	page_relation relation;
	const char *values[PAGE_VALUES]; /* several of PAGE_IN, else one; none of PAGE_GIVEN */
	int nvalues;
} page_term;

typedef struct page_branch {
	page_term terms[PAGE_TERMS]; /* all of them hold */
	int n;
} page_branch;

typedef struct page_guard {
	page_branch branches[PAGE_BRANCHES]; /* one of them holds */
	int n;
} page_guard;

typedef struct default_text { /* of an argument, as the framework's signature writes it */
	const char *argument, *text;
} default_text;

typedef struct page_question {
	arena *memory;
	const operator *const *ops;
	int n;
	const bool *in, *out; /* of each signature; out NULL: all others */
	const default_text *defaults;
	int ndefaults;
	const char *const *mentioned; /* arguments in the line, which are preferred */
	int nmentioned;
	bool exact; /* of one float in all of `in`, the value matters, not that it is given */
} page_question;

/* The cheapest condition that holds for all signatures of `in` and none of `out`. False: there is none. */
bool page_guard_find(page_guard *to, const page_question *q);

#endif
