/* The report as text and as JSON. */
#ifndef COVERAGE_TEXT_H
#define COVERAGE_TEXT_H

#include "buf.h"
#include "coverage.h"

void coverage_print_text(const coverage *c, bool list, buf *out); /* list: also one line per type */
void coverage_print_json(const coverage *c, buf *out);

#endif
