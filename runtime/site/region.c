#include "region.h"

#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "json.h"

enum { SYMBOLS = 12, RULES = 6, RECORDS = 5, CELL = 15, LEFT = 62, TOP = 8 };

const rs_op *region_row(const rs_library *lib, const site_op *op)
{
	const rs_op *row = op->out ? rs_library_find(lib, op->name) : NULL;
	return row && row->rule && strcmp(row->rule, op->id) == 0 && row->nsym == op->nsym ? row : NULL;
}

/* rs_eval, reduced to the three kinds of cells. */
static enum region_cell ask(const rs_op *row, const int64_t *s, int64_t *out)
{
	if (!rs_eval(row, s, out))
		return REGION_REFUSED;
	for (unsigned i = 0; i < row->nodim; i++)
		if (out[i] == 0)
			return REGION_EMPTY;
	return REGION_ACCEPTED;
}

bool region_base(const rs_op *row, const site_op *op, int record, int64_t *s)
{
	const cJSON *list = cJSON_GetArrayItem(op->records, record), *item = list ? list->child : NULL;
	for (int i = 0; i < op->nsym; i++, item = item->next)
		if (!item || json_int64(item, &s[i]) != JSON_INT)
			return false;
	return rs_eval(row, s, s + row->nsym);
}

int region_first(const rs_op *row, const site_op *op, int64_t *s)
{
	int n = cJSON_GetArraySize(op->records), first = -1;
	for (int i = 0; i < n; i++) {
		if (!region_base(row, op, i, s))
			continue;
		first = first < 0 ? i : first;
		if (ask(row, s, s + row->nsym) == REGION_ACCEPTED) {
			first = i;
			break;
		}
	}
	return first;
}

int64_t region_low(int64_t value)
{
	if (value >= -2 && value <= 14)
		return -2;
	if (value < INT64_MIN + 10)
		return INT64_MIN;
	return value > INT64_MAX - 9 ? INT64_MAX - (REGION_SIDE - 1) : value - 10;
}

static void fill(const rs_op *row, region *r, int64_t *s, int64_t *out)
{
	int64_t x = s[r->x], y = s[r->y], left = region_low(x), low = region_low(y);
	for (int j = 0; j < REGION_SIDE; j++)
		for (int i = 0; i < REGION_SIDE; i++) {
			s[r->x] = left + i;
			s[r->y] = low + j;
			r->cells[j][i] = (uint8_t)ask(row, s, out);
		}
	s[r->x] = x;
	s[r->y] = y;
}

/* The length of the borders, plus the cells that no axis explains alone. */
static long telling(const region *r)
{
	long borders = 0, joint = 0;
	bool rows[REGION_SIDE] = {false}, columns[REGION_SIDE] = {false};
	for (int j = 0; j < REGION_SIDE; j++)
		for (int i = 0; i < REGION_SIDE; i++) {
			bool in = r->cells[j][i];
			rows[j] |= in;
			columns[i] |= in;
			borders += i && in != (bool)r->cells[j][i - 1];
			borders += j && in != (bool)r->cells[j - 1][i];
		}
	for (int j = 0; j < REGION_SIDE; j++)
		for (int i = 0; i < REGION_SIDE; i++)
			joint += rows[j] && columns[i] && !r->cells[j][i];
	return borders + 2 * joint;
}

/* Prefers calls of small numbers. */
static bool is_small(const rs_op *row, const int64_t *s)
{
	for (unsigned i = 0; i < row->nsym; i++)
		if (s[i] < -16 || s[i] > 16)
			return false;
	return true;
}

static void try_record(const rs_op *row, region *r, int64_t *s, region *best)
{
	int n = row->nsym < SYMBOLS ? row->nsym : SYMBOLS, weight = is_small(row, s) ? 3 : 1;
	for (r->x = 0; r->x < n; r->x++)
		for (r->y = r->x + 1; r->y < n; r->y++) {
			fill(row, r, s, s + row->nsym);
			r->telling = weight * telling(r);
			if (!best->op || r->telling > best->telling)
				*best = *r;
		}
}

