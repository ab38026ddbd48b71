/* Runs of a model's calls that a file has as one: a function that it calls, a branch of an If, the body of a Loop. The model is
 * the graph that it is without them, and so are its results: what runs the file must find the same.
 *
 *   n0 ─► n1 ─► n2 ─► n3        file:  n0 ─► If(t9) ─► n3       branch: n1 ─► n2
 *         └ body 1 ┘
 *
 * A body is the nodes that are marked with it. They stand one behind another in the order of execution, so no path leaves a body
 * and comes back. A function is within an If's branch or a Loop's body as a whole, or outside as a whole. */
#ifndef BODIES_H
#define BODIES_H

#include "buf.h"
#include "graph.h"
#include "json.h"

/* By what a control holds: an If's is a boolean, which says the branch that the run is; a Loop's an int64 of 1 to
 * BODIES_TRIPS_MAX, how often its body runs. Both have no dimensions and one possible element, which the range says, and may be
 * constants. A function has none. */
enum body_kind { BODY_FUNCTION, BODY_IF, BODY_LOOP, BODY_KINDS };
enum { BODIES_TRIPS_MAX = 3 };

/* The first of a body's nodes, and the last; GRAPH_NONE: it has none. */
uint32_t body_first(const graph *g, unsigned body);
uint32_t body_last(const graph *g, unsigned body);
/* The element of its control. */
int64_t body_told(const graph *g, unsigned body);
bool body_is_function(const graph *g, unsigned body);

/* Makes count nodes from `first` on a body. False: they are too few or marked by now, the control is none, or there are
 * GRAPH_BODIES_MAX. */
bool bodies_add(graph *g, enum body_kind kind, uint32_t control, uint32_t first, uint32_t count);
/* Takes out a body; its control goes with it where it is nobody else's. */
void bodies_drop(graph *g, unsigned body);
/* Takes out those without nodes, and those whose controls have become others. */
void bodies_tidy(graph *g);

/* Key "bodies" of a model with the comma before; nothing where there are none. The graph is numbered. */
void bodies_write(const graph *g, buf *out);
/* Reads it, behind inputs and nodes. False and d. */
bool bodies_read(graph *g, const cJSON *model, diag *d);

#endif
