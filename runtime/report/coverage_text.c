#include "coverage_text.h"

#include <inttypes.h>

/* ---- shares, the same rows for both forms */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

typedef void share_fn(
    const coverage *c, const char *name, metrics_share s, uint32_t types, bool first, buf *out);

static void each_dtype(const coverage *c, share_fn *put, buf *out)
{
	bool first = true;
	for (unsigned i = 0; i < RS_DTYPE_COUNT; i++) {
		metrics_share s = metrics_get_sums(c->m)->dtypes[i];
		if (!s.tensors)
			continue;
		put(c, rs_dtype_name((rs_dtype)i), s, coverage_types_of_dtype(c, i), first, out);
		first = false;
	}
}

static void each_rank(const coverage *c, share_fn *put, buf *out)
{
	bool first = true;
	for (unsigned i = 0; i < METRICS_RANKS; i++) {
		metrics_share s = metrics_get_sums(c->m)->ranks[i];
		if (!s.tensors)
			continue;
		put(c, COVERAGE_RANKS[i], s, coverage_types_of_rank(c, i), first, out);
		first = false;
	}
}

/* ---- text */

static void text_head(const coverage *c, buf *out)
{
	const metrics_sums *s = metrics_get_sums(c->m);
	buf_printf(out, "models      %" PRIu64 " of %s, %s\n", s->models, c->framework, c->source);
	buf_printf(out, "corpus      %s: %u APIs", c->corpus, metrics_corpus_size(c->m));
	if (c->operators)
		buf_printf(out, ", %u operators (samplers: %u direct, %u bounded, %u by record)",
		    c->operators, c->samplers[RS_SAMPLER_DIRECT], c->samplers[RS_SAMPLER_BOUNDED],
		    c->samplers[RS_SAMPLER_RECORD]);
	buf_printf(out, "\nnodes       %" PRIu64 ", %" PRIu64 " of them outside the corpus\n", s->nodes,
	    s->outside);
	buf_printf(out, "samplers    %.1f %% of the nodes direct, %.1f %% bounded, %.1f %% by record\n",
	    percent(s->samplers[RS_SAMPLER_DIRECT], s->nodes),
	    percent(s->samplers[RS_SAMPLER_BOUNDED], s->nodes),
	    percent(s->samplers[RS_SAMPLER_RECORD], s->nodes));
	buf_printf(out,
	    "edges       %" PRIu64 " between nodes, %" PRIu64 " paths of two\n"
	    "tensors     %" PRIu64 ", %" PRIu64 " of them inputs of models\n",
	    s->edges, s->paths, s->tensors, s->inputs);
}

static void text_isra(const coverage *c, buf *out)
{
	metrics_isra r = metrics_get_isra(c->m);
	buf_puts(out, "\n                 here       Isra\n");
	for (unsigned i = 0; i < COVERAGE_ISRA; i++) {
		const coverage_metric *k = &COVERAGE_METRICS[i];
		buf_printf(out, "%-5s %s %12.2f %10.2f   %s\n", k->name, k->percent ? "%" : " ",
		    coverage_value(&r, i), k->isra, k->meaning);
	}
	const metrics_sums *s = metrics_get_sums(c->m);
	buf_printf(out, "NSA, types distinguished: %.2f\n",
	    s->models ? (double)s->typed_vectors / (double)s->models : 0);
}

static void text_coverage(const coverage *c, buf *out)
{
	metrics_coverage v = metrics_get_coverage(c->m);
	buf_printf(out, "\noperator-level coverage, n_maxspc %u, out-degrees %u..%u, weights",
	    c->options.maxspc, c->options.out_low, c->options.out_high);
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++)
		buf_printf(out, "%s%u", i ? "," : " ", c->options.weights[i]);
	buf_putc(out, '\n');
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++)
		buf_printf(out, "%s %.1f %%   ", COVERAGE_PARTS[i], 100 * v.part[i]);
	buf_printf(out, "OLC %.1f %%\n", 100 * v.olc);
}

static void text_share(
    const coverage *c, const char *name, metrics_share s, uint32_t types, bool first, buf *out)
{
	const metrics_sums *all = metrics_get_sums(c->m);
	(void)first;
	buf_printf(out, "%-12s %6.2f %% %7.2f %% %7u\n", name, percent(s.tensors, all->tensors),
	    percent(s.nodes, all->nodes), types);
}

static void text_shares(const coverage *c, buf *out)
{
	const metrics_sums *s = metrics_get_sums(c->m);
	buf_puts(out, "\ndtype         tensors     nodes    APIs\n");
	each_dtype(c, text_share, out);
	buf_puts(out, "\nrank          tensors     nodes    APIs\n");
	each_rank(c, text_share, out);
	buf_puts(out, "\ndimension     tensors     nodes    APIs\n");
	text_share(c, "of 0", s->zero, coverage_types_of_zero(c), true, out);
	text_share(c, "of 1", s->one, coverage_types_of_one(c), false, out);
}

static void text_list(const coverage *c, buf *out)
{
	buf_puts(out, "\n     nodes    in   out  successors  paths  vectors    OLC  API\n");
	for (uint32_t i = 0; i < c->ntypes; i++) {
		const metrics_type *t = c->types[i];
		buf_printf(out, "%10" PRIu64 " %2u/%-2u %2u/%-2u %11u %6u %8u %5.1f%%  %s%s\n", t->nodes,
		    t->in_seen, t->in_possible, t->out_seen, t->out_possible, t->successors,
		    t->doubles, t->vectors, 100 * metrics_type_coverage(c->m, t).olc, t->api,
		    t->corpus ? "" : " (outside)");
	}
}

