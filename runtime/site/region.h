/* Which calls near a recorded one a compiled rule accepts, as a picture over two of its symbols: every cell is one answer of
 * rs_eval. site.js draws the same picture over any two symbols by the rule's text, and tests compare the two. */
#ifndef REGION_H
#define REGION_H

#include <stdint.h>

#include "buf.h"
#include "rulesmith.h"
#include "site_rules.h"

enum { REGION_SIDE = 20 }; /* cells */

enum region_cell { REGION_REFUSED, REGION_ACCEPTED, REGION_EMPTY /* accepted, and some output has no elements */ };

typedef struct region {
	const site_op *op; /* NULL: there is no picture */
	int x, y;	   /* symbols */
	int record;	   /* whose other symbols stand still */
	long telling;	   /* how much there is to see */
	uint8_t cells[REGION_SIDE][REGION_SIDE]; /* [y][x], from the lowest */
} region;

/* The table's row for a call form, NULL where it has none or has another rule. */
const rs_op *region_row(const rs_library *lib, const site_op *op);

/* Symbols of a record, s[row->nsym + row->nodim], the shapes behind them; false where the record is none that the rule accepts. */
bool region_base(const rs_op *row, const site_op *op, int record, int64_t *s);
/* The first record that is accepted and has elements, else the first that is accepted; -1: none. s as above, for work. */
int region_first(const rs_op *row, const site_op *op, int64_t *s);

/* The most telling pair of symbols and record among an API's rules. False when out of memory. */
bool region_of(const rs_library *lib, const site_api *api, region *best);

/* The lowest number on an axis on which the record has this one. */
int64_t region_low(int64_t value);

/* The picture: cells, axes named by two texts, the record's place. */
void region_svg(buf *out, const region *r, const int64_t *base, const char *x, const char *y);
/* The cells of a kind as a path, in units of a cell. */
void region_path(buf *out, const region *r, enum region_cell kind);

#endif
