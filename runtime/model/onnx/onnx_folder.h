/* Turns runs of nodes in a file into functions or subgraphs: the nodes, the current run, and helpers that build its
 * replacement. */
#ifndef ONNX_FOLDER_H
#define ONNX_FOLDER_H

#include "arena.h"
#include "graph.h"
#include "onnx.pb-c.h"

#define FOLDER_DOMAIN "rulefuzz"
enum {
	FOLDER_REGISTERED = 2, /* tensors that go through carried values of a loop, or that are scanned */
	FOLDER_MORE = 16,      /* nodes that may replace a run, besides one per result behind a loop */
};

typedef struct names {
	char **list;
	size_t n;
} names;

/* A node of the file. A node that replaced a run also takes the run's inputs. */
typedef struct part {
	Onnx__NodeProto *node;
	uint8_t function, subgraph;
	names takes;
} part;

typedef struct folder {
	const graph *g;
	Onnx__ModelProto *model;
	arena *a;
	part *parts;
	size_t nparts;
	const graph_tensor **tensors; /* by number */
	size_t ntensors;
	unsigned body;	    /* the current one, */
	size_t first, last; /* its parts, the last excluded, */
	names taken, made;  /* its inputs from outside, and its results that are used outside */
	Onnx__TensorProto **own; /* constants that only it uses; they move to its graph */
	size_t ninner;
} folder;

/* ---- memory: NULL means out of memory */

void *folder_alloc(folder *f, size_t size);
char *folder_printf(folder *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool folder_begin_names(folder *f, names *ns, size_t most);
bool folder_has(const names *ns, const char *name);
Onnx__NodeProto *folder_node(folder *f, const char *op, size_t nin, size_t nout);
Onnx__AttributeProto *folder_attribute(folder *f, const char *name, Onnx__AttributeProto__AttributeType type);
/* Gives a node without attributes its only one. False: out of memory. */
bool folder_only_attribute(folder *f, Onnx__NodeProto *m, Onnx__AttributeProto *a);
/* An attribute of one integer. */
Onnx__AttributeProto *folder_integer(folder *f, const char *name, int64_t n);
Onnx__GraphProto *folder_graph(folder *f, const char *name, size_t nodes, size_t inputs, size_t outputs);
/* With its element type: tools cannot infer the types of all operators. */
bool folder_output(folder *f, Onnx__GraphProto *to, char *name, int element_type);
/* t: NULL: a scalar. */
bool folder_input(folder *f, Onnx__GraphProto *to, char *name, int element_type, const graph_tensor *t);

/* ---- the run */

/* The model's tensor of that name; NULL: none. */
const graph_tensor *folder_tensor(const folder *f, const char *name);
/* The model's tensor that a local name of a body stands for: "b1_b0_t7"; NULL: none. */
const graph_tensor *folder_result(const folder *f, const char *name);
bool folder_makes(const folder *f, size_t first, size_t last, const char *name);
/* Whether a result of the run is used outside. */
bool folder_wants(const folder *f, const char *name);
bool folder_find_edges(folder *f);
/* Renames a tensor within the run. */
void folder_rename(folder *f, const char *from, char *to);
/* Gives the tensors that the run makes local names: "b0_t7". */
bool folder_rename_within(folder *f);
/* Replaces the run's parts by these. */
void folder_replace(folder *f, const part *with, size_t n);

#endif
