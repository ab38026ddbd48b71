/* The frameworks' own signatures: traces/FRAMEWORK/SIGNATURES.tsv (docs/reference/file-formats.md). */
#ifndef API_HEADS_H
#define API_HEADS_H

#include "api_view.h"

typedef struct api_heads api_heads;

api_heads *api_heads_new(void);
void api_heads_free(api_heads *h);
/* Adds a file's signatures. False and d if it cannot be read, or a line has not two columns. */
bool api_heads_read(api_heads *h, const char *path, diag *d);

/* The call that opens a page: the fewest overloads that have the arguments of all signatures, a line each; without any, the recorded
 * arguments. h may be NULL. */
void api_heads_put(buf *out, const api_heads *h, const api_view *v);
/* Tells the view the integer defaults: `stride=[1,1]`, `padding=0`. */
void api_heads_add_defaults(const api_heads *h, api_view *v);
/* Appends the parameters that no signature has: "a, b". */
void api_heads_put_unused(buf *to, const api_heads *h, const api_view *v);

#endif
