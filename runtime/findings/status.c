#include "status.h"

#include <inttypes.h>
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
	return "open, known, fixed, flaky, not-a-bug or unsupported";
}

const char *status_renamed(const char *name)
{
	return strcmp(name, "new") == 0 ? "; new was renamed to open" : "";
}

bool status_is_dismissed(enum status s)
{
	return s == STATUS_NOT_A_BUG || s == STATUS_UNSUPPORTED;
}

bool status_is_closed(enum status s)
{
	return s == STATUS_FIXED || status_is_dismissed(s);
}

void status_counts(const int64_t *counts, buf *out)
{
	int64_t all = 0;
	const char *between = ": ";
	for (int s = 0; s <= STATUS_NONE; s++)
		all += counts[s];
	buf_printf(out, "%" PRId64 " %s", all, all == 1 ? "finding" : "findings");
	for (int s = 0; s < STATUS_NONE; s++) {
		if (!counts[s])
			continue;
		buf_printf(out, "%s%" PRId64 " %s", between, counts[s], NAMES[s]);
		between = ", ";
	}
}

/* ---- changes */

const char *change_name(enum change c)
{
	static const char *const CHANGE_NAMES[] = {
#define X(name, text) text,
	    CHANGES(X)
#undef X
	};
	return CHANGE_NAMES[c];
}

enum change change_of(enum status before, enum status after)
{
	if (after == STATUS_FIXED)
		return before == STATUS_FIXED || before == STATUS_NONE ? CHANGE_CLOSED : CHANGE_FIXED;
	if (status_is_closed(after) || after == STATUS_NONE)
		return CHANGE_CLOSED;
	if (before == STATUS_FIXED)
		return CHANGE_REGRESSED;
	bool first = before == STATUS_NONE && after != STATUS_FLAKY;
	return first || (before == STATUS_FLAKY && after == STATUS_OPEN) ? CHANGE_NEW : CHANGE_UNCHANGED;
}

/* ---- rechecks */

const char *recheck_name(enum recheck_outcome o)
{
	static const char *const OUTCOMES[] = {[RECHECK_REPRODUCES] = "reproduces",
	    [RECHECK_NOT_REPRODUCED] = "not-reproduced",
	    [RECHECK_FLAKY] = "flaky",
	    [RECHECK_DIFFERENT] = "different",
	    [RECHECK_INCONCLUSIVE] = "inconclusive"};
	return OUTCOMES[o];
}

enum status status_after(enum status s, enum recheck_outcome o)
{
	if (status_is_dismissed(s) || o == RECHECK_INCONCLUSIVE)
		return s;
	if (o == RECHECK_FLAKY)
		return STATUS_FLAKY;
	if (o == RECHECK_NOT_REPRODUCED)
		return s == STATUS_FLAKY ? s : STATUS_FIXED;
	if (s == STATUS_FIXED || (s == STATUS_FLAKY && o == RECHECK_REPRODUCES))
		return STATUS_OPEN;
	return s;
}

const char *failure_class(const char *kind, const char *stage)
{
	if (strcmp(kind, "inconsistency") == 0)
		return "DCF";
	return strcmp(stage, "compile") == 0 ? "MCF" : "IF";
}
