/* Findings as JUnit XML, which build servers show as tests: new and regressed findings fail, unchanged ones are skipped, fixed
 * ones pass. One more test stands for the job; it fails if the job failed. */
#ifndef JUNIT_H
#define JUNIT_H

#include "digest.h"

enum { JUNIT_BYTES = 10 * 1000 * 1000 };

/* False and d if the database fails. */
bool junit_print(const digest *g, buf *out, diag *d);

#endif
