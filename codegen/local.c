#include "local.h"

#include <ctype.h>
#include <string.h>

#include "need.h"

enum { MAX_NAME = 40 };

/* Words of C, what its compilers define, and what the functions here use (emit.c, lower.c). */
static bool is_taken(const char *name)
{
	static const char *const WORDS[] = {"auto", "break", "case", "char", "const", "continue", "default", "do", "double",
	    "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
	    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
	    "asm", "typeof", "bool", "true", "false", "linux", "unix", "i386", "NULL", "wide", "s", "out", "window", "floordiv",
	    "floormod", "wide_min", "wide_max", "set_dim"};
	for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
		if (strcmp(WORDS[i], name) == 0)
			return true;
	bool number = name[0] && name[1]; /* s0, t0 */
	for (const char *c = name + 1; *c && number; c++)
		number = isdigit((unsigned char)*c);
	return (number && strchr("st", name[0])) || strncmp(name, "checked_", 8) == 0 || strncmp(name, "rs_", 3) == 0;
}

static bool is_identifier(const char *name)
{
	bool fits = isalpha((unsigned char)name[0]) && strlen(name) <= MAX_NAME;
	for (const char *c = name; *c && fits; c++)
		fits = isalnum((unsigned char)*c) || *c == '_';
	return fits;
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

/* The value at index *at and its descendants, which are called by what stands before; *at moves behind them. */
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

const char *const *local_names(arena *a, const rule_op *op)
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
