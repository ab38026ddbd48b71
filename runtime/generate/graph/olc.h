/* Operator-level coverage, updated while models are generated (graph-based fuzz testing, section III.B), so that the generator
 * knows the uncovered items.
 *
 *   OTC  1 if the operator occurred                       of 1
 *   IDC  distinct numbers of tensor inputs                of those that its rows of the table have
 *   ODC  distinct numbers of uses of its outputs, 0 … 5   of 6
 *   SEC  distinct operators that use its outputs          of the number of operators
 *   SPC  distinct vectors of shapes and parameters        of maxspc, at most that
 *
 * An operator ("type") is an API of the corpus, numbered from 0. Its coverage is the mean of the five, the total the mean
 * over all operators: weights of 1, as in section IV.B. Integers only, since decisions about models must not depend on
 * rounding. */
#ifndef OLC_H
#define OLC_H

#include <stdbool.h>
#include <stdint.h>

enum {
	OLC_DEGREES = 6,   /* out-degrees 0 … 5 */
	OLC_ONE = 1 << 20, /* full coverage of one criterion of an operator */
};

typedef struct olc_type {
	uint64_t in_possible, in_seen; /* bit d: in-degree d */
	uint32_t successors;
	uint16_t vectors;
	uint8_t out_seen;
	bool seen;
} olc_type;

typedef struct olc {
	olc_type *types;
	uint64_t *edges; /* words per type: bit b: an edge to type b was seen */
	uint64_t *set;   /* open addressing: hashes of (type, vector); 0: free */
	uint64_t mask;
	uint32_t ntypes, words, maxspc;
} olc;

/* in_degrees: one bit set per type. False: out of memory. */
bool olc_init(olc *o, uint32_t ntypes, const uint64_t *in_degrees, uint32_t maxspc);
void olc_free(olc *o);
void olc_reset(olc *o);

/* Counts an occurrence; true: the coverage grew. vector: a hash of shapes and parameters. */
bool olc_add_node(olc *o, uint32_t type, uint32_t in_degree, uint32_t out_degree, uint64_t vector);
bool olc_add_edge(olc *o, uint32_t from, uint32_t to);

static inline bool olc_has_edge(const olc *o, uint32_t from, uint32_t to)
{
	return o->edges[(uint64_t)from * o->words + to / 64] >> (to % 64) & 1;
}

/* Marks a vector as seen without counting it; at most one for each counted one. */
void olc_mark(olc *o, uint32_t type, uint64_t vector);
bool olc_has_vector(const olc *o, uint32_t type, uint64_t vector); /* true also beyond maxspc */

/* The value of one more item of a criterion, in units of OLC_ONE; 0: none. */
uint32_t olc_worth_in(const olc *o, uint32_t type, uint32_t in_degree);
uint32_t olc_worth_out(const olc *o, uint32_t type, uint32_t out_degree);
static inline uint32_t olc_worth_edge(const olc *o)
{
	return OLC_ONE / o->ntypes;
}
uint32_t olc_worth_vector(const olc *o, uint32_t type);

uint32_t olc_of_type(const olc *o, uint32_t type); /* the sum of its five criteria: at most 5 OLC_ONE */

/* For reports: fractions of 1. */
typedef struct olc_report {
	double otc, idc, odc, sec, spc, all;
} olc_report;
olc_report olc_sum(const olc *o);

#endif
