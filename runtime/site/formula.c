#include "formula.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "escape.h"

enum { DEEPEST = 60 };

typedef struct reader {
	const char *p;
	buf *out;
	int depth;
	bool group; /* the last output is in parentheses */
} reader;

static bool choice(reader *r);

static void space(reader *r)
{
	while (*r->p == ' ')
		r->p++;
}

/* Reads a mark unless it begins a longer one: no '<' from "<=". */
static bool take(reader *r, const char *mark)
{
	size_t n = strlen(mark);
	space(r);
	if (strncmp(r->p, mark, n) != 0 || (strchr("<>=/", mark[n - 1]) && (r->p[n] == '=' || (*mark == '/' && r->p[n] == '/'))))
		return false;
	r->p += n;
	return true;
}

static size_t word_length(const char *p)
{
	size_t n = 0;
	while (isalnum((unsigned char)p[n]) || p[n] == '_' || (p[n] == '.' && n && (isalpha((unsigned char)p[n + 1]) || p[n + 1] == '_')))
		n++;
	return isdigit((unsigned char)*p) ? 0 : n;
}

static bool is_word(const char *p, const char *word)
{
	return word_length(p) == strlen(word) && strncmp(p, word, strlen(word)) == 0;
}

static bool take_word(reader *r, const char *word)
{
	space(r);
	if (!is_word(r->p, word))
		return false;
	r->p += strlen(word);
	return true;
}

static bool is_reserved(const char *p)
{
	static const char *const WORDS[] = {"if", "else", "or", "and", "for", "in", "where", "otherwise", "without", "is"};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (is_word(p, WORDS[i]))
			return true;
	return false;
}

static void insert(buf *out, size_t at, const char *text)
{
	size_t n = strlen(text), tail = out->length - at;
	if (!buf_room(out, n))
		return;
	memmove(out->text + at + n, out->text + at, tail);
	memcpy(out->text + at, text, n);
}

static void put_part(buf *out, const char *element, const char *text, size_t n)
{
	buf_printf(out, "<%s>", element);
	for (size_t i = 0; i < n; i++) { /* identifiers, numbers and ASCII texts: one byte a character */
		const char one[] = {text[i], 0};
		escape_markup(out, one);
	}
	buf_printf(out, "</%s>", element);
}

static bool text_literal(reader *r)
{
	const char *end = strchr(r->p + 1, '\'');
	if (!end)
		return false;
	for (const char *p = r->p; p <= end; p++)
		if ((unsigned char)*p >= 0x80)
			return false;
	put_part(r->out, "mtext", r->p, (size_t)(end + 1 - r->p));
	r->p = end + 1;
	return true;
}

