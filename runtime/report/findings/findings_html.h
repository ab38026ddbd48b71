/* Findings as one page that needs nothing else: counts over time, a drawing of each model with shapes on its edges, what
 * the two sides said, the script to copy, and filters. Its one script is the page's own, and its policy lets no other run:
 * names and messages are anybody's. About 10 KB a finding: 200 of them stay below 2 MB; with more, the rest are lines. */
#ifndef FINDINGS_HTML_H
#define FINDINGS_HTML_H

#include "digest.h"

enum { FINDINGS_HTML_WHOLE = 200, FINDINGS_HTML_EACH = 9500 /* bytes a finding, on the mean */ };

/* False and d where the database fails. */
bool findings_html_print(const digest *g, buf *out, diag *d);

#endif
