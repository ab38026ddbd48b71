/* The rule of an API in notation: the key "page" of rules.jsonl (docs/reference/file-formats.md). */
#ifndef PAGE_H
#define PAGE_H

#include <stdbool.h>

typedef struct page page;

typedef struct page_clause {
	const char *text;
	int rejected, unique; /* failing calls that it explains, and that no other clause explains; -1: unknown */
	int passed;  /* accepted calls excluded as outliers because this clause rejects them; -1: none */
	bool empty;  /* all of these have an empty tensor */
	bool overfitted; /* overfitted: long compared with its support */
} page_clause;

page *page_read(const char *json); /* never NULL; free it with page_free */
void page_free(page *p);

int page_arguments(const page *p);
const char *page_argument(const page *p, int k); /* owned by the page */
int page_defaults(const page *p);
/* Default k: sets *argument and returns the name of another argument or an integer as text. Both are owned by the
 * page. */
const char *page_default(const page *p, int k, const char **argument);
int page_outputs(const page *p);
const char *page_output(const page *p, int k); /* owned by the page */
int page_clauses(const page *p);
page_clause page_clause_at(const page *p, int k); /* its text is owned by the page */

#endif
