/* Findings as one page that loads nothing: counts over time, a drawing of each model, both results, the script to copy, and
 * filters. Its content security policy permits only its own script, since names and messages are untrusted. About 10 KB a
 * finding: 200 of them stay below 2 MB. Further findings are single lines. */
#ifndef FINDINGS_HTML_H
#define FINDINGS_HTML_H

#include "digest.h"

enum { FINDINGS_HTML_WHOLE = 200, FINDINGS_HTML_EACH = 9500 /* average bytes a finding */ };

/* False and d if the database fails. */
bool findings_html_print(const digest *g, buf *out, diag *d);

#endif
