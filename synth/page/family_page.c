#include "family_page.h"

#include <string.h>
#include <cjson/cJSON.h>

#include "chain.h"
#include "clause_evidence.h"
#include "need.h"
#include "notation.h"
#include "output_lines.h"
#include "prices.h"
#include "shapes.h"
#include "signature.h"

static void put_where(buf *to, const guard *g)
{
	buf_puts(to, strstr(buf_text(to), " where ") ? " and " : " where ");
	guard_put(to, g);
}

static void put_text(buf *to, const family_view *v, const notation *n, int k)
{
	const family_clause *c = &v->clauses[k];
	if (c->s)
		notation_clause(to, n, c->s, c->how);
	else
		notation_plain(to, n, v->ops[0], c->e);
	if (c->how.where)
		put_where(to, c->how.where);
}

/* Without sides where it is none. */
static equation equation_of(const family_view *v, const notation *n, int k)
{
	const family_clause *c = &v->clauses[k];
	equation e = {.left = {0}};
	bool is = c->s ? notation_equation(&e, n, c->s, c->how) : notation_plain_equation(&e, n, v->ops[0], c->e);
	if (is && c->how.where)
		put_where(&e.where, c->how.where);
	return e;
}

/* A clause that is long, and that hardly any call asks for by itself. */
static bool looks_fitted(const family_clause *c, const clause_evidence *e)
{
	return c->cost > MOST_UNFITTED && e->alone < UNFITTED_ALONE;
}

/* Clause k, or the chain that begins with it; of: room for one of each clause. */
static void put_clause(buf *to, const family_view *v, const notation *n, const equation *equations, const int *first, int k, bool *of)
{
	bool chain = false;
	buf text = {0};
	for (int i = 0; i < v->nclauses; i++) {
		of[i] = first[i] == k;
		chain |= i > k && of[i];
	}
	clause_evidence e = clause_evidence_of(v, of);
	if (chain)
		chain_put(&text, equations, v->nclauses, first, k);
	else
		put_text(&text, v, n, k);
	buf_puts(to, k ? ",{\"text\":" : "{\"text\":");
	buf_json(to, buf_text(&text));
	buf_printf(to, ",\"refused\":%ld,\"alone\":%ld", e.refused, e.alone);
	if (e.passed)
		buf_printf(to, ",\"passed\":%ld", e.passed);
	buf_puts(to, e.empty ? ",\"empty\":true" : "");
	buf_puts(to, looks_fitted(&v->clauses[k], &e) ? ",\"fitted\":true}" : "}");
	buf_free(&text);
}

static void put_clauses(buf *to, const family *f, const family_view *v, const notation *n)
{
	equation *equations = NEED_ARRAY(f->memory, equation, v->nclauses);
	int *first = NEED_ARRAY(f->memory, int, v->nclauses);
	bool *of = NEED_ARRAY(f->memory, bool, v->nclauses);
	for (int k = 0; k < v->nclauses; k++)
		equations[k] = equation_of(v, n, k);
	chain_find(equations, v->nclauses, first);
	for (int k = 0; k < v->nclauses; k++)
		if (first[k] == k)
			put_clause(to, v, n, equations, first, k, of);
	for (int k = 0; k < v->nclauses; k++) {
		buf_free(&equations[k].left);
		buf_free(&equations[k].right);
		buf_free(&equations[k].where);
	}
}

static const char *instead_in(const void *user, int i, const char *argument)
{
	const family_view *v = user;
	for (int k = 0; k < v->ninsteads; k++)
		if (v->insteads[k].op == i && strcmp(v->insteads[k].argument, argument) == 0)
			return v->insteads[k].instead;
	return NULL;
}

/* ---- outputs, of each part its own */

static void put_scalar(buf *to, int t, bool several)
{
	buf_puts(to, to->length > 1 ? "," : "");
	buf_printf(to, several ? "\"out%d is a scalar\"" : "\"out is a scalar\"", t);
}

/* The lines of a part's outputs, an array; `alike`: leading dimensions are counted from the right as in parts of other ranks. */
static cJSON *lines_of_part(const family *f, const family_view *v, int part, bool alike)
{
	const operator **ops = NEED_ARRAY(f->memory, const operator *, v->n);
	const expr *const **outs = NEED_ARRAY(f->memory, const expr *const *, v->n);
	int n = 0, leader = 0;
	buf text = {0};
	for (int i = 0; i < v->n; i++) {
		if (v->part[i] != part)
			continue;
		leader = i == v->leads[part] ? n : leader;
		ops[n] = v->ops[i];
		outs[n++] = v->outs[i];
	}
	notation here = {ops, n, alike ? v->ops : ops, alike ? v->n : n};
	buf_putc(&text, '[');
	output_lines_put(&text, &here, f->pool, leader, outs);
	for (int t = 0; t < ops[leader]->nout; t++)
		if (ops[leader]->call->outputs[t].rank == 0)
			put_scalar(&text, t, ops[leader]->nout > 1);
	buf_putc(&text, ']');
	cJSON *lines = cJSON_ParseWithLength(text.text, text.length);
	buf_free(&text);
	return need(lines, 1);
}

