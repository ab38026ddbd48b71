/* What became of APIs from outside: gone, new, with other arguments. Live sides tell; rules do not.
 *
 *   names of both ──► only in A: gone, only in B: new ──► signatures of the others ──► arguments gone, new, renamed
 */
#ifndef SIGNATURES_H
#define SIGNATURES_H

#include "side.h"

typedef struct api_change {
	const char *api;
	const char *gone, *new, *renamed; /* arguments: "dim, keepdim", "dim to axis"; "": none */
	const char *a, *b; /* the overloads that only A has, only B: JSON lists of texts */
} api_change;

typedef struct signatures {
	arena *memory;
	const char **gone, **new; /* APIs, sorted */
	api_change *changed;	  /* by API: with other arguments, or other defaults or types */
	int ngone, nnew, nchanged, compared;
} signatures;

/* Both sides are live. APIs that a side does not list, or has no signature of, are not compared. False and d when one does
 * not stay alive. The caller frees r either way. */
bool signatures_compare(side *a, side *b, signatures *r, diag *d);
void signatures_free(signatures *r);

#endif