void coverage_print_text(const coverage *c, bool list, buf *out)
{
	text_head(c, out);
	text_isra(c, out);
	text_coverage(c, out);
	text_shares(c, out);
	if (list)
		text_list(c, out);
}

/* ---- JSON */

static void json_key(buf *out, const char *key, const char *value)
{
	buf_printf(out, "\"%s\":", key);
	buf_json(out, value);
	buf_putc(out, ',');
}

static void json_head(const coverage *c, buf *out)
{
	const metrics_sums *s = metrics_get_sums(c->m);
	json_key(out, "framework", c->framework);
	json_key(out, "source", c->source);
	buf_puts(out, "\"corpus\":{");
	json_key(out, "name", c->corpus);
	buf_printf(out, "\"apis\":%u,\"operators\":%u", metrics_corpus_size(c->m), c->operators);
	for (unsigned i = 0; i < METRICS_SAMPLERS; i++)
		buf_printf(out, ",\"%s\":%u", COVERAGE_SAMPLERS[i], c->samplers[i]);
	buf_printf(out,
	    "},\"models\":%" PRIu64 ",\"nodes\":%" PRIu64 ",\"outside\":%" PRIu64 ",\"edges\":%" PRIu64
	    ",\"paths\":%" PRIu64 ",\"tensors\":%" PRIu64 ",\"inputs\":%" PRIu64,
	    s->models, s->nodes, s->outside, s->edges, s->paths, s->tensors, s->inputs);
	for (unsigned i = 0; i < METRICS_SAMPLERS; i++)
		buf_printf(out, ",\"nodes_%s\":%" PRIu64, COVERAGE_SAMPLERS[i], s->samplers[i]);
}

static void json_isra(const metrics_isra *r, buf *out)
{
	for (unsigned i = 0; i < COVERAGE_ISRA; i++)
		buf_printf(out, "%s\"%s\":%.6g", i ? "," : "", COVERAGE_METRICS[i].name,
		    coverage_value(r, i));
}

static void json_parts(const metrics_coverage *v, buf *out)
{
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++)
		buf_printf(out, "\"%s\":%.6g,", COVERAGE_PARTS[i], v->part[i]);
	buf_printf(out, "\"OLC\":%.6g", v->olc);
}

static void json_coverage(const coverage *c, buf *out)
{
	metrics_coverage v = metrics_get_coverage(c->m);
	buf_printf(out, ",\"operator_level\":{\"maxspc\":%u,\"out_degrees\":[%u,%u],\"weights\":[",
	    c->options.maxspc, c->options.out_low, c->options.out_high);
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++)
		buf_printf(out, "%s%u", i ? "," : "", c->options.weights[i]);
	buf_puts(out, "],");
	json_parts(&v, out);
	buf_putc(out, '}');
}

static void json_share(
    const coverage *c, const char *name, metrics_share s, uint32_t types, bool first, buf *out)
{
	(void)c;
	buf_printf(out, "%s\"%s\":{\"tensors\":%" PRIu64 ",\"nodes\":%" PRIu64 ",\"apis\":%u}",
	    first ? "" : ",", name, s.tensors, s.nodes, types);
}

static void json_shares(const coverage *c, buf *out)
{
	const metrics_sums *s = metrics_get_sums(c->m);
	buf_puts(out, ",\"dtypes\":{");
	each_dtype(c, json_share, out);
	buf_puts(out, "},\"ranks\":{");
	each_rank(c, json_share, out);
	buf_puts(out, "},\"dimensions\":{");
	json_share(c, "0", s->zero, coverage_types_of_zero(c), true, out);
	json_share(c, "1", s->one, coverage_types_of_one(c), false, out);
	buf_putc(out, '}');
}

static void json_growth(const coverage *c, buf *out)
{
	metrics_point points[METRICS_POINTS];
	uint32_t n = metrics_growth(c->m, points);
	buf_puts(out, ",\"growth\":[");
	for (uint32_t i = 0; i < n; i++) {
		buf_printf(out, "%s\n{\"models\":%" PRIu64 ",", i ? "," : "", points[i].models);
		json_isra(&points[i].isra, out);
		buf_printf(out, ",\"OLC\":%.6g}", points[i].olc);
	}
	buf_putc(out, ']');
}

static void json_type(const coverage *c, const metrics_type *t, buf *out)
{
	metrics_coverage v = metrics_type_coverage(c->m, t);
	buf_putc(out, '{');
	json_key(out, "api", t->api);
	buf_printf(out,
	    "\"corpus\":%s,\"nodes\":%" PRIu64 ",\"in_degrees\":%u,\"in_possible\":%u,"
	    "\"out_degrees\":%u,\"out_seen\":%u,\"out_possible\":%u,\"successors\":%u,\"paths\":%u,"
	    "\"vectors\":%u,",
	    t->corpus ? "true" : "false", t->nodes, t->in_seen, t->in_possible, t->out_all,
	    t->out_seen, t->out_possible, t->successors, t->doubles, t->vectors);
	json_parts(&v, out);
	buf_putc(out, '}');
}

void coverage_print_json(const coverage *c, buf *out)
{
	metrics_isra r = metrics_get_isra(c->m);
	buf_puts(out, "{\"schema\":1,");
	json_head(c, out);
	buf_puts(out, ",\"isra\":{");
	json_isra(&r, out);
	buf_putc(out, '}');
	json_coverage(c, out);
	json_shares(c, out);
	json_growth(c, out);
	buf_puts(out, ",\"types\":[");
	for (uint32_t i = 0; i < c->ntypes; i++) {
		buf_puts(out, i ? ",\n" : "\n");
		json_type(c, c->types[i], out);
	}
	buf_putc(out, ']');
	if (c->passes)
		buf_printf(out, ",\n\"passes\":%s", c->passes);
	buf_puts(out, "}\n");
}
