/* Inputs for questions: near the records, and deliberately at boundaries.
 *
 * Questions stay in the box: dimensions 0..64, integers -3..64, at most 4096 elements per input tensor. A record may lie
 * outside, and then its neighbours may too. A few inputs leave the box deliberately.
 */
#ifndef POINTS_H
#define POINTS_H

#include "arena.h"
#include "rng.h"
#include "expr.h"
#include "record.h"

enum { BOX_DIM = 64, BOX_LOW = -3, BOX_HIGH = 64, BOX_ELEMENTS = 4096 };

/* An input tensor: its dimensions are the symbols first … first + rank - 1. */
typedef struct box_tensor {
	int first, rank;
	int low, high; /* the symbols that bound its elements (docs/reference/file-formats.md); -1: none */
	int64_t most;  /* maximum number of elements: BOX_ELEMENTS, or twice the maximum of the records */
} box_tensor;

typedef struct box {
	const operator *op;
	box_tensor *tensors;
	int ntensors;
} box;

/* Builds the box from the operator's arguments, in `memory`. It refers to op, whose records may change. */
box box_of(const operator *op, arena *memory);

/* Whether an input may be queried: no negative dimension, no tensor too large, element bounds as in the records. */
bool box_allows(const box *b, const int64_t *x);

/* Repairs the element bounds of tensors: both 0 for an empty tensor, otherwise low < high. */
void box_repair(const box *b, int64_t *x);

/* Writes a mutant of a record to x: one to three symbols, or a group of equal symbols, changed. `recent` has nrecent rows of
 * nsym values (may be empty): inputs with unpredicted answers, whose neighbours are most informative. With `beyond`, a value
 * may leave the box. */
void point_draw(const box *b, rng *r, const int64_t *const *recent, int nrecent, bool beyond, int64_t *x);

/* Writes a joint move of a record, or of a recent input, to x: symbols that share a value above 1 change together.
 * There are three kinds:
 *
 *   - all symbols of a value change to another value;
 *   - all multiples of it change to the same multiple of another: 8 channels in 4 groups become 6 in 3;
 *   - these, and sums of the value and another symbol, change by the same step: 3 inputs, 5 cells, 20 gates and 8 rows
 *     become 3, 6, 24 and 9.
 *
 * At least two symbols move. Returns false if the start has no two such symbols.
 */
bool point_move(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *x);

/* Writes a part of a joint move to x: one or two of its symbols stay, or only two or three move. This separates symbols that
 * are equal by chance. In a layer with 2 inputs, 2 outputs and 2 repetitions, for example, everything except the repetitions
 * moves, or the inputs alone. */
bool point_part(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *x);

/* The maximum dimension with which every tensor stays within BOX_ELEMENTS. */
int64_t box_small_side(const box *b);

/* Bounds for Z3: the box with dimensions up to `most`, or the whole box if most < 0. */
void box_bounds(const box *b, int64_t most, int64_t *low, int64_t *high);

#endif
