/* Models read from what graph_write_json wrote. */
#ifndef MODEL_READ_H
#define MODEL_READ_H

#include "diag.h"
#include "graph.h"
#include "rulesmith.h"

/* Reads one line into g (initialised; what it held is forgotten). Operators are looked up in lib by name;
 * one that lib (may be NULL) does not have, or has with other arguments, is made from the line itself and
 * has no rule. False and d ("path:line: error: …") otherwise. */
bool graph_read_json(
    graph *g, const char *line, const char *path, long number, const rs_library *lib, diag *d);

#endif
