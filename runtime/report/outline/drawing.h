/* A model as a drawing: calls as boxes, tensors as arrows with their shapes beside them, inline SVG without a script. */
#ifndef DRAWING_H
#define DRAWING_H

#include "arena.h"
#include "outline.h"

enum { DRAWING_MOST = 40 }; /* inputs and calls; a larger model has no drawing that anybody could read */

/* False where there is no drawing: the model is too large, or memory ran out. */
bool drawing_print(const outline *o, arena *a, buf *out);

/* What a page needs for it once: styles. */
extern const char DRAWING_STYLE[];

#endif
