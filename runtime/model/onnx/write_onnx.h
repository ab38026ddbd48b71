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
/* The newest operator set and IR version of who runs a file; 0: no limit. */
typedef struct file_limits {
	int opset, ir;
} file_limits;

/* The same to be run, as the Python package builds it: every input of the model but its constants is one of the
 * file's, and of its outputs nothing is said but their names; all: they are all tensors that nodes make, and constants
 * are inputs, and nothing is in a function or subgraph: the reference's; else outputs are those of the model.
 * oldest: of the oldest operator set that says the model, else of the newest. A model with an operator set of its own has that
 * one; with `all` the newest that has the same calls. */
bool graph_write_onnx_to_run(
    const graph *g, bool all, bool oldest, file_limits limits, arena *scratch, buf *out, diag *d);

/* A file of one call, in the newest version of its operator, whatever version the model has: it may be invalid. Operands are
 * inputs. */
bool graph_write_onnx_newest(const graph *g, uint32_t node, file_limits limits, arena *scratch, buf *out, diag *d);

#endif
