#include "names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"

/* The slot of a name, or the free one where it belongs. At least one slot is free, so the search ends. */
static struct name *slot_of(const names *t, const char *name, size_t n)
{
	size_t i = (size_t)XXH3_64bits(name, n) & (t->room - 1);
	while (t->slot[i].text && (strncmp(t->slot[i].text, name, n) || t->slot[i].text[n]))
		i = (i + 1) & (t->room - 1);
	return &t->slot[i];
}

static void grow(names *t)
{
	names bigger = {.room = t->room ? 2 * t->room : 1024, .n = t->n};
	bigger.slot = memory_new(bigger.room, sizeof *bigger.slot);
	for (size_t i = 0; i < t->room; i++)
		if (t->slot[i].text)
			*slot_of(&bigger, t->slot[i].text, strlen(t->slot[i].text)) = t->slot[i];
	free(t->slot);
	*t = bigger;
}

void names_add(names *t, const char *name, size_t n, int file)
{
	if (4 * (t->n + 1) > 3 * t->room)
		grow(t);
	struct name *s = slot_of(t, name, n);
	if (s->text)
		return;
	*s = (struct name){memory_part(name, n), file};
	t->n++;
}

int names_file(const names *t, const char *name)
{
	const struct name *s = t->room ? slot_of(t, name, strlen(name)) : NULL;
	return s && s->text ? s->file : -1;
}

void names_free(names *t)
{
	for (size_t i = 0; i < t->room; i++)
		free(t->slot[i].text);
	free(t->slot);
	*t = (names){0};
}
