#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "chart.h"
#include "graph.h"

#define REWRITE_SECONDS 0.5

void progress_open(progress *p, double seconds, const rs_table *table, double *drawn)
{
	bool terminal = isatty(STDERR_FILENO) != 0;
	*p = (progress){.every = seconds >= 0 ? seconds : terminal ? REWRITE_SECONDS : PROGRESS_SECONDS,
	    .rewrite = terminal,
	    .table = table,
	    .seen = table ? calloc(table->nops / 8 + 1, 1) : NULL};
	p->drawn = drawn ? drawn : &p->own;
}

void progress_close(progress *p)
{
	progress_clear(p);
	free(p->seen);
	p->seen = NULL;
}

void progress_clear(const progress *p)
{
	if (p->rewrite && p->every > 0)
		fprintf(stderr, "\r\033[K");
}

void progress_see(progress *p, const rs_graph *model)
{
	if (!p->seen)
		return;
	for (uint32_t i = model->first; i != GRAPH_NONE; i = model->nodes[i].next) {
		/* A call of a chain belongs to the generator, not to the table. */
		uintptr_t from = (uintptr_t)p->table->ops, op = (uintptr_t)model->nodes[i].op;
		size_t at = (op - from) / sizeof(rs_op);
		if (op < from || at >= p->table->nops || p->seen[at / 8] & 1 << at % 8)
			continue;
		p->seen[at / 8] |= (uint8_t)(1 << at % 8);
		p->signatures++;
	}
}

/* Seconds until the command ends; below 0: unknown. */
static double left(const progress_goal *g)
{
	double by_time = g->seconds > g->elapsed ? g->seconds - g->elapsed : 0, by_count = -1;
	if (g->last && g->all_models != UINT64_MAX && g->models > 0 && g->models <= g->all_models)
		by_count = g->phase_elapsed / (double)g->models * (double)(g->all_models - g->models);
	if (g->seconds <= 0)
		return by_count;
	return by_count >= 0 && by_count < by_time ? by_count : by_time;
}

static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

void progress_line(const progress *p, const run_row *r, const progress_goal *g, buf *out)
{
	if (g->phase)
		buf_printf(out, "%s, ", g->phase);
	buf_printf(out, "%.0f s: ", g->elapsed);
	chart_count(out, (uint64_t)r->models);
	buf_printf(out, " model%s (%.1f/s), target accepts %.1f %%, reference %.1f %%, %" PRId64 " new finding%s",
	    r->models == 1 ? "" : "s", g->phase_elapsed > 0 ? (double)g->ran / g->phase_elapsed : 0.0, share(r->valid - r->unsupported, r->valid),
	    share(r->valid, r->models), g->found, g->found == 1 ? "" : "s");
	if (p->seen)
		buf_printf(out, ", %.1f %% of %u signatures", share(p->signatures, p->table->nops), p->table->nops);
	if (g->waiting)
		buf_printf(out, ", %" PRId64 " failure%s waiting", g->waiting, g->waiting == 1 ? "" : "s");
	if (g->work && *g->work)
		buf_printf(out, ", %s", g->work);
	double seconds = left(g);
	if (seconds >= 3600)
		buf_printf(out, ", %.1f h left", seconds / 3600);
	else if (seconds >= 120)
		buf_printf(out, ", %.0f min left", seconds / 60);
	else if (seconds >= 0)
		buf_printf(out, ", %.0f s left", seconds);
}

void progress_draw(progress *p, const run_row *r, const progress_goal *g, double now)
{
	if (p->every <= 0 || now - *p->drawn < p->every)
		return;
	bool first = *p->drawn == 0;
	*p->drawn = now;
	if (first && !p->rewrite) /* the first line of a log waits until there is something to report */
		return;
	buf line = {0};
	progress_line(p, r, g, &line);
	progress_clear(p);
	if (!line.failed)
		fprintf(stderr, p->rewrite ? "%s" : "%s\n", line.text);
	buf_free(&line);
}
