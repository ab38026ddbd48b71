/* rulefuzz site: pages of all rules. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "site.h"

static int help(void)
{
	puts("usage: rulefuzz site [OPTION…]\n\n"
	     "Writes pages of all rules: an index with search, and for each API its signature, its rules with\n"
	     "what speaks for them, a picture of what they accept, its call forms and its C. They need no\n"
	     "server, no network and, but for search and other pictures, no script.\n\n"
	     "  --rules FILE      default build/rules.jsonl\n"
	     "  --out DIR         default build/site; pages of APIs that are gone are left there\n"
	     "  --since FILE      the rules of the version before: pages say what changed\n"
	     "  --generated DIR   where the C is, default generated; what is not there is not shown\n"
	     "  --library FILE    a shared library of rules that draws, in place of the one linked in\n"
	     "  --help");
	return EXIT_CLEAN;
}

static int write_site(const site_options *o)
{
	diag d = {""};
	site_counts n;
	if (!site_write(o, &n, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return EXIT_INPUT;
	}
	printf("%s/index.html: %zu APIs, %zu call forms, %zu pictures, %zu files, %.1f MB\n", o->out, n.apis, n.forms, n.pictures, n.files,
	    (double)n.bytes / 1e6);
	if (n.strange)
		printf("%zu call forms have no picture: the compiled table has not their rules; `make rules` and build anew\n", n.strange);
	return EXIT_CLEAN;
}

int cmd_site(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"rules", required_argument, NULL, 'r'}, {"out", required_argument, NULL, 'o'},
	    {"since", required_argument, NULL, 's'}, {"generated", required_argument, NULL, 'g'}, {"library", required_argument, NULL, 'l'},
	    {"help", no_argument, NULL, 'h'}, {0}};
	site_options o = {.rules = "build/rules.jsonl", .out = "build/site", .generated = "generated"};
	const char *library = NULL;
	optind = 1;
	for (int c; (c = next_option("site", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == '?')
			return EXIT_USAGE;
		*(c == 'r' ? &o.rules : c == 'o' ? &o.out : c == 's' ? &o.since : c == 'g' ? &o.generated : &library) = optarg;
	}
	if (argc > optind)
		return usage_error("site", "takes no argument, but was given '%s'", argv[optind]);
	o.lib = open_rules(library);
	return o.lib ? write_site(&o) : EXIT_INPUT;
}
