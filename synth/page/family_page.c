#include "family_page.h"

#include <string.h>
#include <cjson/cJSON.h>

#include "chain.h"
#include "clause_evidence.h"
#include "guard_text.h"
#include "inner.h"
#include "need.h"
#include "notation.h"
#include "output_lines.h"
#include "costs.h"
#include "shapes.h"
#include "signature.h"

/* Whether a text has a condition by which what a guard asks to differ is another: dim = 1, where it asks for dim != 2. */
static bool is_implied(const buf *text, const guard *g)
{
	static const char *const BEFORE[] = {CONDITION, " and "};
	const guard_term *t = &g->terms[0];
	if (g->n != 1 || !t->differs || !*t->value || t->aspect == GUARD_KIND)
		return false;
	bool implied = false;
	for (size_t k = 0; k < sizeof BEFORE / sizeof *BEFORE; k++) {
		guard is = *g;
		buf said = {0};
		is.terms[0].differs = false;
		buf_puts(&said, BEFORE[k]);
		guard_put(&said, &is);
		said.text[said.length - strlen(t->value)] = '\0';
		implied |= strstr(need_text(text), said.text) != NULL;
		buf_free(&said);
	}
	return implied;
}

static void put_where(buf *to, const guard *g)
{
	if (is_implied(to, g))
		return;
	buf_puts(to, guard_text_find(need_text(to)) ? " and " : CONDITION);
	guard_put(to, g);
}

static void put_text(buf *to, const api_unify_view *v, const notation *n, const inner *of, int k)
{
	const api_unify_clause *c = &v->clauses[k];
	if (of[k].place)
		inner_put(to, v, n, of, k);
	else
		inner_words(to, v, n, k);
	if (c->how.where)
		put_where(to, c->how.where);
}

/* Without sides where it is none, or one of the inner lists' places. */
static equation equation_of(const api_unify_view *v, const notation *n, const inner *of, int k)
{
	const api_unify_clause *c = &v->clauses[k];
	equation e = {.left = {0}};
	bool is = of[k].place ? false : c->s ? notation_equation(&e, n, c->s, c->how) : notation_plain_equation(&e, n, v->ops[0], c->e);
	if (is && c->how.where)
		put_where(&e.where, c->how.where);
	return e;
}

/* A clause that is long, and that hardly any call asks for by itself. */
static bool looks_fitted(const api_unify_clause *c, const clause_evidence *e)
{
	return c->cost > MOST_UNFITTED && e->alone < UNFITTED_ALONE;
}

/* Clause k, or the line that begins with it: a chain, or the places of inner lists. of: room for one of each clause. */
static void put_clause(buf *to, const api_unify_view *v, const notation *n, const equation *equations, const inner *places, const int *first,
    int k, bool *of)
{
	bool chain = false;
	buf text = {0};
	for (int i = 0; i < v->nclauses; i++) {
		of[i] = first[i] == k;
		chain |= i > k && of[i];
	}
	clause_evidence e = clause_evidence_of(v, of);
	if (chain && !places[k].place)
		chain_put(&text, equations, v->nclauses, first, k, n);
	else
		put_text(&text, v, n, places, k);
	buf_puts(to, k ? ",{\"text\":" : "{\"text\":");
	buf_json(to, need_text(&text));
	buf_printf(to, ",\"refused\":%ld,\"alone\":%ld", e.refused, e.alone);
	if (e.passed)
		buf_printf(to, ",\"passed\":%ld", e.passed);
	buf_puts(to, e.empty ? ",\"empty\":true" : "");
	buf_puts(to, looks_fitted(&v->clauses[k], &e) ? ",\"fitted\":true}" : "}");
	buf_free(&text);
}

static void put_clauses(buf *to, const api_solver *f, const api_unify_view *v, const notation *n)
{
	equation *equations = NEED_ARRAY(f->memory, equation, v->nclauses);
	int *first = NEED_ARRAY(f->memory, int, v->nclauses);
	bool *of = NEED_ARRAY(f->memory, bool, v->nclauses);
	inner *places = NEED_ARRAY(f->memory, inner, v->nclauses);
	inner_find(places, v, n);
	for (int k = 0; k < v->nclauses; k++)
		equations[k] = equation_of(v, n, places, k);
	chain_find(equations, v->nclauses, first);
	for (int k = 0; k < v->nclauses; k++)
		first[k] = places[k].place ? places[k].first : first[k];
	for (int k = 0; k < v->nclauses; k++)
		if (first[k] == k)
			put_clause(to, v, n, equations, places, first, k, of);
	for (int k = 0; k < v->nclauses; k++) {
		buf_free(&equations[k].left);
		buf_free(&equations[k].right);
		buf_free(&equations[k].where);
	}
}

static const char *instead_in(const void *user, int i, const char *argument)
{
	const api_unify_view *v = user;
	for (int k = 0; k < v->ninsteads; k++)
		if (v->insteads[k].op == i && strcmp(v->insteads[k].argument, argument) == 0)
			return v->insteads[k].instead;
	return NULL;
}

/* ---- outputs, of each part its own */

