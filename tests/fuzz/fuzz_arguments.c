/* Arguments, one per line, for the options of generation and for the numbers and times of all commands.
 * Opens no file. */
#include <string.h>

#include "cli.h"
#include "gen_options.h"
#include "input.h"

enum { MOST = 32 };

static int split(char *text, char *argv[MOST])
{
	int n = 1;
	for (char *line; n < MOST - 1 && (line = strsep(&text, "\n"));)
		argv[n++] = line;
	argv[n] = NULL;
	return n;
}

static void parse_each(int argc, char **argv)
{
	int64_t number, to;
	double seconds;
	for (int i = 1; i < argc; i++) {
		parse_number("fuzz", "--number", argv[i], 0, INT64_MAX, &number);
		parse_range("fuzz", "--range", argv[i], INT64_MIN, INT64_MAX, &number, &to);
		if (parse_time("fuzz", "--time", argv[i], &seconds) && !(seconds >= 0 && seconds < 1e18))
			abort();
	}
}

static void parse_options(int argc, char **argv)
{
	static const struct option OPTIONS[] = {GEN_LONG_OPTIONS, {0}};
	gen_choice c = GEN_CHOICE;
	bool good = true;
	optind = 0;
	for (int option; good && (option = next_option("fuzz", argc, argv, "", OPTIONS)) != -1;)
		good = option > GEN_FRAMEWORK - 1 && gen_option("fuzz", option, &c);
	if (good && gen_choice_finish("fuzz", &c, "torch") == EXIT_CLEAN)
		gen_choice_for_run(&c);
	gen_choice_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[] = "fuzz", *argv[MOST] = {name}, *text = malloc(size + 1);
	static FILE *nowhere;
	if (!text || (!nowhere && !(nowhere = fopen("/dev/null", "w"))))
		abort();
	stderr = nowhere; /* messages; libFuzzer keeps its own */
	memcpy(text, data, size);
	text[size] = '\0';
	int argc = split(text, argv);
	parse_each(argc, argv);
	parse_options(argc, argv);
	free(text);
	return 0;
}
