/* The lines of traces/FRAMEWORK/CHAINS.models and PAIRS.models. They are compiled in, each as a sequence of phrases that many
 * lines share (chain_lines.awk), and read when they are first drawn. The generators of several operator sets share them. */
#ifndef CHAIN_LINES_H
#define CHAIN_LINES_H

#include "graph.h"

enum {
	CHAIN_CALLS = 64, /* maximum calls of a line */
	CHAIN_INPUTS = 15, /* maximum inputs of a call that can vary */
};

/* Two calls of a line: the second one takes a result of the first. */
typedef struct chain_edge {
	uint16_t line;
	uint8_t from, to;
} chain_edge;

/* The edges between two APIs, up to those of the next pair. */
typedef struct chain_pair {
	uint16_t from, to; /* numbers of APIs */
	bool changed; /* an optimizer pass changes a line of just these */
	uint32_t first;
} chain_pair;

typedef struct chain_node {
	uint32_t kind;	    /* equal for calls with the same arguments, whose inputs alike are results or not: below chain_lines_kinds */
	uint64_t near;	    /* the calls whose results it takes, and those that take its results: a bit each */
	uint64_t recorded; /* the ranks of its inputs, four bits each */
} chain_node;

typedef struct chain_line {
	graph model;
	graph_form *forms; /* per node of the model */
	chain_node *nodes; /* also per node */
	int64_t elements;  /* of all tensors */
} chain_line;

typedef struct chain_lines chain_lines;

chain_lines *chain_lines_new(void); /* for one user; NULL: out of memory */
chain_lines *chain_lines_share(chain_lines *l); /* for one more user */
void chain_lines_free(chain_lines *l); /* for one user less; frees them with the last one; accepts NULL */

/* Lines have consecutive numbers from 0 on, those of all frameworks. */
uint32_t chain_lines_count(void);
const char *chain_line_framework(uint32_t line);
uint32_t chain_line_models(uint32_t line); /* real models that have the line */
uint32_t chain_line_calls(uint32_t line);

/* The names of APIs, without versions. */
uint32_t chain_apis_count(void);
const char *chain_api_name(uint32_t api);

uint32_t chain_pairs_count(void);
/* A pair; that of the number after the last is empty, and its `first` is the number of edges. */
const chain_pair *chain_pair_at(uint32_t pair);
chain_edge chain_edge_at(uint32_t edge);

/* The lines that an optimizer pass changes: pass by pass, those of all frameworks. */
uint32_t chain_passes_count(void);
uint32_t chain_pass_lines(uint32_t pass);
uint32_t chain_pass_shortest(uint32_t pass); /* calls of its shortest line */
uint32_t chain_pass_line(uint32_t pass, uint32_t i);

/* A line, read once. NULL and d: out of memory, or a malformed line. */
const chain_line *chain_lines_read(chain_lines *l, uint32_t line, diag *d);
/* The number of kinds of calls in the lines read so far. */
uint32_t chain_lines_kinds(const chain_lines *l);

#endif
