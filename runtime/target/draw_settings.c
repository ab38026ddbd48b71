#include "draw_settings.h"

#include "settings.h"
#include "stream.h"

enum { MOST = 3 };    /* settings of a model */
enum { COSTLY = 16 }; /* keeps one in so many draws of a costly setting */

/* One of the rows that are drawn often; -1: none. */
static int draw_often(const setting_table *t, rng *r)
{
	int n = 0, found = -1;
	for (int i = 0; i < t->n; i++)
		n += t->rows[i].often;
	if (!n || rng_below(r, 2))
		return -1;
	n = (int)rng_below(r, (uint32_t)n);
	while (n >= 0)
		n -= t->rows[++found].often;
	return found;
}

bool draw_settings(const setting_table *t, uint32_t share, uint64_t seed, uint64_t group, graph *g)
{
	rng r = stream_rng(seed, group, STREAM_SETTINGS);
	if (!t->n || rng_below(&r, 1000) >= share)
		return true;
	uint32_t rows = (uint32_t)t->n, left = 1 + rng_below(&r, rows < MOST ? rows : MOST);
	int often = draw_often(t, &r);
	bool ok = true;
	for (uint32_t i = 0; i < rows && ok; i++) {
		const setting_row *row = &t->rows[i];
		bool drawn = rng_below(&r, rows - i) < left; /* each set of `left` rows is as probable */
		left -= drawn;
		if (!drawn && (int)i != often)
			continue;
		const char *value = row->values[1 + rng_below(&r, (uint32_t)row->nvalues - 1)];
		if (!row->costly || rng_below(&r, COSTLY) == 0)
			ok = settings_add(g, row->name, value);
	}
	return ok;
}
