/* What was tried: calls, ranks, combinations of arguments, and notes on single signatures. */
#ifndef PAGE_TRIED_H
#define PAGE_TRIED_H

#include "api_heads.h"

void page_tried_put(buf *out, const api_heads *h, const api_view *v);

#endif
