#include "sessions.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_LENGTH = 40 };

static const char *const KEYS[] = {[SESSION_CONSTRUCTS] = "constructs", [SESSION_CHANGES] = "changes"};

bool session_any(const graph *g)
{
	return g->session[SESSION_CONSTRUCTS].n || g->session[SESSION_CHANGES].n;
}

/* The length of the plain name that a text starts with; 0: none. */
static size_t name_length(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return n <= NAME_MAX_LENGTH ? n : 0;
}

static bool add(graph *g, enum session_list list, const char *name, size_t length, uint16_t pick)
{
	graph_session *s = &g->session[list];
	char *kept = s->n < GRAPH_SESSION_MAX ? arena_alloc(g->arena, length + 1) : NULL;
	if (!kept)
		return false;
	memcpy(kept, name, length);
	kept[length] = '\0';
	s->items[s->n++] = (graph_session_item){kept, pick};
	return true;
}

bool session_add(graph *g, enum session_list list, const char *name, uint16_t pick)
{
	size_t n = name_length(name);
	return n && !name[n] && add(g, list, name, n, pick);
}

void session_drop(graph *g, enum session_list list, unsigned item)
{
	graph_session *s = &g->session[list];
	s->n--;
	for (unsigned i = item; i < s->n; i++)
		s->items[i] = s->items[i + 1];
}

void session_clear(graph *g)
{
	g->session[SESSION_CONSTRUCTS].n = g->session[SESSION_CHANGES].n = 0;
}

void session_write(const graph *g, buf *out)
{
	if (!session_any(g))
		return;
	for (unsigned list = 0; list < 2; list++) {
		buf_printf(out, "%s\"%s\":[", list ? "," : ",\"session\":{", KEYS[list]);
		for (unsigned i = 0; i < g->session[list].n; i++) {
			const graph_session_item *item = &g->session[list].items[i];
			buf_printf(out, "%s\"%s:%u\"", i ? "," : "", item->name, item->pick);
		}
		buf_putc(out, ']');
	}
	buf_putc(out, '}');
}

static bool read_item(graph *g, enum session_list list, const cJSON *item, diag *d)
{
	const char *text = cJSON_IsString(item) ? item->valuestring : "";
	size_t n = name_length(text), digits = n && text[n] == ':' ? strspn(text + n + 1, "0123456789") : 0;
	unsigned long pick = digits && digits < 6 && !text[n + 1 + digits] ? strtoul(text + n + 1, NULL, 10) : UINT16_MAX + 1ul;
	if (pick > UINT16_MAX)
		return diag_set(d, "key \"session\": %s: expected texts like \"name:3\"", KEYS[list]);
	if (g->session[list].n == GRAPH_SESSION_MAX)
		return diag_set(d, "key \"session\": more than %d %s", GRAPH_SESSION_MAX, KEYS[list]);
	return add(g, list, text, n, (uint16_t)pick) || diag_set(d, "out of memory");
}

bool session_read(graph *g, const cJSON *model, diag *d)
{
	const cJSON *item, *all = cJSON_GetObjectItemCaseSensitive(model, "session");
	if (all && !cJSON_IsObject(all))
		return diag_set(d, "key \"session\": expected an object");
	for (unsigned list = 0; all && list < 2; list++) {
		const cJSON *items = cJSON_GetObjectItemCaseSensitive(all, KEYS[list]);
		if (!cJSON_IsArray(items))
			return diag_set(d, "key \"session\": expected a list \"%s\"", KEYS[list]);
		cJSON_ArrayForEach(item, items) if (!read_item(g, (enum session_list)list, item, d)) return false;
	}
	return true;
}
