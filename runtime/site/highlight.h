/* C with light marks: comments, words of the language, numbers and what is called. */
#ifndef HIGHLIGHT_H
#define HIGHLIGHT_H

#include "buf.h"

/* text, escaped, with <i> comments, <b> words of C, <u> what is called. */
void highlight_put(buf *out, const char *text);
/* Behind the comments that a file opens with. */
const char *highlight_body(const char *text);

#endif