bool region_of(const rs_library *lib, const site_api *api, region *best)
{
	int rules = 0;
	best->op = NULL;
	for (size_t i = 0; i < api->nops && rules < RULES; i++) {
		const site_op *op = &api->ops[i];
		const rs_op *row = site_op_represents(op) ? region_row(lib, op) : NULL;
		if (!row || row->nsym < 2)
			continue;
		rules++;
		int64_t *s = calloc((size_t)row->nsym + row->nodim + 1, sizeof *s);
		if (!s)
			return false;
		region r = {.op = op};
		for (r.record = 0; r.record < RECORDS; r.record++)
			if (region_base(row, op, r.record, s) && ask(row, s, s + row->nsym) == REGION_ACCEPTED)
				try_record(row, &r, s, best);
		free(s);
	}
	return true;
}

/* ---- the drawing */

void region_path(buf *out, const region *r, enum region_cell kind)
{
	for (int j = 0; j < REGION_SIDE; j++)
		for (int i = 0, n; i < REGION_SIDE; i += n) {
			for (n = 0; i + n < REGION_SIDE && r->cells[j][i + n] == kind; n++)
				;
			if (n)
				buf_printf(out, "M%d %dh%dv1h-%dz", i, REGION_SIDE - 1 - j, n, n);
			n += !n;
		}
}

static void put_ticks(buf *out, int64_t low, bool across)
{
	for (int k = 0; k < REGION_SIDE; k++) {
		int64_t value = low + k;
		if (value % 5 != 0)
			continue;
		if (across)
			buf_printf(out, "<text x=\"%d\" y=\"%d\">", LEFT + k * CELL + CELL / 2, TOP + REGION_SIDE * CELL + 15);
		else
			buf_printf(out, "<text class=\"y\" x=\"%d\" y=\"%d\">", LEFT - 6, TOP + (REGION_SIDE - k) * CELL - 4);
		buf_int(out, value);
		buf_puts(out, "</text>");
	}
}

void region_svg(buf *out, const region *r, const int64_t *base, const char *x, const char *y)
{
	int64_t left = region_low(base[r->x]), low = region_low(base[r->y]);
	int side = REGION_SIDE * CELL;
	buf_printf(out, "<svg id=\"picture\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"caption\">", LEFT + side + 6, TOP + side + 42);
	buf_printf(out, "<rect class=\"ground\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", LEFT, TOP, side, side);
	buf_printf(out, "<g transform=\"translate(%d %d) scale(%d)\"><path class=\"in\" d=\"", LEFT, TOP, CELL);
	region_path(out, r, REGION_ACCEPTED);
	buf_puts(out, "\"/><path class=\"empty\" d=\"");
	region_path(out, r, REGION_EMPTY);
	buf_printf(out, "\"/><path class=\"lines\" d=\"");
	for (int k = 0; k <= REGION_SIDE; k++)
		buf_printf(out, "M%d 0v20M0 %dh20", k, k);
	buf_printf(out, "\"/><circle class=\"base\" cx=\"%d.5\" cy=\"%d.5\" r=\".32\"/></g><g class=\"ticks\">", (int)(base[r->x] - left),
	    REGION_SIDE - 1 - (int)(base[r->y] - low));
	put_ticks(out, left, true);
	put_ticks(out, low, false);
	buf_printf(out, "</g><text class=\"name\" x=\"%d\" y=\"%d\">", LEFT + side / 2, TOP + side + 36);
	escape_markup_cut(out, x, 60);
	buf_printf(out, "</text><text class=\"name\" transform=\"translate(14 %d) rotate(-90)\">", TOP + side / 2);
	escape_markup_cut(out, y, 60);
	buf_puts(out, "</text></svg>");
}
