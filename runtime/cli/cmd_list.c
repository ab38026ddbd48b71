/* rulefuzz list: the findings in a database. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "buf.h"
#include "commands.h"
#include "documented.h"
#include "escape.h"
#include "explain.h"
#include "finding_json.h"
#include "status.h"
#include "store.h"
#include "terminal.h"

static int help(void)
{
	puts("usage: rulefuzz list [--db FILE] [--status S] [--color WHEN] [--json]\n\n"
	     "Lists the findings in a database, one per line: ID, kind, status, how often and when it was first\n"
	     "seen, title. On a terminal, lines are cut at its width and the date is an age. The database is\n"
	     "only read.\n\n"
	     "  --db FILE    default rulefuzz.db\n"
	     "  --status S   open, known, fixed, flaky, not-a-bug, unsupported or all\n"
	     "               (default: all but not-a-bug and unsupported)\n"
	     "  --color W    auto (default: on a terminal, unless NO_COLOR is set), always, never\n"
	     "  --json       print JSON\n\n"
	     "Kinds: inconsistency (results differ), error (only the target raises one), accepts-invalid (only\n"
	     "the target accepts an invalid model), crash, hang, memory.\n"
	     "\"class\" in JSON is the class of graph-based fuzz testing: MCF, model conversion failure (it failed\n"
	     "while compiling); IF, inference failure (while running); DCF, data comparison failure.");
	return EXIT_CLEAN;
}

typedef struct listing {
	store *store;
	const char *status;
	bool json;
	terminal terminal;
	time_t now;
	int64_t shown, hidden, statuses[STATUS_NONE + 1];
	bool failed; /* out of memory for a line */
} listing;

static bool wanted(const listing *l, const finding *f)
{
	if (!l->status)
		return !status_is_dismissed(status_parse(f->status));
	return strcmp(l->status, "all") == 0 || strcmp(l->status, f->status) == 0;
}

/* Documented bugs are compared with the model, which store_each leaves out, as it does the APIs of a cause. False: out of memory, or
 * the database failed. */
static bool put_documented(int64_t id, store *s, buf *out)
{
	arena *a = arena_new();
	finding f;
	diag d;
	int found = a ? store_get(s, id, &f, a, &d) : -1;
	buf_puts(out, ",\"also\":");
	buf_json(out, found == 1 ? f.also : "");
	buf_puts(out, ",\"documented\":");
	if (found == 1)
		documented_json(&f, out);
	else
		buf_puts(out, "[]"); /* deleted meanwhile */
	if (a)
		arena_free(a);
	return found >= 0;
}

static void print_json(const finding *f, listing *l)
{
	buf b = {0};
	buf_puts(&b, l->shown ? ",{" : "{");
	finding_json(f, &b);
	l->failed |= !put_documented(f->id, l->store, &b);
	buf_putc(&b, '}');
	l->failed |= b.failed;
	if (!l->failed)
		fputs(b.text, stdout);
	buf_free(&b);
}

static enum terminal_style style_of(const char *status)
{
	switch (status_parse(status)) {
	case STATUS_OPEN:
		return STYLE_RED;
	case STATUS_FIXED:
		return STYLE_GREEN;
	case STATUS_FLAKY:
		return STYLE_YELLOW;
	default:
		return STYLE_DIM;
	}
}

/* columns 0: as long as it is. */
static void put_title(const finding *f, int columns, buf *out)
{
	if (columns)
		escape_fit(out, f->title, columns, false);
	else
		escape_terminal(out, f->title, false);
}

static void print(buf *line, listing *l)
{
	if (!line->failed)
		puts(line->text);
	l->failed |= line->failed;
	buf_free(line);
}

/* One line that fits the terminal; a narrow one shows fewer columns. */
static void print_fitted(const finding *f, listing *l)
{
	enum { NARROW = 60 };
	const terminal *t = &l->terminal;
	bool narrow = t->columns < NARROW;
	int kind = narrow ? 7 : 15, status = narrow ? 5 : 11, used = 4 + 2 + kind + 1 + status + 1 + 6 + 1;
	buf line = {0}, age = {0};
	explain_age(f->found, (long long)l->now, &age);
	buf_printf(&line, "%s%4" PRId64 "%s  ", terminal_style(t, STYLE_BOLD), f->id, terminal_style(t, STYLE_NONE));
	escape_fit(&line, f->kind, kind, true);
	buf_printf(&line, " %s", terminal_style(t, style_of(f->status)));
	escape_fit(&line, f->status, status, true);
	buf_printf(&line, "%s ", terminal_style(t, STYLE_NONE));
	line.failed |= age.failed;
	escape_fit(&line, buf_text(&age), 6, true);
	buf_putc(&line, ' ');
	if (!narrow) {
		buf_printf(&line, "%5" PRId64 "x  ", f->count);
		used += 8;
	}
	if (t->columns > used)
		put_title(f, t->columns - used, &line);
	print(&line, l);
	buf_free(&age);
}

static void print_line(const finding *f, listing *l)
{
	buf line = {0};
	buf_printf(&line, "%4" PRId64 "  %-15s %-11s %5" PRId64 "x  %.10s  ", f->id, f->kind, f->status, f->count, f->found);
	put_title(f, 0, &line);
	print(&line, l);
}

static bool show(void *context, const finding *f)
{
	listing *l = context;
	l->statuses[status_parse(f->status)]++;
	if (!wanted(l, f)) {
		l->hidden++;
		return true;
	}
	if (l->json)
		print_json(f, l);
	else if (l->terminal.columns > 0)
		print_fitted(f, l);
	else
		print_line(f, l);
	l->shown++;
	return !l->failed;
}

/* The counts of all findings, in the words of `report`. */
static void summarise(const listing *l)
{
	buf line = {0};
	status_counts(l->statuses, &line);
	if (l->hidden)
		buf_printf(&line, " (%" PRId64 " not listed; see --status)", l->hidden);
	fprintf(stderr, "%s\n", buf_text(&line));
	buf_free(&line);
}

static int list(const char *db, listing *l)
{
	diag d = {""};
	store *s = store_open_read(db, &d);
	if (l->json && s)
		fputs("{\"schema\":1,\"command\":\"list\",\"findings\":[", stdout);
	l->store = s;
	bool ok = s && store_each(s, show, l, &d) && !l->failed;
	if (l->failed)
		diag_set(&d, "out of memory");
	if (l->json && s)
		puts("]}");
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	else if (!l->json)
		summarise(l);
	store_close(s);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}

int cmd_list(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"db", required_argument, NULL, 'd'},
	    {"status", required_argument, NULL, 's'}, {"json", no_argument, NULL, 'j'},
	    {"color", required_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'}, {0}};
	const char *db = "rulefuzz.db";
	listing l = {.now = time(NULL)};
	enum terminal_colour colour = COLOUR_AUTO;
	optind = 1;
	for (int c; (c = next_option("list", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'd')
			db = optarg;
		else if (c == 's')
			l.status = optarg;
		else if (c == 'j')
			l.json = true;
		else if (c != 'c')
			return EXIT_USAGE;
		else if (!terminal_colour_option("list", optarg, &colour))
			return EXIT_USAGE;
	}
	l.terminal = terminal_of(stdout, colour);
	if (l.status && strcmp(l.status, "all") != 0 && status_parse(l.status) == STATUS_NONE)
		return usage_error("list", "--status: expected %s, or all, got '%s'%s", status_list(), l.status, status_renamed(l.status));
	if (optind < argc)
		return usage_error("list", "unexpected argument '%s'", argv[optind]);
	return list(db, &l);
}
