/* rulefuzz mark: sets the status of findings, with a reason. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "buf.h"
#include "commands.h"
#include "status.h"
#include "store.h"

static int help(void)
{
	puts("usage: rulefuzz mark ID… STATUS [--reason TEXT] [--db FILE]\n\n"
	     "Sets the status of findings: of all of them, or of none if an ID is wrong.\n\n"
	     "  --db FILE      default rulefuzz.db\n"
	     "  --reason TEXT  why, or where it is reported; shown with the finding\n\n"
	     "  open         a bug that nobody has looked at\n"
	     "  known        a bug that is reported or accepted; it keeps a CI job green\n"
	     "  fixed        it does not fail any more; if it fails again, it becomes open\n"
	     "  flaky        it fails only sometimes\n"
	     "  not-a-bug    intended behaviour; it is counted, but never reported again\n"
	     "  unsupported  the target reports that it does not support this");
	return EXIT_CLEAN;
}

typedef struct request {
	const char *db, *status, *reason;
	char **ids;
	int n;
	buf *said; /* printed once all is stored */
} request;

static bool put_change(buf *out, int64_t id, const char *now, const char *before)
{
	buf_printf(out, "finding %" PRId64 " is now %s (was %s)\n", id, now, before);
	return true;
}

static bool mark(store *s, const request *r, int64_t id, arena *a, diag *d)
{
	finding f;
	int found = store_get(s, id, &f, a, d);
	if (found == 0)
		diag_at(d, r->db, 0, "no finding %" PRId64, id);
	return found == 1 && store_set_status(s, id, r->status, r->reason, d)
	       && put_change(r->said, id, r->status, f.status);
}

static bool mark_each(store *s, const request *r, const int64_t *ids, arena *a, diag *d)
{
	bool ok = database_begin(s, d);
	if (!ok)
		return false;
	for (int i = 0; ok && i < r->n; i++)
		ok = mark(s, r, ids[i], a, d);
	return database_end(s, ok, d);
}

static int mark_all(const request *r)
{
	diag d = {""};
	arena *a = arena_new();
	int64_t *ids = a ? ARENA_ARRAY(a, int64_t, r->n + 1) : NULL;
	bool numbers = ids || !diag_memory(&d, false);
	for (int i = 0; numbers && ids && i < r->n; i++)
		numbers = parse_number("mark", "ID", r->ids[i], 1, INT64_MAX, &ids[i]);
	store *s = numbers && ids ? store_open(r->db, false, &d) : NULL;
	bool ok = s && mark_each(s, r, ids, a, &d);
	if (ok)
		fputs(buf_text(r->said), stdout);
	if (*d.text)
		fprintf(stderr, "%s\n", d.text);
	store_close(s);
	if (a)
		arena_free(a);
	return ok ? EXIT_CLEAN : *d.text ? EXIT_INPUT : EXIT_USAGE;
}

int cmd_mark(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"db", required_argument, NULL, 'd'},
	    {"reason", required_argument, NULL, 'r'}, {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.db = "rulefuzz.db"};
	optind = 1;
	for (int c; (c = next_option("mark", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'd')
			r.db = optarg;
		else if (c == 'r')
			r.reason = optarg;
		else
			return EXIT_USAGE;
	}
	if (argc - optind < 2)
		return usage_error("mark", "expected the IDs of findings and a status");
	r.status = argv[argc - 1];
	if (status_parse(r.status) == STATUS_NONE)
		return usage_error("mark", "STATUS: expected %s, got '%s'%s", status_list(), r.status, status_renamed(r.status));
	r.ids = argv + optind;
	r.n = argc - 1 - optind;
	buf said = {0};
	r.said = &said;
	int code = mark_all(&r);
	buf_free(&said);
	return code;
}
