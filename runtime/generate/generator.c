/* The public functions of generators (rulesmith.h): an index of the table, a strategy, and its models. */
#include <stdio.h>
#include <stdlib.h>

#include "assign.h"
#include "chains.h"
#include "constants.h"
#include "effect_calls.h"
#include "features.h"
#include "flags.h"
#include "framework.h"
#include "gen.h"
#include "gen_calls.h"
#include "gen_graph.h"
#include "gen_isra.h"
#include "gen_neuri.h"
#include "gen_sets.h"
#include "near.h"
#include "op_versions.h"
#include "quantizer.h"
#include "round_trips.h"
#include "shape_calls.h"
#include "sizes.h"
#include "stream.h"
#include "theme.h"

enum { SMALL_ONE_IN = 8 }; /* one in this many models has no mixed sizes */

/* By enum rs_strategy. */
static const gen_strategy *const STRATEGIES[] = {&neuri_strategy, &isra_strategy, &graph_strategy, &calls_strategy};

/* ---- models */

/* Makes `near_misses` in a thousand models invalid. */
static bool break_last(gen *g, uint64_t seed, uint64_t index)
{
	rng r = stream_rng(seed, index, STREAM_INVALID);
	if (g->near_misses && g->strategy == &calls_strategy)
		return near_miss_of_round(g->graph, g->index.table, seed, &r);
	return rng_below(&r, 1000) >= g->near_misses || near_miss(g->graph, g->index.table, &r);
}

