/* Findings as SARIF 2.1.0, which code hosts show beside the code.
 *
 * A finding is a result of the rule of its kind; its place is the script that shows it, since a fuzzer knows no line of the
 * compiler. What a person marked as known or no bug is suppressed; what is fixed or not supported is left out. The limits
 * of the large hosts are kept: 10 MB, 25,000 results, of which what is new comes first; what is left out is told. */
#ifndef SARIF_H
#define SARIF_H

#include "digest.h"

enum { SARIF_BYTES = 10 * 1000 * 1000, SARIF_RESULTS = 25000, SARIF_TEXT = 1000 /* bytes of a message */ };

/* bytes: at most so many; SARIF_BYTES but in tests. */
void sarif_print(const digest *g, size_t bytes, buf *out);

#endif
