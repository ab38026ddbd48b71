#include "problem.h"

void answer_offer(answer *best, const expr *e, int cost)
{
	if (!best->e || cost < best->cost || (cost == best->cost && expr_compare(e, best->e) < 0))
		*best = (answer){e, cost};
}
