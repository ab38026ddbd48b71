/* The script of a finding that people get: the short one, or the long one, which says why it is that. */
#ifndef REPRO_SCRIPT_H
#define REPRO_SCRIPT_H

#include "buf.h"
#include "store.h"

/* Its text, which may be in the buffer; "" where there is none. full: the long one, as it is. */
const char *repro_script(const finding *f, bool full, buf *room);

#endif
