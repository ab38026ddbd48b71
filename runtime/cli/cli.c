#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_names.h"
#include "options.h"
#include "own_rules.h"
#include "suggest.h"

int usage_error(const char *command, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "rulefuzz %s: error: ", command);
	vfprintf(stderr, format, args);
	fprintf(stderr, "; try 'rulefuzz %s --help'\n", command);
	va_end(args);
	return EXIT_USAGE;
}

int print_examples(const char *command)
{
	static const struct {
		const char *command, *line, *what;
	} ALL[] = {
#define EXAMPLE(command, line, what) {command, line, what},
#include "examples.def"
#undef EXAMPLE
	};
	bool begun = false;
	for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
		if (strcmp(ALL[i].command, command) != 0)
			continue;
		printf("%s  rulefuzz %s%s%s\n      %s\n", begun ? "" : "\nExamples:\n", command, *ALL[i].line ? " " : "",
		    ALL[i].line, ALL[i].what);
		begun = true;
	}
	return EXIT_CLEAN;
}

int next_option(const char *command, int argc, char **argv, const char *letters, const struct option *options)
{
	char who[64];
	snprintf(who, sizeof who, "rulefuzz %s", command);
	return option_next(who, argc, argv, letters, options);
}

int unknown_name(const char *command, const char *what, const char *given, const char *near)
{
	if (!near)
		return usage_error(command, "%s '%s'", what, given);
	fprintf(stderr, "rulefuzz %s: error: %s '%s'; did you mean %s?\n", command, what, given, near);
	return EXIT_USAGE;
}

int unknown_framework(const char *command, const char *what, const rs_library *lib, const char *given)
{
	suggestion s = suggest_start(given);
	for (uint32_t i = 0; i < lib->ntables; i++)
		suggest_see(&s, lib->tables[i]->framework);
	return unknown_name(command, what, given, *s.name ? s.name : NULL);
}

typedef bool suggest_fn(const rs_library *lib, const char *framework, const char *given, buf *to);

static int unknown_rule(const char *command, const char *what, suggest_fn *fn, const rs_library *lib, const char *framework,
    const char *given)
{
	buf near = {0}, all = {0};
	bool some = fn(lib, framework, given, &near);
	buf_printf(&all, "%s%s%s matches", what, framework ? " of " : "", framework ? framework : "");
	int code = unknown_name(command, buf_text(&all), given, some ? buf_text(&near) : NULL);
	buf_free(&near);
	buf_free(&all);
	return code;
}

int unknown_api(const char *command, const rs_library *lib, const char *framework, const char *given)
{
	return unknown_rule(command, "--api: no API", api_suggest, lib, framework, given);
}

int unknown_signature(const char *command, const rs_library *lib, const char *framework, const char *given)
{
	return unknown_rule(command, "--op: no signature", operator_suggest, lib, framework, given);
}

static bool read_number(const char *text, const char *end, int64_t low, int64_t high, int64_t *value)
{
	char *stopped;
	errno = 0;
	long long v = strtoll(text, &stopped, 10);
	*value = v;
	return !errno && stopped != text && stopped == end && v >= low && v <= high;
}

/* "from 1 to 16", or ">= 1" without an upper bound. */
static void put_bounds(char to[64], int64_t low, int64_t high)
{
	if (high == INT64_MAX)
		snprintf(to, 64, ">= %lld", (long long)low);
	else
		snprintf(to, 64, "from %lld to %lld", (long long)low, (long long)high);
}

bool parse_number(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *value)
{
	char bounds[64];
	if (read_number(text, text + strlen(text), low, high, value))
		return true;
	put_bounds(bounds, low, high);
	usage_error(command, "%s: expected a whole number %s, got '%s'", option, bounds, text);
	return false;
}

bool parse_range(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *from, int64_t *to)
{
	char bounds[64];
	const char *dots = strstr(text, ".."), *end = text + strlen(text);
	bool ok = read_number(text, dots ? dots : end, low, high, from);
	*to = *from;
	ok = ok && (!dots || read_number(dots + 2, end, low, high, to));
	if (ok && *from <= *to)
		return true;
	put_bounds(bounds, low, high);
	usage_error(command, "%s: expected N or A..B with A <= B, whole numbers %s, got '%s'", option, bounds, text);
	return false;
}

const rs_library *open_rules(const char *path)
{
	char message[512];
	if (path) {
		const rs_library *lib = rs_library_load(path, message, sizeof message);
		if (!lib)
			fprintf(stderr, "error: %s\n", message);
		diag d = {""};
		if (lib && !own_rules_allow(path, &d)) {
			fprintf(stderr, "%s\n", d.text);
			return NULL;
		}
		return lib;
	}
	const char *why = rs_library_check(&rs_rules);
	if (why)
		fprintf(stderr, "error: %s\n", why);
	return why ? NULL : &rs_rules;
}

static bool read_time(const char *text, double *seconds)
{
	char *end;
	double v = strtod(text, &end);
	double unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : *end == '\0' || *end == 's' ? 1 : 0;
	*seconds = v * unit;
	return end != text && !(*end && end[1]) && unit > 0 && v >= 0 && *seconds <= 1e9;
}

bool parse_time(const char *command, const char *option, const char *text, double *seconds)
{
	if (read_time(text, seconds))
		return true;
	usage_error(command, "%s: expected a duration such as 90s, 10m or 2h, got '%s'", option, text);
	return false;
}

bool parse_duration(const char *command, const char *option, const char *text, double *seconds)
{
	if (read_time(text, seconds) && *seconds > 0)
		return true;
	usage_error(command, "%s: expected a duration > 0 such as 90s or 10m, got '%s'", option, text);
	return false;
}
