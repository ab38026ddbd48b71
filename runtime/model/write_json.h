/* Models as JSON: one object per line (docs/reference/file-formats.md). */
#ifndef WRITE_JSON_H
#define WRITE_JSON_H

#include "buf.h"
#include "graph.h"

/* Appends the line without a newline. The graph must be numbered (graph_number). out->failed: out of memory. */
void graph_write_json(const graph *g, buf *out);

#endif
