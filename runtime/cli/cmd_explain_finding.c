/* rulefuzz explain-finding: the comparison of a finding, both results, the tolerance and the confirmation. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "commands.h"
#include "explain.h"
#include "store.h"

static int help(void)
{
	puts("usage: rulefuzz explain-finding ID [--db FILE]\n\n"
	     "Explains a finding: what was compared, the results of the reference and the target, the\n"
	     "tolerance, and how the finding was confirmed. Nothing is run; the database is only read.\n\n"
	     "  --db FILE    default rulefuzz.db");
	return EXIT_CLEAN;
}

static bool explain(store *s, const char *db, int64_t id, arena *a, diag *d)
{
	finding f;
	buf out = {0};
	int found = store_get(s, id, &f, a, d);
	if (found == 0)
		diag_at(d, db, 0, "no finding %" PRId64, id);
	bool ok = found == 1 && diag_memory(d, explain_finding(&f, a, &out));
	if (ok)
		fputs(out.text, stdout);
	buf_free(&out);
	return ok;
}

int cmd_explain_finding(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {
	    {"db", required_argument, NULL, 'd'}, {"help", no_argument, NULL, 'h'}, {0}};
	const char *db = "rulefuzz.db";
	int64_t id;
	optind = 1;
	for (int c; (c = next_option("explain-finding", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c != 'd')
			return EXIT_USAGE;
		db = optarg;
	}
	if (optind + 1 != argc)
		return usage_error("explain-finding", "expected one finding's ID");
	if (!parse_number("explain-finding", "ID", argv[optind], 1, INT64_MAX, &id))
		return EXIT_USAGE;
	diag d = {""};
	arena *a = arena_new();
	store *s = a ? store_open_read(db, &d) : NULL;
	bool ok = s && explain(s, db, id, a, &d);
	if (!ok)
		fprintf(stderr, "%s\n", a ? d.text : "error: out of memory");
	store_close(s);
	if (a)
		arena_free(a);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}
