/* Models as ONNX files. */
#ifndef WRITE_ONNX_H
#define WRITE_ONNX_H

#include "arena.h"
#include "buf.h"
#include "diag.h"
#include "graph.h"

/* Appends an ONNX file (binary). The graph must be numbered (graph_number). Memory is scratch's while it
 * works. False and d ("OPERATOR: error: …") for a model that an ONNX file cannot express, mostly because of operators of several
 * operator sets; out is then unchanged. */
bool graph_write_onnx(const graph *g, arena *scratch, buf *out, diag *d);
/* The newest operator set and IR version that the runtime reads; 0: no limit. */
typedef struct file_limits {
	int opset, ir;
} file_limits;

/* The same for a file to be run, as the Python package builds it: every input of the model except constants is an input of the
 * file, and outputs have only names. all (for the reference): every tensor that a node makes is an output, constants are inputs,
 * and there are no functions and subgraphs; else the outputs are those of the model. oldest: in the oldest operator set that has
 * all calls, else the newest. A model with its own operator set has that one; with `all`, the newest that has the same calls. */
bool graph_write_onnx_to_run(
    const graph *g, bool all, bool oldest, file_limits limits, arena *scratch, buf *out, diag *d);

/* A file of one call, in the newest version of its operator instead of the model's; it may be invalid. Operands are inputs. */
bool graph_write_onnx_newest(const graph *g, uint32_t node, file_limits limits, arena *scratch, buf *out, diag *d);

#endif
