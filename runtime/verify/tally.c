#include "tally.h"

#include <math.h>

#define Z95 1.9599639845400545 /* 97.5 % quantile of the normal distribution */

const char *const STRATUM_NAMES[STRATA] = {"total", "ordinary", "zero-size", "rank >= 4", "rank 0", "low support",
    "plain", "joint move"};
const char *const MEASURE_NAMES[MEASURES] = {"precision", "recall", "right"};

void wilson(double hits, double n, double *low, double *high)
{
	*low = 0;
	*high = 1;
	if (n <= 0)
		return;
	double p = hits / n, z2 = Z95 * Z95, middle = p + z2 / (2 * n),
	       half = Z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)), by = 1 + z2 / n;
	if (hits > 0)
		*low = (middle - half) / by;
	if (hits < n)
		*high = (middle + half) / by;
}

void sums_add(sums *s, double hits, double n)
{
	if (n <= 0)
		return;
	s->x += hits;
	s->n += n;
	s->xx += hits * hits;
	s->xn += hits * n;
	s->nn += n * n;
	s->clusters++;
}

/* Variance of the ratio x / n over clusters (Taylor linearization), divided by that of n independent inputs. Undefined for
 * one cluster. */
static double design_effect(const sums *s)
{
	double p = s->x / s->n, k = s->clusters, single = p * (1 - p) / s->n;
	if (k < 2)
		return 1;
	if (single <= 0)
		return s->n / k;
	double residuals = s->xx - 2 * p * s->xn + p * p * s->nn;
	double effect = k / (k - 1) * residuals / (s->n * s->n) / single;
	return effect > 1 ? effect : 1;
}

rate sums_rate(const sums *s)
{
	rate r = {.value = 0, .low = 0, .high = 1, .inputs = s->n, .hits = s->x, .effect = 1};
	if (s->n <= 0)
		return r;
	r.value = s->x / s->n;
	r.effect = design_effect(s);
	wilson(s->x / r.effect, s->n / r.effect, &r.low, &r.high);
	return r;
}

void tally_add(tally *t, const counts *operator_counts)
{
	for (int i = 0; i < STRATA; i++) {
		const counts *c = &operator_counts[i];
		counts *all = &t->all[i];
		all->both += c->both;
		all->said_only += c->said_only;
		all->was_only += c->was_only;
		all->neither += c->neither;
		all->right += c->right;
		sums_add(&t->sums[i][PRECISION], c->both, (double)c->both + c->said_only);
		sums_add(&t->sums[i][RECALL], c->both, (double)c->both + c->was_only);
		sums_add(&t->sums[i][RIGHT], c->right, c->both);
	}
}

rate tally_rate(const tally *t, enum stratum s, enum measure m)
{
	return sums_rate(&t->sums[s][m]);
}
