/* rulefuzz show: one finding, or one part of it; --mark sets its status. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "buf.h"
#include "commands.h"
#include "documented.h"
#include "finding_json.h"
#include "repro_script.h"
#include "show_page.h"
#include "status.h"
#include "store.h"
#include "terminal.h"

static int help(void)
{
	puts("usage: rulefuzz show ID [--db FILE] [--script [full]|--model|--original|--log|--json] "
	     "[--color WHEN] [--mark STATUS [--reason TEXT]]\n\n"
	     "Shows one finding: its status, both results, its model as a small program with shapes, and its\n"
	     "script if that has at most 40 lines. `rulefuzz explain-finding ID` adds the tolerance and how the\n"
	     "finding was confirmed. The database is only read, except with --mark.\n\n"
	     "  --db FILE      default rulefuzz.db\n"
	     "  --script       print only the repro script, a Python file that runs alone: the short script\n"
	     "                 if one reproduced the finding, else the long one; --script full: the long one\n"
	     "  --model        print only the minimized model; --original: the model as generated\n"
	     "  --log          print only the end of the worker's output\n"
	     "  --json         print everything as JSON\n"
	     "  --color WHEN   auto (default: on a terminal, unless NO_COLOR is set), always, never\n"
	     "  --mark STATUS  the same as `rulefuzz mark ID STATUS`; its --help lists the statuses");
	return EXIT_CLEAN;
}

typedef struct request {
	const char *db, *mark, *reason;
	int64_t id;
	int part; /* the letter of an option; 0: the page */
	bool full; /* the long script */
	enum terminal_colour colour;
} request;

static bool print_json(const finding *f)
{
	buf b = {0};
	buf_puts(&b, "{\"schema\":1,\"command\":\"show\",");
	finding_json(f, &b);
	buf_puts(&b, ",\"also\":");
	buf_json(&b, f->also);
	buf_printf(&b, ",\"values\":%" PRIu64 ",\"script\":", f->values);
	buf_json(&b, f->script);
	buf_puts(&b, ",\"short_script\":");
	buf_json(&b, f->short_script);
	buf_puts(&b, ",\"log\":");
	buf_json(&b, f->log);
	buf_printf(&b, ",\"versions\":%s,\"model\":%s,\"original\":%s,\"detail\":%s,\"documented\":",
	    *f->versions ? f->versions : "{}", *f->model ? f->model : "null", *f->original ? f->original : "null",
	    *f->detail ? f->detail : "null");
	documented_json(f, &b);
	buf_putc(&b, '}');
	bool ok = !b.failed;
	if (ok)
		puts(b.text);
	buf_free(&b);
	return ok;
}

/* False: out of memory, and nothing is printed. */
static bool print_part(const finding *f, const request *r)
{
	bool ok = true;
	terminal t = terminal_of(stdout, r->colour);
	buf script = {0};
	switch (r->part) {
	case 's':
		fputs(repro_script(f, r->full, &script), stdout);
		break;
	case 'm':
		puts(f->model);
		break;
	case 'o':
		puts(f->original);
		break;
	case 'l':
		fputs(f->log, stdout);
		break;
	case 'j':
		ok = print_json(f);
		break;
	default:
		show_page(f, &t, &script);
		ok = !script.failed;
		if (ok)
			fputs(script.text, stdout);
	}
	buf_free(&script);
	return ok;
}

static int show(const request *r, store *s, arena *a)
{
	diag d = {""};
	finding f;
	int found = store_get(s, r->id, &f, a, &d);
	if (found == 1 && r->mark && !store_set_status(s, r->id, r->mark, r->reason, &d))
		found = -1;
	if (found == 0)
		fprintf(stderr, "%s: error: no finding %" PRId64 "\n", r->db, r->id);
	else if (found < 0)
		fprintf(stderr, "%s\n", d.text);
	else if (r->mark)
		printf("finding %" PRId64 " is now %s (was %s)\n", r->id, r->mark, f.status);
	else if (!print_part(&f, r)) {
		fprintf(stderr, "rulefuzz show: error: out of memory\n");
		found = -1;
	}
	return found == 1 ? EXIT_CLEAN : EXIT_INPUT;
}

static int open_and_show(const request *r)
{
	diag d = {""};
	store *s = r->mark ? store_open(r->db, false, &d) : store_open_read(r->db, &d);
	arena *a = arena_new();
	int code = EXIT_INPUT;
	if (s && a)
		code = show(r, s, a);
	else
		fprintf(stderr, "%s\n", s ? "error: out of memory" : d.text);
	store_close(s);
	if (a)
		arena_free(a);
	return code;
}

/* Removes the word full, as in --script full, from the other arguments. */
static bool take_full(int *argc, char **words)
{
	for (int i = 0; i < *argc; i++) {
		if (strcmp(words[i], "full") != 0)
			continue;
		memmove(words + i, words + i + 1, (size_t)(--*argc - i) * sizeof *words);
		return true;
	}
	return false;
}

int cmd_show(int argc, char **argv)
{
	static const struct option LONG_OPTIONS[] = {{"db", required_argument, NULL, 'd'},
	    {"mark", required_argument, NULL, 'k'}, {"reason", required_argument, NULL, 'r'}, {"script", optional_argument, NULL, 's'},
	    {"model", no_argument, NULL, 'm'}, {"original", no_argument, NULL, 'o'},
	    {"log", no_argument, NULL, 'l'}, {"json", no_argument, NULL, 'j'},
	    {"color", required_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'}, {0}};
	request r = {.db = "rulefuzz.db"};
	optind = 1;
	for (int c; (c = next_option("show", argc, argv, "", LONG_OPTIONS)) != -1;) {
		if (c == 'h')
			return help();
		if (c == '?')
			return EXIT_USAGE;
		if (c == 's' && optarg && !(r.full = strcmp(optarg, "full") == 0))
			return usage_error("show", "--script: expected full or no argument, got '%s'", optarg);
		if (c == 'c' && !terminal_colour_option("show", optarg, &r.colour))
			return EXIT_USAGE;
		if (c == 'c')
			continue;
		if (c == 'd')
			r.db = optarg;
		else if (c == 'k')
			r.mark = optarg;
		else if (c == 'r')
			r.reason = optarg;
		else
			r.part = c;
	}
	if (r.mark && status_parse(r.mark) == STATUS_NONE)
		return usage_error("show", "--mark: expected %s, got '%s'%s", status_list(), r.mark, status_renamed(r.mark));
	if (r.reason && !r.mark)
		return usage_error("show", "--reason needs --mark");
	int left = argc - optind;
	r.full = r.full || (r.part == 's' && take_full(&left, argv + optind));
	if (left != 1)
		return usage_error("show", "expected one finding's ID");
	if (!parse_number("show", "ID", argv[optind], 1, INT64_MAX, &r.id))
		return EXIT_USAGE;
	return open_and_show(&r);
}
