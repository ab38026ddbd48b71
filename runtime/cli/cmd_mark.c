/* rulefuzz mark: what a person decided about findings, and why. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "status.h"
#include "store.h"

static int help(void)
{
	puts("usage: rulefuzz mark ID… STATUS [--reason TEXT] [--db FILE]\n\n"
	     "Gives findings a status.\n\n"
	     "  --db FILE      default rulefuzz.db\n"
	     "  --reason TEXT  why, or where it is reported; shown with the finding\n\n"
	     "  new          not looked at\n"
	     "  known        a bug that is reported, or is waited for\n"
	     "  fixed        it is gone; when it is met again it is new\n"
	     "  flaky        it does not fail each time\n"
	     "  not-a-bug    it is as it should be; it is counted, and never new again\n"
	     "  unsupported  the target says that it cannot do it");
	return EXIT_CLEAN;
}

typedef struct request {
	const char *db, *status, *reason;
	char **ids;
	int n;
} request;

static bool mark(store *s, const request *r, int64_t id, arena *a, diag *d)
{
	finding f;
	int found = store_get(s, id, &f, a, d);
	if (found == 0)
		diag_at(d, r->db, 0, "no finding %" PRId64, id);
	if (found != 1 || !store_set_status(s, id, r->status, r->reason, d))
		return false;
	printf("finding %" PRId64 " is now %s (was %s)\n", id, r->status, f.status);
	return true;
}

static int mark_all(const request *r)
{
	diag d = {""};
	arena *a = arena_new();
	store *s = a ? store_open(r->db, false, &d) : NULL;
	bool ok = s != NULL || (a ? false : diag_set(&d, "error: out of memory"));
	int64_t id;
	for (int i = 0; ok && i < r->n; i++)
		ok = parse_number("mark", "ID", r->ids[i], 1, INT64_MAX, &id) && mark(s, r, id, a, &d);
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
	for (int c; (c = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1;) {
		if (c == 'h')
			return help();
		if (c == 'd')
			r.db = optarg;
		else if (c == 'r')
			r.reason = optarg;
		else
			return usage_error("mark", "bad option");
	}
	if (argc - optind < 2)
		return usage_error("mark", "takes the numbers of findings and a status");
	r.status = argv[argc - 1];
	if (status_parse(r.status) == STATUS_NONE)
		return usage_error("mark", "a status is %s, not '%s'", status_list(), r.status);
	r.ids = argv + optind;
	r.n = argc - 1 - optind;
	return mark_all(&r);
}
