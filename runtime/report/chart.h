/* Charts as inline SVG, without scripts and external files. Colors are the page's CSS classes s0, s1, … by series; each
 * mark has a <title>, which browsers show as a tooltip. */
#ifndef CHART_H
#define CHART_H

#include "buf.h"

enum { CHART_SERIES = 8 };

void chart_count(buf *out, uint64_t n); /* 1,234,567 */

typedef struct chart_series {
	const char *name;
	const double *values; /* one per place */
} chart_series;

typedef struct chart {
	const char *title; /* alternative text */
	const char *const *labels; /* labels of the places; unused in line charts */
	uint32_t places, series;
	const chart_series *all;
	const char *unit;   /* unit behind each value: " %", "" */
	double top;	    /* end of the scale; 0: derived from the values */
} chart;

/* Rows of horizontal bars, each row with its own scale (tops[row]; 0: its maximum). A negative value is unknown and has no
 * bar. */
void chart_rows(buf *out, const chart *c, const double *tops);

/* Columns side by side, with labels below if there is room. */
void chart_columns(buf *out, const chart *c);

/* Lines over x[places], which increases, from 1, on a logarithmic scale. */
void chart_lines(buf *out, const chart *c, const double *x, const char *x_name);

void chart_legend(buf *out, const chart *c);

#endif
