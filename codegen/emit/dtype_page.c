#include "dtype_page.h"

#include <string.h>

#include "comment.h"
#include "name.h"
#include "need.h"
#include "text.h"

enum { TENSORS = (1 << DTYPE_COUNT) - 1 };

#define KIND(NAME) ((uint64_t)1 << RS_##NAME)

/* Kinds that are accepted together often (docs/reference/rule-notation.md). */
static const struct kind_set {
	const char *name;
	uint64_t kinds;
} KIND_SETS[] = {
	{"integer", KIND(UINT8) | KIND(INT8) | KIND(INT16) | KIND(INT32) | KIND(INT64)},
	{"float", KIND(FLOAT16) | KIND(BFLOAT16) | KIND(FLOAT32) | KIND(FLOAT64)},
	{"complex", KIND(COMPLEX64) | KIND(COMPLEX128)},
};

enum { NKIND_SETS = sizeof KIND_SETS / sizeof *KIND_SETS };

/* "bool integer f32" */
static void put_dtypes(buf *to, uint64_t kinds)
{
	const char *before = "";
	uint64_t done = 0;
	for (int k = 0; k < DTYPE_COUNT; k++) {
		const char *name = comment_dtype((uint8_t)k);
		uint64_t these = (uint64_t)1 << k;
		for (int i = 0; i < NKIND_SETS; i++)
			if (KIND_SETS[i].kinds & these && !(KIND_SETS[i].kinds & ~kinds)) {
				name = KIND_SETS[i].name;
				these = KIND_SETS[i].kinds;
			}
		if (!(kinds & ~done & these))
			continue;
		buf_printf(to, "%s%s", before, name);
		before = " ";
		done |= these;
	}
}

/* The kinds that all slots of a class accept. */
static uint64_t accepted_by(const dtype_case *c, int class)
{
	uint64_t all = TENSORS;
	for (int k = 0; k < c->nslots; k++)
		if (c->slots[k].of == class)
			all &= c->slots[k].accepted;
	return all;
}

static void put_output_name(buf *to, const dtype_case *c, int out)
{
	if (c->nout > 1)
		buf_printf(to, "out%d", out);
	else
		buf_puts(to, "out");
}

/* "input = weight = out" */
static void put_class(buf *to, const dtype_case *c, int class)
{
	bool any = false;
	for (int k = 0; k < c->nslots; k++)
		if (c->slots[k].of == class) {
			buf_puts(to, any ? " = " : "");
			name_comment(to, c->slots[k].name);
			buf_puts(to, c->slots[k].items == ITEMS_APART ? "[i]" : "");
			any = true;
		}
	for (int k = 0; k < c->nout; k++)
		if (c->out[k].kind == OUT_SAME && c->out[k].a == class) {
			buf_puts(to, " = ");
			put_output_name(to, c, k);
		}
}

/* "input = out, index: i32 i64": the classes that accept the same kinds, once. */
static void put_classes(buf *to, const dtype_case *c, int class)
{
	const uint64_t kinds = accepted_by(c, class);
	for (int k = 0; k < class; k++)
		if (c->slots[k].of == k && accepted_by(c, k) == kinds)
			return;
	buf_puts(to, to->length ? "; " : "");
	put_class(to, c, class);
	for (int k = class + 1; k < c->nslots; k++)
		if (c->slots[k].of == k && accepted_by(c, k) == kinds) {
			buf_puts(to, ", ");
			put_class(to, c, k);
		}
	buf_puts(to, ": ");
	put_dtypes(to, kinds);
}

/* Whether a table of two classes is promotion: each dtype gives itself back, in either order. */
static bool promotes(const dtype_table *t)
{
	for (int x = 0; x < DTYPE_COUNT; x++)
		for (int y = 0; y < DTYPE_COUNT; y++)
			if (t->cell[x][y] != t->cell[y][x] || (x == y && t->cell[x][y] >= 0 && t->cell[x][y] != x))
				return false;
	return true;
}

