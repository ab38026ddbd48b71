/* rulefuzz report: the findings of a database as files for people, build servers and code hosts. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "digest.h"
#include "report_files.h"

static int help(void)
{
	puts("usage: rulefuzz report [--db FILE] [--out DIR]\n\n"
	     "Writes the findings of a database to DIR: report.html, a single file that loads nothing else;\n"
	     "summary.md; junit.xml; rulefuzz.sarif; and scripts/ID.py, the script of each finding that is not\n"
	     "closed. `rulefuzz ci` writes the same after a run, with the changes of the job. The database is\n"
	     "only read.\n\n"
	     "  --db FILE    default rulefuzz.db\n"
	     "  --out DIR    default rulefuzz-report");
	return EXIT_CLEAN;
}

static bool report(const char *db, const char *out, arena *a, diag *d)
{
	digest g;
	store *s = store_open_read(db, d);
	bool ok = s && digest_make(&g, s, NULL, a, d) && report_files_write(&g, out, a, d);
	if (ok) {
		buf line = {0};
		status_counts(g.statuses, &line);
		printf("%s\n%s/report.html\n", buf_text(&line), out);
		buf_free(&line);
	}
	store_close(s);
	return ok;
}

int cmd_report(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"db", required_argument, NULL, 'd'},
	    {"out", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {0}};
	const char *db = "rulefuzz.db", *out = "rulefuzz-report";
	optind = 1;
	for (int c; (c = next_option("report", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == '?')
			return EXIT_USAGE;
		*(c == 'd' ? &db : &out) = optarg;
	}
	if (optind < argc)
		return usage_error("report", "unexpected argument '%s'", argv[optind]);
	diag d = {""};
	arena *a = arena_new();
	bool ok = a ? report(db, out, a, &d) : diag_set(&d, "out of memory");
	if (!ok)
		fprintf(stderr, "%s\n", d.text);
	if (a)
		arena_free(a);
	return ok ? EXIT_CLEAN : EXIT_INPUT;
}
