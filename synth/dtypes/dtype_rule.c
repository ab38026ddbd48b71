#include "dtype_rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

int dtype_kind(char letter)
{
	if (letter >= 'a' && letter < 'a' + DTYPE_COUNT)
		return letter - 'a';
	if (letter >= 'A' && letter < 'A' + DTYPE_COUNT)
		return letter - 'A' + DTYPE_COUNT;
	return letter >= '0' && letter <= '3' ? letter - '0' + 2 * DTYPE_COUNT : -1;
}

char dtype_letter(int kind)
{
	return (char)(kind < DTYPE_COUNT ? 'a' + kind : kind < 2 * DTYPE_COUNT ? 'A' + kind - DTYPE_COUNT : '0' + kind - 2 * DTYPE_COUNT);
}

/* ---- writing */

static void write_kinds(buf *to, uint64_t kinds)
{
	buf_putc(to, '"');
	for (int k = 0; k < DTYPE_KINDS; k++)
		if (kinds >> k & 1)
			buf_putc(to, dtype_letter(k));
	buf_putc(to, '"');
}

static char cell_letter(int8_t cell)
{
	return cell == CELL_UNKNOWN ? '.' : cell == CELL_REJECTED ? '-' : dtype_letter(cell);
}

/* "a:ab c:-c": one row for each first kind that has entries. */
static void write_table(buf *to, const dtype_table *t)
{
	bool first = true;
	buf_putc(to, '"');
	for (int a = 0; a < DTYPE_KINDS; a++) {
		int n = DTYPE_KINDS;
		while (n && t->cell[a][n - 1] == CELL_UNKNOWN)
			n--;
		if (!n)
			continue;
		buf_printf(to, first ? "%c:" : " %c:", dtype_letter(a));
		first = false;
		for (int b = 0; b < n; b++)
			buf_putc(to, cell_letter(t->cell[a][b]));
	}
	buf_putc(to, '"');
}

static const char RANKS[] = "=<>"; /* in the order of the RANK_ bits */

static void write_slot(buf *to, const dtype_slot *s)
{
	static const char *const ITEMS[] = {[ITEMS_NONE] = "", [ITEMS_ONE] = "one", [ITEMS_TIED] = "tied", [ITEMS_APART] = "apart"};
	buf_putc(to, '[');
	buf_json(to, s->name);
	buf_printf(to, ",%d,", s->of);
	write_kinds(to, s->accepted);
	buf_putc(to, ',');
	write_kinds(to, s->rejected);
	buf_puts(to, ",\"");
	for (int k = 0; RANKS[k]; k++)
		if (s->ranks >> k & 1)
			buf_putc(to, RANKS[k]);
	buf_putc(to, '"');
	if (s->items)
		buf_printf(to, ",\"%s\"", ITEMS[s->items]);
	buf_putc(to, ']');
}

static const char *const OUTPUTS[] = {[OUT_CONSTANT] = "constant", [OUT_SAME] = "same", [OUT_MAP] = "map", [OUT_TABLE] = "table", [OUT_FOLD] = "fold"};

static void write_output(buf *to, const dtype_output *o)
{
	buf_printf(to, "[\"%s\",%d", OUTPUTS[o->kind], o->a);
	if (o->kind == OUT_TABLE)
		buf_printf(to, ",%d", o->b);
	if (o->table) {
		buf_putc(to, ',');
		write_table(to, o->table);
	}
	buf_putc(to, ']');
}

static void write_case(buf *to, const dtype_case *c)
{
	buf_puts(to, "{\"slots\":[");
	for (int k = 0; k < c->nslots; k++) {
		buf_puts(to, k ? "," : "");
		write_slot(to, &c->slots[k]);
	}
	for (int k = 0; k < c->npairs; k++) {
		buf_printf(to, "%s[%d,%d,", k ? "," : "],\"pairs\":[", c->pairs[k].a, c->pairs[k].b);
		write_table(to, c->pairs[k].table);
		buf_putc(to, ']');
	}
	buf_puts(to, "],\"out\":[");
	for (int k = 0; k < c->nout; k++) {
		buf_puts(to, k ? "," : "");
		write_output(to, &c->out[k]);
	}
	buf_putc(to, ']');
	for (int k = 0; k < c->ntexts; k++) {
		buf_puts(to, k ? "," : ",\"when\":[");
		if (!k)
			buf_json(to, c->argument);
		buf_puts(to, k ? "" : ",");
		buf_json(to, c->texts[k]);
	}
	buf_puts(to, c->ntexts ? "]}" : "}");
}

void dtype_rule_write(buf *to, const dtype_rule *r)
{
	buf_puts(to, "{");
	if (*r->codes) {
		buf_puts(to, "\"codes\":");
		buf_json(to, r->codes);
		buf_putc(to, ',');
	}
	buf_puts(to, "\"cases\":[");
	for (int k = 0; k < r->n; k++) {
		buf_puts(to, k ? "," : "");
		write_case(to, &r->cases[k]);
	}
	buf_puts(to, "]}");
}

/* ---- reading */

static bool read_kinds(const cJSON *o, uint64_t *kinds)
{
	const char *text = cJSON_GetStringValue(o);
	*kinds = 0;
	for (; text && *text; text++) {
		int k = dtype_kind(*text);
		if (k < 0)
			return false;
		*kinds |= (uint64_t)1 << k;
	}
	return text;
}

