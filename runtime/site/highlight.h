/* C with simple markup: comments, keywords, numbers and called functions. */
#ifndef HIGHLIGHT_H
#define HIGHLIGHT_H

#include "buf.h"

/* The escaped text, with <i> comments, <b> keywords, <u> called functions. */
void highlight_put(buf *out, const char *text);
/* The position behind the comments at the begin of a file. */
const char *highlight_body(const char *text);

#endif
