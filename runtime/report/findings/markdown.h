/* The summary of a job as Markdown: new and regressed findings with model and script, then fixed and unchanged ones. At most
 * MARKDOWN_BYTES, since hosts limit a summary to one MiB. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include "digest.h"

enum { MARKDOWN_BYTES = 900 * 1000, MARKDOWN_WHOLE = 20 /* findings with model and script */ };

/* False and d if the database fails. */
bool markdown_print(const digest *g, buf *out, diag *d);

#endif
