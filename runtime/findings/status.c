#include "status.h"

#include <string.h>

static const char *const NAMES[] = {
#define X(name, text) text,
    STATUSES(X)
#undef X
};

const char *status_name(enum status s)
{
	return NAMES[s];
}

enum status status_parse(const char *name)
{
	int s = 0;
	while (s < STATUS_NONE && strcmp(NAMES[s], name) != 0)
		s++;
	return (enum status)s;
}

const char *status_list(void)
{
	return "new, known, fixed, flaky, not-a-bug or unsupported";
}

bool status_is_settled(enum status s)
{
	return s == STATUS_NOT_A_BUG || s == STATUS_UNSUPPORTED;
}

const char *recheck_name(enum recheck_outcome o)
{
	static const char *const OUTCOMES[] = {[RECHECK_FAILS] = "fails",
	    [RECHECK_GONE] = "gone",
	    [RECHECK_FLAKY] = "flaky",
	    [RECHECK_OTHER] = "other",
	    [RECHECK_UNCLEAR] = "unclear"};
	return OUTCOMES[o];
}

enum status status_after(enum status s, enum recheck_outcome o)
{
	if (status_is_settled(s) || o == RECHECK_UNCLEAR)
		return s;
	if (o == RECHECK_FLAKY)
		return STATUS_FLAKY;
	if (o == RECHECK_GONE)
		return s == STATUS_FLAKY ? s : STATUS_FIXED;
	if (s == STATUS_FIXED || (s == STATUS_FLAKY && o == RECHECK_FAILS))
		return STATUS_NEW;
	return s;
}

const char *failure_class(const char *kind, const char *stage)
{
	if (strcmp(kind, "inconsistency") == 0)
		return "DCF";
	return strcmp(stage, "compile") == 0 ? "MCF" : "IF";
}
