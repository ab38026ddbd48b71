/* Groups of calls that a model file turns into one: a function, a branch of an If, or the body of a Loop. The graph and its
 * results are the same with and without bodies, so running the file must give the same results.
 *
 *   n0 ─► n1 ─► n2 ─► n3        file:  n0 ─► If(t9) ─► n3       branch: n1 ─► n2
 *         └ body 1 ┘
 *
 * A body consists of the nodes marked with its number. They are consecutive in the order of execution, so no path leaves a
 * body and returns. A function is either completely inside an If branch or Loop body, or outside. */
#ifndef BODIES_H
#define BODIES_H

#include "buf.h"
#include "graph.h"
#include "json.h"

/* The control of a body. For an If, a bool that selects the branch; for a Loop, an int64 from 1 to BODIES_TRIPS_MAX, the
 * trip count. Controls are scalars with one possible element, given by their range; they may be constants. A function has
 * none. */
enum body_kind { BODY_FUNCTION, BODY_IF, BODY_LOOP, BODY_KINDS };
enum { BODIES_TRIPS_MAX = 3 };

/* Where a file has the constants that only one If branch or Loop body uses: with the other constants of the model, or within
 * the body as initializers or Constant nodes. The body takes all other tensors from the outer scope by name. */
enum body_constants { BODY_CONSTANTS_OUTSIDE, BODY_CONSTANTS_INITIALIZERS, BODY_CONSTANTS_NODES, BODY_CONSTANTS_KINDS };

/* The first and the last node of a body; GRAPH_NONE: it has none. */
uint32_t body_first(const graph *g, unsigned body);
uint32_t body_last(const graph *g, unsigned body);
/* The element of its control. */
int64_t body_told(const graph *g, unsigned body);
bool body_is_function(const graph *g, unsigned body);

/* Makes `count` nodes from `first` on a body. False: too few nodes, some are in a body already, the control is invalid, or
 * there are GRAPH_BODIES_MAX bodies. */
bool bodies_add(graph *g, enum body_kind kind, uint32_t control, uint32_t first, uint32_t count);
/* Removes a body, and its control if nothing else uses it. */
void bodies_drop(graph *g, unsigned body);
/* Removes bodies without nodes and bodies whose control changed. */
void bodies_tidy(graph *g);

/* Writes key "bodies" of a model with a leading comma; nothing if there are none. The graph must be numbered. */
void bodies_write(const graph *g, buf *out);
/* Reads that key, after inputs and nodes. False and d. */
bool bodies_read(graph *g, const cJSON *model, diag *d);

#endif
