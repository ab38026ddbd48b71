/* Charts as inline SVG: no script, nothing from elsewhere. Colours are the page's CSS classes s0, s1 …
 * (a series' place); every mark has a <title>, which browsers show as a tooltip. */
#ifndef CHART_H
#define CHART_H

#include "buf.h"

enum { CHART_SERIES = 8 };

void chart_count(buf *out, uint64_t n); /* 1,234,567 */

typedef struct chart_series {
	const char *name;
	const double *values; /* as many as the chart has places */
} chart_series;

typedef struct chart {
	const char *title; /* for who cannot see it */
	const char *const *labels; /* of the places; in lines: not used */
	uint32_t places, series;
	const chart_series *all;
	const char *unit;   /* behind each value: " %", "" */
	double top;	    /* the end of the scale; 0: what the values need */
} chart;

/* Rows of horizontal bars, each row on a scale of its own (tops[row], 0: its largest value). A value
 * below 0 is not known: it has no bar. */
void chart_rows(buf *out, const chart *c, const double *tops);

/* Upright columns side by side, with labels below where there is room for them. */
void chart_columns(buf *out, const chart *c);

/* Lines over x[places], which grows, from 1, on a logarithmic scale. */
void chart_lines(buf *out, const chart *c, const double *x, const char *x_name);

void chart_legend(buf *out, const chart *c);

#endif
