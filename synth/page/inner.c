#include "inner.h"

#include <string.h>

#include "need.h"

enum { MOST_PLACES = 8 };

void inner_words(buf *to, const api_unify_view *v, const notation *n, int k)
{
	const api_unify_clause *c = &v->clauses[k];
	if (c->s)
		notation_clause(to, n, c->s, c->how);
	else
		notation_plain(to, n, v->ops[0], c->e);
}

/* The same of a place of inner lists; "": it speaks of none such. */
static void words_of(buf *to, const api_unify_view *v, const notation *n, int k, int place, bool beside)
{
	notation here = *n;
	here.inner = place;
	here.beside = beside;
	inner_words(to, v, &here, k);
	const char *j = strstr(need_text(to), "[j]");
	/* a list's own place comes behind another: x[i][j] */
	while (j && (j == to->text || j[-1] != ']'))
		j = strstr(j + 1, "[j]");
	if (!j)
		to->length = 0, to->text[0] = '\0';
}

/* How many places the inner lists have of which a clause speaks; 0: none, or here these, there those. */
static int places_of(const api_unify_view *v, const notation *n, int k)
{
	const api_unify_clause *c = &v->clauses[k];
	expr_pool *pool = c->s ? NULL : expr_pool_new();
	expr_template plain;
	const expr_template *f = c->s ? &c->s->f : expr_template_of(&plain, pool, v->ops[0], expr_copy(pool, c->e, NULL), NULL, NULL, false) ? &plain : NULL;
	int indices = 0;
	for (int i = 0; f && i < f->n && indices >= 0; i++) {
		int here = words_inner_length(n, &f->indices[i]);
		indices = here && indices && here != indices ? -1 : here ? here : indices;
	}
	if (pool)
		expr_pool_free(pool);
	return indices > 1 && indices <= MOST_PLACES ? indices : 0;
}

static bool same_where(const api_unify_clause *a, const api_unify_clause *b)
{
	buf x = {0}, y = {0};
	if (a->how.where)
		guard_put(&x, a->how.where);
	if (b->how.where)
		guard_put(&y, b->how.where);
	bool same = strcmp(need_text(&x), need_text(&y)) == 0;
	buf_free(&x);
	buf_free(&y);
	return same;
}

/* The clause that says the words of a place, among those that are alone; -1: there is none. */
static int find(const inner *of, const api_unify_view *v, const notation *n, int like, const char *words, int place, bool beside)
{
	for (int k = 0; k < v->nclauses; k++) {
		buf text = {0};
		words_of(&text, v, n, k, place, beside);
		bool is = !of[k].place && strcmp(need_text(&text), words) == 0 && same_where(&v->clauses[like], &v->clauses[k]);
		buf_free(&text);
		if (is)
			return k;
	}
	return -1;
}

/* Makes one of clause k, which is of a place, and those that say the same of all others, if these are there. */
static bool find_others(inner *of, const api_unify_view *v, const notation *n, int k, int place, bool beside, int indices)
{
	int others[MOST_PLACES], found = 0;
	buf text = {0};
	words_of(&text, v, n, k, place, beside);
	while (text.length && found < indices && (others[found] = find(of, v, n, k, text.text, found + 1, beside)) >= 0)
		found++;
	for (int i = 0; i < indices && found == indices; i++)
		of[others[i]] = (inner){k, i + 1, beside};
	buf_free(&text);
	return found == indices;
}

void inner_find(inner *of, const api_unify_view *v, const notation *n)
{
	for (int k = 0; k < v->nclauses; k++)
		of[k] = (inner){.first = k};
	for (int k = 0; k < v->nclauses; k++) {
		int indices = of[k].place ? 0 : places_of(v, n, k);
		for (int i = 0; i < 2 * indices && !of[k].place; i++)
			find_others(of, v, n, k, i / 2 + 1, i % 2 == 0, indices);
	}
}

void inner_put(buf *to, const api_unify_view *v, const notation *n, const inner *of, int k)
{
	words_of(to, v, n, k, of[k].place, of[k].beside);
	words_each(to, "each j");
}
