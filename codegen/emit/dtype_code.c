#include "dtype_code.h"

#include <stdlib.h>
#include <string.h>

#include "byte_code.h"
#include "need.h"

/* Texts that APIs share: sets of kinds and tables, each once. */
typedef struct pool {
	buf *list;
	size_t n, room;
} pool;

typedef struct coder {
	buf apis;
	size_t napis;
	pool sets, tables;
	buf codes;
	bool ranked; /* tensors without dimensions are kinds of their own */
} coder;

/* A part behind its length. */
static void put_part(buf *to, buf *part)
{
	byte_code_u(to, part->length);
	if (part->length)
		buf_add(to, part->text, part->length);
	buf_free(part);
}

/* The index of a text in the pool, which takes it over. */
static size_t pooled(pool *p, buf *text)
{
	size_t k = 0;
	while (k < p->n && (p->list[k].length != text->length || memcmp(p->list[k].text, text->text, text->length) != 0))
		k++;
	if (k < p->n) {
		buf_free(text);
		return k;
	}
	p->list = NEED_ROOM(p->list, p->n, p->room);
	p->list[p->n++] = *text;
	return k;
}

static size_t set_of(coder *c, const dtype_slot *s)
{
	buf text = {0};
	const uint64_t both[] = {s->accepted, s->rejected};
	for (int k = 0; k < 2; k++)
		for (int shift = 0; shift < 8 * RS_KIND_BYTES; shift += 8)
			buf_putc(&text, (char)(both[k] >> shift & 255));
	c->ranked = c->ranked || (s->accepted | s->rejected) >> DTYPE_COUNT & ((1u << DTYPE_COUNT) - 1);
	return pooled(&c->sets, &text);
}

/* Numbers equal rows, or columns, of a table alike; returns how many differ. */
static int number_lines(const dtype_table *t, bool rows, uint8_t *class, int *first)
{
	int n = 0;
	for (int k = 0; k < DTYPE_KINDS; k++) {
		int c = 0;
		for (; c < n; c++) {
			bool same = true;
			for (int i = 0; same && i < DTYPE_KINDS; i++)
				same = rows ? t->cell[k][i] == t->cell[first[c]][i] : t->cell[i][k] == t->cell[i][first[c]];
			if (same)
				break;
		}
		if (c == n)
			first[n++] = k;
		class[k] = (uint8_t)c;
	}
	return n;
}

static size_t table_of(coder *c, const dtype_table *t)
{
	uint8_t row[DTYPE_KINDS], column[DTYPE_KINDS];
	int rows[DTYPE_KINDS], columns[DTYPE_KINDS];
	buf text = {0};
	const int nrows = number_lines(t, true, row, rows), ncolumns = number_lines(t, false, column, columns);
	byte_code_u(&text, (uint64_t)ncolumns);
	buf_add(&text, (const char *)row, sizeof row);
	buf_add(&text, (const char *)column, sizeof column);
	for (int i = 0; i < nrows; i++)
		for (int k = 0; k < ncolumns; k++)
			buf_putc(&text, t->cell[rows[i]][columns[k]]);
	return pooled(&c->tables, &text);
}

/* ---- rules */

/* The arguments of a rule: those of slots, then those that decide between cases. */
typedef struct names {
	const char **list;
	int n;
} names;

static int number_of(names *all, const char *name)
{
	int k = 0;
	while (k < all->n && strcmp(all->list[k], name) != 0)
		k++;
	all->list[k] = name;
	all->n += k == all->n;
	return k;
}

static void put_output(coder *c, buf *to, const dtype_output *o)
{
	static const uint8_t KINDS[] = {[OUT_CONSTANT] = RS_DTYPE_CONSTANT, [OUT_SAME] = RS_DTYPE_SAME, [OUT_MAP] = RS_DTYPE_MAP,
	    [OUT_TABLE] = RS_DTYPE_TABLE, [OUT_FOLD] = RS_DTYPE_FOLD};
	byte_code_u(to, KINDS[o->kind]);
	byte_code_u(to, (uint64_t)o->a);
	if (o->kind == OUT_TABLE)
		byte_code_u(to, (uint64_t)o->b);
	if (o->table)
		byte_code_u(to, table_of(c, o->table));
}

