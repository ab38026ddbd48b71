#include "chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <inttypes.h>

#include "escape.h"

enum { WIDTH = 960 };

/* ---- text */

void chart_count(buf *out, uint64_t n)
{
	char digits[32];
	int length = snprintf(digits, sizeof digits, "%" PRIu64, n);
	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			buf_putc(out, ',');
		buf_putc(out, digits[i]);
	}
}

/* Rounds to as many digits as distinguish values: 0.012, 3.1, 98.27, 3,002. */
static void put_value(buf *out, const chart *c, double value)
{
	double size = value < 0 ? 0 : value;
	if (value < 0) { /* unknown */
		buf_puts(out, "–");
		return;
	}
	if (size == floor(size) || size >= 1000)
		chart_count(out, (uint64_t)(size + 0.5));
	else
		buf_printf(out, size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.2g", size);
	buf_puts(out, c->unit);
}

static void put_tip(buf *out, const chart *c, uint32_t place, uint32_t series)
{
	buf_puts(out, "<title>");
	escape_markup(out, c->labels[place]);
	buf_puts(out, ": ");
	if (c->series > 1) {
		escape_markup(out, c->all[series].name);
		buf_puts(out, " ");
	}
	put_value(out, c, c->all[series].values[place]);
	buf_puts(out, "</title>");
}

static void begin(buf *out, const chart *c, double height)
{
	buf_printf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", WIDTH, height);
	escape_markup(out, c->title);
	buf_puts(out, "\">\n");
}

void chart_legend(buf *out, const chart *c)
{
	buf_puts(out, "<p class=\"legend\">");
	for (uint32_t i = 0; i < c->series; i++) {
		buf_printf(out, "<span><i class=\"s%u\"></i>", i);
		escape_markup(out, c->all[i].name);
		buf_puts(out, "</span> ");
	}
	buf_puts(out, "</p>\n");
}

/* ---- scales */

static double largest(const chart *c, uint32_t from, uint32_t to)
{
	double most = 0;
	for (uint32_t i = 0; i < c->series; i++)
		for (uint32_t k = from; k < to; k++)
			most = fmax(most, c->all[i].values[k]);
	return most;
}

/* 1, 2 or 5 times a power of ten, so that about five steps reach the top. */
static double tick_of(double top)
{
	double power = pow(10, floor(log10(top / 5))), n = top / 5 / power;
	return power * (n <= 1 ? 1 : n <= 2 ? 2 : n <= 5 ? 5 : 10);
}

typedef struct frame { /* area of the values */
	double left, right, upper, lower, top, tick;
} frame;

static frame make_frame(const chart *c, double right, double lower)
{
	double top = c->top > 0 ? c->top : largest(c, 0, c->places);
	frame f = {.left = 58, .right = right, .upper = 14, .lower = lower, .top = top > 0 ? top : 1};
	f.tick = tick_of(f.top);
	if (!(c->top > 0))
		f.top = ceil(f.top / f.tick - 1e-9) * f.tick;
	return f;
}

static double y_of(const frame *f, double value)
{
	return f->lower - (f->lower - f->upper) * fmin(value, f->top) / f->top;
}

static void put_grid(buf *out, const chart *c, const frame *f)
{
	for (int i = 0; i * f->tick <= f->top * (1 + 1e-9); i++) {
		double y = y_of(f, i * f->tick);
		buf_printf(out,
		    "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
		    "<text class=\"tick\" text-anchor=\"end\" x=\"%.1f\" y=\"%.1f\">",
		    i ? "grid" : "axis", f->left, f->right, y, y, f->left - 8, y + 4);
		put_value(out, c, i * f->tick);
		buf_puts(out, "</text>\n");
	}
}

/* ---- rows */

enum { BAR = 13, ROW_GAP = 12, ROW_LEFT = 190, ROW_RIGHT = WIDTH - 110 };

static void put_bar(buf *out, const chart *c, uint32_t row, uint32_t series, double y, double top)
{
	double value = c->all[series].values[row];
	double width = value > 0 ? fmin(value / top, 1) * (ROW_RIGHT - ROW_LEFT) : 0;
	buf_puts(out, "<g>");
	put_tip(out, c, row, series);
	buf_printf(out, "<rect class=\"s%u\" x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
	    series, ROW_LEFT, y, fmax(width, value > 0 ? 1 : 0), BAR - 2);
	buf_printf(out, "<text class=\"value\" x=\"%.1f\" y=\"%.1f\">", ROW_LEFT + width + 7,
	    y + BAR - 3.5);
	put_value(out, c, value);
	buf_puts(out, "</text></g>\n");
}

void chart_rows(buf *out, const chart *c, const double *tops)
{
	double step = c->series * BAR + ROW_GAP, y = 6;
	begin(out, c, c->places * step + 8);
	for (uint32_t i = 0; i < c->places; i++, y += step) {
		double top = tops[i] > 0 ? tops[i] : largest(c, i, i + 1);
		buf_printf(out, "<text class=\"label\" text-anchor=\"end\" x=\"%d\" y=\"%.1f\">",
		    ROW_LEFT - 12, y + c->series * BAR / 2.0 + 3.5);
		escape_markup(out, c->labels[i]);
		buf_printf(out, "</text><line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
		    ROW_LEFT, ROW_LEFT, y - 2, y + c->series * BAR);
		for (uint32_t k = 0; k < c->series; k++)
			put_bar(out, c, i, k, y + k * BAR, top > 0 ? top : 1);
	}
	buf_puts(out, "</svg>\n");
}

/* ---- columns */

enum { LABELS_MAX = 110, LABEL_CHARACTERS = 24, WIDEST = 30 };

static size_t longest_label(const chart *c)
{
	size_t most = 0;
	for (uint32_t i = 0; i < c->places; i++) {
		size_t n = strlen(c->labels[i]);
		most = n > most ? n : most;
	}
	return most < LABEL_CHARACTERS ? most : LABEL_CHARACTERS;
}

/* Horizontal labels if all fit between their neighbours, else slanted. */
static void put_label(buf *out, const char *label, double x, double y, bool level)
{
	char text[LABEL_CHARACTERS + 1];
	snprintf(text, sizeof text, "%s", label);
	if (level)
		buf_printf(out, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">", x,
		    y + 16);
	else
		buf_printf(out,
		    "<text class=\"tick\" text-anchor=\"end\" transform=\"translate(%.1f %.1f) "
		    "rotate(-60)\">",
		    x + 4, y + 12);
	escape_markup(out, text);
	buf_puts(out, "</text>\n");
}

static void put_column(buf *out, const chart *c, const frame *f, uint32_t place, uint32_t series,
    double x, double width)
{
	double value = c->all[series].values[place], y = y_of(f, fmax(value, 0));
	buf_puts(out, "<g>");
	put_tip(out, c, place, series);
	if (c->series == 1) /* the whole strip has the tooltip, since short columns are hard to point at */
		buf_printf(out, "<rect class=\"hit\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\"/>",
		    x, f->upper, width, f->lower - f->upper);
	buf_printf(out,
	    "<rect class=\"s%u\" shape-rendering=\"crispEdges\" x=\"%.2f\" y=\"%.1f\" "
	    "width=\"%.2f\" height=\"%.1f\"/></g>\n",
	    series, x, y, width, f->lower - y);
}

void chart_columns(buf *out, const chart *c)
{
	double slot = (double)(WIDTH - 58 - 8) / (c->places ? c->places : 1);
	bool labels = c->places <= LABELS_MAX, level = (double)longest_label(c) * 6.6 < slot - 4;
	double below = !labels ? 8 : level ? 26 : 18 + (double)longest_label(c) * 5.4;
	frame f = make_frame(c, WIDTH - 8, 240);
	double gap = slot > 3 ? fmax(slot * 0.25, slot - WIDEST * c->series) : 0;
	double width = (slot - gap) / c->series;
	begin(out, c, f.lower + below);
	put_grid(out, c, &f);
	for (uint32_t i = 0; i < c->places; i++) {
		double x = f.left + i * slot + gap / 2;
		for (uint32_t k = 0; k < c->series; k++)
			put_column(out, c, &f, i, k, x + k * width, width * (c->series > 1 ? 0.94 : 1));
		if (labels)
			put_label(out, c->labels[i], x + (slot - gap) / 2, f.lower, level);
	}
	buf_puts(out, "</svg>\n");
}

/* ---- lines */

/* Labels at the ends of lines, moved apart if they would overlap. */
static void put_ends(buf *out, const chart *c, const frame *f)
{
	uint32_t order[CHART_SERIES];
	double y[CHART_SERIES];
	for (uint32_t i = 0; i < c->series; i++) {
		uint32_t k = i;
		y[i] = y_of(f, c->all[i].values[c->places - 1]);
		for (; k && y[order[k - 1]] > y[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (uint32_t i = 1; i < c->series; i++)
		y[order[i]] = fmax(y[order[i]], y[order[i - 1]] + 15);
	for (uint32_t i = c->series; i-- > 0;) { /* and back up if they left the frame */
		double below = i + 1 < c->series ? y[order[i + 1]] - 15 : f->lower;
		y[order[i]] = fmin(y[order[i]], below);
		buf_printf(out, "<text class=\"value t%u\" x=\"%.1f\" y=\"%.1f\">", order[i], f->right + 8,
		    y[order[i]] + 4);
		escape_markup(out, c->all[order[i]].name);
		buf_putc(out, ' ');
		put_value(out, c, c->all[order[i]].values[c->places - 1]);
		buf_puts(out, "</text>\n");
	}
}

static double x_of(const frame *f, double x, double last)
{
	return f->left + (f->right - f->left) * (last > 1 ? log(x) / log(last) : 0);
}

static void put_x_tick(buf *out, const frame *f, double x, double last)
{
	double at = x_of(f, x, last);
	buf_printf(out,
	    "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
	    "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
	    at, at, f->upper, f->lower, at, f->lower + 17);
	chart_count(out, (uint64_t)(x + 0.5));
	buf_puts(out, "</text>\n");
}

static void put_x_axis(buf *out, const frame *f, double last, const char *name)
{
	for (double x = 1; x <= last * (1 + 1e-9); x *= 10)
		put_x_tick(out, f, x, last);
	buf_printf(out, "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%.1f\">",
	    (f->left + f->right) / 2, f->lower + 34);
	escape_markup(out, name);
	buf_puts(out, "</text>\n");
}

static void put_line(buf *out, const chart *c, const frame *f, uint32_t series, const double *x)
{
	const chart_series *s = &c->all[series];
	double last = x[c->places - 1];
	buf_printf(out, "<polyline class=\"l%u\" points=\"", series);
	for (uint32_t i = 0; i < c->places; i++)
		buf_printf(out, "%s%.1f,%.1f", i ? " " : "", x_of(f, x[i], last), y_of(f, s->values[i]));
	buf_puts(out, "\"/>\n");
	for (uint32_t i = 0; i < c->places; i++) {
		buf_puts(out, "<g><title>");
		escape_markup(out, s->name);
		buf_putc(out, ' ');
		put_value(out, c, s->values[i]);
		buf_printf(out, " after %.0f</title><circle class=\"dot s%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"/></g>\n",
		    x[i], series, x_of(f, x[i], last), y_of(f, s->values[i]),
		    c->places == 1 || i + 1 == c->places ? "3.5" : "5");
	}
}

void chart_lines(buf *out, const chart *c, const double *x, const char *x_name)
{
	frame f = make_frame(c, WIDTH - 120, 270);
	begin(out, c, f.lower + 40);
	put_grid(out, c, &f);
	if (c->places) {
		put_x_axis(out, &f, x[c->places - 1], x_name);
		for (uint32_t i = 0; i < c->series; i++)
			put_line(out, c, &f, i, x);
		put_ends(out, c, &f);
	}
	buf_puts(out, "</svg>\n");
}
