/* rulefuzz merge: the databases of several machines as one. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "merge.h"

static int help(void)
{
	puts("usage: rulefuzz merge OUT.db IN.db…\n\n"
	     "Makes one database of findings of several, as of the shards of a campaign. OUT.db must not be\n"
	     "there; the order of the others does not matter, and merging what was merged gives the same.\n"
	     "Of a finding that is in several, how often it was met is added up, the earliest time is kept,\n"
	     "and the best reproduction: a short script, fewer calls, less text. A status that a person gave\n"
	     "(not-a-bug, known) counts before new, new before flaky and fixed.");
	return EXIT_CLEAN;
}

int cmd_merge(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"help", no_argument, NULL, 'h'}, {0}};
	optind = 1;
	for (int c; (c = getopt_long(argc, argv, "", LONG_OPTIONS, NULL)) != -1;) {
		if (c == 'h')
			return help();
		return usage_error("merge", "bad option");
	}
	if (argc - optind < 2)
		return usage_error("merge", "takes the database to make and those to merge");
	diag d = {""};
	if (merge_databases(argv[optind], argv + optind + 1, argc - optind - 1, &d))
		return EXIT_CLEAN;
	fprintf(stderr, "%s\n", d.text);
	return EXIT_INPUT;
}
