#include "draw_settings.h"

#include "settings.h"
#include "stream.h"

enum { MOST = 3 };    /* settings of a model */
enum { COSTLY = 16 }; /* keeps one in this many draws of a costly setting */
enum { OFTEN_ONE_IN = 2 }; /* models that get a frequent setting in addition to the drawn ones */

bool draw_settings(const setting_table *t, uint32_t share, uint64_t seed, uint64_t group, graph *g)
{
	rng r = stream_rng(seed, group, STREAM_SETTINGS);
	if (!t->n || rng_below(&r, 1000) >= share)
		return true;
	uint32_t rows = (uint32_t)t->n, left = 1 + rng_below(&r, rows < MOST ? rows : MOST);
	bool ok = true;
	for (uint32_t i = 0; i < rows && ok; i++) {
		const setting_row *row = &t->rows[i];
		bool drawn = rng_below(&r, rows - i) < left; /* each set of `left` rows is equally likely */
		left -= drawn;
		if (!drawn && !(row->often && rng_below(&r, OFTEN_ONE_IN) == 0))
			continue;
		const char *value = row->values[1 + rng_below(&r, (uint32_t)row->nvalues - 1)];
		if (!row->costly || rng_below(&r, COSTLY) == 0)
			ok = settings_add(g, row->name, value);
	}
	return ok;
}
