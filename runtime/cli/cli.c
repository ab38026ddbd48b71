#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "own_rules.h"

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

bool parse_number(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *value)
{
	char *end;
	errno = 0;
	long long v = strtoll(text, &end, 10);
	if (errno || end == text || *end || v < low || v > high) {
		usage_error(command, "%s takes a whole number from %lld to %lld, not '%s'", option,
		    (long long)low, (long long)high, text);
		return false;
	}
	*value = v;
	return true;
}

bool parse_range(const char *command, const char *option, const char *text, int64_t low, int64_t high,
    int64_t *from, int64_t *to)
{
	char first[32];
	const char *dots = strstr(text, "..");
	size_t n = dots ? (size_t)(dots - text) : strlen(text);
	if (n >= sizeof first) {
		usage_error(command, "%s takes N or A..B", option);
		return false;
	}
	memcpy(first, text, n);
	first[n] = '\0';
	if (!parse_number(command, option, first, low, high, from))
		return false;
	*to = *from;
	if (dots && !parse_number(command, option, dots + 2, low, high, to))
		return false;
	if (*to < *from) {
		usage_error(command, "%s %s: the range is empty", option, text);
		return false;
	}
	return true;
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

bool parse_time(const char *command, const char *option, const char *text, double *seconds)
{
	char *end;
	double v = strtod(text, &end);
	double unit = *end == 'm' ? 60 : *end == 'h' ? 3600 : *end == '\0' || *end == 's' ? 1 : 0;
	if (end == text || (*end && end[1]) || unit == 0 || !(v >= 0) || v * unit > 1e9) {
		usage_error(command, "%s takes seconds, or a number with s, m or h, not '%s'", option, text);
		return false;
	}
	*seconds = v * unit;
	return true;
}
