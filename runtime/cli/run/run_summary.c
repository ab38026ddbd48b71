#include "run_summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chart.h"

/* ---- lists of counts, without those that are 0 */

typedef struct item {
	int64_t count;
	const char *what, *many; /* of 1 and of others; many NULL: the same */
} item;

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void put_count(buf *to, int64_t count)
{
	chart_count(to, (uint64_t)count);
}

/* "1 rejected, 2 mispredicted" between `before` and `after`; nothing if all are 0. */
static void put_items(buf *to, const char *before, const item *items, size_t n, const char *after)
{
	const char *comma = before;
	for (size_t i = 0; i < n; i++) {
		if (items[i].count == 0)
			continue;
		buf_puts(to, comma);
		put_count(to, items[i].count);
		buf_printf(to, " %s", items[i].count != 1 && items[i].many ? items[i].many : items[i].what);
		comma = ", ";
	}
	buf_puts(to, comma == before ? "" : after);
}

static const char *plural(int64_t n)
{
	return n == 1 ? "" : "s";
}

static double per_second(double count, double seconds)
{
	return seconds > 0 ? count / seconds : 0.0;
}

/* ---- the four lines */

static void put_models(const run_row *r, const char *ended, buf *to)
{
	buf_printf(to, "%s: ", r->backend);
	put_count(to, r->models);
	buf_printf(to, " model%s in %.1f s (%.1f/s), seed %" PRIu64 ", next model %" PRIu64 ", %s\n", plural(r->models), r->seconds,
	    per_second((double)r->models, r->seconds), r->seed, r->next, ended);
}

static void put_verdicts(const run_row *r, buf *to)
{
	const item not_accepted[] = {{r->rejected, "rejected", NULL},
	    {r->mispredicted, "with a mispredicted shape or dtype", NULL},
	    {r->resource, "over a resource limit", NULL},
	    {r->lost, "timed out or crashed", NULL},
	    {r->unreadable, "unreadable", NULL}};
	const item compared[] = {{r->agreed, "agrees", "agree"}, {r->rounding, "within rounding", NULL}, {r->inconsistency, "inconsistent", NULL}};
	const item others[] = {{r->unsupported, "unsupported", NULL},
	    {r->error, "error", "errors"},
	    {r->crash, "crash", "crashes"},
	    {r->hang, "hang", "hangs"},
	    {r->memory, "over the memory limit", NULL},
	    {r->accepts_invalid, "accepted although invalid", NULL},
	    {r->nondeterministic, "nondeterministic", NULL},
	    {r->unspecified, "unspecified", NULL}};
	buf_printf(to, "  reference accepted %.1f %%", r->models ? 100.0 * (double)r->valid / (double)r->models : 0.0);
	put_items(to, " (", not_accepted, COUNT(not_accepted), ")");
	buf_puts(to, "; compared ");
	put_count(to, r->compared);
	put_items(to, ": ", compared, COUNT(compared), "");
	put_items(to, "; not compared: ", others, COUNT(others), "");
	buf_putc(to, '\n');
}

static int64_t candidates(const run_row *r)
{
	return r->inconsistency + r->accepts_invalid + r->error + r->crash + r->hang + r->memory;
}

static void put_findings(const run_summary *s, buf *to)
{
	const run_row *r = s->run;
	const item phases[] = {{s->probing, "while probing", NULL}, {s->replay, "in corpus replay", NULL}};
	int64_t duplicates = r->duplicates + s->duplicates;
	buf_printf(to, "  findings: %" PRId64 " new", s->found);
	put_items(to, " (", phases, COUNT(phases), ")");
	const item others[] = {{duplicates, "duplicate", "duplicates"}};
	put_items(to, ", ", others, COUNT(others), "");
	if (r->unconfirmed)
		buf_printf(to, ", %" PRId64 " of %" PRId64 " candidates did not reproduce", r->unconfirmed, candidates(r));
	if (r->unfinished)
		buf_printf(to, ", %" PRId64 " cut off by --time (--resume runs %s again)", r->unfinished, r->unfinished == 1 ? "it" : "them");
	buf_printf(to, "; in %s\n", s->db);
	if (s->waiting)
		buf_printf(to, "  %" PRId64 " failure%s for triage: rulefuzz triage%s\n", s->waiting, s->waiting == 1 ? " waits" : "s wait", s->command);
}

/* The most used excuses. */
static void put_excuses(const run_row *r, store *db, buf *to)
{
	enum { SHOWN = 5 };
	static const char *const COMMA[] = {"  excuses: ", ", "};
	excuses *e = malloc(sizeof *e);
	if (e && excuses_load(db, r->id, e, NULL)) {
		excuses_sort(e);
		for (int i = 0; i < e->n && i < SHOWN; i++)
			buf_printf(to, "%s%s in %" PRId64 " model%s", COMMA[i > 0], e->at[i].name, e->at[i].models, plural(e->at[i].models));
		if (e->n > SHOWN)
			buf_printf(to, ", %d more (--json)", e->n - SHOWN);
		buf_puts(to, e->n ? "\n" : "");
	}
	free(e);
}

