/* The report as one page that needs nothing else: no script, no font, no file from elsewhere. */
#ifndef COVERAGE_HTML_H
#define COVERAGE_HTML_H

#include "buf.h"
#include "coverage.h"

void coverage_print_html(const coverage *c, buf *out);

#endif
