#include "settings.h"

#include <string.h>

bool settings_plain(const char *text)
{
	static const char PLAIN[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t n = strspn(text, PLAIN);
	return n > 0 && n < 64 && !text[n];
}

static bool has(const graph *g, const char *name)
{
	for (unsigned i = 0; i < g->nsettings; i++)
		if (strcmp(g->settings[i].name, name) == 0)
			return true;
	return false;
}

bool settings_add(graph *g, const char *name, const char *value)
{
	if (g->nsettings == GRAPH_SETTINGS_MAX || !settings_plain(name) || !settings_plain(value) || has(g, name))
		return false;
	const graph_setting made = {arena_strdup(g->arena, name), arena_strdup(g->arena, value)};
	if (!made.name || !made.value)
		return false;
	g->settings[g->nsettings++] = made;
	return true;
}

void settings_drop(graph *g, unsigned setting)
{
	g->nsettings--;
	for (unsigned i = setting; i < g->nsettings; i++)
		g->settings[i] = g->settings[i + 1];
}

void settings_write(const graph *g, buf *out)
{
	for (unsigned i = 0; i < g->nsettings; i++) {
		buf_puts(out, i ? "," : ",\"settings\":{");
		buf_json(out, g->settings[i].name);
		buf_putc(out, ':');
		buf_json(out, g->settings[i].value);
	}
	if (g->nsettings)
		buf_putc(out, '}');
}

bool settings_read(graph *g, const cJSON *model, diag *d)
{
	const cJSON *item, *all = cJSON_GetObjectItemCaseSensitive(model, "settings");
	if (all && !cJSON_IsObject(all))
		return diag_set(d, "key \"settings\": expected an object");
	cJSON_ArrayForEach(item, all)
	{
		if (!cJSON_IsString(item) || !settings_plain(item->string) || !settings_plain(item->valuestring))
			return diag_set(d, "key \"settings\": expected names and texts of letters, digits and \"._-\"");
		if (has(g, item->string) || g->nsettings == GRAPH_SETTINGS_MAX)
			return diag_set(d, "key \"settings\": \"%s\" twice, or more than %d", item->string, GRAPH_SETTINGS_MAX);
		if (!settings_add(g, item->string, item->valuestring))
			return diag_set(d, "out of memory");
	}
	return true;
}