/* Calls the functions of a stage. */
static bool add_features(gen *g, uint64_t seed, uint64_t index, enum feature_stage stage)
{
	rng r;
#define ADD(field, option, needs, run, in, stream, function, help)                                                                 \
	if (STAGE_##in == stage && g->features.field && (r = stream_rng(seed, index, STREAM_##field), !function(g, &r)))           \
		return false;
	RS_FEATURES(ADD)
#undef ADD
	return true;
}

/* Everything but the calls and their constants. */
static bool finish(gen *g, uint64_t seed, uint64_t index)
{
	if (!add_features(g, seed, index, STAGE_CALLS) || !break_last(g, seed, index))
		return false;
	if (g->graph->near_miss)
		return true;
	if (!add_features(g, seed, index, STAGE_SHAPES))
		return false;
	rng flags = stream_rng(seed, index, STREAM_FLAGS); /* after shape arithmetic, which needs calls of the table's signatures */
	if (g->box.mixed && framework_has_files(g->index.table->framework) && !gen_add_flags(g, &flags))
		return false;
	if (!gen_assign(g) || !add_features(g, seed, index, STAGE_MODEL))
		return false;
	bool one_shape = !g->graph->assignments;
	if (one_shape && (!add_features(g, seed, index, STAGE_MEMORY) || !add_features(g, seed, index, STAGE_EXECUTION)))
		return false;
	return add_features(g, seed, index, STAGE_BODIES);
}

/* Some models have small sizes only: these find edge cases in less time. */
static int64_t mixed_of(const gen *g, uint64_t seed, uint64_t index)
{
	rng r = stream_rng(seed, index, STREAM_SIZES);
	return rng_below(&r, SMALL_ONE_IN) ? g->mixed : 0;
}

static bool make(gen *g, uint64_t seed, uint64_t index, graph *out)
{
	graph_reset(out);
	g->graph = out;
	g->rng = stream_rng(seed, index, STREAM_CALLS);
	g->model++;
	g->elements = g->ninputs = 0;
	g->failed = g->mutated = false;
	uint32_t nodes = g->nodes_low + rng_below(&g->rng, g->nodes_high - g->nodes_low + 1);
	g->box.mixed = mixed_of(g, seed, index);
	theme_begin(g, seed, index);
	g->budget = g->max_numel * 64 + (int64_t)nodes * 4096;
	out->framework = g->index.table->framework;
	out->seed = seed, out->index = index;
	out->opset = (uint8_t)g->index.opset;
	out->values = rng_next(&g->rng) >> 33;
	g->whole = g->elements_of == RS_ELEMENTS_WHOLE || (g->elements_of == RS_ELEMENTS_MIXED && out->values & 1);
	if (!g->strategy->model(g, nodes))
		return false;
	graph_keep_unused(out);
	if (!gen_make_constants(g) || !finish(g, seed, index))
		return false;
	graph_number(out);
	g->stats.models++;
	g->stats.nodes += out->live_nodes;
	return true;
}

/* Generates the earlier models that the strategy depends on. They are not counted. */
static bool catch_up(gen *g, uint64_t seed, uint64_t index)
{
	gen_stats stats = g->stats;
	for (uint64_t i = g->strategy->first(g, seed, index); i < index; i++)
		if (!make(g, seed, i, g->again))
			return false;
	g->stats = stats;
	return true;
}

uint64_t rs_gen_count(const rs_gen *g)
{
	return g->strategy->count ? g->strategy->count(g) : 0;
}

bool rs_gen_model(rs_gen *g, uint64_t seed, uint64_t index, rs_graph *out)
{
	gen *by = g->sets ? gen_sets_draw(g, seed, index) : g;
	return by && (!by->strategy->first || catch_up(by, seed, index)) && make(by, seed, index, out);
}

/* ---- create, destroy */

static rs_gen *refuse(rs_gen *g, char *message, size_t size, const char *why)
{
	if (size)
		snprintf(message, size, "%s", why);
	rs_gen_free(g);
	return NULL;
}

static index_filter filter_of(const gen *g, const rs_gen_options *o)
{
	uint32_t rank = o->rank_max ? o->rank_max : g->strategy->rank_max;
	return (index_filter){.api = o->api,
	    .set = o->set,
	    .apis = o->apis,
	    .napis = o->napis,
	    .without = o->without,
	    .nwithout = o->nwithout,
	    .max_numel = g->max_numel,
	    .rank_max = rank < INDEX_RANK_MAX ? rank : INDEX_RANK_MAX,
	    .four_bits = o->features.quantized,
	    .random = o->near_misses && o->strategy == RS_CALLS,
	    .low = g->box.low,
	    .high = g->box.high,
	    .other_ranks = g->mixed && g->strategy == &neuri_strategy,
	    .opset = (int)o->opset_high};
}

static const char *check_options(const rs_table *table, const rs_gen_options *o)
{
	if (o->strategy >= sizeof STRATEGIES / sizeof *STRATEGIES)
		return "unknown strategy";
	if (o->nodes_high < o->nodes_low)
		return "nodes_high is less than nodes_low";
	if (o->opset_high && !framework_has_files(table->framework))
		return "the framework has no operator sets";
	if (o->opset_high && (o->opset_low < OP_SET_FIRST || o->opset_high > OP_SET_LAST || o->opset_low > o->opset_high))
		return "no such operator sets";
	return NULL;
}

static void set_options(gen *g, const rs_gen_options *o)
{
	g->nodes_low = o->nodes_high ? o->nodes_low : 5;
	g->nodes_high = o->nodes_high ? o->nodes_high : 5;
	g->max_numel = o->max_numel > 0 ? o->max_numel : 65536;
	g->picking = o->picking ? o->picking : 970;
	g->any_values = o->values == RS_KEEP_ANY
			|| (o->values == RS_KEEP_DEFAULT && g->strategy->any_values);
	g->elements_of = o->elements;
	g->near_misses = o->near_misses;
	g->initializers = o->initializers ? o->initializers : o->strategy == RS_CALLS ? 0 : 750;
	bool takes_chains = o->strategy == RS_NEURI || o->strategy == RS_ISRA;
	g->chain_share = o->no_chains || !takes_chains ? 0 : o->chains ? o->chains : 150;
	g->initializers = o->no_initializers ? 0 : g->initializers;
	g->symbolic = o->strategy == RS_CALLS ? 0 : o->symbolic;
	g->assignments = o->assignments >= 2 && o->assignments <= GRAPH_ASSIGNMENTS_MAX ? o->assignments : 3;
	g->features = o->features;
	g->features.quantized = o->strategy == RS_CALLS ? 0 : g->features.quantized;
	g->box.indexed = true;
	g->box.low = 1;
	g->box.high = o->dim_max > 0 ? o->dim_max : g->strategy->dim_max;
	g->mixed = o->sizes == RS_SIZES_MIXED ? (o->dim_max > 0 ? o->dim_max : SIZES_MOST) : 0;
}

static bool open_chains(gen *g, const index_filter *filter, const gen *like, diag *d)
{
	g->chains = calloc(1, sizeof *g->chains);
	return diag_memory(d, g->chains) && chains_open(g->chains, &g->index, filter, like && like->chains ? like->chains->lines : NULL, d);
}

/* The maximum number of constants of a call. */
static uint32_t max_consts(const gen *g)
{
	uint32_t own = g->index.max_consts, forms = g->chains ? g->chains->forms.max_consts : 0;
	return own > forms ? own : forms;
}

gen *gen_like(const rs_table *table, const rs_gen_options *options, const gen *like, char *message, size_t size)
{
	diag d = {""};
	const char *why = check_options(table, options);
	if (why)
		return refuse(NULL, message, size, why);
	rs_gen *g = calloc(1, sizeof *g);
	if (!g)
		return refuse(g, message, size, "out of memory");
	g->strategy = STRATEGIES[options->strategy];
	set_options(g, options);
	index_filter filter = filter_of(g, options);
	filter.bases = like ? like->index.bases : NULL;
	if (!gen_index_build(&g->index, table, &filter, &d))
		return refuse(g, message, size, diag_what(&d));
	g->again = g->strategy->first ? rs_graph_new() : NULL;
	if (!weights_open(&g->weights, table) || (g->strategy->first && !g->again))
		return refuse(g, message, size, "out of memory");
	if (g->features.weights && !uses_open(&g->uses, &g->index, &g->weights))
		return refuse(g, message, size, "out of memory");
	if (g->features.repeats && !round_trips_open(g))
		return refuse(g, message, size, "out of memory");
	if (g->mixed && g->strategy == &neuri_strategy && !themes_open(g))
		return refuse(g, message, size, "out of memory");
	if (g->features.mutation && options->strategy != RS_CALLS && !effect_calls_open(g))
		return refuse(g, message, size, "out of memory");
	if (g->chain_share && !open_chains(g, &filter, like, &d))
		return refuse(g, message, size, diag_what(&d));
	g->texts = malloc((max_consts(g) + (size_t)1) * sizeof *g->texts);
	if (!g->texts)
		return refuse(g, message, size, "out of memory");
	if (options->opset_low < options->opset_high && !gen_sets_open(g, table, options, gen_like, &d))
		return refuse(g, message, size, diag_what(&d));
	if (g->strategy->open && !g->strategy->open(g, options, &d))
		return refuse(g, message, size, diag_what(&d));
	return g;
}

rs_gen *rs_gen_new(const rs_table *table, const rs_gen_options *options, char *message, size_t size)
{
	return gen_like(table, options, NULL, message, size);
}

void rs_gen_free(rs_gen *g)
{
	if (!g)
		return;
	if (g->strategy && g->strategy->close)
		g->strategy->close(g);
	gen_sets_close(g);
	gen_index_free(&g->index);
	rs_graph_free(g->again);
	free(g->texts);
	quantizers_close(g);
	flags_close(g);
	themes_close(g);
	shape_operators_close(g);
	effect_calls_close(g);
	free(g->inputs);
	free(g->places);
	free(g->fed);
	weights_close(&g->weights);
	uses_close(&g->uses);
	chains_close(g->chains);
	free(g->chains);
	round_trips_close(g);
	gen_assign_close(g);
	free(g);
}
