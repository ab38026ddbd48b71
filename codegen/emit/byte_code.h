/* Writes numbers and names of byte code (runtime/include/apirules.h has the grammar). */
#ifndef BYTE_CODE_H
#define BYTE_CODE_H

#include <string.h>

#include "apirules.h"
#include "buf.h"

static inline void byte_code_u(buf *to, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_putc(to, (char)(((v & 127) | 128) ^ RS_API_DIGIT));
	buf_putc(to, (char)(v ^ RS_API_DIGIT));
}

static inline void byte_code_s(buf *to, int64_t v)
{
	byte_code_u(to, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static inline void byte_code_text(buf *to, const char *text)
{
	buf_add(to, text, strlen(text) + 1);
}

#endif
