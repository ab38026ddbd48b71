#include "family_page.h"

#include <string.h>

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
	else
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

const char *family_page(const family *f, const family_view *v)
{
	notation n = {v->ops, v->n};
	buf text = {0};
	buf_puts(&text, "{\"arguments\":[");
	signature_put(&text, v->ops, v->n, v->leader, instead_in, v);
	buf_puts(&text, "],\"outputs\":[");
	notation_outputs(&text, &n, f->pool, v->leader, v->outs);
	buf_puts(&text, "],\"clauses\":[");
	for (int k = 0; k < v->nclauses; k++)
		put_clause(&text, v, &n, k);
	buf_puts(&text, "]}");
	const char *page = keep(f->memory, &text);
	buf_free(&text);
	return page;
}
