#include "api_page.h"

#include <stdlib.h>
#include <string.h>

#include "comment.h"
#include "dtype_code.h"
#include "dtype_page.h"
#include "name.h"
#include "need.h"
#include "page.h"
#include "text.h"

/* ---- texts of all pages */

typedef struct said {
	char *text;
	const char *api;
	int apis;
} said;

struct clause_texts {
	said *list; /* sorted by text */
	size_t n, room;
};

static void add_text(clause_texts *t, const char *text, const char *api)
{
	t->list = NEED_ROOM(t->list, t->n, t->room);
	t->list[t->n++] = (said){need(strdup(text), strlen(text)), api, 1};
}

static int by_text(const void *a, const void *b)
{
	const said *x = a, *y = b;
	int order = strcmp(x->text, y->text);
	return order ? order : strcmp(x->api, y->api);
}

/* Equal texts become one, which counts its APIs. */
static void count_apis(clause_texts *t)
{
	size_t n = 0;
	if (t->n)
		qsort(t->list, t->n, sizeof *t->list, by_text);
	for (size_t i = 0; i < t->n; i++) {
		said *last = n ? &t->list[n - 1] : NULL;
		if (!last || strcmp(last->text, t->list[i].text) != 0) {
			t->list[n++] = t->list[i];
			continue;
		}
		last->apis += strcmp(last->api, t->list[i].api) != 0;
		last->api = t->list[i].api;
		free(t->list[i].text);
	}
	t->n = n;
}

clause_texts *clause_texts_of(const rule_set *rules)
{
	clause_texts *t = need(calloc(1, sizeof *t), sizeof *t);
	for (size_t i = 0; i < rules->nops; i++) {
		page *p = page_read(rules->ops[i].rule.page);
		for (int k = 0; k < page_clauses(p); k++)
			add_text(t, page_clause_at(p, k).text, rules->ops[i].api);
		page_free(p);
	}
	count_apis(t);
	return t;
}

void clause_texts_free(clause_texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->list[i].text);
	free(t->list);
	free(t);
}

static int apis_of(const clause_texts *t, const char *text)
{
	said want = {.text = (char *)text, .api = ""};
	size_t low = 0, high = t->n;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(t->list[middle].text, want.text) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->n && strcmp(t->list[low].text, text) == 0 ? t->list[low].apis : 0;
}

/* ---- one page */

bool api_page_is_known(const plan_api *api)
{
	for (size_t i = 0; i < api->nrows; i++)
		if (api->rows[i]->op->rule.out && !api->rows[i]->op->rule.family)
			return false;
	return true;
}

static bool follows(const rule_op *op, const rule_op *leader)
{
	return op->rule.family && strcmp(op->rule.family, leader->name) == 0;
}

const char *api_page_number(const rule_op *op)
{
	const char *dash = strrchr(op->name, '-');
	return dash ? dash : op->name;
}

/* The call: the page's words for its arguments, else their names. */
static void put_call(buf *line, const page *p, const rule_op *op)
{
	const char *dot = strrchr(op->api, '.');
	buf_printf(line, "%s(", dot ? dot + 1 : op->api);
	for (int i = 0; i < page_arguments(p); i++) {
		buf_puts(line, i ? ", " : "");
		name_comment(line, page_argument(p, i));
	}
	for (unsigned i = 0; i < op->nargs && !page_arguments(p); i++)
		buf_printf(line, "%s%s", i ? ", " : "", op->args[i].name);
	buf_putc(line, ')');
}

enum { EVIDENCE = 48 }; /* the column of what speaks for a clause */

static void put_clause(buf *out, const clause_texts *texts, page_clause c)
{
	buf line = {0};
	name_comment(&line, c.text);
	int pad = line.length < EVIDENCE ? EVIDENCE - (int)line.length : 1, apis = apis_of(texts, c.text);
	buf_printf(&line, "%*s", pad, "");
	if (c.refused >= 0)
		buf_printf(&line, " rejects %d (%d uniquely);", c.refused, c.alone);
	if (c.passed > 0)
		buf_printf(&line, " wrongly rejects %d;", c.passed);
	buf_printf(&line, " %d API%s", apis, apis == 1 ? "" : "s");
	text_prose(out, " *     ", " *         ", need_text(&line));
	buf_free(&line);
}

/* In which part of a page a clause stands. */
enum part { RULE, EMPTY, FITTED, PARTS };

static enum part part_of(page_clause c)
{
	return c.fitted ? FITTED : c.empty ? EMPTY : RULE;
}

static void put_clauses(buf *out, const clause_texts *texts, const page *p)
{
	static const char *const TITLES[] = {[RULE] = " *   accepted when\n", [EMPTY] = " *   with empty tensors\n",
	    [FITTED] = " *   low support\n"};
	for (int part = 0; part < PARTS; part++) {
		const char *title = TITLES[part];
		for (int k = 0; k < page_clauses(p); k++) {
			page_clause c = page_clause_at(p, k);
			if ((int)part_of(c) != part)
				continue;
			buf_puts(out, title);
			title = "";
			put_clause(out, texts, c);
		}
	}
	if (!page_clauses(p))
		buf_puts(out, " *   accepted for all dimensions\n");
}

