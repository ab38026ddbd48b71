#include "answer_log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "need.h"

enum { KEY = 16 }; /* hexadecimal digits */

typedef struct slot {
	uint64_t key;
	const char *answer; /* NULL: free slot */
} slot;

struct answer_log {
	arena *memory;
	slot *slots; /* open addressing, at most half full */
	size_t n, room;
	FILE *file;
	char *path;
};

static slot *place(const answer_log *l, uint64_t key)
{
	size_t at = key & (l->room - 1);
	while (l->slots[at].answer && l->slots[at].key != key)
		at = (at + 1) & (l->room - 1);
	return &l->slots[at];
}

static void grow(answer_log *l)
{
	slot *old = l->slots;
	size_t room = l->room;
	l->room = room ? room * 2 : 1024;
	l->slots = need(calloc(l->room, sizeof *l->slots), l->room * sizeof *l->slots);
	for (size_t i = 0; i < room; i++)
		if (old[i].answer)
			*place(l, old[i].key) = old[i];
	free(old);
}

static void remember(answer_log *l, uint64_t key, const char *answer, size_t length)
{
	if (2 * (l->n + 1) > l->room)
		grow(l);
	slot *s = place(l, key);
	l->n += !s->answer;
	*s = (slot){key, need(arena_strndup(l->memory, answer, length), length)};
}

/* Reads the complete lines of a text; true if the text ends in the middle of a line. */
static bool take_lines(answer_log *l, const char *text)
{
	const char *end;
	for (; (end = strchr(text, '\n')); text = end + 1) {
		char *stop;
		uint64_t key = strtoull(text, &stop, 16);
		if (stop == text + KEY && *stop == ' ' && end[-1] == '}')
			remember(l, key, stop + 1, (size_t)(end - stop - 1));
	}
	return *text;
}

answer_log *answer_log_open(const char *folder, const char *name, diag *d)
{
	answer_log *l = need(calloc(1, sizeof *l), sizeof *l);
	buf path = {0};
	buf_printf(&path, "%s/%s.log", folder, name);
	l->memory = arena_new();
	l->path = need(buf_take(&path), 1);
	grow(l);
	bool ok = make_directories(folder, d);
	if (ok) {
		size_t length;
		char *text = file_read(l->path, &length, NULL);
		bool torn = text && take_lines(l, text);
		free(text);
		l->file = fopen(l->path, "a");
		ok = l->file || diag_at(d, l->path, 0, "%s", strerror(errno));
		if (ok && torn)
			putc('\n', l->file);
	}
	if (ok)
		return l;
	answer_log_free(l);
	return NULL;
}

void answer_log_free(answer_log *l)
{
	if (!l)
		return;
	if (l->file)
		fclose(l->file);
	free(l->slots);
	free(l->path);
	arena_free(l->memory);
	free(l);
}

const char *answer_log_get(const answer_log *l, uint64_t key)
{
	return place(l, key)->answer;
}

void answer_log_put(answer_log *l, uint64_t key, const char *answer)
{
	remember(l, key, answer, strlen(answer));
	fprintf(l->file, "%016" PRIx64 " %s\n", key, answer);
}

bool answer_log_flush(answer_log *l, diag *d)
{
	return (fflush(l->file) == 0 && !ferror(l->file)) || diag_at(d, l->path, 0, "cannot write");
}
