/* How a compiled model is called several times: Python constructs around parts of its calls, and changes between calls.
 *
 *   "session":{"constructs":["closure:3","loop-layers:0"],"changes":["values:7","state:12"]}
 *
 * The calls of a model are divided evenly into as many parts as there are constructs, in order. It is called once, and again
 * after each change. An item is a name and a number that selects its details; rulefuzz/session defines them. */
#ifndef SESSIONS_H
#define SESSIONS_H

#include <cjson/cJSON.h>

#include "buf.h"
#include "graph.h"

enum session_list { SESSION_CONSTRUCTS, SESSION_CHANGES };

bool session_any(const graph *g);
/* Adds an item with a copy of the name. False: out of memory, more than GRAPH_SESSION_MAX in the list, or a name that has
 * characters other than lower-case letters, digits and '-'. */
bool session_add(graph *g, enum session_list list, const char *name, uint16_t pick);
void session_drop(graph *g, enum session_list list, unsigned item);
void session_clear(graph *g);

/* The key "session" of a model. */
void session_write(const graph *g, buf *out);
bool session_read(graph *g, const cJSON *model, diag *d);

#endif
