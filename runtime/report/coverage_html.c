#include "coverage_html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "escape.h"
#include "html_page.h"

static void head(const coverage *c, buf *out)
{
	page_begin(out, "Coverage of ", c->framework, " models", "");
	buf_puts(out, "<h1>Coverage of ");
	escape_markup(out, c->framework);
	buf_puts(out, " models</h1>\n<p class=\"soft\">");
	chart_count(out, metrics_get_sums(c->m)->models);
	buf_puts(out, " models, ");
	escape_markup(out, c->source);
	buf_puts(out, ". Corpus: ");
	escape_markup(out, c->corpus);
	buf_printf(out, ", %u APIs", metrics_corpus_size(c->m));
	if (c->operators)
		buf_printf(out, " with %u operators", c->operators);
	buf_puts(out, ".</p>\n");
}

/* ---- tiles */

static void tile(buf *out, const char *what)
{
	buf_puts(out, "</b><span>");
	buf_puts(out, what);
	buf_puts(out, "</span></div>\n");
}

static void tiles(const coverage *c, buf *out)
{
	const metrics_sums *s = metrics_get_sums(c->m);
	metrics_isra r = metrics_get_isra(c->m);
	buf_puts(out, "<div class=\"tiles\"><div><b>");
	chart_count(out, s->models);
	tile(out, "models");
	buf_puts(out, "<div><b>");
	chart_count(out, s->nodes);
	tile(out, "operator calls");
	buf_puts(out, "<div><b>");
	chart_count(out, s->edges);
	tile(out, "edges between them");
	buf_printf(out, "<div><b>%.1f %%", r.otc);
	tile(out, "of the operator types");
	buf_printf(out, "<div><b>%.1f %%", 100 * metrics_get_coverage(c->m).olc);
	tile(out, "operator-level coverage");
	buf_puts(out, "</div>\n");
}

/* ---- metrics */

static void isra(const coverage *c, buf *out)
{
	double here[COVERAGE_ISRA], paper[COVERAGE_ISRA], tops[COVERAGE_ISRA];
	const char *labels[COVERAGE_ISRA];
	char texts[COVERAGE_ISRA][32];
	metrics_isra r = metrics_get_isra(c->m);
	for (unsigned i = 0; i < COVERAGE_ISRA; i++) {
		const coverage_metric *k = &COVERAGE_METRICS[i];
		here[i] = coverage_value(&r, i);
		paper[i] = k->isra;
		tops[i] = k->percent ? 100 : 0;
		memset(texts[i], 0, sizeof texts[i]);
		strcpy(texts[i], k->name);
		strcat(texts[i], k->percent ? ", %" : k->per_model ? ", a model" : ", an operator");
		labels[i] = texts[i];
	}
	const chart_series all[] = {{"these models", here}, {"Isra's paper", paper}};
	const chart k = {.title = "Isra's metrics", .labels = labels, .places = COVERAGE_ISRA,
	    .series = 2, .all = all, .unit = ""};
	buf_puts(out, "<section><h2>Isra's metrics</h2>\n<p class=\"soft\">Beside what the paper "
		      "reports for 10,000 models of 1 to 200 of its 65 operators. Shares end at "
		      "100 %, counts at the larger of the two.</p>\n");
	chart_legend(out, &k);
	chart_rows(out, &k, tops);
	buf_puts(out, "<details><summary>Definitions</summary><ul>");
	for (unsigned i = 0; i < COVERAGE_ISRA; i++)
		buf_printf(out, "<li><b>%s</b>: %s</li>", COVERAGE_METRICS[i].name,
		    COVERAGE_METRICS[i].meaning);
	buf_puts(out, "</ul></details></section>\n");
}

static void operator_level(const coverage *c, buf *out)
{
	enum { ROWS = METRICS_OLC_PARTS + 1 };
	double values[ROWS], tops[ROWS];
	const char *labels[ROWS];
	metrics_coverage v = metrics_get_coverage(c->m);
	for (unsigned i = 0; i < ROWS; i++) {
		values[i] = 100 * (i < METRICS_OLC_PARTS ? v.part[i] : v.olc);
		labels[i] = i < METRICS_OLC_PARTS ? COVERAGE_PARTS[i] : "OLC, their mean";
		tops[i] = 100;
	}
	const chart k = {.title = "Operator-level coverage", .labels = labels, .places = ROWS,
	    .series = 1, .all = &(const chart_series){"these models", values}, .unit = " %"};
	buf_printf(out,
	    "<section><h2>Operator-level coverage</h2>\n<p class=\"soft\">Graph-based fuzz testing's "
	    "measure: up to %u distinct shapes and parameters per operator, out-degrees %u to %u, "
	    "weights",
	    c->options.maxspc, c->options.out_low, c->options.out_high);
	for (unsigned i = 0; i < METRICS_OLC_PARTS; i++)
		buf_printf(out, "%s%u", i ? ", " : " ", c->options.weights[i]);
	buf_printf(out,
	    ". The paper's 400 models of 5, 10 and 15 blocks reach %.1f, %.1f and %.1f %% with MCTS "
	    "and mutations, %.1f, %.1f and %.1f %% by random search.</p>\n",
	    COVERAGE_PAPER_OLC[0][0], COVERAGE_PAPER_OLC[0][1], COVERAGE_PAPER_OLC[0][2],
	    COVERAGE_PAPER_OLC[1][0], COVERAGE_PAPER_OLC[1][1], COVERAGE_PAPER_OLC[1][2]);
	chart_rows(out, &k, tops);
	buf_puts(out, "</section>\n");
}

