/* The pages of docs/findings, which rulefuzz has linked: docs/findings/index.tsv, one row per page. */
#ifndef PAGES_H
#define PAGES_H

#include <stdbool.h>

#include "arena.h"

typedef struct documented_page {
	const char *backends, *class; /* that run the target: "mnn"; "wrong result" */
	const char *name, *title;   /* of the file in docs/findings, without .md */
	const char *operators, *needs; /* comma-separated */
	const char *upstream;	    /* "not found", "known: onnxruntime#14285, open" */
	const char *expected, *actual; /* as the page prints them */
	const char *quoted;	    /* texts that the page quotes, separated by " | " */
} documented_page;

/* Reads the row at *cursor (NULL: the first) if the backend runs its target, and moves the cursor behind it. False at the end.
 * Other rows, and all rows if memory runs out, give an empty page. */
bool pages_next(const char **cursor, const char *backend, documented_page *page, arena *a);

/* Whether a comma-separated list has the item. */
bool pages_list_has(const char *list, const char *item);

#endif
