/* The reader of models, against the linked table. */
#include <string.h>

#include "graph.h"
#include "input.h"
#include "rulesmith.h"
#include "write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	graph g;
	diag d;
	if (!text || !graph_init(&g))
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (graph_read_json(&g, text, "model", 1, &rs_rules, &d) && !graph_check(&g, &d))
		g.seed++; /* a model that cannot run is allowed to be read */
	graph_destroy(&g);
	free(text);
	return 0;
}
