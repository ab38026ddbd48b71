/* What one side says of a call, and what two sides say otherwise.
 *
 *            B: accepts        refuses   elements decide   kills its process   does not know the call
 *   A: accepts  shape, dtype   less      elements          dies                gone
 *      refuses  more           -         elements          dies                gone
 *      dies     survives       survives  survives          -                   gone
 *      unknown  new            new       new               new                 -
 *
 * Messages do not count, only whether there is a refusal. What a side did not decide (no memory, no time, no rule) is no
 * difference.
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

/* Of an oracle's line (docs/reference/file-formats.md, "A side of `rulesmith diff`"); its text is copied. A line without an outcome is
 * REPLY_LOST. */
reply reply_read(const cJSON *line, const operator *op, arena *memory);
/* Of output dimensions, nodim. */
reply reply_accepts(const operator *op, const int64_t *out, arena *memory);
/* What b, the new side, says otherwise than a. */
enum change reply_change(const reply *a, const reply *b);
/* Why: the refusal's message without its numbers, or what became of the dtypes. */
const char *reply_cause(enum change c, const reply *a, const reply *b, arena *memory);

#endif
