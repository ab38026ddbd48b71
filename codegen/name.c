#include "name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#include "need.h"

enum { MAX_LOCAL = 40, MAX_FILE = 120 }; /* characters; file systems allow 255, including suffixes */

uint64_t name_hash(const char *text, size_t length)
{
	return XXH3_64bits(text, length);
}

unsigned name_digits(uint64_t a, uint64_t b)
{
	return a == b ? 17 : (unsigned)__builtin_clzll(a ^ b) / 4 + 1;
}

unsigned name_length(uint64_t hash, const uint64_t *before, const uint64_t *after, unsigned least)
{
	unsigned a = before ? name_digits(hash, *before) : 0, b = after ? name_digits(hash, *after) : 0;
	unsigned n = a > b ? a : b;
	return n > least ? n : least;
}

bool name_equal_folded(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

/* Whether codegen writes a file of this name itself, or Windows reserves it for a device. */
static bool is_reserved(const char *name)
{
	static const char *const NAMES[] = {
	    "table", "rules", "index", "code", "con", "prn", "aux", "nul"};
	size_t first = strcspn(name, ".");
	if (strncasecmp(name, "shared_", 7) == 0 || strncasecmp(name, "sampler_", 8) == 0 || strncasecmp(name, "table_", 6) == 0)
		return true;
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
		if (strlen(NAMES[i]) == first && strncasecmp(name, NAMES[i], first) == 0)
			return true;
	return false;
}

static const char *strip(const char *framework, const char *api)
{
	size_t n = strlen(framework);
	return strncmp(api, framework, n) == 0 && api[n] == '.' ? api + n + 1 : api;
}

const char *name_file_hashed(arena *a, const char *framework, const char *api)
{
	const char *text = need(arena_printf(a, "%.*s-%08x", MAX_FILE, strip(framework, api),
				    (unsigned)name_hash(api, strlen(api))),
	    MAX_FILE);
	return text;
}

const char *name_file(arena *a, const char *framework, const char *api)
{
	const char *name = strip(framework, api);
	if (strlen(name) > MAX_FILE || is_reserved(name))
		return name_file_hashed(a, framework, api);
	return name;
}

void name_literal(buf *out, const char *text)
{
	buf_putc(out, '"');
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c == '"' || *c == '\\')
			buf_printf(out, "\\%c", *c);
		else if (*c == '?' && c > (const unsigned char *)text && c[-1] == '?')
			buf_puts(
			    out, "\\?"); /* otherwise ??/ is a backslash if trigraphs are enabled */
		else if (*c == '\n')
			buf_puts(out, "\\n");
		else if (*c < ' '
			 || *c > '~') /* three octal digits, so that the next character is not part of it */
			buf_printf(out, "\\%03o", *c);
		else
			buf_putc(out, (char)*c);
	}
	buf_putc(out, '"');
}

void name_comment(buf *out, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
		if (*c < ' ' || *c > '~') /* also characters that change the direction of text in editors */
			buf_printf(out, "\\x%02x", *c);
		else
			buf_putc(out, (char)*c);
		if ((*c == '*' && c[1] == '/') || (*c == '/' && c[1] == '*')
		    || (*c == '?' && c[1] == '?'))
			buf_putc(out, ' ');
	}
}

const char *name_number(const rule_op *op)
{
	const char *dash = strrchr(op->name, '-');
	return dash ? dash : op->name;
}

/* ---- variables */

/* s0, t0, out0 */
static bool is_numbered(const char *name, const char *before)
{
	size_t n = strlen(before);
	return strncmp(name, before, n) == 0 && name[n] && !name[n + strspn(name + n, "0123456789")];
}