static void put_next(const run_summary *s, buf *to)
{
	if (s->found == 0)
		return;
	buf_printf(to, "%" PRId64 " new finding%s. Next: rulefuzz list%s; rulefuzz show %" PRId64 "%s; rulefuzz report%s\n", s->found,
	    plural(s->found), s->command, s->first, s->command, s->command);
}

/* ---- with --verbose */

static void put_tiers(const tiers *t, buf *to)
{
	for (int i = 0; t && i < t->n; i++) {
		const tier *x = &t->tier[i];
		const item items[] = {{x->unsupported, "unsupported", NULL},
		    {x->compared, "compared", NULL},
		    {x->failed, "failed", NULL},
		    {x->duplicates, "with a graph that was compiled before", NULL},
		    {x->models - x->unsupported - x->compared - x->failed - x->duplicates, "without a verdict", NULL}};
		buf_printf(to, "  %s: ", x->name);
		put_count(to, x->models);
		buf_printf(to, " model%s", plural(x->models));
		put_items(to, ": ", items, COUNT(items), "");
		if (x->inconsistent)
			buf_printf(to, "; %" PRId64 " of the compared are inconsistent", x->inconsistent);
		buf_printf(to, "; %" PRId64 " operators, %.1f per CPU second\n", x->operators, per_second((double)x->operators, x->cpu));
	}
}

/* The cost of each tier. */
static void put_speeds(const tiers *t, buf *to)
{
	for (int i = 0; t && i < t->n; i++)
		buf_printf(to, "%s%s %.1f", i ? ", " : "  operators per CPU second: ", t->tier[i].name,
		    per_second((double)t->tier[i].operators, t->tier[i].cpu));
	buf_puts(to, t && t->n > 0 ? "\n" : "");
}

static void put_shapes(const run_row *r, buf *to)
{
	if (r->dynamic_shapes == 0)
		return;
	const item items[] = {{r->shape_instances, "shape instance", "shape instances"},
	    {r->recompiled, "recompilation", "recompilations"},
	    {r->shape_rejections, "rejection", "rejections"}};
	buf_printf(to, "  dynamic shapes: %" PRId64 " model%s", r->dynamic_shapes, plural(r->dynamic_shapes));
	put_items(to, ", ", items, COUNT(items), "");
	buf_putc(to, '\n');
}

