/* A diff as text, and as JSON for programs and the site of rules (docs/reference/file-formats.md). */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "differences.h"
#include "signatures.h"

typedef struct diff_report {
	const side *a, *b; /* old, new */
	const asked_calls *calls;
	const differences *found;
	const signatures *signatures; /* NULL: not compared */
	const char *framework;
	uint64_t seed;
} diff_report;

bool diff_report_is_empty(const diff_report *r);
void diff_report_text(buf *to, const diff_report *r);
void diff_report_json(buf *to, const diff_report *r); /* one object and a newline */

#endif
