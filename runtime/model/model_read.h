/* Reads models in the format of graph_write_json. */
#ifndef MODEL_READ_H
#define MODEL_READ_H

#include "diag.h"
#include "graph.h"
#include "rulesmith.h"

/* Reads one line into g, which must be initialized; its old content is lost. Signatures are looked up in lib by name. One
 * that lib (may be NULL) lacks, or has with other arguments, is made from the line and has no rule. False and d
 * ("path:line: error: …") on an error. */
bool graph_read_json(
    graph *g, const char *line, const char *path, long number, const rs_library *lib, diag *d);

#endif
