/* onnxruntime made ready to run many small models: one environment, one thread, and an allocator of ours.
 *
 *   file ──engine_load──► session ──engine_run(feeds)──► results ──engine_result──► elements
 *
 * What sessions allocate for tensors is filled with a byte that the caller chooses (`fill`), so what a kernel
 * leaves as it was is not the same in two runs with two bytes. Creating a session takes most of a model's time;
 * the arena and memory patterns are off, which cost more than they bring to a model that runs once or twice, and
 * weights are packed ahead in the optimised session alone, as in every user's.
 */
#ifndef ORT_ENGINE_H
#define ORT_ENGINE_H

#include "buf.h"
#include "graph.h"
#include "ort.h"

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
	ort_memory *memory;
	engine_allocator allocator; /* the environment points to it: do not move the engine */
} engine;

/* With how much optimisation the target is (ORT_OPTIMISE_ALL). False and d: the library cannot be used; the
 * engine is then closed. */
bool engine_open(engine *e, const char *library, int optimisation, diag *d);
void engine_close(engine *e);

/* A session of a model's file, to be released by engine_unload; NULL, *code and d where it is refused. */
ort_session *engine_load(engine *e, const buf *model, bool optimise, int *code, diag *d);
void engine_unload(engine *e, ort_session *session);

/* A tensor that goes in, or comes out: its name, and what the graph says of it. */
typedef struct engine_port {
	const char *name;
	const graph_tensor *tensor;
	void *data; /* of an input: its elements, over which a kernel may write. Of a result: the value's */
	ort_value *value;
} engine_port;

typedef struct engine_ports {
	engine_port *list;
	size_t count;
} engine_ports;

/* Runs a session on the inputs' data and finds the results, which are to be released by engine_forget in any
 * case. False and d: it failed, or some result is not of the shape and dtype that the graph says. */
bool engine_run(engine *e, ort_session *session, engine_ports *inputs, engine_ports *results, arena *scratch, diag *d);
void engine_forget(engine *e, engine_ports *ports);

#endif
