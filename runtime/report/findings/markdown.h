/* The summary of a job as Markdown, as code hosts show it beside the job: what is new with model and script, what is gone,
 * what was known. At most MARKDOWN_BYTES, since a host takes a MiB of summary for a step. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include "digest.h"

enum { MARKDOWN_BYTES = 900 * 1000, MARKDOWN_WHOLE = 20 /* findings with model and script */ };

/* False and d where the database fails. */
bool markdown_print(const digest *g, buf *out, diag *d);

#endif
