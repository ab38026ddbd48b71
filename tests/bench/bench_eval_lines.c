/* Lines for rulefuzz eval: each signature's records with small changes, about a million lines. */
#include <stdio.h>

#include "rng.h"
#include "rulesmith.h"

enum { LINES = 1000000 };

int main(void)
{
	rng r = rng_seed(1);
	long lines = 0;
	for (uint32_t t = 0; t < rs_rules.ntables; t++) {
		const rs_table *table = rs_rules.tables[t];
		while (table->nops && lines < LINES * (long)(t + 1)) {
			const rs_op *op = &table->ops[rng_below(&r, table->nops)];
			if (!op->nrecords)
				continue;
			size_t first = (size_t)rng_below(&r, op->nrecords) * rs_record_width(op);
			unsigned changed = op->nsym ? rng_below(&r, op->nsym) : 0;
			printf("{\"op\":\"%s\",\"in\":[", op->name);
			for (unsigned i = 0; i < op->nsym; i++)
				printf("%s%lld", i ? "," : "", (long long)(rs_record_number(op, first + i) + (i == changed)));
			puts("]}");
			lines++;
		}
	}
	return 0;
}