static void put_scalar(buf *to, const notation *n, int t)
{
	buf_puts(to, to->length > 1 ? ",\"" : "\"");
	words_output(to, n, t);
	buf_puts(to, " is a scalar\"");
}

/* Whose outputs the members have, as the page tells them apart. */
typedef struct division {
	int *part;  /* of each member */
	int *leads; /* of each part: the member that leads it */
	int n;
} division;

/* How parts say their outputs. */
typedef struct manner {
	const division *parts;
	bool alike; /* leading dimensions are counted from the right as in parts of other ranks, */
	bool left;  /* or all from the left */
} manner;

/* The members of a part, or where `with` is one of them, the part's leader and that one: the text of their outputs, an array that is
 * not closed. False where some line stands here and there. */
static bool put_part(buf *to, const api_solver *f, const api_unify_view *v, int part, const manner *how, int with)
{
	const operator **ops = NEED_ARRAY(f->memory, const operator *, v->n);
	const expr *const **outs = NEED_ARRAY(f->memory, const expr *const *, v->n);
	int n = 0, leader = 0, most = words_most_outputs(v->ops, v->n), lead = how->parts->leads[part];
	for (int i = 0; i < v->n; i++) {
		if (how->parts->part[i] != part || (with >= 0 && i != with && i != lead))
			continue;
		leader = i == lead ? n : leader;
		ops[n] = v->ops[i];
		outs[n++] = v->outs[i];
	}
	notation here = {.ops = ops, .n = n, .whole = how->alike ? v->ops : ops, .nwhole = how->alike ? v->n : n, .left = how->left, .nout = most};
	buf_putc(to, '[');
	bool placed = output_lines_put(to, &here, f->pool, leader, outs);
	for (int t = 0; t < ops[leader]->nout; t++)
		if (ops[leader]->call->outputs[t].rank == 0)
			put_scalar(to, &here, t);
	return placed;
}

/* The lines of a part's outputs, an array. */
static cJSON *lines_of_part(const api_solver *f, const api_unify_view *v, int part, const manner *how)
{
	buf text = {0};
	put_part(&text, f, v, part, how, -1);
	buf_putc(&text, ']');
	cJSON *lines = cJSON_ParseWithLength(need_text(&text), text.length);
	buf_free(&text);
	return need(lines, 1);
}

/* Whether part p's leader and another member have the same lines at the same places. */
static bool is_alike(const api_solver *f, const api_unify_view *v, int p, const manner *how, int member)
{
	buf text = {0};
	bool alike = put_part(&text, f, v, p, how, member) && !guard_text_find(need_text(&text));
	buf_free(&text);
	return alike;
}

/* Parts of whose lines each says where it stands: who has the leader's elsewhere, or others, is of another part. */
static division divide(const api_solver *f, const api_unify_view *v)
{
	division d = {NEED_ARRAY(f->memory, int, v->n), NEED_ARRAY(f->memory, int, v->n), v->nparts};
	manner how = {&d, false, false};
	memcpy(d.part, v->part, sizeof *d.part * (size_t)v->n);
	memcpy(d.leads, v->leads, sizeof *d.leads * (size_t)v->nparts);
	for (int p = 0; p < d.n; p++) {
		buf text = {0};
		int others = 0;
		bool placed = put_part(&text, f, v, p, &how, -1);
		for (int i = 0; i < v->n && !placed; i++) {
			if (d.part[i] != p || i == d.leads[p] || is_alike(f, v, p, &how, i))
				continue;
			if (!others++)
				d.leads[d.n] = i;
			d.part[i] = d.n;
		}
		d.n += others > 0;
		buf_free(&text);
	}
	return d;
}

static bool has_line(const cJSON *lines, const char *text)
{
	for (const cJSON *x = lines->child; x; x = x->next)
		if (strcmp(x->valuestring, text) == 0)
			return true;
	return false;
}

/* What tells the members of some parts from all others. */
static bool find_guard(guard *to, const api_solver *f, const api_unify_view *v, const division *d, const bool *parts)
{
	bool *in = NEED_ARRAY(f->memory, bool, v->n);
	for (int i = 0; i < v->n; i++)
		in[i] = parts[d->part[i]];
	return guard_find(to, v->ops, v->n, in, NULL);
}

static int first_of(const bool *parts)
{
	int p = 0;
	while (!parts[p])
		p++;
	return p;
}

/* Which parts something tells from all others; how many nothing does. */
static int find_told(const api_solver *f, const api_unify_view *v, const division *d, bool *told)
{
	int untold = 0;
	for (int p = 0; p < d->n; p++) {
		bool *alone = NEED_ARRAY(f->memory, bool, d->n);
		guard g;
		alone[p] = true;
		told[p] = d->n == 1 || find_guard(&g, f, v, d, alone);
		untold += !told[p];
	}
	return untold;
}

