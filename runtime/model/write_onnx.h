/* Models as ONNX files. */
#ifndef WRITE_ONNX_H
#define WRITE_ONNX_H

#include "arena.h"
#include "buf.h"
#include "diag.h"
#include "graph.h"

/* Appends an ONNX file (binary). The graph must be numbered (graph_number). Memory is scratch's while it
 * works. False and d ("OPERATOR: error: …") for what an ONNX file cannot hold, operators of several operator
 * sets above all; out is then as before. */
bool graph_write_onnx(const graph *g, arena *scratch, buf *out, diag *d);

#endif
