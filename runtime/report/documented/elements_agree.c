#include "elements_agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Behind the dtype and the shape: "float32 (2,) ". */
static const char *elements(const char *text)
{
	const char *end = strchr(text, ')');
	bool layout = *text == '(' || strncmp(text, "float", 5) == 0 || strncmp(text, "int", 3) == 0 || strncmp(text, "uint", 4) == 0
		      || strncmp(text, "bfloat", 6) == 0 || strncmp(text, "bool", 4) == 0 || strncmp(text, "complex", 7) == 0;
	return layout && end && strchr(text, '(') && strchr(text, '(') < end ? end + 1 : text;
}

/* The next number; false at the end, and for any other text. */
static bool next(const char **at, double *value)
{
	char *end;
	*at += strspn(*at, "[](), ");
	*value = strtod(*at, &end);
	bool number = end != *at && (*end == '\0' || strchr("[](), ", *end));
	*at = end;
	return number;
}

static bool same(double a, double b)
{
	bool near = isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-4 * fmax(fabs(a), fabs(b));
	return (isnan(a) && isnan(b)) || a == b || near;
}

/* The first pair of elements that differs. */
static bool first_pair(const char *got, const char *expected, double pair[2])
{
	const char *one = elements(got), *two = elements(expected);
	while (next(&one, &pair[0]) && next(&two, &pair[1]))
		if (!same(pair[0], pair[1]))
			return true;
	return false;
}

/* 0: finite; else its class. */
static int special(double value)
{
	return isnan(value) ? 1 : !isinf(value) ? 0 : value > 0 ? 2 : 3;
}

static bool is_small(double value)
{
	return fabs(value) <= 2 && value == floor(value);
}

bool elements_agree(const char *got, const char *expected, const char *page_got, const char *page_expected)
{
	double ours[2], theirs[2];
	if (!first_pair(got, expected, ours) || !first_pair(page_got, page_expected, theirs))
		return false;
	bool classes = true, any = false, equal = true, small = true;
	for (int i = 0; i < 2; i++) {
		classes &= special(ours[i]) == special(theirs[i]) && (ours[i] == 0) == (theirs[i] == 0);
		any |= special(ours[i]) != 0;
		equal &= same(ours[i], theirs[i]);
		small &= is_small(ours[i]);
	}
	return (classes && any) || (equal && !small);
}