static bool read_number(const cJSON *o, int below, int *to)
{
	*to = cJSON_IsNumber(o) ? o->valueint : -1;
	return *to >= 0 && *to < below;
}

static const dtype_table *read_table(arena *a, const cJSON *o)
{
	dtype_table *t = NEED_ARRAY(a, dtype_table, 1);
	memset(t, CELL_UNKNOWN, sizeof *t);
	const char *text = cJSON_GetStringValue(o);
	while (text && *text) {
		int row = dtype_kind(*text++);
		if (row < 0 || *text++ != ':')
			return NULL;
		for (int b = 0; *text && *text != ' '; text++, b++) {
			int cell = *text == '.' ? CELL_UNKNOWN : *text == '-' ? CELL_REJECTED : dtype_kind(*text);
			if (b >= DTYPE_KINDS || cell >= DTYPE_COUNT || (cell < 0 && *text != '.' && *text != '-'))
				return NULL;
			t->cell[row][b] = (int8_t)cell;
		}
		text += *text == ' ';
	}
	return text ? t : NULL;
}

static bool read_slot(arena *a, const cJSON *o, dtype_slot *to)
{
	const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(o, 0)), *items = cJSON_GetStringValue(cJSON_GetArrayItem(o, 5));
	const char *ranks = cJSON_GetStringValue(cJSON_GetArrayItem(o, 4));
	if (!name || !ranks || !read_number(cJSON_GetArrayItem(o, 1), DTYPE_SLOTS, &to->of))
		return false;
	to->name = need(arena_strdup(a, name), strlen(name));
	for (; *ranks; ranks++) {
		const char *at = strchr(RANKS, *ranks);
		if (!at)
			return false;
		to->ranks |= 1u << (at - RANKS);
	}
	to->items = !items ? ITEMS_NONE : *items == 'o' ? ITEMS_ONE : *items == 't' ? ITEMS_TIED : ITEMS_APART;
	return read_kinds(cJSON_GetArrayItem(o, 2), &to->accepted) && read_kinds(cJSON_GetArrayItem(o, 3), &to->rejected);
}

static bool read_output(arena *a, const cJSON *o, dtype_output *to)
{
	const char *kind = cJSON_GetStringValue(cJSON_GetArrayItem(o, 0));
	int k = 0;
	while (kind && k <= OUT_FOLD && strcmp(OUTPUTS[k], kind) != 0)
		k++;
	if (!kind || k > OUT_FOLD)
		return false;
	to->kind = (dtype_output_kind)k;
	const int limit = k == OUT_CONSTANT ? DTYPE_COUNT : k == OUT_FOLD ? 1 << DTYPE_SLOTS : DTYPE_SLOTS;
	if (!read_number(cJSON_GetArrayItem(o, 1), limit, &to->a))
		return false;
	if (k == OUT_TABLE && !read_number(cJSON_GetArrayItem(o, 2), DTYPE_SLOTS, &to->b))
		return false;
	if (k >= OUT_MAP)
		to->table = read_table(a, cJSON_GetArrayItem(o, k == OUT_TABLE ? 3 : 2));
	return k < OUT_MAP || to->table;
}

static bool read_when(arena *a, const cJSON *o, dtype_case *to)
{
	const int n = cJSON_GetArraySize(o);
	to->texts = NEED_ARRAY(a, const char *, n);
	for (int k = 0; k < n; k++) {
		const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(o, k));
		if (!text)
			return false;
		const char *copy = need(arena_strdup(a, text), strlen(text));
		if (k)
			to->texts[to->ntexts++] = copy;
		else
			to->argument = copy;
	}
	return true;
}

static bool read_case(arena *a, const cJSON *o, dtype_case *to)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(o, "slots"))
		if (to->nslots == DTYPE_SLOTS || !read_slot(a, item, &to->slots[to->nslots++]))
			return false;
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(o, "pairs")) {
		if (to->npairs == DTYPE_PAIRS)
			return false;
		dtype_pair *p = &to->pairs[to->npairs++];
		p->table = read_table(a, cJSON_GetArrayItem(item, 2));
		if (!p->table || !read_number(cJSON_GetArrayItem(item, 0), DTYPE_SLOTS, &p->a)
		    || !read_number(cJSON_GetArrayItem(item, 1), DTYPE_SLOTS, &p->b))
			return false;
	}
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(o, "out"))
		if (to->nout == DTYPE_OUTPUTS || !read_output(a, item, &to->out[to->nout++]))
			return false;
	return to->nslots && read_when(a, cJSON_GetObjectItemCaseSensitive(o, "when"), to);
}

dtype_rule *dtype_rule_read(arena *a, const cJSON *o)
{
	dtype_rule *r = NEED_ARRAY(a, dtype_rule, 1);
	const cJSON *cases = cJSON_GetObjectItemCaseSensitive(o, "cases"), *item;
	const char *codes = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "codes"));
	r->codes = codes ? need(arena_strdup(a, codes), strlen(codes)) : "";
	r->cases = NEED_ARRAY(a, dtype_case, cJSON_GetArraySize(cases));
	cJSON_ArrayForEach(item, cases)
		if (!read_case(a, item, &r->cases[r->n++]))
			return NULL;
	return r->n ? r : NULL;
}
