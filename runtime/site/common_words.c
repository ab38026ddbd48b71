#include "common_words.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"

typedef struct line {
	const char *text, *api;
	int apis;
} line;

struct common_words {
	size_t n;
	line *lines; /* sorted by text, each once */
};

static int by_text(const void *a, const void *b)
{
	const line *x = a, *y = b;
	int order = strcmp(x->text, y->text);
	return order ? order : strcmp(x->api, y->api);
}

static size_t collect(const site_rules *rules, line *lines)
{
	size_t n = 0;
	for (size_t i = 0; i < rules->nops; i++) {
		const cJSON *clause;
		cJSON_ArrayForEach(clause, cJSON_GetObjectItemCaseSensitive(rules->ops[i].page, "clauses")) {
			if (lines)
				lines[n] = (line){json_text(clause, "text"), rules->ops[i].api, 1};
			n++;
		}
	}
	return n;
}

common_words *common_words_of(const site_rules *rules)
{
	common_words *s = calloc(1, sizeof *s);
	size_t all = collect(rules, NULL);
	if (!s || !(s->lines = calloc(all + 1, sizeof *s->lines))) {
		free(s);
		return NULL;
	}
	collect(rules, s->lines);
	qsort(s->lines, all, sizeof *s->lines, by_text);
	for (size_t i = 0; i < all; i++) {
		line now = s->lines[i], *last = s->n ? &s->lines[s->n - 1] : NULL;
		if (!last || strcmp(last->text, now.text) != 0) {
			s->lines[s->n++] = now;
			continue;
		}
		last->apis += strcmp(last->api, now.api) != 0;
		last->api = now.api;
	}
	return s;
}

void common_words_free(common_words *s)
{
	if (s)
		free(s->lines);
	free(s);
}

static int with_text(const void *key, const void *element)
{
	return strcmp(key, ((const line *)element)->text);
}

int common_words_apis(const common_words *s, const char *text)
{
	const line *found = bsearch(text, s->lines, s->n, sizeof *s->lines, with_text);
	return found ? found->apis : 0;
}
