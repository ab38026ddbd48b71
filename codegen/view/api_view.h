/* The content of an API's page: all its rules as one list of lines, each with its signatures.
 *
 *   cases of the API's rules ──► lines, once each ──► for each signature: states some of its rule, nothing, or something else
 *                                                └──► the lines that together state all rules (view_cover.h), each with a guard
 *
 * A line is a clause, a dimension of an output, or an output as a whole shape.
 */
#ifndef API_VIEW_H
#define API_VIEW_H

#include "api_rule.h"
#include "page_guard.h"
#include "rules_file.h"

typedef struct page_signature {
	const rule_op *op;
	const api_rule *rule; /* the API rule that its rule instantiates, or NULL */
} page_signature;

typedef struct page_api {
	const char *name;
	const page_signature *list; /* sorted by name */
	size_t n;
} page_api;

typedef struct view_row { /* a signature that has a rule */
	const rule_op *op;
	const api_rule *rule; /* NULL: its rule is an instance of none */
	int form;	      /* in the rule */
	api_calls *calls;     /* the rule's, with the framework's defaults, too */
	const struct view_points *points; /* NULL: not found yet */
} view_row;

enum view_state { STATES_NOTHING, STATES_PART, STATES_OTHER /* what its rule does not */ };
enum view_guard { FOR_EACH_CALL, FOR_GUARD, FOR_LISTED };

enum { CLAUSE_LINE = -1 };

typedef struct view_line {
	int output; /* CLAUSE_LINE, or which one */
	bool is_whole;
	whole_shape whole;
	template t;
	index_range where;
	list_name at; /* the line is of the one position that this axis names, of the shape where.over; argument NULL: none */
	bool asks[MAX_REFERENCES];
	uint8_t *state; /* of each row */
	uint64_t *part; /* of each row: which clauses or dimensions of its rule it states */
	int *rejects;	/* of each row; -1: not known */
	int alone, cost;
	bool empty, chosen, added /* by view_axes.h */, banned /* no guard */, counted /* not printed */;
	enum view_guard kind;
	page_guard g;
	int but; /* a row that is an exception, from 1 on; 0: none */
} view_line;

/* How an argument is given in all rows together. */
typedef struct view_argument {
	const char *name;
	bool tensor, tensors, list, number, missing, dimless /* a tensor's dimensions stand in no line */;
	int least, most;	/* dimensions of a tensor */
	int shortest, longest;	/* items of a list */
	uint64_t lengths;	/* as bits */
	int left, right, slot;	/* dimensions with names, counted from either end; the first one's slot */
	bool varies;		/* more than the named ones, or one of them is optional */
	bool leads;		/* the first of `right` is missing in some calls: N? */
} view_argument;

typedef struct api_view {
	arena *memory;
	expr_pool *pool;
	const page_api *api;
	view_row *rows;
	const operator **ops; /* of each row, for page_guard.h */
	int n;
	view_line *lines;
	int nlines, most_lines;
	view_argument *arguments; /* then an entry for each output */
	int narguments, nout;
	const struct view_case **cases; /* of each output (view_cases.h); NULL, or none: by lines */
	int *ncases;
	default_text *defaults; /* of the framework's signature; it has the same one in all overloads */
	int ndefaults;
} api_view;

/* The lines of an API's rules, in `memory`; view_states.h and view_cover.h find the rest. */
api_view *api_view_of(arena *memory, expr_pool *pool, const page_api *api);

/* Whether a line is of all calls. */
static inline bool view_is_always(const view_line *l)
{
	return l->kind == FOR_EACH_CALL && !l->but;
}

/* Before states are found: the integer, or the items, that an omitted argument has, unless the rules know one. */
void view_add_default(api_view *v, const char *argument, int64_t number);

/* The default of an argument, as text. */
void view_add_text(api_view *v, const char *argument, const char *text);

/* The line like this one, which is added if there is none. */
view_line *view_add_line(api_view *v, view_line l);

/* Finds a line's guard, which tells signatures apart. False: there is none. */
bool view_find_guard(const api_view *v, view_line *l, const bool *in, const bool *out);

/* An argument; NULL: no signature has it. */
view_argument *view_argument_of(const api_view *v, const char *name);
/* The same of the shape or list that a reference is to, which may be an output. */
view_argument *view_list_of(const api_view *v, list_name name);

/* A line as a rule's calls look it up. False: the rule has no such argument. */
bool view_translate(const api_calls *f, const view_line *l, view_line *to);
/* The position that an axis names, if it is the same constant in all signatures of a line. False: it is not. */
bool view_fixed_axis(const api_view *v, const view_line *l, list_name axis, int *to);
/* The number of dimensions of a shape, if it is the same in all signatures of a line; otherwise -1. */
int view_stated_rank(const api_view *v, const view_line *l, list_name name);
/* Whether the index of a line is -1, -2, … because its lists have different lengths in a signature, so that they align at their
 * ends. Of equal lengths, an index from 0 on means the same. */
bool view_counts_from_right(const api_view *v, const view_line *l);

#endif
