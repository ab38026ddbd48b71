/* Finds the passes of onnxruntime's optimizer that change models, from its log of creating a session.
 *
 *   model ─► file, as a target gets it ─► a child: session with all optimisations ─► "GraphTransformer X modified: 1"
 *                                                                               └─► counters in shared memory
 *
 * Each model has its own child process, since a pass may crash or hang.
 */
#ifndef PASSES_H
#define PASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"
#include "graph.h"
#include "ort.h"
#include "write_onnx.h"

enum { PASSES_MAX = 128, PASS_NAME = 64, PASS_SECONDS = 20 };

typedef struct pass_count {
	char name[PASS_NAME];
	uint64_t models; /* that it changed, once or several times */
	bool now;	 /* the current model */
} pass_count;

typedef struct passes_counts {
	uint64_t models, rejected, died; /* models; those the library rejected; those that killed it */
	uint32_t n;
	pass_count pass[PASSES_MAX]; /* named by the log, in its order */
} passes_counts;

typedef struct passes {
	ort lib;
	ort_env *env; /* without threads, so that a child may use it */
	file_limits limits; /* of files that the library reads */
	arena *scratch;
	buf file;
	passes_counts *counts; /* shared with children */
} passes;

/* False and d: the library cannot be used. */
bool passes_open(passes *p, const char *library, diag *d);
void passes_close(passes *p);

/* Counts a numbered model. False and d: it cannot be written as a file, or no process starts. */
bool passes_add(passes *p, const graph *g, diag *d);

/* The number of passes that changed a model, of all that the log named. */
uint32_t passes_fired(const passes_counts *c);

/* Reads a line of the log. */
void passes_hear(passes_counts *c, const char *line);

void passes_print_text(const passes_counts *c, buf *out); /* a line per pass, by the number of changed models */
void passes_print_json(const passes_counts *c, buf *out); /* an object */

#endif
