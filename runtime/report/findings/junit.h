/* Findings as JUnit's XML, which build servers show as tests: what is new or back fails, what was known is skipped, what is
 * gone passes; and one test of the job itself, which fails where it could not do its work. */
#ifndef JUNIT_H
#define JUNIT_H

#include "digest.h"

enum { JUNIT_BYTES = 10 * 1000 * 1000 };

/* False and d where the database fails. */
bool junit_print(const digest *g, buf *out, diag *d);

#endif