static void put_case(coder *c, buf *to, names *all, const dtype_case *x)
{
	static const uint8_t ITEMS[] = {[ITEMS_NONE] = RS_ITEMS_NONE, [ITEMS_ONE] = RS_ITEMS_ONE, [ITEMS_TIED] = RS_ITEMS_TIED, [ITEMS_APART] = RS_ITEMS_APART};
	byte_code_u(to, (uint64_t)x->nslots);
	for (int k = 0; k < x->nslots; k++) {
		byte_code_u(to, (uint64_t)number_of(all, x->slots[k].name));
		byte_code_u(to, (uint64_t)x->slots[k].of);
		byte_code_u(to, ITEMS[x->slots[k].items] + 4u * x->slots[k].ranks);
		byte_code_u(to, set_of(c, &x->slots[k]));
	}
	byte_code_u(to, (uint64_t)x->npairs);
	for (int k = 0; k < x->npairs; k++) {
		byte_code_u(to, (uint64_t)x->pairs[k].a);
		byte_code_u(to, (uint64_t)x->pairs[k].b);
		byte_code_u(to, table_of(c, x->pairs[k].table));
	}
	byte_code_u(to, (uint64_t)x->nout);
	for (int k = 0; k < x->nout; k++)
		put_output(c, to, &x->out[k]);
	byte_code_u(to, (uint64_t)x->ntexts);
	if (x->ntexts)
		byte_code_u(to, (uint64_t)number_of(all, x->argument));
	for (int k = 0; k < x->ntexts; k++)
		byte_code_text(to, x->texts[k]);
}

static void put_rule(coder *c, arena *a, const char *api, const dtype_rule *r)
{
	buf cases = {0}, whole = {0};
	names all = {NEED_ARRAY(a, const char *, r->n * (DTYPE_SLOTS + 1)), 0};
	for (int k = 0; k < r->n; k++)
		for (int i = 0; i < r->cases[k].nslots; i++)
			number_of(&all, r->cases[k].slots[i].name);
	const int slots = all.n;
	byte_code_u(&cases, (uint64_t)r->n);
	for (int k = 0; k < r->n; k++)
		put_case(c, &cases, &all, &r->cases[k]);
	byte_code_u(&whole, (uint64_t)all.n);
	byte_code_u(&whole, (uint64_t)slots);
	for (int k = 0; k < all.n; k++)
		byte_code_text(&whole, all.list[k]);
	buf_add(&whole, cases.text, cases.length);
	buf_free(&cases);
	byte_code_text(&c->apis, api);
	put_part(&c->apis, &whole);
	c->napis++;
	buf_clear(&c->codes);
	buf_puts(&c->codes, r->codes);
}

/* "1=n 2=c" */
static void put_codes(buf *to, const char *codes)
{
	buf list = {0};
	uint64_t n = 0;
	while (*codes) {
		char *end;
		const unsigned long number = strtoul(codes, &end, 10);
		if (*end != '=' || dtype_kind(end[1]) < 0)
			break;
		byte_code_u(&list, number);
		byte_code_u(&list, (uint64_t)dtype_kind(end[1]));
		n++;
		codes = end[2] == ' ' ? end + 3 : end + 2;
	}
	byte_code_u(to, n);
	buf_add(to, buf_text(&list), list.length);
	buf_free(&list);
}

static void put_pool(buf *to, pool *p, bool lengths)
{
	byte_code_u(to, p->n);
	for (size_t k = 0; k < p->n; k++) {
		if (lengths)
			byte_code_u(to, p->list[k].length);
		buf_add(to, p->list[k].text, p->list[k].length);
		buf_free(&p->list[k]);
	}
	free(p->list);
}

const dtype_rule *dtype_code_rule(arena *a, const plan_api *api)
{
	for (size_t i = 0; i < api->nrows; i++)
		if (api->rows[i]->op->dtype_rule)
			return dtype_rule_read(a, api->rows[i]->op->dtype_rule);
	return NULL;
}

bool dtype_code_put(buf *code, const plan *p)
{
	arena *a = arena_new();
	coder c = {0};
	for (size_t i = 0; i < p->napis; i++) {
		const arena_mark mark = arena_save(a);
		const dtype_rule *r = dtype_code_rule(a, &p->apis[i]);
		if (r)
			put_rule(&c, a, p->apis[i].name, r);
		arena_release(a, mark);
	}
	byte_code_u(code, c.ranked);
	put_codes(code, buf_text(&c.codes));
	buf_free(&c.codes);
	put_pool(code, &c.sets, false);
	put_pool(code, &c.tables, true);
	byte_code_u(code, c.napis);
	if (c.napis)
		buf_add(code, c.apis.text, c.apis.length);
	buf_free(&c.apis);
	arena_free(a);
	return c.napis;
}