/* ---- growth */

static void growth(const coverage *c, buf *out)
{
	enum { LINES = 5 };
	static const char *const NAMES[LINES] = {"IDC", "SEC", "DEC", "OLC", "OTC"};
	metrics_point points[METRICS_POINTS];
	double x[METRICS_POINTS], y[LINES][METRICS_POINTS], spc[METRICS_POINTS];
	uint32_t n = metrics_growth(c->m, points);
	for (uint32_t i = 0; i < n; i++) {
		const metrics_isra *r = &points[i].isra;
		x[i] = (double)points[i].models;
		y[0][i] = r->idc, y[1][i] = r->sec, y[2][i] = r->dec;
		y[3][i] = 100 * points[i].olc, y[4][i] = r->otc;
		spc[i] = r->spc;
	}
	chart_series all[LINES];
	for (unsigned i = 0; i < LINES; i++)
		all[i] = (chart_series){NAMES[i], y[i]};
	const chart shares = {.title = "Growth of coverage", .places = n, .series = LINES, .all = all,
	    .unit = " %", .top = 100};
	const chart vectors = {.title = "Growth of SPC", .places = n, .series = 1,
	    .all = &(const chart_series){"SPC", spc}, .unit = ""};
	buf_puts(out, "<section class=\"lines\"><h2>Growth</h2>\n<p class=\"soft\">What the models "
		      "cover, by their number.</p>\n");
	chart_legend(out, &shares);
	chart_lines(out, &shares, x, "models, on a logarithmic scale");
	buf_puts(out, "<p class=\"soft\">Distinct input shapes and attributes an operator (SPC)</p>\n");
	chart_lines(out, &vectors, x, "models, on a logarithmic scale");
	buf_puts(out, "</section>\n");
}

/* ---- frequencies */

static int by_nodes(const void *a, const void *b)
{
	const metrics_type *x = *(const metrics_type *const *)a, *y = *(const metrics_type *const *)b;
	if (x->nodes != y->nodes)
		return x->nodes > y->nodes ? -1 : 1;
	return strcmp(x->api, y->api);
}

static bool frequencies(const coverage *c, buf *out)
{
	size_t room = c->ntypes + (size_t)1;
	const metrics_type **types = malloc(room * sizeof *types);
	const char **labels = malloc(room * sizeof *labels);
	double *nodes = malloc(room * sizeof *nodes);
	bool ok = types && labels && nodes;
	if (ok) {
		memcpy(types, c->types, c->ntypes * sizeof *types);
		qsort(types, c->ntypes, sizeof *types, by_nodes);
	}
	for (uint32_t i = 0; ok && i < c->ntypes; i++) {
		const char *dot = strchr(types[i]->api, '.'); /* all names begin with the framework's module */
		labels[i] = dot ? dot + 1 : types[i]->api;
		nodes[i] = (double)types[i]->nodes;
	}
	const chart k = {.title = "Operator frequency", .labels = labels, .places = c->ntypes,
	    .series = 1, .all = &(const chart_series){"calls", nodes}, .unit = ""};
	buf_puts(out, "<section><h2>Operator frequency</h2>\n<p class=\"soft\">Calls of each API in "
		      "all models, the most frequent first. Point at a bar for its name; the table "
		      "below has all.</p>\n");
	if (ok)
		chart_columns(out, &k);
	buf_puts(out, "</section>\n");
	free(types);
	free(labels);
	free(nodes);
	return ok;
}

/* ---- shares */

enum { SHARES_MAX = 20 };
_Static_assert((int)RS_DTYPE_COUNT <= (int)SHARES_MAX && (int)METRICS_RANKS <= (int)SHARES_MAX, "a place for each");

typedef struct shares { /* percent of tensors, nodes and types */
	const char *labels[SHARES_MAX];
	double tensors[SHARES_MAX], nodes[SHARES_MAX], types[SHARES_MAX];
	uint32_t n;
} shares;

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void add_share(
    const coverage *c, shares *s, const char *label, metrics_share share, uint32_t types)
{
	const metrics_sums *all = metrics_get_sums(c->m);
	if (!share.tensors)
		return;
	s->labels[s->n] = label;
	s->tensors[s->n] = percent(share.tensors, all->tensors);
	s->nodes[s->n] = percent(share.nodes, all->nodes);
	s->types[s->n++] = percent(types, metrics_corpus_size(c->m));
}

