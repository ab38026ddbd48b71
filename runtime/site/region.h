/* The calls near a recorded one that a compiled rule accepts, as a picture over two symbols: each cell is one answer of
 * rs_eval. site.js draws the same picture over any two symbols from the text of the rule; tests compare both. */
#ifndef REGION_H
#define REGION_H

#include <stdint.h>

#include "buf.h"
#include "rulesmith.h"
#include "site_rules.h"

enum { REGION_SIDE = 20 }; /* cells per side */

enum region_cell { REGION_REFUSED, REGION_ACCEPTED, REGION_EMPTY /* accepted, with an empty output */ };

typedef struct region {
	const site_op *op; /* NULL: there is no picture */
	int x, y;	   /* the symbols of the axes */
	int record;	   /* the record that provides the other symbols */
	long telling;	   /* score: how much structure the picture shows */
	uint8_t cells[REGION_SIDE][REGION_SIDE]; /* [y][x], lowest first */
} region;

/* The table's row for a signature; NULL: the table has no such rule, or another one. */
const rs_op *region_row(const rs_library *lib, const site_op *op);

/* The symbols of a record, s[row->nsym + row->nodim], with the output dimensions behind them. False: the rule does not
 * accept the record. */
bool region_base(const rs_op *row, const site_op *op, int record, int64_t *s);
/* The first accepted record without empty tensors, else the first accepted one; -1: none. s as above, scratch. */
int region_first(const rs_op *row, const site_op *op, int64_t *s);

/* The best-scored pair of symbols and record among an API's rules. False: out of memory. */
bool region_of(const rs_library *lib, const site_api *api, region *best);

/* The lowest number of an axis for a recorded value. */
int64_t region_low(int64_t value);

/* The picture as SVG: cells, names of the axes, the recorded call. */
void region_svg(buf *out, const region *r, const int64_t *base, const char *x, const char *y);
/* The cells of a kind as an SVG path, in units of a cell. */
void region_path(buf *out, const region *r, enum region_cell kind);

#endif
