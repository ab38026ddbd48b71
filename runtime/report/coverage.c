#include "coverage.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const coverage_metric COVERAGE_METRICS[COVERAGE_ISRA] = {
#define METRIC(field, name, meaning, percent, per_model, isra)                                     \
	{#field, name, meaning, offsetof(metrics_isra, field), percent, per_model, isra}
    METRIC(otc, "OTC", "covered operator types", true, false, 100),
    METRIC(idc, "IDC", "covered in-degrees, of all possible ones", true, false, 92.95),
    METRIC(odc, "ODC", "distinct out-degrees per operator", false, false, 11.848),
    METRIC(sec, "SEC", "covered successors, of all pairs of types", true, false, 98.27),
    METRIC(dec, "DEC", "covered paths of two edges, of all triples of types", true, false, 90.208),
    METRIC(spc, "SPC", "distinct input shapes and attributes per operator", false, false, 3001.938),
    METRIC(noo, "NOO", "operators a model", false, true, 100.8766),
    METRIC(types, "NOT", "operator types per model", false, true, 45.237),
    METRIC(nop, "NOP", "distinct pairs of types with an edge, per model", false, true, 103.7621),
    METRIC(ntr, "NTR", "distinct triples of types on a path, per model", false, true, 102.913),
    METRIC(nsa, "NSA", "distinct input shapes and attributes, per model", false, true, 26.6252),
#undef METRIC
};

const char *const COVERAGE_PARTS[METRICS_OLC_PARTS] = {[METRICS_OTC] = "OTC",
    [METRICS_IDC] = "IDC",
    [METRICS_ODC] = "ODC",
    [METRICS_SEC] = "SEC",
    [METRICS_SPC] = "SPC"};

const char *const COVERAGE_SAMPLERS[METRICS_SAMPLERS] = {[RS_SAMPLER_RECORD] = "record",
    [RS_SAMPLER_BOUNDED] = "bounded",
    [RS_SAMPLER_DIRECT] = "direct"};

const char *const COVERAGE_RANKS[METRICS_RANKS] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    "10", "11", "12", "13", "14", "15", "16+"};

const double COVERAGE_PAPER_OLC[2][3] = {{61.5, 76.4, 81.7}, {60.2, 69.9, 71.8}};

double coverage_value(const metrics_isra *r, unsigned metric)
{
	double value;
	memcpy(&value, (const char *)r + COVERAGE_METRICS[metric].place, sizeof value);
	return value;
}

/* ---- types */

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const metrics_type *const *)a)->api, (*(const metrics_type *const *)b)->api);
}

bool coverage_sort(coverage *c)
{
	const metrics_type *types = metrics_types(c->m, &c->ntypes);
	c->types = malloc((c->ntypes + (size_t)1) * sizeof *c->types);
	for (uint32_t i = 0; c->types && i < c->ntypes; i++)
		c->types[i] = &types[i];
	if (c->types)
		qsort(c->types, c->ntypes, sizeof *c->types, by_name);
	return c->types != NULL;
}

static uint32_t count_types(const coverage *c, uint32_t dtypes, uint32_t ranks, bool zero, bool one)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->ntypes; i++) {
		const metrics_type *t = c->types[i];
		n += t->corpus
		     && ((t->dtypes & dtypes) || (t->ranks & ranks) || (t->zero && zero)
			 || (t->one && one));
	}
	return n;
}

uint32_t coverage_types_of_dtype(const coverage *c, unsigned dtype)
{
	return count_types(c, 1u << dtype, 0, false, false);
}

uint32_t coverage_types_of_rank(const coverage *c, unsigned rank)
{
	return count_types(c, 0, 1u << rank, false, false);
}

uint32_t coverage_types_of_zero(const coverage *c)
{
	return count_types(c, 0, 0, true, false);
}

uint32_t coverage_types_of_one(const coverage *c)
{
	return count_types(c, 0, 0, false, true);
}
