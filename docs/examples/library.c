/* The rules of librulesmith from C: is a call valid, which shapes come out, a fresh call, a model.
 * cc library.c $(pkg-config --cflags --libs rulesmith) && ./a.out */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <rulesmith.h>

int main(void)
{
	const rs_op *matmul = rs_library_find(&rs_rules, "torch.mm-0");
	if (rs_library_abi(RS_LIBRARY_ABI) || rs_library_check(&rs_rules) || !matmul || matmul->nodim != 2)
		return 1;
	int64_t call[] = {2, 3, 3, 4}, wrong[] = {2, 3, 5, 4}, out[2];
	if (!rs_eval(matmul, call, out) || rs_eval(matmul, wrong, (int64_t[2]){0}))
		return 1;
	printf("mm of 2x3 and 3x4 is %" PRId64 "x%" PRId64 "; of 2x3 and 5x4 it is refused\n", out[0], out[1]);

	rs_caller *caller = rs_caller_new(matmul, NULL);
	int64_t drawn[4];
	if (caller && rs_sample_forward(caller, 1, drawn, NULL, out))
		printf("another: %" PRId64 "x%" PRId64 " and %" PRId64 "x%" PRId64 "\n", drawn[0], drawn[1], drawn[2], drawn[3]);
	rs_caller_free(caller);

	char message[200];
	rs_gen *gen = rs_gen_new(rs_library_table(&rs_rules, "torch"), &(rs_gen_options){.nodes_low = 3, .nodes_high = 3}, message, 200);
	rs_graph *model = rs_graph_new();
	char *text = gen && model && rs_gen_model(gen, 1, 0, model) ? rs_graph_json(model) : NULL;
	puts(text ? text : "no model");
	free(text);
	rs_graph_free(model);
	rs_gen_free(gen);
	return text ? 0 : 1;
}
