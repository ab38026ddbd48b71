/* rulefuzz merge: the databases of several machines as one. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "merge.h"

static int help(void)
{
	puts("usage: rulefuzz merge OUT.db IN.db…\n\n"
	     "Merges databases of findings, such as those of the shards of a campaign, into a new file. The\n"
	     "order of the inputs does not matter, and merged databases can be merged again.\n\n"
	     "For a finding that several inputs have, counts are added, and the earliest date and the best\n"
	     "reproduction are kept: a short script, fewer calls, less text. The strongest status wins:\n"
	     "not-a-bug, known, open, flaky, fixed, unsupported. Findings get new IDs.");
	return EXIT_CLEAN;
}

int cmd_merge(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"help", no_argument, NULL, 'h'}, {0}};
	optind = 1;
	for (int c; (c = next_option("merge", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		return EXIT_USAGE;
	}
	if (argc - optind < 2)
		return usage_error("merge", "expected OUT.db and at least one IN.db");
	diag d = {""};
	if (merge_databases(argv[optind], argv + optind + 1, argc - optind - 1, &d))
		return EXIT_CLEAN;
	fprintf(stderr, "%s\n", d.text);
	return EXIT_INPUT;
}
