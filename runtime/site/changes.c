#include "changes.h"

#include <string.h>

#include "form_text.h"
#include "escape.h"

enum { MOST = 200 }; /* maximum items of a list */

static bool same_texts(const cJSON *a, const cJSON *b)
{
	return !a == !b && (!a || cJSON_Compare(a, b, true));
}

static bool same(const site_op *a, const site_op *b)
{
	return same_texts(a->valid, b->valid) && same_texts(a->out, b->out) && cJSON_Compare(a->args, b->args, true);
}

/* Walks both lists, which have the same order, so that signatures of one name meet. */
typedef struct pair {
	const site_op *old, *now;
	size_t i, j;
} pair;

static bool next_pair(pair *p, const site_api *old, const site_api *now)
{
	size_t n = old ? old->nops : 0, m = now ? now->nops : 0;
	p->old = p->i < n ? &old->ops[p->i] : NULL;
	p->now = p->j < m ? &now->ops[p->j] : NULL;
	if (p->old && p->now && p->old->number != p->now->number) {
		if (p->old->number < p->now->number)
			p->now = NULL;
		else
			p->old = NULL;
	}
	p->i += p->old != NULL;
	p->j += p->now != NULL;
	return p->old || p->now;
}

changes changes_of(const site_api *old, const site_api *now)
{
	changes c = {.fresh = !old, .gone = !now};
	for (pair p = {0}; next_pair(&p, old, now);) {
		c.added += !p.old;
		c.removed += !p.now;
		c.changed += p.old && p.now && !same(p.old, p.now);
	}
	return c;
}

bool changes_any(const changes *c)
{
	return c->added || c->removed || c->changed;
}

void changes_summary(buf *out, const changes *c)
{
	const struct {
		int n;
		const char *what;
	} PARTS[] = {{c->added, "added"}, {c->removed, "removed"}, {c->changed, "changed"}};
	bool any = false;
	buf_puts(out, c->fresh ? "new API: " : c->gone ? "removed API: " : "");
	for (int i = 0; i < 3; i++) {
		if (!PARTS[i].n)
			continue;
		buf_printf(out, "%s%d signature%s %s", any ? ", " : "", PARTS[i].n, PARTS[i].n == 1 ? "" : "s", PARTS[i].what);
		any = true;
	}
}

static bool has(const cJSON *list, const char *text)
{
	for (const cJSON *item = list ? list->child : NULL; item; item = item->next)
		if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
			return true;
	return false;
}

static void put_code(buf *out, const char *element, const char *text)
{
	buf_printf(out, "<%s><code>", element);
	escape_markup(out, text);
	buf_printf(out, "</code></%s> ", element);
}

/* The clauses of one list that are not in the other. */
static void put_clauses(buf *out, const cJSON *list, const cJSON *other, const char *element, const char *title)
{
	bool any = false;
	for (int i = 0; i < cJSON_GetArraySize(list); i++) {
		if (has(other, site_text(list, i)))
			continue;
		buf_puts(out, any ? "" : title);
		any = true;
		put_code(out, element, site_text(list, i));
	}
	buf_puts(out, any ? "<br>" : "");
}

static void put_outputs(buf *out, const cJSON *old, const cJSON *now)
{
	int n = cJSON_GetArraySize(old), m = cJSON_GetArraySize(now);
	for (int i = 0; i < n || i < m; i++) {
		if (i < n && i < m && strcmp(site_text(old, i), site_text(now, i)) == 0)
			continue;
		buf_printf(out, "output dimension o%d: ", i);
		if (i < n)
			put_code(out, "del", site_text(old, i));
		if (i < m)
			put_code(out, "ins", site_text(now, i));
		buf_puts(out, "<br>");
	}
}

static void put_pair(buf *out, const pair *p)
{
	const site_op *op = p->now ? p->now : p->old;
	buf call = {0};
	form_text_put(&call, op);
	buf_puts(out, "<li><b>");
	escape_markup(out, site_op_number(op));
	buf_puts(out, p->old ? p->now ? " changed</b> (" : " removed</b> (" : " added</b> (");
	escape_markup_cut(out, buf_text(&call), 400);
	buf_puts(out, ")<br>");
	buf_end(out, &call);
	if (!p->old || !p->now) {
		buf_puts(out, "</li>\n");
		return;
	}
	if (!p->old->out != !p->now->out)
		buf_puts(out, p->now->out ? "It has a rule now.<br>" : "It no longer has a rule.<br>");
	if (!cJSON_Compare(p->old->args, p->now->args, true))
		buf_puts(out, "Its arguments changed.<br>");
	put_clauses(out, p->old->valid, p->now->valid, "del", "removed clause: ");
	put_clauses(out, p->now->valid, p->old->valid, "ins", "added clause: ");
	put_outputs(out, p->old->out, p->now->out);
	buf_puts(out, "</li>\n");
}

void changes_put(buf *out, const site_api *old, const site_api *now)
{
	int put = 0, left = 0;
	buf_puts(out, "<ul class=\"changes\">\n");
	for (pair p = {0}; next_pair(&p, old, now);) {
		if (p.old && p.now && same(p.old, p.now))
			continue;
		if (put++ < MOST)
			put_pair(out, &p);
		else
			left++;
	}
	if (left)
		buf_printf(out, "<li>and %d more</li>\n", left);
	buf_puts(out, "</ul>\n");
}
