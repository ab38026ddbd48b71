#include "title.h"

#include <ctype.h>
#include <string.h>

#include "failure.h"
#include "results.h"

enum { MESSAGE = 240, NORMALISED = 160 /* bytes of a message in a stored title */ };

/* Moves *text behind a prefix; false if there is none. */
static bool skip(const char **text, const char *prefix)
{
	size_t n = strlen(prefix);
	if (strncmp(*text, prefix, n) != 0)
		return false;
	*text += n;
	return true;
}

static bool skip_both(const char **text, const char *first, const char *second)
{
	const char *at = *text;
	if (!skip(&at, first) || !skip(&at, second))
		return false;
	*text = at;
	return true;
}

/* Names of operators without their modules: "Add + relu". */
static void put_apis(const char *apis, buf *out)
{
	while (*apis) {
		size_t n = strcspn(apis, " "), from = 0;
		for (size_t i = 0; i + 1 < n; i++)
			from = apis[i] == '.' ? i + 1 : from;
		buf_add(out, apis + from, n - from);
		apis += n;
		for (; *apis == ' '; apis++)
			buf_putc(out, ' ');
	}
}

/* A message on one line, cut between characters. */
static void put_message(const char *message, buf *out)
{
	size_t start = out->length;
	bool space = false;
	for (; *message && out->length - start < MESSAGE; message++) {
		if (isspace((unsigned char)*message)) {
			space = out->length > start;
			continue;
		}
		if (space)
			buf_putc(out, ' ');
		space = false;
		buf_putc(out, *message);
	}
	if (!*message)
		return;
	bool within = ((unsigned char)*message & 0xc0) == 0x80; /* a character */
	while (within && out->length > start) {
		within = ((unsigned char)out->text[--out->length] & 0xc0) == 0x80;
		out->text[out->length] = '\0';
	}
	while (out->length > start && out->text[out->length - 1] == ' ')
		out->text[--out->length] = '\0';
	buf_puts(out, "…");
}

/* Prints the end of a title, with the message itself in the place of its form in the bucket. */
static void put_reason(const finding *f, const char *text, buf *out)
{
	buf form = {0};
	if (f->message)
		normalise(f->message, NORMALISED, &form);
	size_t n = strlen(text);
	bool placeholders = form.length && n >= form.length && strcmp(text + n - form.length, form.text) == 0;
	if (placeholders)
		n -= form.length;
	buf_add(out, text, n);
	if (placeholders)
		put_message(f->message, out);
	buf_free(&form);
}

/* A result that is not the same in two runs of the reference. */
static bool put_unstable(const finding *f, buf *out)
{
	arena *a = arena_new();
	out->failed |= !a;
	if (!a)
		return true;
	results_values v = results_split(f->message ? f->message : "", a);
	if (v.unstable)
		buf_puts(out, results_unstable(&v, a));
	arena_free(a);
	return v.unstable;
}

static void put_rest(const finding *f, const char *text, buf *out)
{
	if (put_unstable(f, out))
		return;
	skip_both(&text, f->apis, " differs: ");
	if (skip(&text, "the reference refuses: ")) /* prose: quote, from databases of schema 4 */
		buf_puts(out, "accepts a model that the reference rejects: ");
	if (strcmp(f->kind, "hang") == 0 && skip(&text, "while the target was in stage "))
		buf_puts(out, "hangs in stage ");
	if (strcmp(f->kind, "memory") == 0 && skip(&text, "while the target was in stage "))
		buf_puts(out, "exceeds the memory limit in stage ");
	put_reason(f, text, out);
}

void title_print(const finding *f, buf *out)
{
	const char *text = f->title, *behind;
	if (!skip_both(&text, f->backend, ": ")) {
		put_reason(f, f->title, out);
		return;
	}
	buf_printf(out, "%s: ", f->backend);
	behind = text;
	skip_both(&behind, f->kind, " in ");
	if (!skip_both(&behind, f->apis, ": ")) {
		put_reason(f, text, out);
		return;
	}
	put_apis(f->apis, out);
	buf_puts(out, ": ");
	put_rest(f, behind, out);
}
