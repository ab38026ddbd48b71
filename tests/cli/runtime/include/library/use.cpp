// A C++ user of librulesmith: every installed header, and a model.
#include <cstdio>
#include <cstdlib>

#include <arith.h>
#include <model.h>
#include <rng.h>
#include <rulesmith.h>
#include <ruletable.h>
#include <samplercode.h>
#include <sampling.h>

int main()
{
	char message[256];
	rs_gen_options options = rs_gen_options();
	options.strategy = RS_NEURI;
	const rs_table *table = rs_library_table(&rs_rules, rs_rules.tables[0]->framework);
	rs_gen *gen = rs_gen_new(table, &options, message, sizeof message);
	rs_graph *g = rs_graph_new();
	unsigned items = 0;
	rs_item item;
	if (!gen || !g || !rs_gen_model(gen, 1, 0, g))
		return 1;
	for (uint32_t n = rs_graph_first(g); n != RS_NONE; n = rs_graph_next(g, n))
		for (rs_walk w = rs_graph_walk(g, n); rs_walk_next(&w, &item);)
			items++;
	rng r = rng_seed(1);
	rs_draw d = rs_draw();
	int64_t low = 2, high = 5, value = 0;
	uint8_t known = 0;
	d.s = &value;
	d.known = &known;
	d.low = &low;
	d.high = &high;
	d.rng = &r;
	bool drawn = rs_run(&d, "F#$.") && value >= low && value <= high && floordiv(-7, 2) == -4;
	std::printf("%u nodes, %u values\n", rs_graph_nodes(g), items);
	rs_graph_free(g);
	rs_gen_free(gen);
	return items && drawn ? 0 : 1;
}
