#include "api_page.h"

#include <assert.h>
#include <string.h>

#include "dtype_code.h"
#include "dtype_page.h"
#include "name.h"
#include "need.h"
#include "page_clauses.h"
#include "page_own.h"
#include "page_shapes.h"
#include "page_tried.h"
#include "text.h"
#include "view_axes.h"
#include "view_cases.h"
#include "view_cover.h"
#include "view_states.h"

bool api_page_is_known(const plan_api *api)
{
	for (size_t i = 0; i < api->nrows; i++)
		if (api->rows[i]->op->rule.out && !api->rows[i]->op->rule.family)
			return false;
	return true;
}

/* Signatures whose own rule is not on the page. */
static void put_others(buf *out, const api_view *v)
{
	const page_own clauses = page_own_clauses(v), outputs = page_own_outputs(v);
	buf line = {0};
	for (int i = 0; i < v->n; i++) {
		if ((page_own_lacks_clauses(v, i) && !clauses.on[i]) || (page_own_lacks_outputs(v, i) && !outputs.on[i])) {
			buf_puts(&line, line.length ? ", " : "not on this page: the rule of ");
			name_comment(&line, name_number(v->rows[i].op));
		}
	}
	if (line.length)
		text_prose(out, " *   ", " *       ", need_text(&line));
	buf_free(&line);
}

static void put_dtypes(buf *out, arena *a, const plan_api *api)
{
	const dtype_rule *r = dtype_code_rule(a, api);
	if (r)
		dtype_page_put(out, r);
}

/* An API without a rule. */
static void put_without_rule(buf *out, const plan_api *api)
{
	buf line = {0};
	name_comment(&line, api->name);
	buf_printf(&line, ": %zu signature%s, no rule", api->nrows, api->nrows == 1 ? "" : "s");
	text_prose(out, "/* ", " *     ", need_text(&line));
	for (size_t i = 0; i < api->nrows; i++) {
		buf_clear(&line);
		name_comment(&line, name_number(api->rows[i]->op));
		buf_puts(&line, ": ");
		name_comment(&line, api->rows[i]->op->rule.why);
		text_prose(out, " *   ", " *       ", need_text(&line));
	}
	buf_puts(out, " */\n");
	buf_free(&line);
}

/* Appends a comment. Its names and values come from records and signatures; none of them can end it. */
static void put_comment(buf *out, char *text)
{
	static const char BEGIN[] = "/* ", END[] = " */\n";
	const size_t n = strlen(text) - (sizeof END - 1);
	assert(memcmp(text, BEGIN, sizeof BEGIN - 1) == 0 && strcmp(text + n, END) == 0);
	text[n] = 0;
	buf_puts(out, BEGIN);
	for (char *line = text + sizeof BEGIN - 1, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		name_comment(out, line);
		buf_puts(out, next ? "\n" : "");
	}
	buf_puts(out, END);
}

void api_page_put(buf *out, const rule_set *rules, const api_heads *heads, const plan_api *api)
{
	arena *a = arena_new();
	page_signature *list = NEED_ARRAY(a, page_signature, api->nrows);
	const page_api all = {api->name, list, api->nrows};
	for (size_t i = 0; i < api->nrows; i++)
		list[i] = (page_signature){api->rows[i]->op, api->rows[i]->rule};
	api_view *v = api_view_of(a, rules->exprs, &all);
	api_heads_add_defaults(heads, v);
	view_axes_add(v);
	view_states_find(v);
	view_cover_choose(v);
	view_cases_find(v);
	page_clauses_count(v);
	if (!v->n) {
		put_without_rule(out, api);
		arena_free(a);
		return;
	}
	page_dims *d = NEED_ARRAY(a, page_dims, 1);
	page_dims_find(d, v);
	buf page = {0};
	api_heads_put(&page, heads, v);
	buf_puts(&page, " *\n");
	page_shapes_put(&page, d);
	page_clauses_put(&page, d);
	put_others(&page, v);
	put_dtypes(&page, a, api);
	page_tried_put(&page, heads, v);
	buf_puts(&page, " */\n");
	need_text(&page);
	put_comment(out, page.text);
	buf_free(&page);
	arena_free(a);
}

void api_page_users(buf *out, const plan_api *api, const plan_function *f)
{
	bool first = true;
	for (size_t i = 0; i < api->nrows; i++) {
		const plan_row *row = api->rows[i];
		if (row->valid != f && row->propagate != f)
			continue;
		if (!first)
			buf_puts(out, ", ");
		first = false;
		name_comment(out, name_number(row->op));
	}
}
