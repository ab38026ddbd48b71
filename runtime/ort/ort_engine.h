/* onnxruntime for many small models: one environment, one thread, and our own allocator.
 *
 *   file ──engine_load──► session ──engine_run(feeds)──► results ──engine_result──► elements
 *
 * Tensors that sessions allocate are filled with the byte `fill`, so memory that a kernel does not write differs between two
 * runs with two bytes. Creating a session takes most of a model's time, so the arena and memory patterns, which do not pay off
 * for a model that runs twice, are off. Weights are prepacked in the optimized session only, as for users.
 */
#ifndef ORT_ENGINE_H
#define ORT_ENGINE_H

#include "buf.h"
#include "graph.h"
#include "ort.h"
#include "write_onnx.h"

typedef struct engine_allocator {
	ort_allocator head; /* first: onnxruntime knows this part */
	const ort_memory *memory;
	size_t limit; /* bytes of one allocation */
	int fill;
} engine_allocator;

typedef struct engine {
	ort lib;
	ort_env *env;
	ort_options *plain, *optimised;
	int optimisation; /* the target's level */
	ort_memory *memory;
	file_limits limits; /* of files that the library reads */
	engine_allocator allocator; /* the environment points to it: do not move the engine */
} engine;

/* optimisation: the target's level (ORT_OPTIMISE_ALL). False and d: the library cannot be used; the engine is closed. */
bool engine_open(engine *e, const char *library, int optimisation, diag *d);
void engine_close(engine *e);

/* The target's options with the settings of a model, to be released by engine_forget_options; *to is NULL if the model has none.
 * False and d: this file or onnxruntime does not know a setting. */
bool engine_settings(engine *e, const graph *g, ort_options **to, diag *d);
void engine_forget_options(engine *e, ort_options *options); /* accepts NULL */

/* A session of a model file, for engine_unload; NULL, *code and d if it is rejected. options: NULL for those of the target, or
 * of the reference. */
ort_session *engine_load(engine *e, const buf *model, bool optimise, const ort_options *options, int *code, diag *d);
void engine_unload(engine *e, ort_session *session);

/* An input or a result: its name, and its tensor in the graph. */
typedef struct engine_port {
	const char *name;
	const graph_tensor *tensor;
	void *data; /* elements of an input, which a kernel may overwrite; or of the result */
	ort_value *value;
} engine_port;

typedef struct engine_ports {
	engine_port *list;
	size_t count;
} engine_ports;

/* Runs a session; release the results by engine_forget in any case. False and d: it failed, or a result has another shape or
 * dtype than in the graph. */
bool engine_run(engine *e, ort_session *session, engine_ports *inputs, engine_ports *results, arena *scratch, diag *d);
void engine_forget(engine *e, engine_ports *ports);

#endif