/* A line of part p: once for all that have it, where something tells these from the others, else of each. */
static void put_output(buf *to, const api_solver *f, const api_unify_view *v, const division *d, cJSON *const *lines, int p, const char *line)
{
	bool *has = NEED_ARRAY(f->memory, bool, d->n), *alone = NEED_ARRAY(f->memory, bool, d->n);
	bool all = true;
	guard g;
	for (int q = 0; q < d->n; q++)
		all &= has[q] = has_line(lines[q], line);
	alone[p] = true;
	bool together = all || find_guard(&g, f, v, d, has);
	if (together && first_of(has) < p)
		return; /* it was said */
	buf text = {0};
	buf_puts(&text, line);
	if (!all && (together || find_guard(&g, f, v, d, alone)))
		put_where(&text, &g);
	else if (!all)
		buf_puts(&text, " otherwise");
	buf_puts(to, to->length && to->text[to->length - 1] == '"' ? "," : "");
	buf_json(to, need_text(&text));
	buf_free(&text);
}

/* False where nothing tells several parts apart. */
static bool put_parts(buf *to, const api_solver *f, const api_unify_view *v, const manner *how)
{
	const division *d = how->parts;
	cJSON **lines = NEED_ARRAY(f->memory, cJSON *, d->n);
	bool *told = NEED_ARRAY(f->memory, bool, d->n);
	int untold = find_told(f, v, d, told);
	for (int p = 0; p < d->n; p++)
		lines[p] = lines_of_part(f, v, p, how);
	for (int k = 0; k < 2 * d->n; k++) { /* what is otherwise comes last */
		int p = k % d->n;
		for (const cJSON *x = lines[p]->child; x && told[p] == (k < d->n); x = x->next)
			put_output(to, f, v, d, lines, p, x->valuestring);
	}
	for (int p = 0; p < d->n; p++)
		cJSON_Delete(lines[p]);
	return untold < 2;
}

/* Whether output t is a scalar in all signatures that have it. */
static bool is_scalar(const api_unify_view *v, int t)
{
	for (int i = 0; i < v->n; i++)
		if (t < v->ops[i]->nout && v->ops[i]->call->outputs[t].rank > 0)
			return false;
	return true;
}

/* Each output as whole shapes, of all parts together; false: there are none such. */
static bool put_together(buf *to, const api_solver *f, const api_unify_view *v)
{
	const notation n = {.ops = v->ops, .n = v->n};
	for (int t = 0; t < words_most_outputs(v->ops, v->n); t++) {
		buf name = {0};
		words_output(&name, &n, t);
		bool is = is_scalar(v, t);
		if (is)
			put_scalar(to, &n, t);
		else
			is = shapes_output(to, v->ops, v->n, f->pool, t, need_text(&name), NULL, 0, v->outs);
		buf_free(&name);
		if (!is)
			return false;
	}
	return true;
}

/* How hard it is to read: lines that stand somewhere, or only under a condition, count more. */
static size_t weight_of_text(const buf *text)
{
	enum { OPEN = 60, GUARDED = 3 };
	size_t weight = text->length + GUARDED * (size_t)guard_text_count(need_text(text));
	for (const char *at = need_text(text); (at = strstr(at, " for some i")); at++)
		weight += OPEN;
	return weight;
}

/* As each part says them by itself, in words that the parts share, or together, whichever is easiest. */
static void put_outputs(buf *to, const api_solver *f, const api_unify_view *v)
{
	const division parts = {v->part, v->leads, v->nparts}, placed = divide(f, v);
	const manner manners[] = {{&parts, false, false}, {&parts, true, false}, {&parts, true, true}, {&placed, false, false},
	    {&placed, true, false}, {&placed, true, true}};
	enum { APART = sizeof manners / sizeof *manners, TOGETHER = APART };
	buf said[APART + 1] = {{0}};
	int best = 0, most = placed.n > parts.n ? APART : parts.n > 1 ? APART / 2 : 1;
	for (int k = 0; k <= TOGETHER; k++)
		buf_putc(&said[k], '[');
	for (int k = 0; k < most; k++)
		if (!put_parts(&said[k], f, v, &manners[k]) && manners[k].parts == &placed)
			said[k].length = 1;
	bool together = placed.n > 1 && put_together(&said[TOGETHER], f, v);
	for (int k = 1; k < (together ? APART + 1 : most); k++)
		if (said[k].length > 1 && weight_of_text(&said[k]) < weight_of_text(&said[best]))
			best = k;
	buf_puts(to, need_text(&said[best]) + 1);
	for (int k = 0; k <= TOGETHER; k++)
		buf_free(&said[k]);
}

const char *family_page(const api_solver *f, const api_unify_view *v)
{
	notation n = {.ops = v->ops, .n = v->n};
	buf text = {0};
	buf_puts(&text, "{\"arguments\":[");
	signature_put(&text, v->ops, v->n, v->representative, instead_in, v);
	buf_puts(&text, "],\"defaults\":{");
	signature_put_defaults(&text, v->ops, v->n, v->representative, instead_in, v);
	buf_puts(&text, "},\"outputs\":[");
	put_outputs(&text, f, v);
	buf_puts(&text, "],\"clauses\":[");
	put_clauses(&text, f, v, &n);
	buf_puts(&text, "]}");
	const char *page = keep(f->memory, &text);
	buf_free(&text);
	return page;
}
