#include "family_page.h"

#include <string.h>
#include <cjson/cJSON.h>

#include "need.h"
#include "notation.h"
#include "prices.h"
#include "signature.h"

/* All that speak for it, those that only it explains where there are any, have an empty tensor. */
static bool is_of_empty_tensors(const refusals *r)
{
	return r->all && (r->alone ? r->empty_alone == r->alone : r->empty == r->all);
}

/* A clause that is long, and that hardly any call asks for by itself. */
static bool looks_fitted(const family_clause *c)
{
	return c->cost > MOST_UNFITTED && c->refused.alone < UNFITTED_ALONE;
}

static void put_clause(buf *to, const family_view *v, const notation *n, int k)
{
	const family_clause *c = &v->clauses[k];
	buf text = {0};
	if (c->s)
		notation_clause(&text, n, c->s, c->how);
	if (c->s && c->how.where) {
		buf_puts(&text, " where ");
		guard_put(&text, c->how.where);
	}
	if (!c->s)
		notation_plain(&text, n, v->ops[0], c->e);
	buf_puts(to, k ? ",{\"text\":" : "{\"text\":");
	buf_json(to, text.text);
	buf_printf(to, ",\"refused\":%ld,\"alone\":%ld", c->refused.all, c->refused.alone);
	buf_puts(to, is_of_empty_tensors(&c->refused) ? ",\"empty\":true" : "");
	buf_puts(to, looks_fitted(c) ? ",\"fitted\":true}" : "}");
	buf_free(&text);
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

/* The members of some parts; to: their numbers. */
static int members_of(const family_view *v, uint64_t parts, int *to)
{
	int n = 0;
	for (int i = 0; i < v->n; i++)
		if (parts >> v->part[i] & 1)
			to[n++] = i;
	return n;
}

/* The lines of a part's outputs, an array. */
static cJSON *lines_of_part(const family *f, const family_view *v, int part)
{
	const operator **ops = NEED_ARRAY(f->memory, const operator *, v->n);
	const expr *const **outs = NEED_ARRAY(f->memory, const expr *const *, v->n);
	int *members = NEED_ARRAY(f->memory, int, v->n), n = members_of(v, UINT64_C(1) << part, members), leader = 0;
	buf text = {0};
	for (int k = 0; k < n; k++) {
		ops[k] = v->ops[members[k]];
		outs[k] = v->outs[members[k]];
		leader = members[k] == v->leads[part] ? k : leader;
	}
	notation here = {ops, n};
	buf_putc(&text, '[');
	notation_outputs(&text, &here, f->pool, leader, outs);
	for (int t = 0; t < ops[leader]->nout; t++)
		if (ops[leader]->call->outputs[t].rank == 0)
			buf_printf(&text, ops[leader]->nout > 1 ? "%s\"out%d is a scalar\"" : "%s\"out is a scalar\"", text.length > 1 ? "," : "", t);
	buf_putc(&text, ']');
	cJSON *lines = cJSON_ParseWithLength(text.text, text.length);
	buf_free(&text);
	return need(lines, 1);
}

static void put_where(buf *to, const family *f, const family_view *v, uint64_t parts)
{
	bool *in = NEED_ARRAY(f->memory, bool, v->n), *out = NEED_ARRAY(f->memory, bool, v->n);
	guard g;
	for (int i = 0; i < v->n; i++) {
		in[i] = parts >> v->part[i] & 1;
		out[i] = !in[i];
	}
	if (!guard_find(&g, v->ops, v->n, in, out))
		return;
	buf_puts(to, to->length && strstr(to->text, " where ") ? " and " : " where ");
	guard_put(to, &g);
}

static bool has_line(const cJSON *lines, const char *text)
{
	for (const cJSON *x = lines->child; x; x = x->next)
		if (strcmp(x->valuestring, text) == 0)
			return true;
	return false;
}

/* Whether something tells the members of these parts from all others. */
static bool are_told(const family *f, const family_view *v, uint64_t parts)
{
	buf text = {0};
	put_where(&text, f, v, parts);
	bool told = text.length > 0;
	buf_free(&text);
	return told;
}

/* Lines that several parts have are said once, where something tells these parts from the others. */
static void put_outputs(buf *to, const family *f, const family_view *v)
{
	cJSON **lines = NEED_ARRAY(f->memory, cJSON *, v->nparts);
	uint64_t all = (UINT64_C(1) << v->nparts) - 1;
	bool first = true;
	for (int p = 0; p < v->nparts; p++)
		lines[p] = lines_of_part(f, v, p);
	for (int p = 0; p < v->nparts; p++)
		for (const cJSON *x = lines[p]->child; x; x = x->next) {
			uint64_t has = 0;
			buf text = {0};
			for (int q = 0; q < v->nparts; q++)
				has |= (uint64_t)has_line(lines[q], x->valuestring) << q;
			bool together = has == all || are_told(f, v, has);
			if (together && has & ((UINT64_C(1) << p) - 1))
				continue; /* it was said */
			buf_puts(&text, x->valuestring);
			if (has != all)
				put_where(&text, f, v, together ? has : UINT64_C(1) << p);
			buf_puts(to, first ? "" : ",");
			first = false;
			buf_json(to, text.text);
			buf_free(&text);
		}
	for (int p = 0; p < v->nparts; p++)
		cJSON_Delete(lines[p]);
}

const char *family_page(const family *f, const family_view *v)
{
	notation n = {v->ops, v->n};
	buf text = {0};
	buf_puts(&text, "{\"arguments\":[");
	signature_put(&text, v->ops, v->n, v->leader, instead_in, v);
	buf_puts(&text, "],\"outputs\":[");
	if (v->nparts > 1)
		put_outputs(&text, f, v);
	else
		notation_outputs(&text, &n, f->pool, v->leader, v->outs);
	buf_puts(&text, "],\"clauses\":[");
	for (int k = 0; k < v->nclauses; k++)
		put_clause(&text, v, &n, k);
	buf_puts(&text, "]}");
	const char *page = keep(f->memory, &text);
	buf_free(&text);
	return page;
}
