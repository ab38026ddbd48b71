#include "weights.h"

#include <stdlib.h>
#include <string.h>

/* Per mille: inputs that are never constant in real models are constants this often, since compilers treat them specially. */
enum { LEAST = 25 };

typedef struct weights_row {
	const char *framework, *api;
	int input; /* negative: the API takes no tensors */
	uint32_t constant, calls; /* how often the input was a constant, and the number of calls */
} weights_row;

static const weights_row ROWS[] = {
#include "weights.def.h"
    {"", "", 0, 0, 0}};
enum { NROWS = sizeof ROWS / sizeof *ROWS - 1 };

typedef struct tally {
	uint64_t constant, calls;
} tally;

static unsigned place(int input)
{
	return input < WEIGHTS_PLACES ? (unsigned)input : WEIGHTS_PLACES - 1;
}

/* The mean over all APIs, regardless of their numbers of calls; one half if nothing is known. */
static void find_general(const char *framework, uint16_t general[WEIGHTS_PLACES])
{
	tally t[WEIGHTS_PLACES] = {{0}};
	for (size_t i = 0; i < NROWS; i++)
		if (strcmp(ROWS[i].framework, framework) == 0 && ROWS[i].calls && ROWS[i].input >= 0) {
			t[place(ROWS[i].input)].constant += 1000u * ROWS[i].constant / ROWS[i].calls;
			t[place(ROWS[i].input)].calls++;
		}
	for (unsigned i = 0; i < WEIGHTS_PLACES; i++)
		general[i] = (uint16_t)(t[i].calls ? t[i].constant / t[i].calls : i ? 500 : 0);
}

static int compare(const weights_row *r, const char *framework, const char *api)
{
	int order = strcmp(r->framework, framework);
	return order ? order : strcmp(r->api, api);
}

/* The first row of an API; they are sorted by framework and API. */
static size_t find_rows(const rs_op *op, const char *framework)
{
	size_t first = 0, end = NROWS;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (compare(&ROWS[middle], framework, op->api) < 0)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/* Returns how often real models call the API. */
static uint32_t find_shares(const rs_op *op, const char *framework, const uint16_t *general, uint16_t *shares)
{
	tally t[WEIGHTS_PLACES] = {{0}};
	uint32_t calls = 0;
	for (size_t i = find_rows(op, framework); i < NROWS && compare(&ROWS[i], framework, op->api) == 0; i++) {
		calls = ROWS[i].calls > calls ? ROWS[i].calls : calls;
		if (ROWS[i].input < 0)
			continue;
		t[place(ROWS[i].input)].constant += ROWS[i].constant;
		t[place(ROWS[i].input)].calls += ROWS[i].calls;
	}
	for (unsigned i = 0; i < WEIGHTS_PLACES; i++) { /* adds one call with the mean of all APIs */
		uint64_t share = (1000 * t[i].constant + general[i]) / (t[i].calls + 1);
		shares[i] = (uint16_t)(share < LEAST ? LEAST : share);
	}
	return calls;
}

bool weights_open(weights *w, const rs_table *table)
{
	uint16_t general[WEIGHTS_PLACES];
	w->ops = table->ops;
	w->nops = table->nops;
	w->shares = malloc(((size_t)table->nops + 1) * sizeof *w->shares);
	w->calls = malloc(((size_t)table->nops + 1) * sizeof *w->calls);
	if (!w->shares || !w->calls)
		return false;
	find_general(table->framework, general);
	for (uint32_t i = 0; i < table->nops; i++)
		if (i && strcmp(table->ops[i].api, table->ops[i - 1].api) == 0) {
			memcpy(w->shares[i], w->shares[i - 1], sizeof *w->shares);
			w->calls[i] = w->calls[i - 1];
		} else {
			w->calls[i] = find_shares(&table->ops[i], table->framework, general, w->shares[i]);
		}
	return true;
}

void weights_close(weights *w)
{
	free(w->shares);
	free(w->calls);
	*w = (weights){0};
}
