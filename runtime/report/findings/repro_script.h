/* The script of a finding: the short one, else the long one with a comment that states so. */
#ifndef REPRO_SCRIPT_H
#define REPRO_SCRIPT_H

#include "buf.h"
#include "store.h"

/* The text may be in the buffer; "" if there is none. full: the long script, unchanged. */
const char *repro_script(const finding *f, bool full, buf *room);

#endif
