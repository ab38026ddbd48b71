/* rulefuzz list: the findings in a database. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"
#include "commands.h"
#include "status.h"
#include "store.h"

static int help(void)
{
	puts("usage: rulefuzz list [--db FILE] [--status S] [--json]\n\n"
	     "Lists the findings in a database, one a line.\n\n"
	     "  --db FILE    default rulefuzz.db\n"
	     "  --status S   only these: new, known, fixed, flaky, not-a-bug, unsupported; all\n"
	     "               (default: all but the last two)\n"
	     "  --json       as JSON");
	return EXIT_CLEAN;
}

typedef struct listing {
	const char *status;
	bool json;
	int64_t shown, hidden;
} listing;

static bool wanted(const listing *l, const finding *f)
{
	if (!l->status)
		return !status_is_settled(status_parse(f->status));
	return strcmp(l->status, "all") == 0 || strcmp(l->status, f->status) == 0;
}

static void print_json(const finding *f, bool first)
{
	buf b = {0};
	buf_printf(&b,
	    "%s{\"id\":%" PRId64 ",\"kind\":\"%s\",\"status\":\"%s\",\"count\":%" PRId64
	    ",\"nodes\":%" PRId64 ",\"seed\":%" PRIu64 ",\"index\":%" PRIu64
	    ",\"found\":\"%s\",\"class\":\"%s\",\"reduced\":%s,\"checked\":\"%s\",\"fixed_in\":%s,\"reason\":",
	    first ? "" : ",", f->id, f->kind, f->status, f->count, f->nodes, f->seed, f->index,
	    f->found, f->class, f->reduced ? "true" : "false", f->checked, *f->fixed_in ? f->fixed_in : "null");
	buf_json(&b, f->reason);
	buf_puts(&b, ",\"pass\":");
	buf_json(&b, f->pass);
	buf_puts(&b, ",\"backend\":");
	buf_json(&b, f->backend);
	buf_puts(&b, ",\"apis\":");
	buf_json(&b, f->apis);
	buf_puts(&b, ",\"title\":");
	buf_json(&b, f->title);
	buf_puts(&b, ",\"signature\":");
	buf_json(&b, f->signature);
	buf_putc(&b, '}');
	fputs(b.text, stdout);
	buf_free(&b);
}

static bool show(void *context, const finding *f)
{
	listing *l = context;
	if (!wanted(l, f)) {
		l->hidden++;
		return true;
	}
	if (l->json)
		print_json(f, l->shown == 0);
	else
		printf("%4" PRId64 "  %-13s %-3s %-11s %5" PRId64 "x  %s\n", f->id, f->kind, f->class, f->status,
		    f->count, f->title);
	l->shown++;
	return true;
}

static int list(const char *db, listing *l)
{
	diag d = {""};
	store *s = store_open(db, false, &d);
	if (l->json && s)
		fputs("{\"schema\":1,\"command\":\"list\",\"findings\":[", stdout);
	bool ok = s && store_each(s, show, l, &d);
	if (l->json && s)
		puts("]}");
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	else if (!l->json && l->hidden)
		fprintf(stderr, "%" PRId64 " more with another status; see --status\n", l->hidden);
	store_close(s);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}

int cmd_list(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"db", required_argument, NULL, 'd'},
	    {"status", required_argument, NULL, 's'}, {"json", no_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	const char *db = "rulefuzz.db";
	listing l = {0};
	optind = 1;
	for (int c; (c = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'd')
			db = optarg;
		else if (c == 's')
			l.status = optarg;
		else if (c == 'j')
			l.json = true;
		else
			return usage_error("list", "bad option");
	}
	if (l.status && strcmp(l.status, "all") != 0 && status_parse(l.status) == STATUS_NONE)
		return usage_error("list", "--status takes %s, or all, not '%s'", status_list(), l.status);
	if (optind < argc)
		return usage_error("list", "unexpected argument '%s'", argv[optind]);
	return list(db, &l);
}
