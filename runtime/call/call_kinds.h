/* Kinds of calls that a framework always rejects, such as tensors of a rank that no accepted call has; and high ranks that it
 * accepts. They come from traces/FRAMEWORK/KINDS.tsv, which `make kinds` writes. The file is compiled in. */
#ifndef CALL_KINDS_H
#define CALL_KINDS_H

#include "bind.h"

/* Whether a call is of a rejected kind. `why` gets the reason: "never accepted: input a float tensor of
 * rank 2, mat2 a float tensor of rank 2". */
bool call_always_rejected(const char *api, const binding *b, buf *why);

/* Whether a call with a tensor of this rank, higher than those of records, is accepted for some sizes. */
bool call_accepts_rank(const char *api, const binding *b, size_t rank);

#endif
