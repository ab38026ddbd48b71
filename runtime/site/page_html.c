#include "page_html.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "escape.h"
#include "formula.h"

enum section { HEAD, SHAPES, CLAUSES, NOTES };

/* Columns behind " *" of a page's lines: of sections and of their statements. Others continue a line. */
enum { AT_SECTION = 3, AT_STATEMENT = 5 };

typedef struct page_reader {
	const char *at; /* the next line */
	buf line;	/* with its continuation lines */
	size_t indent;
} page_reader;

/* The text of the page behind the opening of its comment; NULL: the file has none. */
static const char *page_begin(const char *code)
{
	static const char BEGIN[] = "/* ", BANNER[] = "/* Generated";
	if (!code)
		return NULL;
	if (strncmp(code, BANNER, strlen(BANNER)) == 0)
		code += strcspn(code, "\n") + 1;
	return strncmp(code, BEGIN, strlen(BEGIN)) == 0 ? code + strlen(BEGIN) : NULL;
}

static bool is_end(const char *line)
{
	return !*line || strncmp(line, " */", 3) == 0 || strncmp(line, " *", 2) != 0;
}

static size_t indent_of(const char *line)
{
	return strspn(line + 2, " ");
}

/* Reads a line of a section and its continuation lines; false: the page ends. */
static bool next_line(page_reader *r)
{
	buf_clear(&r->line);
	if (is_end(r->at))
		return false;
	r->indent = indent_of(r->at);
	do {
		const char *text = r->at + 2 + indent_of(r->at);
		size_t n = strcspn(text, "\n");
		buf_puts(&r->line, !r->line.length ? "" : strspn(text, "0123456789") == n ? "  " : " ");
		buf_add(&r->line, text, n);
		r->at = text + n + (text[n] == '\n');
	} while (!is_end(r->at) && indent_of(r->at) > AT_STATEMENT);
	return true;
}

static void put_wrapped(buf *out, const char *before, const char *text, size_t n, const char *behind)
{
	buf piece = {0};
	buf_add(&piece, text, n);
	buf_puts(out, before);
	escape_markup(out, buf_text(&piece));
	buf_puts(out, behind);
	buf_end(out, &piece);
}

/* The signature: all lines before the first empty one. */
static const char *put_head(buf *out, const char *at)
{
	const char *end = strstr(at, "\n *\n");
	size_t n = end ? (size_t)(end - at) : strcspn(at, "\n");
	buf text = {0};
	for (const char *line = at; line < at + n;) {
		size_t length = strcspn(line, "\n");
		buf_puts(&text, text.length ? "\n    " : "");
		buf_add(&text, line, length);
		line += length + 1;
		line += line < at + n ? 2 + indent_of(line) : 0;
	}
	put_wrapped(out, "<pre class=\"signature\">", buf_text(&text), text.length, "</pre>\n");
	buf_end(out, &text);
	return end ? end + strlen("\n *\n") : at + n + (at[n] == '\n');
}

/* The length of a statement before its column of numbers. */
static size_t statement_length(const char *text, const char **number)
{
	size_t n = strlen(text), digits = 0;
	while (digits < n && isdigit((unsigned char)text[n - digits - 1]))
		digits++;
	*number = text + n;
	if (!digits || n < digits + 2 || text[n - digits - 1] != ' ' || text[n - digits - 2] != ' ')
		return n;
	*number = text + n - digits;
	for (n -= digits; n && text[n - 1] == ' ';)
		n--;
	return n;
}

static void put_clause(buf *out, const char *text)
{
	const char *number;
	buf clause = {0};
	buf_add(&clause, text, statement_length(text, &number));
	buf_puts(out, "<tr><th scope=\"row\">");
	formula_put(out, buf_text(&clause));
	put_wrapped(out, "</th><td data-label=\"rejects\">", number, strlen(number), "</td></tr>\n");
	buf_end(out, &clause);
}

static void put_shape(buf *out, const page_reader *r)
{
	const char *text = r->line.text;
	size_t name = r->indent == AT_SECTION ? strcspn(text, " ") : 0;
	buf_puts(out, "<li>");
	if (name)
		put_wrapped(out, "<var>", text, name, "</var> ");
	formula_put(out, text + name + strspn(text + name, " "));
	buf_puts(out, "</li>\n");
}

/* "dtypes     input = out: float" */
static void put_note(buf *out, const char *text)
{
	size_t name = strcspn(text, " ");
	bool dtypes = strncmp(text, "dtypes", name) == 0;
	put_wrapped(out, dtypes ? "<p class=\"dtypes\"><b>" : "<p class=\"soft\"><b>", text, name, "</b>");
	put_wrapped(out, " ", text + name + strspn(text + name, " "), strlen(text + name + strspn(text + name, " ")), "</p>\n");
}

static void change_section(buf *out, enum section *from, enum section to)
{
	static const char *const BEGIN[] = {[HEAD] = "", [SHAPES] = "<h3>Shapes</h3>\n<ul class=\"formulas\">",
	    [CLAUSES] = ("<h3>Accepted when</h3>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Clauses\"><table class=\"clauses\"><thead><tr>"
			"<th scope=\"col\">clause</th><th scope=\"col\">recorded calls<br>it rejects</th></tr></thead><tbody>\n"), [NOTES] = ""};
	static const char *const END[] = {[HEAD] = "", [SHAPES] = "</ul>\n", [CLAUSES] = "</tbody></table></div>\n", [NOTES] = ""};
	if (*from == to)
		return;
	buf_puts(out, END[*from]);
	buf_puts(out, BEGIN[to]);
	*from = to;
}

/* Which section a line belongs to; a section's title belongs to its section. */
static enum section section_of(const page_reader *r, enum section now)
{
	static const char *const NOTED[] = {"all recorded", "defaults ", "dtypes ", "tried ", "signatures ", "not "};
	if (r->indent != AT_SECTION)
		return now == HEAD ? SHAPES : now;
	if (strncmp(r->line.text, "accepted when", strlen("accepted when")) == 0)
		return CLAUSES;
	for (size_t k = 0; k < sizeof NOTED / sizeof *NOTED; k++)
		if (strncmp(r->line.text, NOTED[k], strlen(NOTED[k])) == 0)
			return NOTES;
	return SHAPES;
}

void page_html_put(buf *out, const char *code)
{
	const char *begin = page_begin(code);
	if (!begin)
		return;
	enum section now = HEAD;
	buf_puts(out, "<section class=\"rule\"><h2>Rule</h2>\n");
	page_reader r = {.at = put_head(out, begin)};
	while (next_line(&r) && !r.line.failed && !out->failed) {
		const enum section was = now;
		change_section(out, &now, section_of(&r, now));
		if (now == SHAPES)
			put_shape(out, &r);
		else if (now == NOTES)
			put_note(out, r.line.text);
		else if (was == CLAUSES || r.indent != AT_SECTION)
			put_clause(out, r.line.text);
	}
	change_section(out, &now, HEAD);
	buf_puts(out, "</section>\n");
	buf_end(out, &r.line);
}
