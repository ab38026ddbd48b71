/* The text form of a call: Python's syntax, with tensors as on rule pages.
 *
 *   call   := NAME '(' [argument {',' argument} [',']] ')'
 *   argument := [IDENTIFIER '='] value
 *   value  := NUMBER | STRING | None | True | False | NAME | '[' values ']' | '(' values ')' | tensor
 *   tensor := DTYPE '[' sizes ']' ['in' LOW '..' HIGH]     f32[2,3], i64[5] in 0..9: elements from 0 to 9.
 *           | DTYPE '(' value ')'                          i64([2, 3]): a tensor of these elements.
 *   DTYPE  := f32, i64, bool … as in rule pages, float32 …, or '?' for an unknown dtype.
 *
 * Nothing is evaluated: a name is a name. */
#ifndef CALL_READER_H
#define CALL_READER_H

#include "call_value.h"
#include "diag.h"

enum { CALL_LONGEST = 1 << 20, CALL_DEEPEST = 16 }; /* limits: bytes of a call; nested lists */

/* Parses a call. False: d has "column N: what". Memory comes from the arena. */
bool call_parse(const char *text, arena *memory, call *out, diag *d);

/* Parses one value that takes up the whole text. */
bool call_parse_value(const char *text, arena *memory, call_value *out, diag *d);

#endif
