#include "api_signatures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "call_reader.h"
#include "file.h"

EMBED(signatures);

/* The line of an API: overloads, separated by '|', a tab, and the APIs, each with a space on both sides. */
static const char *find_line(const char *api)
{
	const size_t n = strlen(api);
	for (const char *at = signatures_begin; (at = strstr(at, api)); at += n)
		if (at[-1] == ' ' && at[n] == ' ') {
			while (at > signatures_begin && at[-1] != '\n')
				at--;
			return at;
		}
	return NULL;
}

static parameter_type type_of(const char *text, size_t n)
{
	static const struct {
		const char *text;
		parameter_type type;
	} TYPES[] = {{"any", PARAMETER_ANY}, {"Tensor", PARAMETER_TENSOR}, {"int", PARAMETER_INT}, {"float", PARAMETER_NUMBER},
	    {"Scalar", PARAMETER_NUMBER}, {"bool", PARAMETER_BOOL}, {"str", PARAMETER_STRING}};
	for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
		if (strlen(TYPES[i].text) == n && strncmp(TYPES[i].text, text, n) == 0)
			return TYPES[i].type;
	return PARAMETER_OTHER;
}

/* TYPE['[' [COUNT] ']']['?']['...'] */
static void read_type(const char *text, size_t length, parameter *p)
{
	size_t n = 0;
	while (n < length && isalnum((unsigned char)text[n]))
		n++;
	p->type = type_of(text, n);
	for (const char *rest = text + n, *end = text + length; rest < end; rest++) {
		if (*rest == '[') {
			p->list = true;
			p->count = (unsigned)strtoul(rest + 1, NULL, 10);
		}
		p->optional = p->optional || *rest == '?';
		p->packed = p->packed || *rest == '.';
	}
}

/* One parameter, `TYPE NAME[=DEFAULT]`, of the given bytes. */
static bool read_parameter(const char *text, size_t length, arena *memory, parameter *p)
{
	const char *space = memchr(text, ' ', length), *end = text + length;
	if (!space)
		return false;
	read_type(text, (size_t)(space - text), p);
	const char *name = space + 1, *equal = memchr(name, '=', (size_t)(end - name));
	p->name = arena_strndup(memory, name, (size_t)((equal ? equal : end) - name));
	p->has_default = equal;
	if (!equal)
		return p->name;
	char *value = arena_strndup(memory, equal + 1, (size_t)(end - equal - 1));
	return p->name && value && call_parse_value(value, memory, &p->value, NULL);
}

/* The parameters of an overload, separated by ", "; defaults have no space behind a comma. */
static bool read_overload(const char *text, size_t length, arena *memory, overload *out)
{
	bool keyword = false;
	out->parameters = ARENA_ARRAY(memory, parameter, PARAMETERS_MOST);
	if (!out->parameters)
		return false;
	for (const char *end = text + length, *next; text < end; text = next + 2) {
		for (next = text; next < end && !(next[0] == ',' && next[1] == ' '); next++) {}
		if (next - text == 1 && *text == '*') {
			keyword = true;
			continue;
		}
		if (out->n == PARAMETERS_MOST)
			return false;
		parameter *p = &out->parameters[out->n];
		*p = (parameter){.keyword = keyword};
		if (!read_parameter(text, (size_t)(next - text), memory, p))
			continue; /* a type of several words: of no call with tensors */
		out->n++;
		keyword = keyword || (p->packed && !p->list);
	}
	return true;
}

/* Marks numbers that are tensors in another overload. */
static void mark_numbers(overload *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < all[i].n; k++) {
			parameter *p = &all[i].parameters[k];
			for (size_t j = 0; j < n && p->type == PARAMETER_NUMBER; j++)
				for (size_t m = 0; m < all[j].n; m++)
					p->tensor_too = p->tensor_too || (all[j].parameters[m].type == PARAMETER_TENSOR
						&& strcmp(all[j].parameters[m].name, p->name) == 0);
		}
}

const overload *signatures_find(const char *api, arena *memory, size_t *n)
{
	const char *line = find_line(api);
	static const overload none;
	*n = 0;
	if (!line)
		return &none;
	const char *end = strchr(line, '\t');
	size_t most = 1;
	for (const char *at = line; at < end; at++)
		most += *at == '|';
	overload *found = ARENA_ARRAY(memory, overload, most);
	for (const char *next; found && line <= end && *n < most; line = next + 1) {
		next = memchr(line, '|', (size_t)(end - line));
		next = next ? next : end;
		if (!read_overload(line, (size_t)(next - line), memory, &found[(*n)++]))
			return NULL;
	}
	if (found)
		mark_numbers(found, *n);
	return found;
}

/* Whether a name equals another one with one more part before the last. */
static bool is_within(const char *longer, size_t n, const char *shorter, size_t m)
{
	const char *last = memrchr(shorter, '.', m);
	const size_t head = last ? (size_t)(last - shorter) + 1 : 0, tail = m - head;
	if (!last || n < m + 2 || strncmp(longer, shorter, head) != 0 || strncmp(longer + n - tail, shorter + head, tail) != 0)
		return false;
	return longer[n - tail - 1] == '.' && !memchr(longer + head, '.', n - tail - 1 - head);
}

unsigned signatures_siblings(const char *api, arena *memory, const char **names, unsigned most)
{
	const char *last = strrchr(api, '.');
	const size_t n = strlen(api), tail = last ? strlen(last) : 0;
	unsigned found = 0;
	for (const char *at = signatures_begin; last && found < most && (at = strstr(at, last)); at += tail) {
		const char *from = at, *end = at + tail;
		while (from > signatures_begin && from[-1] != ' ' && from[-1] != '\t')
			from--;
		const size_t length = (size_t)(end - from);
		if (*end == ' ' && (is_within(from, length, api, n) || is_within(api, n, from, length)))
			found += (names[found] = arena_strndup(memory, from, length)) != NULL;
	}
	return found;
}