static void share_chart(const char *title, const shares *s, bool legend, buf *out)
{
	const chart_series all[] = {{"of the tensors", s->tensors},
	    {"of the calls that take or return one", s->nodes}, {"of the APIs that were seen with one", s->types}};
	const chart k = {.title = title, .labels = s->labels, .places = s->n, .series = 3, .all = all,
	    .unit = " %", .top = 100};
	if (legend)
		chart_legend(out, &k);
	buf_printf(out, "<h3 class=\"soft\">%s</h3>\n", title);
	chart_columns(out, &k);
}

static void distributions(const coverage *c, buf *out)
{
	const metrics_sums *all = metrics_get_sums(c->m);
	shares ranks = {0}, dtypes = {0}, dimensions = {0};
	for (unsigned i = 0; i < METRICS_RANKS; i++)
		add_share(c, &ranks, COVERAGE_RANKS[i], all->ranks[i], coverage_types_of_rank(c, i));
	for (unsigned i = 0; i < RS_DTYPE_COUNT; i++)
		add_share(c, &dtypes, rs_dtype_name((rs_dtype)i), all->dtypes[i],
		    coverage_types_of_dtype(c, i));
	add_share(c, &dimensions, "a dimension of 0", all->zero, coverage_types_of_zero(c));
	add_share(c, &dimensions, "a dimension of 1", all->one, coverage_types_of_one(c));
	buf_puts(out, "<section><h2>Ranks, dtypes, dimensions</h2>\n");
	share_chart("Rank", &ranks, true, out);
	share_chart("Dtype", &dtypes, false, out);
	share_chart("Dimensions of 0 and 1", &dimensions, false, out);
	buf_puts(out, "</section>\n");
}

/* ---- samplers */

static void samplers(const coverage *c, buf *out)
{
	const metrics_sums *s = metrics_get_sums(c->m);
	double nodes[METRICS_SAMPLERS], operators[METRICS_SAMPLERS], tops[METRICS_SAMPLERS];
	for (unsigned i = 0; i < METRICS_SAMPLERS; i++) {
		nodes[i] = percent(s->samplers[i], s->nodes);
		operators[i] = c->operators ? percent(c->samplers[i], c->operators) : -1;
		tops[i] = 100;
	}
	const chart_series all[] = {{"of the calls", nodes}, {"of the corpus's operators", operators}};
	const chart k = {.title = "Samplers", .labels = COVERAGE_SAMPLERS, .places = METRICS_SAMPLERS,
	    .series = 2, .all = all, .unit = " %"};
	buf_puts(out, "<section><h2>Samplers</h2>\n<p class=\"soft\">How the operators' symbols are "
		      "drawn: from a stored record, or by the rule, with or without dead ends.</p>\n");
	chart_legend(out, &k);
	chart_rows(out, &k, tops);
	buf_puts(out, "</section>\n");
}

/* ---- all types */

static void table_row(const coverage *c, const metrics_type *t, buf *out)
{
	buf_puts(out, "<tr><td>");
	escape_markup(out, t->api);
	buf_puts(out, t->corpus ? "</td><td>" : " (outside)</td><td>");
	chart_count(out, t->nodes);
	buf_printf(out, "</td><td>%u / %u</td><td>%u / %u</td><td>%u</td><td>%u</td><td>", t->in_seen,
	    t->in_possible, t->out_seen, t->out_possible, t->out_all, t->successors);
	chart_count(out, t->doubles);
	buf_puts(out, "</td><td>");
	chart_count(out, t->vectors);
	buf_printf(out, "</td><td>%.1f %%</td></tr>\n", 100 * metrics_type_coverage(c->m, t).olc);
}

static void table(const coverage *c, buf *out)
{
	buf_puts(out, "<section><details><summary><b>Every operator type</b></summary>\n"
		      "<div class=\"scroll\"><table><tr><th>API</th><th>calls</th><th>in-degrees</th>"
		      "<th>out-degrees</th><th>all of these</th><th>successors</th><th>paths</th>"
		      "<th>shapes and attributes</th><th>OLC</th></tr>\n");
	for (uint32_t i = 0; i < c->ntypes; i++)
		table_row(c, c->types[i], out);
	buf_puts(out, "</table></div></details></section>\n");
}

void coverage_print_html(const coverage *c, buf *out)
{
	head(c, out);
	tiles(c, out);
	isra(c, out);
	operator_level(c, out);
	growth(c, out);
	if (!frequencies(c, out))
		out->failed = true;
	distributions(c, out);
	samplers(c, out);
	table(c, out);
	page_end(out);
}
