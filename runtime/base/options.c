#include "options.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "suggest.h"

static const struct {
	const char *old, *now;
} NAMES[] = {
#define RENAMED(old, now) {old, now},
#include "renamed.def"
#undef RENAMED
};

static void complain(const char *who, const char *format, va_list args)
{
	fprintf(stderr, "%s: error: ", who);
	vfprintf(stderr, format, args);
}

/* A message with a remedy. */
static int advise(const char *who, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int advise(const char *who, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	complain(who, format, args);
	va_end(args);
	fputc('\n', stderr);
	return '?';
}

/* A message that refers to the help text. */
static int refer(const char *who, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int refer(const char *who, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	complain(who, format, args);
	va_end(args);
	fprintf(stderr, "; try '%s --help'\n", who);
	return '?';
}

/* Whether the first n characters of a text are the name of an option. */
static bool has(const struct option *options, const char *name, size_t n)
{
	for (; options->name; options++)
		if (strlen(options->name) == n && memcmp(options->name, name, n) == 0)
			return true;
	return false;
}

/* The name that an option of this command has now; NULL: it was not renamed. */
static const char *new_name(const struct option *options, const char *old, int n)
{
	for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
		if (strncmp(NAMES[i].old, old, (size_t)n) == 0 && !NAMES[i].old[n] && has(options, NAMES[i].now, strlen(NAMES[i].now)))
			return NAMES[i].now;
	return NULL;
}

/* n: the length of the name in `given`, which may go on with =VALUE. */
static int unknown(const char *who, const char *given, int n, const struct option *options)
{
	const char *now = new_name(options, given, n);
	if (now)
		return advise(who, "--%.*s was renamed to --%s", n, given, now);
	const char *names[128] = {NULL};
	size_t count = 0;
	char word[64];
	snprintf(word, sizeof word, "%.*s", n, given);
	for (; options[count].name && count < sizeof names / sizeof *names; count++)
		names[count] = options[count].name;
	const char *near = suggest(word, names, count);
	if (near)
		return advise(who, "unknown option '--%.*s'; did you mean --%s?", n, given, near);
	return refer(who, "unknown option '--%.*s'", n, given);
}

/* An ambiguous abbreviation. */
static int ambiguous(const char *who, const char *given, int n, const struct option *options)
{
	char all[256] = "";
	size_t used = 0;
	for (; options->name; options++)
		if (strncmp(options->name, given, (size_t)n) == 0 && used + strlen(options->name) + 8 < sizeof all)
			used += (size_t)snprintf(all + used, sizeof all - used, "%s--%s", used ? ", " : "", options->name);
	return refer(who, "option '--%.*s' is ambiguous: %s", n, given, all);
}

static int begun_by(const struct option *options, const char *given, int n)
{
	int count = 0;
	for (; options->name; options++)
		count += strncmp(options->name, given, (size_t)n) == 0;
	return count;
}

/* The word that getopt_long stopped at. */
static int bad_long(const char *who, const char *word, const struct option *options)
{
	const char *given = word + 2;
	const int n = (int)strcspn(given, "="), count = begun_by(options, given, n);
	if (count == 0)
		return unknown(who, given, n, options);
	if (count > 1 && !has(options, given, (size_t)n))
		return ambiguous(who, given, n, options);
	return refer(who, "option '--%.*s' takes no argument, got '%s'", n, given, given[n] ? given + n + 1 : "");
}

int option_next(const char *who, int argc, char **argv, const char *letters, const struct option *options)
{
	char with_colon[64]; /* getopt returns ':' for a missing argument if its string begins with one */
	snprintf(with_colon, sizeof with_colon, ":%s", letters);
	opterr = 0;
	optopt = 0;
	const int at = optind, option = getopt_long(argc, argv, with_colon, options, NULL);
	if (option == ':')
		return refer(who, "option '%s' needs an argument", argv[optind - 1]);
	if (option != '?')
		return option;
	const char *word = argv[optind > at ? optind - 1 : optind];
	if (strncmp(word, "--", 2) == 0)
		return bad_long(who, word, options);
	return refer(who, "unknown option '-%c'", optopt);
}
