/* Signatures of ranks that were not recorded. Records have ranks up to 5, with few exceptions. An operator that is elementwise at
 * ranks 4 and 5 is assumed elementwise at other ranks, too:
 *
 *   one tensor: the result has its shape
 *   two tensors of a rank: they broadcast, or have the same shape
 *
 * The rules' answers for random shapes show this. A new signature has its own rule, and the name of the signature that it is made
 * from. If a target does not support that one, it gets no other ranks.
 *
 * Old versions of an operator have few records: all ranks for one constant (Cast to float32), and rank 0 for the others. If an
 * operator of one tensor is elementwise at ranks 4 and 5 with some constant, it is with each constant that was recorded at the
 * lowest rank. */
#ifndef INDEX_RANKS_H
#define INDEX_RANKS_H

#include "arena.h"
#include "ruletable.h"

enum {
	INDEX_RANKS_FIRST = 6,
	INDEX_RANKS_LAST = 8,
	INDEX_RANKS_BEYOND = 7 << INDEX_RANKS_FIRST, /* the ranks above those of records, as bits */
};

/* How the result's shape follows from the operands'. */
enum elementwise { NOT_ELEMENTWISE, ELEMENTWISE_UNARY, ELEMENTWISE_BROADCAST, ELEMENTWISE_EQUAL };

/* The kind of the signature `at` of the table, if that of rank 4 has the same. */
enum elementwise index_elementwise(const rs_table *t, uint32_t at);
/* The ranks above that of the signature `at` for which no signature with the same constants was recorded, as bits. 0 unless it has
 * one tensor and is the one of the lowest rank, and others of its API show that the operator is elementwise. */
uint32_t index_missing_ranks(const rs_table *t, uint32_t at);
/* A signature of this kind for another rank. NULL: out of memory. */
const rs_op *index_other_rank(const rs_op *from, enum elementwise kind, unsigned rank, arena *a);

#endif
