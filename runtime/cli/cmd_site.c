/* rulefuzz site: writes HTML pages of all rules. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "site.h"

static int help(void)
{
	puts("usage: rulefuzz site [OPTION…]\n\n"
	     "Writes HTML pages of all rules: an index with search, a legend of the notation, and one page per API\n"
	     "with its rule, the evidence for it, a picture of the accepted calls, its signatures and its C code.\n"
	     "The pages need no server and no network.\n\n"
	     "  --out DIR         write the pages to DIR (default build/site); old pages are not removed\n"
	     "  --rules FILE      the rules as JSON lines (default build/rules.jsonl)\n"
	     "  --since FILE      the rules of an older version; pages show the changes\n"
	     "  --generated DIR   folder of the C code (default generated); missing code is not shown\n"
	     "  --library FILE    rule library for the pictures instead of the built-in one\n"
	     "  --help            show this text");
	return print_examples("site");
}

static int write_site(const site_options *o)
{
	diag d = {""};
	site_counts n;
	if (!site_write(o, &n, &d)) {
		fprintf(stderr, "%s\n", d.text);
		return EXIT_INPUT;
	}
	printf("%s/index.html: %zu APIs, %zu signatures, %zu pictures, %zu files, %.1f MB\n", o->out, n.apis, n.forms, n.pictures, n.files,
	    (double)n.bytes / 1e6);
	if (n.strange)
		printf("%zu signatures have no picture: the compiled rules are not those of %s; run `make rules` and build again\n", n.strange,
		    o->rules);
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
		return usage_error("site", "unexpected argument '%s'", argv[optind]);
	o.lib = open_rules(library);
	return o.lib ? write_site(&o) : EXIT_INPUT;
}
