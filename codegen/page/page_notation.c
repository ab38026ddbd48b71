#include "page_notation.h"

#include <string.h>

bool page_notation_lacks_clauses(const api_view *v, int row)
{
	const view_row *r = &v->rows[row];
	return r->op->rule.nclauses && (!r->rule || api_rule_accept_case(r->rule, r->form) < 0);
}

bool page_notation_lacks_outputs(const api_view *v, int row)
{
	const view_row *r = &v->rows[row];
	return r->op->nodim && (!r->rule || api_rule_shape_case(r->rule, r->form) < 0);
}

/* The notation that stands with the representative of all rows. NULL: rows have different ones. */
static page *notation_of(const api_view *v)
{
	const char *family = NULL, *text = NULL;
	for (int i = 0; i < v->n; i++) {
		const rule *r = &v->rows[i].op->rule;
		if (!r->family || (family && strcmp(family, r->family) != 0))
			return NULL;
		family = r->family;
		text = strcmp(v->rows[i].op->name, family) == 0 ? r->page : text;
	}
	return text ? page_read(text) : NULL;
}

page *page_notation_of_clauses(const api_view *v)
{
	int without = 0, clauses = 0;
	for (int i = 0; i < v->n; i++) {
		clauses += v->rows[i].op->rule.nclauses > 0;
		without += page_notation_lacks_clauses(v, i);
	}
	return clauses && without == clauses ? notation_of(v) : NULL;
}

page *page_notation_of_outputs(const api_view *v)
{
	int without = 0, outputs = 0;
	for (int i = 0; i < v->n; i++) {
		outputs += v->rows[i].op->nodim > 0;
		without += page_notation_lacks_outputs(v, i);
	}
	return outputs && without == outputs ? notation_of(v) : NULL;
}