static bool has_line(const cJSON *lines, const char *text)
{
	for (const cJSON *x = lines->child; x; x = x->next)
		if (strcmp(x->valuestring, text) == 0)
			return true;
	return false;
}

/* What tells the members of some parts from all others. */
static bool find_guard(guard *to, const family *f, const family_view *v, const bool *parts)
{
	bool *in = NEED_ARRAY(f->memory, bool, v->n);
	for (int i = 0; i < v->n; i++)
		in[i] = parts[v->part[i]];
	return guard_find(to, v->ops, v->n, in, NULL);
}

static int first_of(const bool *parts)
{
	int p = 0;
	while (!parts[p])
		p++;
	return p;
}

/* A line of part p: once for all that have it, where something tells these from the others, else of each. */
static void put_output(buf *to, const family *f, const family_view *v, cJSON *const *lines, int p, const char *line)
{
	bool *has = NEED_ARRAY(f->memory, bool, v->nparts), *alone = NEED_ARRAY(f->memory, bool, v->nparts);
	bool all = true;
	guard g;
	for (int q = 0; q < v->nparts; q++)
		all &= has[q] = has_line(lines[q], line);
	alone[p] = true;
	bool together = all || find_guard(&g, f, v, has);
	if (together && first_of(has) < p)
		return; /* it was said */
	buf text = {0};
	buf_puts(&text, line);
	if (!all && (together || find_guard(&g, f, v, alone)))
		put_where(&text, &g);
	buf_puts(to, to->text[to->length - 1] == '"' ? "," : "");
	buf_json(to, buf_text(&text));
	buf_free(&text);
}

static void put_parts(buf *to, const family *f, const family_view *v, bool alike)
{
	cJSON **lines = NEED_ARRAY(f->memory, cJSON *, v->nparts);
	for (int p = 0; p < v->nparts; p++)
		lines[p] = lines_of_part(f, v, p, alike);
	for (int p = 0; p < v->nparts; p++)
		for (const cJSON *x = lines[p]->child; x; x = x->next)
			put_output(to, f, v, lines, p, x->valuestring);
	for (int p = 0; p < v->nparts; p++)
		cJSON_Delete(lines[p]);
}

/* Whether output t is a scalar in all call forms that have it. */
static bool is_scalar(const family_view *v, int t)
{
	for (int i = 0; i < v->n; i++)
		if (t < v->ops[i]->nout && v->ops[i]->call->outputs[t].rank > 0)
			return false;
	return true;
}

/* Each output as whole shapes, of all parts together; false: there are none such. */
static bool put_together(buf *to, const family *f, const family_view *v)
{
	int most = 0;
	for (int i = 0; i < v->n; i++)
		most = v->ops[i]->nout > most ? v->ops[i]->nout : most;
	for (int t = 0; t < most; t++) {
		if (is_scalar(v, t))
			put_scalar(to, t, most > 1);
		else if (!shapes_output(to, v->ops, v->n, f->pool, t, 0, v->outs))
			return false;
	}
	return true;
}

/* As each part says them by itself, in words that the parts share, or together, whichever is shortest. */
static void put_outputs(buf *to, const family *f, const family_view *v)
{
	buf said[3] = {{0}, {0}, {0}};
	int best = 0;
	for (int k = 0; k < 3; k++)
		buf_putc(&said[k], '[');
	put_parts(&said[0], f, v, false);
	put_parts(&said[1], f, v, true);
	bool together = put_together(&said[2], f, v);
	for (int k = 1; k < (together ? 3 : 2); k++)
		best = said[k].length < said[best].length ? k : best;
	buf_puts(to, said[best].text + 1);
	for (int k = 0; k < 3; k++)
		buf_free(&said[k]);
}

const char *family_page(const family *f, const family_view *v)
{
	notation n = {.ops = v->ops, .n = v->n};
	buf text = {0};
	buf_puts(&text, "{\"arguments\":[");
	signature_put(&text, v->ops, v->n, v->leader, instead_in, v);
	buf_puts(&text, "],\"outputs\":[");
	if (v->nparts > 1)
		put_outputs(&text, f, v);
	else
		output_lines_put(&text, &n, f->pool, v->leads[0], v->outs);
	buf_puts(&text, "],\"clauses\":[");
	put_clauses(&text, f, v, &n);
	buf_puts(&text, "]}");
	const char *page = keep(f->memory, &text);
	buf_free(&text);
	return page;
}
