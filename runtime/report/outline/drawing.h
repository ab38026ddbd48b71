/* A model as a drawing: calls as boxes, tensors as arrows with their shapes beside them, inline SVG without a script. */
#ifndef DRAWING_H
#define DRAWING_H

#include "arena.h"
#include "outline.h"

enum { DRAWING_MOST = 40 }; /* inputs and calls; a drawing of more is unreadable */

/* False if there is no drawing: the model is too large, or memory ran out. */
bool drawing_print(const outline *o, arena *a, buf *out);

/* The styles of drawings, once a page. */
extern const char DRAWING_STYLE[];

#endif