/* Whether the name is a keyword of C, predefined by compilers, or used by the generated functions (emit.c, lower.c). */
static bool is_taken(const char *name)
{
	static const char *const WORDS[] = {"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
	    "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
	    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
	    "asm", "typeof", "bool", "true", "false", "linux", "unix", "i386", "NULL", "wide", "s", "out", "window", "floordiv",
	    "floormod", "wide_min", "wide_max", "set_dim", "i", "dims", "ints", "sizes", "at", "item", "has", "has_item", "store",
	    "require", "names", "numel", "product", "product_but", "positive_product", "positive_product_but", "copied",
	    "copied_product_but", "is_other", "sum", "count_nonzero",
	    "count_distinct", "least", "most", "same", "broadcast", "drop", "set", "insert", "swap",
	    "permute", "replace", "tensors", "concat", "broadcast_all", "merge", "rule", "size", "has_size", "sizes_product", "sizes_sum", "sizes_least", "sizes_most",
	    "FROM", "ITEMS", "NONE", "TENSORS", "NO_TENSORS", "TO", "ROOM", "UNUSED", "VALID", "SHAPE"};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (strcmp(WORDS[i], name) == 0)
			return true;
	static const char *const LIMITS[] = {"INT", "UINT", "SIZE", "PTRDIFF", "WCHAR", "WINT", "SIG"}; /* of stdint.h */
	for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
		if (strncmp(name, LIMITS[i], strlen(LIMITS[i])) == 0)
			return true;
	bool number = is_numbered(name, "s") || is_numbered(name, "t") || is_numbered(name, "out");
	return number || strncmp(name, "checked_", 8) == 0 || strncmp(name, "rs_", 3) == 0;
}

static bool is_identifier(const char *name)
{
	bool fits = isalpha((unsigned char)name[0]) && strlen(name) <= MAX_LOCAL;
	for (const char *c = name; *c && fits; c++)
		fits = isalnum((unsigned char)*c) || *c == '_';
	return fits;
}

const char *name_parameter(arena *a, const char *argument)
{
	if (!is_identifier(argument))
		return NULL;
	return is_taken(argument) ? need(arena_printf(a, "%s_", argument), 1) : argument;
}

typedef struct namer {
	arena *memory;
	const rule_op *op;
	const char **names;
} namer;

static void set(namer *n, unsigned symbol, const char *name)
{
	if (symbol >= n->op->nsym)
		return;
	for (unsigned i = 0; i < n->op->nsym; i++)
		if (n->names[i] && strcmp(n->names[i], name) == 0)
			return;
	n->names[symbol] = name;
}

/* Names the value at index *at and its descendants, with the prefix `before`; moves *at behind them. */
static void name_value(namer *n, const char *before, unsigned *at)
{
	const rs_value *v = &n->op->values[(*at)++];
	if (v->kind == RS_INT) {
		set(n, v->first, is_taken(before) ? arena_printf(n->memory, "%s_", before) : before);
	} else if (rs_is_tensor(v->kind)) {
		for (unsigned k = 0; k < v->count; k++)
			set(n, (unsigned)v->first + k, need(arena_printf(n->memory, "%s_%u", before, k), 1));
		if (v->kind == RS_RANGED) {
			set(n, (unsigned)v->first + v->count, need(arena_printf(n->memory, "%s_low", before), 1));
			set(n, (unsigned)v->first + v->count + 1, need(arena_printf(n->memory, "%s_high", before), 1));
		}
	} else if (v->kind == RS_ELEMENTS) {
		name_value(n, before, at);
	} else if (v->kind == RS_LIST) {
		for (unsigned k = 0; k < v->count; k++)
			name_value(n, need(arena_printf(n->memory, "%s_%u", before, k), 1), at);
	}
}

const char *const *name_locals(arena *a, const rule_op *op)
{
	namer n = {a, op, NEED_ARRAY(a, const char *, op->nsym)};
	unsigned at = 0;
	for (unsigned i = 0; i < op->nargs; i++) {
		const char *name = op->args[i].name;
		at = op->args[i].value;
		if (is_identifier(name))
			name_value(&n, name, &at);
	}
	for (unsigned i = 0; i < op->nsym; i++)
		if (!n.names[i])
			n.names[i] = need(arena_printf(a, "s%u", i), 1);
	return n.names;
}
