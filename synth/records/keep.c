#include "keep.h"

#include <stdlib.h>

#include "need.h"

enum { SMALL_DIM = 6, USUAL_ELEMENTS = 4096 };

static bool is_usual(const operator *op, const int64_t *row)
{
	double elements = 1;
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_DIM)
			continue;
		elements = op->roles[i].pos == 0 ? 1 : elements;
		elements *= (double)row[i];
		if (row[i] < 1 || elements > USUAL_ELEMENTS)
			return false;
	}
	return true;
}

/* Lists the passing records of usual sizes, or all if there are none. Returns their number. */
static int usual_records(const operator *op, int *list)
{
	int width = op->nsym + op->nodim, n = 0;
	for (int pass = 0; pass < 2 && n == 0; pass++)
		for (int k = 0; k < op->npass; k++)
			if (pass == 1 || is_usual(op, op->pass + (size_t)k * width))
				list[n++] = k;
	return n;
}

/* Keeps a few of n records, evenly spread. */
static int spread(int *list, int n)
{
	int limit = n < KEEP_WITH_RULE ? n : KEEP_WITH_RULE;
	for (int k = 0; k < limit; k++)
		list[k] = list[(long)k * n / limit];
	return limit;
}

#define LARGE 1e30

/* The total number of elements of a record's tensors, plus LARGE for each dimension above SMALL_DIM. */
static double record_size(const operator *op, const int64_t *row)
{
	double sum = 0, elements = 0, large = 0;
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_DIM)
			continue;
		sum += op->roles[i].pos == 0 ? elements : 0;
		elements = (op->roles[i].pos == 0 ? 1 : elements) * (double)row[i];
		large += row[i] > SMALL_DIM ? LARGE : 0;
	}
	return sum + elements + large;
}

/* A candidate. */
typedef struct candidate {
	int record;
	double size;
	int new_values; /* values that no kept record has at the same index; -1: kept */
} candidate;

static int by_size(const void *a, const void *b)
{
	const candidate *x = a, *y = b;
	return x->size != y->size ? (x->size < y->size ? -1 : 1) : x->record - y->record;
}

/* The smallest of the first n candidates with the most new values; -1 if all are kept. */
static int newest(const candidate *list, int n)
{
	int best = -1;
	for (int k = 0; k < n; k++)
		if (list[k].new_values >= 0 && (best < 0 || list[k].new_values > list[best].new_values))
			best = k;
	return best;
}

/* Marks a candidate as kept and lowers `news` of the others by the values that they share with it. known[k*width +
 * i]: value i of candidate k is not new. */
static void mark_kept(const operator *op, candidate *list, int n, int kept, bool *known)
{
	size_t width = (size_t)op->nsym + op->nodim;
	const int64_t *row = op->pass + (size_t)list[kept].record * width;
	list[kept].new_values = -1;
	for (int k = 0; k < n; k++)
		for (size_t i = 0; i < width && list[k].new_values >= 0; i++)
			if (!known[(size_t)k * width + i] && op->pass[(size_t)list[k].record * width + i] == row[i]) {
				known[(size_t)k * width + i] = true;
				list[k].new_values--;
			}
}

/* Keeps small and diverse records: without a rule, generators have nothing else. */
static int small_and_diverse(const operator *op, int *list, int n)
{
	size_t width = (size_t)op->nsym + op->nodim;
	candidate *all = need(calloc((size_t)n + 1, sizeof *all), (size_t)n * sizeof *all);
	bool *known = need(calloc((size_t)n * width + 1, sizeof *known), (size_t)n * width);
	int nsmall = 0, limit = n < KEEP_WITHOUT_RULE ? n : KEEP_WITHOUT_RULE;
	for (int k = 0; k < n; k++) {
		double size = record_size(op, op->pass + (size_t)list[k] * width);
		all[k] = (candidate){list[k], size, (int)width};
		nsmall += size < LARGE;
	}
	if (n)
		qsort(all, (size_t)n, sizeof *all, by_size);
	for (int k = 0; k < limit; k++) {
		int best = newest(all, k < nsmall ? nsmall : n);
		list[k] = all[best].record;
		mark_kept(op, all, n, best, known);
	}
	free(all);
	free(known);
	return limit;
}

static int by_index(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int keep_records(const operator *op, bool has_rule, int *list)
{
	int n = usual_records(op, list);
	n = has_rule ? spread(list, n) : small_and_diverse(op, list, n);
	if (n)
		qsort(list, (size_t)n, sizeof *list, by_index);
	return n;
}