static bool number(reader *r)
{
	const char *p = r->p;
	while (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
		p++;
	put_part(r->out, "mn", r->p, (size_t)(p - r->p));
	r->p = p;
	return true;
}

#define COLON "<mo lspace=\"0\" rspace=\"0\">:</mo>"

/* "-2", ":-2", "i - 1", ":" between brackets, with commas. */
static bool indices(reader *r)
{
	for (bool any = false;; any = true) {
		if (take(r, "]"))
			return any;
		if (any && take(r, ","))
			buf_puts(r->out, "<mo>,</mo>");
		if (take(r, ":")) {
			buf_puts(r->out, COLON);
			space(r);
			if (*r->p == ']' || *r->p == ',')
				continue;
		}
		if (!choice(r))
			return false;
		if (take(r, ":")) {
			buf_puts(r->out, COLON);
			space(r);
			if (*r->p != ']' && *r->p != ',' && !choice(r))
				return false;
		}
	}
}

/* A subscript hangs below the base's descender. All bases get the same depth, so that x and y have subscripts on one line. */
#define BASE "<msub><mpadded height=\"0.7em\" depth=\"0.1em\">"
#define BASE_END "</mpadded>"

static bool subscripts(reader *r, size_t start)
{
	bool any = false;
	while (*r->p == '[') {
		r->p++;
		if (!any) {
			insert(r->out, start, BASE);
			buf_puts(r->out, BASE_END);
		}
		buf_puts(r->out, any ? "<mo>,</mo>" : "<mrow>");
		any = true;
		if (!indices(r))
			return false;
	}
	buf_puts(r->out, any ? "</mrow></msub>" : "");
	return true;
}

/* The arguments of a function, up to the closing parenthesis. */
static bool arguments(reader *r)
{
	buf_puts(r->out, "<mo>&#8289;</mo><mrow><mo>(</mo>");
	for (bool any = false; !take(r, ")"); any = true) {
		if (any && !take(r, ","))
			return false;
		buf_puts(r->out, any ? "<mo>,</mo>" : "");
		if (!choice(r))
			return false;
		if (take_word(r, "without")) {
			buf_puts(r->out, "<mtext>&nbsp;without&nbsp;</mtext>");
			if (!take(r, "[") || !indices(r))
				return false;
		}
	}
	buf_puts(r->out, "<mo>)</mo></mrow>");
	return true;
}

static bool name(reader *r)
{
	size_t n = word_length(r->p), start = r->out->length;
	if (!n || is_reserved(r->p))
		return false;
	put_part(r->out, "mi", r->p, n);
	r->p += n;
	if (*r->p == '(') {
		r->p++;
		insert(r->out, start, "<mrow>");
		if (!arguments(r))
			return false;
		buf_puts(r->out, "</mrow>");
	}
	return subscripts(r, start);
}

#define GROUP "<mrow><mo>(</mo>"
#define GROUP_END "<mo>)</mo></mrow>"

static bool atom(reader *r)
{
	r->group = false;
	space(r);
	if (*r->p == '\'')
		return text_literal(r);
	if (isdigit((unsigned char)*r->p))
		return number(r);
	if (*r->p == '-') {
		r->p++;
		buf_puts(r->out, "<mo form=\"prefix\">&minus;</mo>");
		return atom(r) && !(r->group = false);
	}
	if (*r->p != '(')
		return name(r);
	r->p++;
	buf_puts(r->out, GROUP);
	if (!choice(r) || !take(r, ")"))
		return false;
	buf_puts(r->out, GROUP_END);
	return r->group = true;
}

/* Removes the parentheses around the output from start on: the bar of a fraction replaces them. */
static void bare(reader *r, size_t start)
{
	size_t before = sizeof GROUP - 1, behind = sizeof GROUP_END - 1;
	if (!r->group || r->out->failed)
		return;
	memmove(r->out->text + start, r->out->text + start + before, r->out->length - start - before - behind);
	r->out->length -= before + behind;
	r->out->text[r->out->length] = 0;
}

static bool quotient(reader *r, size_t start)
{
	bare(r, start);
	insert(r->out, start, "<mrow><mo>&lfloor;</mo><mfrac><mrow>");
	buf_puts(r->out, "</mrow><mrow>");
	size_t below = r->out->length;
	if (!atom(r))
		return false;
	bare(r, below);
	buf_puts(r->out, "</mrow></mfrac><mo>&rfloor;</mo></mrow>");
	return true;
}

static bool product(reader *r)
{
	size_t start = r->out->length;
	if (!atom(r))
		return false;
	for (;; r->group = false) {
		if (take(r, "//")) {
			if (!quotient(r, start))
				return false;
		} else if (take(r, "*") || take(r, "%")) {
			buf_puts(r->out, r->p[-1] == '%' ? "<mo lspace=\"0.3em\" rspace=\"0.3em\">mod</mo>" : "<mo>&sdot;</mo>");
			if (!atom(r))
				return false;
		} else {
			return true;
		}
	}
}

static bool sum(reader *r)
{
	if (!product(r))
		return false;
	while (take(r, "+") || take(r, "-")) {
		buf_puts(r->out, r->p[-1] == '+' ? "<mo>+</mo>" : "<mo>&minus;</mo>");
		if (!product(r))
			return false;
	}
	return true;
}

static bool comparison(reader *r)
{
	static const struct {
		const char *mark, *put;
	} MARKS[] = {{"==", "="}, {"!=", "&ne;"}, {"<=", "&le;"}, {">=", "&ge;"}, {"<", "&lt;"}, {">", "&gt;"}};
	enum { N = sizeof MARKS / sizeof *MARKS };
	if (!sum(r))
		return false;
	for (int i = 0; i < N; i++) {
		if (!take(r, MARKS[i].mark))
			continue;
		buf_printf(r->out, "<mo>%s</mo>", MARKS[i].put);
		if (!sum(r))
			return false;
		i = -1;
	}
	return true;
}

static void cut(buf *out, size_t length)
{
	if (out->failed || !out->text)
		return;
	out->length = length;
	out->text[length] = 0;
}

static bool condition(reader *r)
{
	if (!comparison(r))
		return false;
	for (;;) {
		bool both = take_word(r, "and");
		if (!both && !take_word(r, "or"))
			return true;
		buf_puts(r->out, both ? "<mtext>&nbsp;and&nbsp;</mtext>" : "<mtext>&nbsp;or&nbsp;</mtext>");
		if (!comparison(r))
			return false;
	}
}

/* "a if c else b". Without an "else" it is a guard, which stands behind the formula as text. */
static bool cases(reader *r, size_t start)
{
	const char *guard = r->p;
	if (!take_word(r, "if"))
		return true;
	const size_t end = r->out->length;
	buf_puts(r->out, "</mtd><mtd><mtext>if&nbsp;</mtext>");
	if (!condition(r))
		return false;
	if (!take_word(r, "else")) {
		r->p = guard;
		cut(r->out, end);
		return true;
	}
	insert(r->out, start, "<mtable><mtr><mtd>");
	buf_puts(r->out, "</mtd></mtr><mtr><mtd>");
	if (!choice(r))
		return false;
	buf_puts(r->out, "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable>");
	return true;
}

static bool choice(reader *r)
{
	size_t start = r->out->length;
	bool ok = ++r->depth < DEEPEST && condition(r) && cases(r, start);
	r->depth--;
	r->group = false;
	return ok;
}

/* The text behind a formula: the positions or signatures that it holds for. */
static bool is_tail(const char *p)
{
	static const char *const WORDS[] = {"for", "in", "if", "where", "otherwise", "with"};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (is_word(p, WORDS[i]))
			return true;
	return !*p;
}

void formula_put(buf *out, const char *text)
{
	size_t start = out->length;
	reader r = {.p = text, .out = out};
	buf_puts(out, "<math>");
	bool ok = choice(&r);
	if (ok && take(&r, "=")) {
		buf_puts(out, "<mo>=</mo>");
		ok = choice(&r);
	}
	space(&r);
	if (ok && is_tail(r.p)) {
		buf_puts(out, "</math>");
		buf_puts(out, *r.p ? " <span class=\"tail\">" : "");
		escape_markup(out, r.p);
		buf_puts(out, *r.p ? "</span>" : "");
		return;
	}
	if (out->failed)
		return;
	out->length = start;
	buf_puts(out, "<span>");
	escape_markup(out, text);
	buf_puts(out, "</span>");
}
