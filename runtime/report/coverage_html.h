/* The report as one self-contained page: no script, no font, no external file. */
#ifndef COVERAGE_HTML_H
#define COVERAGE_HTML_H

#include "buf.h"
#include "coverage.h"

void coverage_print_html(const coverage *c, buf *out);

#endif
