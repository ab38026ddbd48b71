#include "keep.h"

#include <stdlib.h>

#include "need.h"

enum { SMALL_DIM = 6, USUAL_ELEMENTS = 4096 };

static bool usual(const operator *op, const int64_t *row)
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

/* The passing records of usual sizes, all where there are none. */
static int usual_records(const operator *op, int *list)
{
	int width = op->nsym + op->nodim, n = 0;
	for (int pass = 0; pass < 2 && n == 0; pass++)
		for (int k = 0; k < op->npass; k++)
			if (pass == 1 || usual(op, op->pass + (size_t)k * width))
				list[n++] = k;
	return n;
}

/* A few of n, evenly spread. */
static int spread(int *list, int n)
{
	int most = n < KEEP_WITH_RULE ? n : KEEP_WITH_RULE;
	for (int k = 0; k < most; k++)
		list[k] = list[(long)k * n / most];
	return most;
}

#define LARGE 1e30

/* How large a record's tensors are: elements in all; LARGE and more where a dimension is not small. */
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

/* A record that may be kept. */
typedef struct keepable {
	int record;
	double size;
	int news; /* numbers that no kept record has at the same place; -1: it is kept */
} keepable;

static int by_size(const void *a, const void *b)
{
	const keepable *x = a, *y = b;
	return x->size != y->size ? (x->size < y->size ? -1 : 1) : x->record - y->record;
}

/* The one with most news among the first n; the smallest of these; -1: all are kept. */
static int newest(const keepable *list, int n)
{
	int best = -1;
	for (int k = 0; k < n; k++)
		if (list[k].news >= 0 && (best < 0 || list[k].news > list[best].news))
			best = k;
	return best;
}

/* Takes what the kept record has from the news of the others; known[k*width + i] is set for what is no news. */
static void tell(const operator *op, keepable *list, int n, int kept, bool *known)
{
	size_t width = (size_t)op->nsym + op->nodim;
	const int64_t *row = op->pass + (size_t)list[kept].record * width;
	list[kept].news = -1;
	for (int k = 0; k < n; k++)
		for (size_t i = 0; i < width && list[k].news >= 0; i++)
			if (!known[(size_t)k * width + i] && op->pass[(size_t)list[k].record * width + i] == row[i]) {
				known[(size_t)k * width + i] = true;
				list[k].news--;
			}
}

/* Small ones that differ: the records of an operator without a rule are all that generators have. */
static int small_and_diverse(const operator *op, int *list, int n)
{
	size_t width = (size_t)op->nsym + op->nodim;
	keepable *all = need(calloc((size_t)n + 1, sizeof *all), (size_t)n * sizeof *all);
	bool *known = need(calloc((size_t)n * width + 1, sizeof *known), (size_t)n * width);
	int nsmall = 0, most = n < KEEP_WITHOUT ? n : KEEP_WITHOUT;
	for (int k = 0; k < n; k++) {
		double size = record_size(op, op->pass + (size_t)list[k] * width);
		all[k] = (keepable){list[k], size, (int)width};
		nsmall += size < LARGE;
	}
	if (n)
		qsort(all, (size_t)n, sizeof *all, by_size);
	for (int k = 0; k < most; k++) {
		int best = newest(all, k < nsmall ? nsmall : n);
		list[k] = all[best].record;
		tell(op, all, n, best, known);
	}
	free(all);
	free(known);
	return most;
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
