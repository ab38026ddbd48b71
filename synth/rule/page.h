/* A family's rule in words: what stands under "page" in rules.jsonl (docs/reference/file-formats.md). */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>

typedef struct page page;

typedef struct page_clause {
	const char *text;
	int refused, alone; /* calls that it explains, and that only it does; -1: not known */
	int passed;  /* accepted calls that the rule excludes, since it rejects them; -1: none */
	bool empty;  /* all of these have an empty tensor */
	bool fitted; /* it is long for so few */
} page_clause;

page *page_read(const char *json); /* never NULL: what is not there is not said. Free it with page_free. */
void page_free(page *p);

int page_arguments(const page *p);
const char *page_argument(const page *p, int k); /* the page's */
int page_defaults(const page *p);
/* The k-th default: of which argument, and what it is, another argument's name or an integer's text; the page's. */
const char *page_default(const page *p, int k, const char **argument);
int page_outputs(const page *p);
const char *page_output(const page *p, int k); /* the page's */
int page_clauses(const page *p);
page_clause page_clause_at(const page *p, int k); /* its text is the page's */

#endif
