#include "documented.h"

#include <string.h>

#include "evidence.h"

enum { PAGES = 512 /* of one product at most */ };

/* The pages of the product, and their words. */
typedef struct library {
	documented_page *pages;
	words_corpus corpus;
} library;

static void add_pages(library *l, const char *backend, arena *a)
{
	documented_page page;
	for (const char *cursor = NULL; l->corpus.n < PAGES && pages_next(&cursor, backend, &page, a);)
		if (*page.name)
			l->pages[l->corpus.n++] = page;
}

/* products: separated by blanks, maybe with versions: "onnx==1.23.2 numpy". */
static bool read_library(library *l, const char *products, arena *a)
{
	l->pages = ARENA_ARRAY(a, documented_page, PAGES);
	l->corpus = (words_corpus){.n = 0};
	for (const char *at = products; l->pages && *at; at += strspn(at, " ")) {
		const char *name = arena_strndup(a, at, strcspn(at, " ="));
		if (name)
			add_pages(l, name, a);
		at += strcspn(at, " ");
	}
	l->corpus.pages = ARENA_ARRAY(a, words, l->corpus.n + 1);
	for (int i = 0; l->pages && l->corpus.pages && i < l->corpus.n; i++)
		evidence_words(&l->pages[i], &l->corpus.pages[i]);
	return l->pages && l->corpus.pages;
}

/* Uninitialized memory may make results differ, or make an invalid model accepted. */
static bool same_class(const clues *c, const documented_page *page)
{
	return strcmp(c->class, page->class) == 0 || c->uninitialized;
}

typedef struct candidate {
	documented_bug bug;
	double score;
} candidate;

typedef struct ranking {
	candidate best[DOCUMENTED_MOST];
	int n;
	bool unsure; /* a candidate page does not show its failure */
} ranking;

static bool is_better(const candidate *a, const candidate *b)
{
	return a->bug.same != b->bug.same ? a->bug.same : a->score > b->score;
}

static void insert(ranking *r, candidate new)
{
	int at = r->n < DOCUMENTED_MOST ? r->n : DOCUMENTED_MOST - 1;
	if (r->n == DOCUMENTED_MOST && !is_better(&new, &r->best[at]))
		return;
	for (; at && is_better(&new, &r->best[at - 1]); at--)
		r->best[at] = r->best[at - 1];
	r->best[at] = new;
	r->n += r->n < DOCUMENTED_MOST;
}

static void rank(const clues *c, const library *l, ranking *r)
{
	for (int i = 0; i < l->corpus.n; i++) {
		const documented_page *page = &l->pages[i];
		enum operators_fit fit = clues_fit(c, page);
		if (fit == FIT_NONE || !same_class(c, page) || !clues_meet(c, page))
			continue;
		evidence e = evidence_weigh(c, page, &l->corpus);
		if (fit == FIT_SOME && (!e.sufficient || !*c->message))
			continue;
		e.sufficient &= fit != FIT_SOME;
		insert(r, (candidate){{page->name, page->title, page->upstream, e.sufficient}, e.score + (fit == FIT_ALL)});
		r->unsure |= e.unsure && fit != FIT_SOME;
	}
}

int documented_find(const finding *f, arena *a, documented_bug list[DOCUMENTED_MOST])
{
	clues c;
	library l;
	ranking r = {.n = 0};
	if (!clues_of(f, &c, a))
		return -1;
	if (!*c.class)
		return 0;
	if (!read_library(&l, c.products, a))
		return -1;
	rank(&c, &l, &r);
	int kept = 0;
	for (int i = 0; i < r.n; i++)
		if (r.unsure || r.best[i].bug.same == r.best[0].bug.same)
			list[kept++] = r.best[i].bug;
	for (int i = 0; r.unsure && i < kept; i++)
		list[i].same = false;
	return kept;
}

int documented_facts(const finding *f, arena *a, result_fact facts[DOCUMENTED_MOST])
{
	documented_bug list[DOCUMENTED_MOST];
	int n = documented_find(f, a, list), kept = 0;
	for (int i = 0; i < n; i++) {
		const char *text = arena_printf(a, "docs/findings/%s.md: %s (upstream: %s)", list[i].name, list[i].title, list[i].upstream);
		if (text)
			facts[kept++] = (result_fact){list[i].same ? "documented" : "similar bug", text};
	}
	return kept;
}

static void put_member(buf *out, const char *name, const char *text)
{
	buf_printf(out, ",\"%s\":", name);
	buf_json(out, text);
}

void documented_json(const finding *f, buf *out)
{
	documented_bug list[DOCUMENTED_MOST];
	arena *a = arena_new();
	int n = a ? documented_find(f, a, list) : -1;
	out->failed |= n < 0;
	buf_putc(out, '[');
	for (int i = 0; i < n; i++) {
		buf_printf(out, "%s{\"page\":\"docs/findings/%s.md\"", i ? "," : "", list[i].name);
		put_member(out, "title", list[i].title);
		put_member(out, "upstream", list[i].upstream);
		put_member(out, "match", list[i].same ? "documented" : "similar");
		buf_putc(out, '}');
	}
	buf_putc(out, ']');
	if (a)
		arena_free(a);
}
