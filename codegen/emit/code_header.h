/* generated/code.h: what every function of generated/ builds on. */
#ifndef CODE_HEADER_H
#define CODE_HEADER_H

#include "buf.h"

void code_header_put(buf *text);

#endif
