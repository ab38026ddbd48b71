/* The rule of an API: its page in generated/ (docs/reference/rule-notation.md), with formulas and tables. */
#ifndef PAGE_HTML_H
#define PAGE_HTML_H

#include "buf.h"

/* Appends the page that opens the API's C file. NULL, or a file without a page: appends nothing. */
void page_html_put(buf *out, const char *code);

#endif
