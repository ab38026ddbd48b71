/* Models as JSON: one object on one line, docs/reference/file-formats.md. */
#ifndef WRITE_JSON_H
#define WRITE_JSON_H

#include "buf.h"
#include "graph.h"

/* Appends the line, without a newline. The graph must be numbered (graph_number); after a failed
 * allocation out->failed is set. */
void graph_write_json(const graph *g, buf *out);

#endif
