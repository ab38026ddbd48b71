/* Groups of calls that a model file turns into one: a function, a branch of an If, or the body of a Loop or Scan. The graph
 * and its results are the same with and without bodies, so running the file must give the same results. Models of frameworks
 * without files have regions instead: the calls run within a transform, which may have further results.
 *
 *   n0 ─► n1 ─► n2 ─► n3        file:  n0 ─► If(t9) ─► n3       branch: n1 ─► n2
 *         └ body 1 ┘
 *
 * A body consists of the nodes marked with its number, and those of the subgraphs within it. They are consecutive in the
 * order of execution, so no path leaves a body and returns. Subgraphs are nested or disjoint; an outer one has the smaller
 * number. A function is completely inside or outside of each subgraph. */
#ifndef BODIES_H
#define BODIES_H

#include "buf.h"
#include "graph.h"
#include "json.h"

/* The control of a body. For an If, a bool that selects the branch; for a Loop, an int64 up to BODIES_TRIPS_MAX, the trip
 * count. A Loop without trips returns the results of calls before it. Controls are scalars with one possible element, given
 * by their range; they may be constants. A function and a Scan have none, and neither do regions. */
enum body_kind {
	BODY_FUNCTION,
	BODY_IF,
	BODY_LOOP,
	BODY_SCAN,
	BODY_REGIONS, /* the first kind of region */
	BODY_BEFORE_REGIONS = BODY_REGIONS - 1,
#define REGION(suffix, name, needs) BODY_REGION_##suffix,
#include "regions.def"
#undef REGION
	BODY_KINDS
};
/* FLOATS: a float input, and a float result that the region does not use. DERIVES, DERIVED: these, too */
enum region_needs { REGION_ANY, REGION_FLOATS, REGION_DERIVES, REGION_DERIVED };
enum { BODIES_VARIANTS = 8 }; /* of a region: details of its transform */
enum { BODIES_TRIPS_MAX = 3, BODIES_DEPTH_MAX = 3, BODIES_AXIS_MAX = 2 };

/* The form of a body in the file. If, Loop: the control itself, or computed from it. Loop: a trip count, a condition, or a
 * condition and the maximum trip count; and stacked results of each trip. Scan: stacked results, or states. */
enum body_form { BODY_PLAIN, BODY_COMPUTED, BODY_COUNT, BODY_CONDITION, BODY_WHILE, BODY_STACKED, BODY_STATES, BODY_FORMS };

/* The place of constants that only one If branch, Loop or Scan body uses: among the other constants of the model, or within the
 * body as initializers or Constant nodes. The body takes all other tensors from the outer scope by name. */
enum body_constants { BODY_CONSTANTS_OUTSIDE, BODY_CONSTANTS_INITIALIZERS, BODY_CONSTANTS_NODES, BODY_CONSTANTS_KINDS };

/* Whether a node is in a body, or in a subgraph within it. */
bool body_has(const graph *g, unsigned body, uint32_t node);
/* The first and the last node of a body; GRAPH_NONE: it has none. */
uint32_t body_first(const graph *g, unsigned body);
uint32_t body_last(const graph *g, unsigned body);
/* The element of its control; the trips of a Scan. */
int64_t body_told(const graph *g, unsigned body);
bool body_is_function(const graph *g, unsigned body);
static inline bool body_is_region(enum body_kind kind)
{
	return kind >= BODY_REGIONS;
}
enum region_needs region_needs(enum body_kind kind); /* of a region */
const char *body_name(enum body_kind kind);	     /* as in a model's JSON */
enum body_kind body_named(const char *name);	     /* BODY_KINDS: none */
/* Whether a body of that kind carries tensors, which its file declares with one shape. */
static inline bool body_carries(enum body_kind kind)
{
	return kind == BODY_LOOP || kind == BODY_SCAN;
}
/* The subgraph that a subgraph is within; GRAPH_BODIES_MAX: none. */
unsigned body_parent(const graph *g, unsigned body);
/* The number of subgraphs that a node is in. */
unsigned bodies_depth(const graph *g, uint32_t node);
bool body_form_fits(enum body_kind kind, enum body_form form);

/* Makes `count` nodes from `first` on a body in the plain form. False: too few nodes, some are in another function, or in
 * part in another subgraph, or in BODIES_DEPTH_MAX of them; the control is invalid; or there are GRAPH_BODIES_MAX bodies. */
bool bodies_add(graph *g, enum body_kind kind, uint32_t control, uint32_t first, uint32_t count);
/* Removes a body, and its control if nothing else uses it. Subgraphs within it stay. */
void bodies_drop(graph *g, unsigned body);
/* Removes bodies without nodes and bodies whose control changed. */
void bodies_tidy(graph *g);

/* Writes key "bodies" of a model with a leading comma; nothing if there are none. The graph must be numbered. */
void bodies_write(const graph *g, buf *out);
/* Reads that key, after inputs and nodes. False and d. */
bool bodies_read(graph *g, const cJSON *model, diag *d);

#endif
