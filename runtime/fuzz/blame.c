#include "blame.h"

#include <stdlib.h>

#include "reduce.h"

/* One call; a model that cannot be made says nothing. */
static bool ask(judge *by, const graph *call, judgement *alone, diag *d)
{
	char *text = rs_graph_json(call);
	bool ok = text ? judge_screened(by, text, alone, d) : diag_set(d, "out of memory for a call");
	free(text);
	return ok;
}

bool blame_call(
    judge *by, const graph *model, enum verdict failed, graph *call, judgement *alone, bool *found, diag *d)
{
	*found = false;
	*alone = (judgement){.api = "", .message = ""};
	for (uint32_t i = model->first; i != GRAPH_NONE; i = model->nodes[i].next) {
		if (!reduce_to_call(call, model, i))
			continue;
		judgement_free(alone);
		if (!ask(by, call, alone, d))
			return false;
		*found = alone->verdict == failed;
		if (*found || alone->verdict == VERDICT_stopped)
			return true;
	}
	return true;
}
