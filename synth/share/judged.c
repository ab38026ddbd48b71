#include "judged.h"

bool judged_holds(memo *judged, int i, const operator *op, const expr *clause)
{
	bool known;
	int *holds = memo_of(judged, i, clause, &known);
	if (!known)
		*holds = clause_holds(op, clause);
	return *holds;
}
