#include "samplers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char SAMPLERS_PROBE[] = "#include \"samplercode.h\"\nPROBE SAMPLER(one, two, \"three\") SAMPLER_ALWAYS(four, \"five\") PROBE\n";

static const char SAYS[] = "_Bool one(rs_draw*d){return rs_run(d,\"three\")&&two(d->s);}_Bool four(rs_draw*d){return rs_run(d,\"five\");}";

/* A name from p on, up to one of the marks that may end it; what is behind that, NULL where it is none. */
static const char *take_name(const char *p, const char *marks, char to[96])
{
	size_t n = 0;
	while (isspace((unsigned char)*p))
		p++;
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	if (n == 0 || n >= 96 || !p[n] || !strchr(marks, p[n]))
		return NULL;
	memcpy(to, p, n);
	to[n] = 0;
	return p + n + 1;
}

bool samplers_add(samplers *s, const char *text)
{
	static const char CHECKED[] = "SAMPLER(", ALWAYS[] = "SAMPLER_ALWAYS(";
	for (const char *p = text; p; p = strchr(p, '\n'), p += p ? 1 : 0) {
		bool checked = !strncmp(p, CHECKED, sizeof CHECKED - 1);
		if (!checked && strncmp(p, ALWAYS, sizeof ALWAYS - 1))
			continue;
		sampler one = {{0}, {0}};
		const char *after = take_name(strchr(p, '(') + 1, ",", one.name);
		if (!after || (checked && !take_name(after, ",", one.valid)))
			return false;
		s->list = realloc(s->list, (s->n + 1) * sizeof *s->list);
		s->list[s->n++] = one;
	}
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const sampler *)a)->name, ((const sampler *)b)->name);
}

void samplers_sort(samplers *s)
{
	if (s->n)
		qsort(s->list, s->n, sizeof *s->list, by_name);
}

const sampler *samplers_find(const samplers *s, const char *name)
{
	sampler key = {{0}, {0}};
	if (!s->n || strlen(name) >= sizeof key.name)
		return NULL;
	strcpy(key.name, name);
	return bsearch(&key, s->list, s->n, sizeof key, by_name);
}

/* Without lines that the preprocessor adds, and without blanks but between two words. */
bool samplers_macro(const char *preprocessed)
{
	const char *from = strstr(preprocessed, "PROBE"), *end = from ? strstr(from + 5, "PROBE") : NULL;
	char text[2 * sizeof SAYS];
	size_t n = 0;
	if (!end)
		return false;
	for (const char *p = from + 5; p < end && n + 2 < sizeof text; p++) {
		if (*p == '#' && p[-1] == '\n') {
			p += strcspn(p, "\n");
			continue;
		}
		bool word = n && (isalnum((unsigned char)text[n - 1]) || text[n - 1] == '_');
		bool next = isalnum((unsigned char)*p) || *p == '_';
		if (isspace((unsigned char)*p))
			continue;
		if (word && next && isspace((unsigned char)p[-1]))
			text[n++] = ' ';
		text[n++] = *p;
	}
	text[n] = 0;
	return !strcmp(text, SAYS);
}
