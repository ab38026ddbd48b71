#include "judged.h"

#include <stdlib.h>

#include "need.h"

typedef struct judgement {
	const expr *clause; /* NULL: a free slot */
	int op;
	bool holds;
} judgement;

struct judged {
	judgement *slots;
	size_t capacity, count; /* capacity: a power of two */
};

static judgement *empty_slots(size_t capacity)
{
	return need(calloc(capacity, sizeof(judgement)), capacity * sizeof(judgement));
}

judged *judged_new(void)
{
	judged *j = need(malloc(sizeof *j), sizeof *j);
	*j = (judged){.capacity = 1024, .slots = empty_slots(1024)};
	return j;
}

void judged_free(judged *j)
{
	free(j->slots);
	free(j);
}

/* Where a clause's judgement is, or belongs. */
static judgement *slot_of(judgement *slots, size_t capacity, int op, const expr *clause)
{
	size_t at = (clause->hash ^ (uint32_t)op * 0x9e3779b9u) & (capacity - 1);
	while (slots[at].clause && (slots[at].clause != clause || slots[at].op != op))
		at = (at + 1) & (capacity - 1);
	return &slots[at];
}

static void enlarge(judged *j)
{
	size_t capacity = j->capacity * 2;
	judgement *slots = empty_slots(capacity);
	for (size_t k = 0; k < j->capacity; k++)
		if (j->slots[k].clause)
			*slot_of(slots, capacity, j->slots[k].op, j->slots[k].clause) = j->slots[k];
	free(j->slots);
	j->slots = slots;
	j->capacity = capacity;
}

bool judged_holds(judged *j, int i, const operator *op, const expr *clause)
{
	judgement *v = slot_of(j->slots, j->capacity, i, clause);
	if (v->clause)
		return v->holds;
	*v = (judgement){clause, i, clause_holds(op, clause)};
	bool holds = v->holds;
	if (++j->count * 2 > j->capacity)
		enlarge(j);
	return holds;
}