static void put_seconds(const run_row *r, buf *to)
{
	const char *comma = "  seconds: ";
#define X(name)                                                                                    \
	if (r->t_##name >= 0.05) {                                                                 \
		buf_printf(to, "%s" #name " %.1f", comma, r->t_##name);                            \
		comma = ", ";                                                                      \
	}
	RUN_STAGES(X)
#undef X
	buf_puts(to, *comma == ',' ? "\n" : "");
}

static bool put_trouble(void *context, const char *api, const char *what, const char *message, int64_t count)
{
	buf_printf(context, "  %6" PRId64 " %-12s %s: %.100s\n", count, what, api, message);
	return true;
}

static void put_details(const run_summary *s, store *db, buf *to)
{
	const run_row *r = s->run;
	buf_puts(to, "  operators compared: ");
	put_count(to, r->operators);
	buf_printf(to, " (%.1f/s)\n", per_second((double)r->operators, r->seconds));
	put_tiers(s->tiers, to);
	put_shapes(r, to);
	if (r->excluded)
		buf_printf(to, "  %" PRId64 " signature%s on %s own and %s excluded from later models\n", r->excluded,
		    r->excluded == 1 ? " fails" : "s fail", r->excluded == 1 ? "its" : "their", r->excluded == 1 ? "is" : "are");
	if (r->fast_path + r->full_oracle) {
		buf_puts(to, "  fast path decided ");
		put_count(to, r->fast_path);
		buf_puts(to, " models, full oracle ");
		put_count(to, r->full_oracle);
		buf_putc(to, '\n');
	}
	if (r->restarts)
		buf_printf(to, "  worker restarts: %" PRId64 "\n", r->restarts);
	put_seconds(r, to);
	buf_puts(to, "  ");
	spent_text(s->cpu, to);
	buf_putc(to, '\n');
	if (r->rejected + r->mispredicted > 0)
		buf_puts(to, "  most often rejected or mispredicted:\n");
	runs_each_trouble(db, r->id, 10, put_trouble, to, NULL);
}

void run_summary_text(const run_summary *s, store *db, buf *to)
{
	put_models(s->run, s->ended, to);
	put_verdicts(s->run, to);
	put_excuses(s->run, db, to);
	if (s->verbose)
		put_details(s, db, to);
	else
		put_speeds(s->tiers, to);
	put_findings(s, to);
	put_next(s, to);
}

/* ---- JSON */

typedef struct listing {
	buf *to;
	const char *comma;
} listing;

static bool add_trouble(void *context, const char *api, const char *what, const char *message, int64_t count)
{
	listing *l = context;
	buf_printf(l->to, "%s{\"api\":", l->comma);
	buf_json(l->to, api);
	buf_printf(l->to, ",\"what\":\"%s\",\"count\":%" PRId64 ",\"message\":", what, count);
	buf_json(l->to, message);
	buf_putc(l->to, '}');
	l->comma = ",";
	return true;
}

static void add_tiers(const tiers *t, buf *b)
{
	for (int i = 0; t && i < t->n; i++) {
		const tier *x = &t->tier[i];
		buf_printf(b,
		    "%s{\"backend\":\"%s\",\"models\":%" PRId64 ",\"unsupported\":%" PRId64 ",\"compared\":%" PRId64
		    ",\"inconsistent\":%" PRId64 ",\"failed\":%" PRId64 ",\"duplicates\":%" PRId64 ",\"operators\":%" PRId64 ",\"cpu_seconds\":%.3f}",
		    i ? "," : "", x->name, x->models, x->unsupported, x->compared, x->inconsistent, x->failed, x->duplicates, x->operators, x->cpu);
	}
}

static void add_counts(const run_row *r, buf *to)
{
	const char *comma = "";
	buf_puts(to, ",\"counts\":{");
#define X(name, what)                                                                              \
	buf_printf(to, "%s\"" #name "\":%" PRId64, comma, r->name);                                \
	comma = ",";
	RUN_COUNTERS(X)
#undef X
	buf_puts(to, "},\"stage_seconds\":{");
	comma = "";
#define X(name)                                                                                    \
	buf_printf(to, "%s\"" #name "\":%.3f", comma, r->t_##name);                                \
	comma = ",";
	RUN_STAGES(X)
#undef X
	buf_putc(to, '}');
}

static void add_excuses(const run_row *r, store *db, buf *to)
{
	excuses *e = malloc(sizeof *e);
	buf_puts(to, ",\"excuses\":{");
	if (e && excuses_load(db, r->id, e, NULL)) {
		excuses_sort(e);
		for (int i = 0; i < e->n; i++)
			buf_printf(to, "%s\"%s\":{\"models\":%" PRId64 ",\"elements\":%" PRId64 "}", i ? "," : "", e->at[i].name,
			    e->at[i].models, e->at[i].elements);
	}
	buf_putc(to, '}');
	free(e);
}

static void add_settings(const run_row *r, buf *to)
{
	buf_puts(to, ",\"settings\":{");
	for (int i = 0; i < r->nsettings; i++) {
		buf_printf(to, "%s\"%s\":", i ? "," : "", r->settings[i].name);
		buf_json(to, r->settings[i].value);
	}
	buf_putc(to, '}');
}

void run_summary_json(const run_summary *s, store *db, buf *to)
{
	const run_row *r = s->run;
	listing l = {.to = to, .comma = ""};
	buf_puts(to, "{\"schema\":2,\"command\":\"run\",\"backend\":");
	buf_json(to, r->backend);
	buf_puts(to, ",\"db\":");
	buf_json(to, s->db);
	buf_printf(to,
	    ",\"run\":%" PRId64 ",\"seed\":%" PRIu64 ",\"next\":%" PRIu64 ",\"ended\":\"%s\",\"seconds\":%.3f"
	    ",\"models_per_second\":%.3f,\"versions\":%s",
	    r->id, r->seed, r->next, s->ended, r->seconds, per_second((double)r->models, r->seconds),
	    *r->versions ? r->versions : "{}");
	buf_printf(to,
	    ",\"findings\":{\"new\":%" PRId64 ",\"while_probing\":%" PRId64 ",\"in_corpus_replay\":%" PRId64 ",\"first\":%" PRId64
	    ",\"waiting\":%" PRId64 "}",
	    s->found, s->probing, s->replay, s->first, s->waiting);
	add_settings(r, to);
	add_counts(r, to);
	add_excuses(r, db, to);
	buf_puts(to, ",\"cpu_seconds\":");
	spent_json(s->cpu, to);
	buf_puts(to, ",\"troubles\":[");
	runs_each_trouble(db, r->id, 1000, add_trouble, &l, NULL);
	buf_puts(to, "],\"tiers\":[");
	add_tiers(s->tiers, to);
	buf_puts(to, "]}\n");
}
