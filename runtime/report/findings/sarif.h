/* Findings as SARIF 2.1.0, which code hosts show beside the code.
 *
 * Each kind of finding is a rule, and each finding a result. Its location is its script, since the line in the compiler is
 * unknown. Findings marked known or not-a-bug are suppressed; fixed and unsupported ones are omitted. The limits of the large
 * hosts are kept: 10 MB, 25,000 results, new ones first; a notification has the number of omitted ones. */
#ifndef SARIF_H
#define SARIF_H

#include "digest.h"
#include "verdict.h"

enum { SARIF_BYTES = 10 * 1000 * 1000, SARIF_RESULTS = 25000, SARIF_TEXT = 1000 /* bytes of a message */ };

/* bytes: the limit; SARIF_BYTES except in tests. */
void sarif_print(const digest *g, size_t bytes, buf *out);
/* The title of a kind of finding, "Other failure" if it has none of its own. */
const char *sarif_title(enum verdict v);

#endif