/* "input, but f32 for bool i32" */
static void put_map(buf *to, const dtype_case *c, const dtype_output *o)
{
	name_comment(to, c->slots[o->a].name);
	for (int dtype = 0; dtype < DTYPE_COUNT; dtype++) {
		uint64_t from = 0;
		for (int k = 0; k < DTYPE_COUNT; k++)
			if (k != dtype && o->table->cell[k][0] == dtype)
				from |= (uint64_t)1 << k;
		if (from) {
			buf_printf(to, ", but %s for ", comment_dtype((uint8_t)dtype));
			put_dtypes(to, from);
		}
	}
}

static void put_output(buf *to, const dtype_case *c, int out)
{
	const dtype_output *o = &c->out[out];
	buf_puts(to, to->length ? "; " : "");
	put_output_name(to, c, out);
	buf_puts(to, ": ");
	if (o->kind == OUT_CONSTANT) {
		buf_puts(to, comment_dtype((uint8_t)o->a));
	} else if (o->kind == OUT_MAP) {
		put_map(to, c, o);
	} else {
		bool any = false;
		buf_puts(to, promotes(o->table) ? "the promotion of " : "by ");
		for (int k = 0; k < c->nslots; k++) {
			if (o->kind == OUT_FOLD ? !(o->a >> k & 1) : k != o->a && k != o->b)
				continue;
			buf_puts(to, any ? ", " : "");
			name_comment(to, c->slots[k].name);
			any = true;
		}
	}
}

static void put_case(buf *to, const dtype_case *c)
{
	const size_t start = to->length;
	for (int k = 0; k < c->nslots; k++)
		if (c->slots[k].of == k && accepted_by(c, k)) /* not of numbers alone */
			put_classes(to, c, k);
	for (int k = 0; k < c->npairs; k++) {
		buf_puts(to, to->length > start ? "; some pairs of " : "some pairs of ");
		name_comment(to, c->slots[c->pairs[k].a].name);
		buf_puts(to, ", ");
		name_comment(to, c->slots[c->pairs[k].b].name);
		buf_puts(to, " are rejected");
	}
	for (int k = 0; k < c->nout; k++)
		if (c->out[k].kind != OUT_SAME)
			put_output(to, c, k);
}

static bool same_line(const dtype_case *a, const dtype_case *b)
{
	buf x = {0}, y = {0};
	put_case(&x, a);
	put_case(&y, b);
	const bool same = strcmp(buf_text(&x), buf_text(&y)) == 0;
	buf_free(&x);
	buf_free(&y);
	return same;
}

/* A case of tensors whose ranks compare so with the first one's: "rank(weight) < rank(input): ". */
static bool put_ranks(buf *to, const dtype_rule *r, const dtype_case *c)
{
	bool is = true;
	for (int k = 0; k < c->ntexts; k++)
		is = is && strlen(c->texts[k]) == 1 && strchr("<=>", *c->texts[k]);
	if (!is)
		return false;
	for (int k = 0; k < c->ntexts; k++) {
		buf_puts(to, k ? " or " : "");
		buf_puts(to, "rank(");
		name_comment(to, c->argument);
		buf_printf(to, ") %s%s rank(", c->texts[k], *c->texts[k] == '=' ? "=" : "");
		name_comment(to, r->cases[0].slots[0].name);
		buf_putc(to, ')');
	}
	buf_puts(to, ": ");
	return true;
}

/* Whether a value is one of a word and a number: "list5". */
static bool is_length(const char *text)
{
	return strncmp(text, "list", 4) == 0 && text[4] && text[4 + strspn(text + 4, "0123456789")] == '\0';
}

/* "dim in (0, 1)" or "len(size) == 5". Returns whether the case has such values. */
static bool put_values(buf *to, const dtype_case *c, bool lengths, const char *before)
{
	int n = 0, done = 0;
	for (int k = 0; k < c->ntexts; k++)
		n += *c->texts[k] && is_length(c->texts[k]) == lengths;
	if (!n)
		return false;
	buf_puts(to, before);
	buf_puts(to, lengths ? "len(" : "");
	name_comment(to, c->argument);
	buf_puts(to, lengths ? ")" : "");
	for (int k = 0; k < c->ntexts; k++) {
		if (!*c->texts[k] || is_length(c->texts[k]) != lengths)
			continue;
		const bool number = n == 1 && strcmp(c->texts[k], "int") == 0;
		buf_puts(to, done++ ? ", " : number ? " is " : n > 1 ? " in (" : " == ");
		name_comment(to, number ? "a number" : c->texts[k] + (lengths ? 4 : 0));
	}
	buf_puts(to, n > 1 ? ")" : "");
	return true;
}

