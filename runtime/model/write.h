/* Models as files: JSON, Python and ONNX out, JSON in. The graph must be numbered (graph_number); after a
 * failed allocation buf.failed is set. */
#ifndef WRITE_H
#define WRITE_H

#include "arena.h"
#include "buf.h"
#include "diag.h"
#include "graph.h"

/* One JSON object on one line, without a newline: docs/formats.md, "Models". */
void graph_write_json(const graph *g, buf *out);

/* A Python script that needs the framework only: builds the inputs, runs the model eagerly, prints the
 * outputs' shapes and exits 1 when one is not as predicted. Nothing, where graph_has_python says no. Nothing from a table or a file reaches
 * the source unchecked: names are identifiers and constants pass literal_safe. */
void graph_write_python(const graph *g, buf *out);
bool graph_has_python(const char *framework);

/* Appends an ONNX file (binary). Memory is scratch's while it works. False and d ("OPERATOR: error: …") for what an
 * ONNX file cannot hold, operators of several operator sets above all; out is then as before. */
bool graph_write_onnx(const graph *g, arena *scratch, buf *out, diag *d);

/* Reads what graph_write_json wrote into g (initialised; what it held is forgotten). Operators are
 * looked up in lib by name; one that lib (may be NULL) does not have, or has with other arguments,
 * is made from the line itself and has no rule. False and d ("path:line: error: …") otherwise. */
bool graph_read_json(
    graph *g, const char *line, const char *path, long number, const rs_library *lib, diag *d);

/* Whether a text is a Python literal that may be pasted into a script: None, True, False, numbers,
 * plain strings, torch.NAME and tf.NAME, inf, nan, and tuples and lists of these. */
bool literal_safe(const char *text);
void literal_python(const char *text, buf *out); /* the text; inf as float("inf") */
bool identifier_safe(const char *text, bool dotted);

#endif
