#include "signatures.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "need.h"

/* The names of a side's APIs, sorted by the side. */
static bool names_of(side *s, cJSON **to, diag *d)
{
	static const char *const APIS[] = {"{\"apis\":true}"};
	return side_lines(s, APIS, 1, to, d);
}

static const char *text_at(const cJSON *list)
{
	return cJSON_IsString(list) ? list->valuestring : "";
}

static bool has(const cJSON *list, const char *name)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, list) if (strcmp(text_at(item), name) == 0) return true;
	return false;
}

static void add_name(buf *to, const char *name)
{
	buf_printf(to, "%s%s", to->length ? ", " : "", name);
}

/* Arguments only in `list`. */
static const char *only_in(const cJSON *list, const cJSON *other, arena *memory, int *n)
{
	buf names = {0};
	const cJSON *item;
	*n = 0;
	cJSON_ArrayForEach(item, list)
	{
		if (has(other, text_at(item)))
			continue;
		add_name(&names, text_at(item));
		++*n;
	}
	const char *kept = keep(memory, &names);
	buf_free(&names);
	return kept;
}

/* Whether an argument was renamed: one was removed and one added at the same position. */
static bool is_renamed(const cJSON *a, const cJSON *b)
{
	if (cJSON_GetArraySize(a) != cJSON_GetArraySize(b))
		return false;
	const cJSON *x = a->child, *y = b->child;
	int differ = 0;
	for (; x && y; x = x->next, y = y->next)
		differ += strcmp(text_at(x), text_at(y)) != 0;
	return differ == 1;
}

/* Texts only in `list`, as a JSON list. */
static const char *texts_only_in(const cJSON *list, const cJSON *other, arena *memory)
{
	buf texts = {0};
	const cJSON *item;
	buf_putc(&texts, '[');
	cJSON_ArrayForEach(item, list)
	{
		if (has(other, text_at(item)))
			continue;
		buf_puts(&texts, texts.length > 1 ? "," : "");
		buf_json(&texts, text_at(item));
	}
	buf_putc(&texts, ']');
	const char *kept = keep(memory, &texts);
	buf_free(&texts);
	return kept;
}

static void compare_two(signatures *r, const char *api, const cJSON *a, const cJSON *b)
{
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, "arguments"), *y = cJSON_GetObjectItemCaseSensitive(b, "arguments");
	const cJSON *one = cJSON_GetObjectItemCaseSensitive(a, "overloads"), *other = cJSON_GetObjectItemCaseSensitive(b, "overloads");
	if (!cJSON_IsArray(x) || !cJSON_IsArray(y))
		return;
	r->compared++;
	if (cJSON_Compare(one, other, true) && cJSON_Compare(x, y, true))
		return;
	int ngone, nnew;
	api_change c = {.api = need(arena_strdup(r->memory, api), 1), .renamed = ""};
	c.a = texts_only_in(one, other, r->memory);
	c.b = texts_only_in(other, one, r->memory);
	c.gone = only_in(x, y, r->memory, &ngone);
	c.new = only_in(y, x, r->memory, &nnew);
	if (ngone == 1 && nnew == 1 && is_renamed(x, y)) {
		c.renamed = need(arena_printf(r->memory, "%s to %s", c.gone, c.new), 1);
		c.gone = c.new = "";
	}
	r->changed[r->nchanged++] = c;
}

static bool compare_common(signatures *r, side *a, side *b, const char **common, int n, diag *d)
{
	const char **lines = NEED_ARRAY(r->memory, const char *, n);
	cJSON **one = NEED_ARRAY(r->memory, cJSON *, n), **other = NEED_ARRAY(r->memory, cJSON *, n);
	buf line = {0};
	for (int i = 0; i < n; i++) {
		buf_puts(&line, "{\"signature\":");
		buf_json(&line, common[i]);
		buf_putc(&line, '}');
		lines[i] = keep(r->memory, &line);
	}
	buf_free(&line);
	r->changed = NEED_ARRAY(r->memory, api_change, n);
	bool ok = side_lines(a, lines, n, one, d) && side_lines(b, lines, n, other, d);
	for (int i = 0; i < n; i++) {
		if (ok)
			compare_two(r, common[i], one[i], other[i]);
		cJSON_Delete(one[i]);
		cJSON_Delete(other[i]);
	}
	return ok;
}

static const char *kept_name(signatures *r, const cJSON *item)
{
	return need(arena_strdup(r->memory, text_at(item)), 1);
}

/* Merges the sorted lists of names: removed, added, common. Returns the number of common ones. */
static int split(signatures *r, const cJSON *a, const cJSON *b, const char **common)
{
	int n = 0;
	while (a || b) {
		int order = !a ? 1 : !b ? -1 : strcmp(text_at(a), text_at(b));
		if (order < 0)
			r->gone[r->ngone++] = kept_name(r, a);
		else if (order > 0)
			r->new[r->nnew++] = kept_name(r, b);
		else
			common[n++] = kept_name(r, a);
		a = a && order <= 0 ? a->next : a;
		b = b && order >= 0 ? b->next : b;
	}
	return n;
}

bool signatures_compare(side *a, side *b, signatures *r, diag *d)
{
	cJSON *one = NULL, *other = NULL;
	*r = (signatures){.memory = arena_new()};
	bool ok = names_of(a, &one, d) && names_of(b, &other, d);
	const cJSON *x = cJSON_GetObjectItemCaseSensitive(one, "apis"), *y = cJSON_GetObjectItemCaseSensitive(other, "apis");
	if (ok && cJSON_GetArraySize(x) && cJSON_GetArraySize(y)) {
		int most = cJSON_GetArraySize(x) + cJSON_GetArraySize(y);
		const char **common = NEED_ARRAY(r->memory, const char *, most);
		r->gone = NEED_ARRAY(r->memory, const char *, most);
		r->new = NEED_ARRAY(r->memory, const char *, most);
		ok = compare_common(r, a, b, common, split(r, x->child, y->child, common), d);
	}
	cJSON_Delete(one);
	cJSON_Delete(other);
	return ok;
}

void signatures_free(signatures *r)
{
	arena_free(r->memory);
}
