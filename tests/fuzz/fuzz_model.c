/* The reader of models, against the linked table, and the writers of the models it read. */
#include <string.h>

#include "graph.h"
#include "input.h"
#include "rulesmith.h"
#include "model_read.h"
#include "write_json.h"
#include "write_onnx.h"
#include "write_python.h"

static void write_all(const graph *g)
{
	buf b = {0};
	diag d;
	arena *scratch = arena_new();
	graph_write_json(g, &b);
	graph_write_python(g, &b);
	graph_write_onnx(g, scratch, &b, &d);
	buf_free(&b);
	arena_free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	graph g;
	diag d;
	if (!text || !graph_init(&g))
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (graph_read_json(&g, text, "model", 1, &rs_rules, &d)) {
		g.seed += !graph_check(&g, &d); /* a model that cannot run may be read */
		graph_number(&g);
		write_all(&g);
	}
	graph_destroy(&g);
	free(text);
	return 0;
}
