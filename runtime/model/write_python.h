/* Models as Python scripts that need the framework only. */
#ifndef WRITE_PYTHON_H
#define WRITE_PYTHON_H

#include "buf.h"
#include "graph.h"

/* Appends a script that builds the inputs, runs the model eagerly, prints the outputs' shapes and exits 1
 * when one is not as predicted; nothing, where graph_has_python says no. The graph must be numbered
 * (graph_number); after a failed allocation out->failed is set. Nothing from a table or a file reaches the
 * source unchecked: names are identifiers and constants pass literal_safe. */
void graph_write_python(const graph *g, buf *out);
bool graph_has_python(const char *framework);
/* Whether its tensors have strides, so that inputs may lie in memory in several ways: layout.h. */
bool graph_has_strides(const char *framework);

#endif
