/* Kinds of calls that a framework always rejects, as tensors of a rank that no accepted call has.
 *
 * They come from traces/FRAMEWORK/REJECTED.tsv, which `python -m traces.collect.plain FRAMEWORK --rejected` writes. The file is
 * compiled in. */
#ifndef CALL_REJECTED_H
#define CALL_REJECTED_H

#include "bind.h"

/* Whether a call is of a rejected kind. `why` gets the kind: `input=f2 mat2=f2`. */
bool call_always_rejected(const char *api, const binding *b, buf *why);

#endif