/* "1,204 accepted, 1,040 rejected in 2 signatures: -0, -1" */
static void put_members(buf *out, const plan_api *api, const rule_op *leader)
{
	unsigned long passed = 0, failed = 0, forms = 0;
	buf line = {0}, list = {0};
	for (size_t i = 0; i < api->nrows; i++) {
		const rule_op *op = api->rows[i]->op;
		if (!follows(op, leader))
			continue;
		passed += op->rule.passed;
		failed += op->rule.failed;
		buf_printf(&list, "%s%s", forms++ ? ", " : "", api_page_number(op));
	}
	buf_printf(&line, "%lu accepted, %lu rejected in ", passed, failed);
	if (forms == api->nrows && forms > 1) {
		buf_puts(&line, "all signatures");
	} else {
		buf_printf(&line, "%lu signature%s: ", forms, forms == 1 ? "" : "s");
		name_comment(&line, need_text(&list));
	}
	text_prose(out, " *   ", " *       ", need_text(&line));
	buf_free(&list);
	buf_free(&line);
}

/* The text of a constant argument; NULL: it is none, or not there. */
static const char *constant_of(const rule_op *op, const char *name)
{
	for (unsigned i = 0; i < op->nargs; i++)
		if (strcmp(op->args[i].name, name) == 0)
			return op->values[op->args[i].value].kind == RS_CONST ? op->values[op->args[i].value].text : NULL;
	return NULL;
}

/* Whether a constant (ceil_mode=True) distinguishes the instances from all other signatures: these have another
 * value or omit it. */
static bool tells_apart(const plan_api *api, const rule_op *leader, const char *name, const char *text)
{
	bool others = false;
	for (size_t i = 0; i < api->nrows; i++) {
		const rule_op *op = api->rows[i]->op;
		const char *constant = constant_of(op, name);
		bool same = constant && strcmp(constant, text) == 0, member = follows(op, leader);
		if (op->rule.out && same != member)
			return false;
		others |= op->rule.out && !member;
	}
	return others;
}

static void put_constants(buf *out, const plan_api *api, const rule_op *leader)
{
	for (unsigned i = 0; i < leader->nargs; i++) {
		const char *name = leader->args[i].name, *text = constant_of(leader, name);
		buf line = {0};
		if (!text || !tells_apart(api, leader, name, text))
			continue;
		buf_printf(&line, "if %s = ", name);
		name_comment(&line, text);
		text_prose(out, " *   ", " *       ", need_text(&line));
		buf_free(&line);
	}
}

static void put_outputs(buf *out, const page *p, const rule_op *leader)
{
	buf line = {0};
	for (int k = 0; k < page_outputs(p); k++) {
		buf_clear(&line);
		name_comment(&line, page_output(p, k));
		text_prose(out, " *   ", " *       ", need_text(&line));
	}
	for (unsigned i = 0; i < leader->nout; i++)
		if (leader->outputs[i].rank == 0)
			buf_printf(out, leader->nout > 1 ? " *   out%u is a scalar\n" : " *   out is a scalar\n", i);
	buf_free(&line);
}

static void put_rule(buf *out, const clause_texts *texts, const plan_api *api, const rule_op *leader)
{
	page *p = page_read(leader->rule.page);
	buf line = {0};
	put_call(&line, p, leader);
	buf_puts(out, " *\n");
	text_prose(out, " * ", " *     ", need_text(&line));
	put_constants(out, api, leader);
	put_outputs(out, p, leader);
	put_clauses(out, texts, p);
	put_members(out, api, leader);
	buf_free(&line);
	page_free(p);
}

static void put_api_dtypes(buf *out, const plan_api *api)
{
	arena *a = arena_new();
	const dtype_rule *r = dtype_code_rule(a, api);
	if (r) {
		buf_puts(out, " *\n");
		dtype_page_put(out, r);
	}
	arena_free(a);
}

/* One after the other: the table has a row for each. */
static void put_signatures(buf *out, const plan_api *api)
{
	buf line = {0};
	for (size_t i = 0; i < api->nrows; i++) {
		buf_puts(&line, i ? "; " : "");
		comment_form(&line, api->rows[i]->op, api_page_number(api->rows[i]->op));
	}
	buf_puts(out, " *\n");
	text_prose(out, " * signatures ", " *     ", need_text(&line));
	buf_free(&line);
}

void api_page_put(buf *out, const clause_texts *texts, const plan_api *api)
{
	unsigned rules = 0;
	for (size_t i = 0; i < api->nrows; i++)
		rules += api->rows[i]->op->rule.page != NULL;
	buf_printf(out, "/* %s: %zu signature%s, %u rule%s\n", api->name, api->nrows, api->nrows == 1 ? "" : "s", rules, rules == 1 ? "" : "s");
	for (size_t i = 0; i < api->nrows; i++)
		if (api->rows[i]->op->rule.page)
			put_rule(out, texts, api, api->rows[i]->op);
	put_api_dtypes(out, api);
	put_signatures(out, api);
	buf_puts(out, " */\n");
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
		name_comment(out, api_page_number(row->op));
	}
}