/* "dim == 1 or dim is omitted" */
static void put_argument(buf *to, const dtype_case *c)
{
	bool omitted = false, any = put_values(to, c, false, "");
	any |= put_values(to, c, true, any ? " or " : "");
	for (int k = 0; k < c->ntexts; k++)
		omitted = omitted || !*c->texts[k];
	if (!omitted)
		return;
	buf_puts(to, any ? " or " : "");
	name_comment(to, c->argument);
	buf_puts(to, " is omitted");
}

/* "if dim in (1, 2): ", unless the cases with the other values say the same. */
static void put_condition(buf *to, const dtype_rule *r, const dtype_case *c)
{
	bool alone = true;
	for (int k = 0; k < r->n; k++)
		alone = alone && (same_line(&r->cases[k], c) || !r->cases[k].argument || !c->argument || strcmp(r->cases[k].argument, c->argument) != 0);
	if (!c->ntexts || alone)
		return;
	buf_puts(to, "if ");
	if (put_ranks(to, r, c))
		return;
	put_argument(to, c);
	buf_puts(to, ": ");
}

static int slot_named(const dtype_case *c, const char *name)
{
	for (int k = 0; k < c->nslots; k++)
		if (strcmp(c->slots[k].name, name) == 0)
			return k;
	return -1;
}

/* Whether the outputs of a are those of b, whose slot k is is[k]. */
static bool same_outputs(const dtype_case *a, const dtype_case *b, const int *is)
{
	bool same = a->nout == b->nout;
	for (int k = 0; k < a->nout && same; k++)
		same = a->out[k].kind == b->out[k].kind
		    && (a->out[k].kind == OUT_CONSTANT ? a->out[k].a == b->out[k].a : a->out[k].kind == OUT_SAME && b->slots[is[a->out[k].a]].of == b->out[k].a);
	return same;
}

/* Whether a is b without some arguments: the others share dtypes as in b, and accept the same ones. */
static bool is_part_of(const dtype_case *a, const dtype_case *b)
{
	int is[DTYPE_SLOTS];
	if (a->nslots >= b->nslots || a->npairs || a->ntexts || b->ntexts)
		return false;
	for (int k = 0; k < a->nslots; k++) {
		is[k] = slot_named(b, a->slots[k].name);
		if (is[k] < 0 || accepted_by(a, a->slots[k].of) != accepted_by(b, b->slots[is[k]].of))
			return false;
	}
	for (int k = 0; k < a->nslots; k++)
		for (int j = 0; j < k; j++)
			if ((a->slots[k].of == a->slots[j].of) != (b->slots[is[k]].of == b->slots[is[j]].of))
				return false;
	return same_outputs(a, b, is);
}

static bool has_single_list(const dtype_case *c)
{
	for (int k = 0; k < c->nslots; k++)
		if (c->slots[k].items == ITEMS_ONE)
			return true;
	return false;
}

void dtype_page_put(buf *out, const dtype_rule *r)
{
	for (int k = 0; k < r->n; k++) {
		buf line = {0};
		bool known = has_single_list(&r->cases[k]) && r->n > 1; /* lists of several items say more */
		for (int i = 0; i < k; i++)
			known = known || same_line(&r->cases[i], &r->cases[k]);
		for (int i = 0; i < r->n; i++)
			known = known || is_part_of(&r->cases[k], &r->cases[i]);
		if (known)
			continue;
		put_condition(&line, r, &r->cases[k]);
		const size_t before = line.length;
		buf said = {0};
		put_case(&said, &r->cases[k]);
		buf_puts(&line, need_text(&said));
		if (line.length > before)
			text_prose(out, " *   dtypes     ", " *       ", need_text(&line));
		buf_free(&said);
		buf_free(&line);
	}
}
