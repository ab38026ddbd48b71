/* The reply of a side to a call, and the change between the replies of two sides.
 *
 *            B: accepts        rejects   elements decide   crashes   does not know the call
 *   A: accepts  shape, dtype   less      elements          dies      gone
 *      rejects  more           -         elements          dies      gone
 *      crashes  survives       survives  survives          -         gone
 *      unknown  new            new       new               new       -
 *
 * Messages are not compared, only whether the call is rejected. If a side did not decide (no memory, no time, no
 * rule), there is no change.
 */
#ifndef REPLY_H
#define REPLY_H

#include <cjson/cJSON.h>

#include "arena.h"
#include "record.h"

enum reply_kind { REPLY_LOST, REPLY_ACCEPTS, REPLY_REFUSES, REPLY_ELEMENTS, REPLY_DIES, REPLY_ABSENT, REPLY_KINDS };
extern const char *const REPLY_NAMES[REPLY_KINDS];

typedef struct reply {
	enum reply_kind kind;
	const char *shapes, *dtypes; /* of an accepted call: "[5, 2], []" and "float32, int64"; else "" */
	const char *message;	     /* "": none */
} reply;

enum change { CHANGE_NONE, CHANGE_LESS, CHANGE_MORE, CHANGE_SHAPE, CHANGE_DTYPE, CHANGE_ELEMENTS, CHANGE_DIES, CHANGE_SURVIVES, CHANGE_GONE, CHANGE_NEW, CHANGES };
extern const char *const CHANGE_NAMES[CHANGES];

/* Reads an oracle's line (docs/reference/file-formats.md, "A side of `rulesmith diff`") and copies its text. A line
 * without an outcome is REPLY_LOST. */
reply reply_read(const cJSON *line, const operator *op, arena *memory);
/* The reply that accepts, with these nodim output dimensions. */
reply reply_accepts(const operator *op, const int64_t *out, arena *memory);
/* The change from a to b, the new side. */
enum change reply_change(const reply *a, const reply *b);
/* The cause of a change: the rejection's message without its numbers, or the change of the dtypes. */
const char *reply_cause(enum change c, const reply *a, const reply *b, arena *memory);

#endif
