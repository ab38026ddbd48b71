#include "draw_settings.h"

#include "settings.h"
#include "stream.h"

enum { MOST = 3 }; /* settings of a model */

bool draw_settings(const setting_table *t, uint32_t share, uint64_t seed, uint64_t group, graph *g)
{
	rng r = stream_rng(seed, group, STREAM_SETTINGS);
	if (!t->n || rng_below(&r, 1000) >= share)
		return true;
	uint32_t rows = (uint32_t)t->n, left = 1 + rng_below(&r, rows < MOST ? rows : MOST);
	bool ok = true;
	for (uint32_t i = 0; i < rows && ok; i++) {
		const setting_row *row = &t->rows[i];
		if (rng_below(&r, rows - i) >= left) /* each set of `left` rows is as probable */
			continue;
		left--;
		ok = settings_add(g, row->name, row->values[1 + rng_below(&r, (uint32_t)row->nvalues - 1)]);
	}
	return ok;
}
