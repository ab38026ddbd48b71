#include "python_literal.h"

#include <ctype.h>
#include <string.h>

#include "framework.h"

#define DEPTH 16

typedef struct reader {
	const char *at;
	buf *out; /* NULL: only check */
	int depth;
} reader;

static bool value(reader *r);

static void emit(reader *r, const char *text, size_t n)
{
	if (r->out)
		buf_add(r->out, text, n);
}

static void spaces(reader *r)
{
	while (*r->at == ' ')
		r->at++;
}

static bool is_start(char c)
{
	return c == '_' || isalpha((unsigned char)c);
}

static bool is_part(char c)
{
	return c == '_' || isalnum((unsigned char)c);
}

static size_t identifier_length(const char *text)
{
	size_t n = 0;
	if (is_start(text[0]))
		while (is_part(text[n]))
			n++;
	return n;
}

bool identifier_safe(const char *text, bool dotted)
{
	for (;;) {
		size_t n = identifier_length(text);
		if (!n)
			return false;
		text += n;
		if (*text == '\0')
			return true;
		if (!dotted || *text++ != '.')
			return false;
	}
}

static bool dotted_name(reader *r)
{
	const char *from = r->at;
	size_t n = identifier_length(r->at);
	bool known = framework_is_module(from, n);
	r->at += n;
	if (!known || *r->at != '.')
		return false;
	n = identifier_length(r->at + 1);
	r->at += n + 1;
	if (!n || *r->at == '.')
		return false;
	emit(r, from, (size_t)(r->at - from));
	return true;
}

/* inf or nan with its sign, as a Python expression. */
static bool not_finite(reader *r)
{
	const char *word = r->at + (*r->at == '-' || *r->at == '+');
	if ((strncmp(word, "inf", 3) != 0 && strncmp(word, "nan", 3) != 0) || is_part(word[3]))
		return false;
	emit(r, "float(\"", 7);
	emit(r, r->at, (size_t)(word + 3 - r->at));
	emit(r, "\")", 2);
	r->at = word + 3;
	return true;
}

static bool word(reader *r)
{
	static const char *const words[] = {"None", "True", "False"};
	size_t n = identifier_length(r->at);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == n && memcmp(words[i], r->at, n) == 0) {
			emit(r, r->at, n);
			r->at += n;
			return true;
		}
	return not_finite(r) || dotted_name(r);
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* The length of an unsigned number, 0 if there is none. */
static size_t number_length(const char *text)
{
	size_t whole = digits(text), n = whole, fraction = 0;
	if (text[n] == '.') {
		fraction = digits(text + n + 1);
		n += 1 + fraction;
	}
	if (!whole && !fraction)
		return 0;
	if (text[n] == 'e' || text[n] == 'E') {
		size_t sign = text[n + 1] == '-' || text[n + 1] == '+',
		       e = digits(text + n + 1 + sign);
		n += e ? 1 + sign + e : 0;
	}
	return n + (text[n] == 'j');
}

/* A number; with a second one behind it, a complex number. */
static bool number(reader *r)
{
	const char *from = r->at;
	do {
		size_t sign = *r->at == '-' || *r->at == '+', n = number_length(r->at + sign);
		if (!n)
			return false;
		r->at += sign + n;
	} while ((*r->at == '+' || *r->at == '-') && r->at[-1] != 'j');
	if (is_part(*r->at) || (from[0] == '0' && isdigit((unsigned char)from[1])))
		return false;
	emit(r, from, (size_t)(r->at - from));
	return true;
}

static bool string(reader *r)
{
	const char *from = r->at++;
	while (*r->at >= ' ' && *r->at <= '~' && *r->at != *from && *r->at != '\\')
		r->at++;
	if (*r->at != *from)
		return false;
	r->at++;
	emit(r, from, (size_t)(r->at - from));
	return true;
}

/* The items of a list up to and including its closing bracket. */
static bool list(reader *r, char open, char close)
{
	if (++r->depth > DEPTH)
		return false;
	r->at++;
	emit(r, &open, 1);
	for (spaces(r); *r->at != close; spaces(r)) {
		if (!value(r))
			return false;
		spaces(r);
		if (*r->at == ',') {
			r->at++;
			emit(r, ", ", *r->at == close ? 1 : 2);
		} else if (*r->at != close) {
			return false;
		}
	}
	r->at++;
	emit(r, &close, 1);
	r->depth--;
	return true;
}

static bool value(reader *r)
{
	spaces(r);
	char c = *r->at;
	if (c == '(')
		return list(r, '(', ')');
	if (c == '[')
		return list(r, '[', ']');
	if (c == '\'' || c == '"')
		return string(r);
	if (is_start(c) || ((c == '-' || c == '+') && is_start(r->at[1])))
		return word(r);
	return number(r);
}

static bool read_all(const char *text, buf *out)
{
	reader r = {.at = text, .out = out};
	if (!value(&r))
		return false;
	spaces(&r);
	return *r.at == '\0';
}

bool literal_safe(const char *text)
{
	return strlen(text) <= 1000 && read_all(text, NULL);
}

void literal_python(const char *text, buf *out)
{
	read_all(text, out);
}
