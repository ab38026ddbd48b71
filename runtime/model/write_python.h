/* Models as Python scripts that need only the framework. */
#ifndef WRITE_PYTHON_H
#define WRITE_PYTHON_H

#include "buf.h"
#include "graph.h"

/* Appends a script that builds the inputs, runs the model eagerly, prints the output shapes and exits with 1 if one is not
 * as predicted. Appends nothing if graph_has_python is false. The graph must be numbered (graph_number). out->failed: out
 * of memory. All text from tables and files is checked: names are identifiers, constants pass literal_safe. */
void graph_write_python(const graph *g, buf *out);
bool graph_has_python(const char *framework);
/* Whether the framework has strided tensors, so that inputs may have layouts (layout.h). */
bool graph_has_strides(const char *framework);
/* The length of the prefix by which an API is a method of its first argument, such as that of module.Class.f; 0: a function. */
size_t python_method_prefix(const char *api);

#endif
