/* Inputs to ask a framework about: near the records, and on purpose at the borders.
 *
 * The box is what questions stay in: dimensions 0..64, attributes -3..64, every input tensor of at most 4096 elements.
 * A record may lie outside it; then its neighbourhood does too. A few inputs go beyond on purpose.
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
	int low, high; /* the symbols that bound its elements (docs/reference/file-formats.md); -1: there are none */
	int64_t most;  /* elements: BOX_ELEMENTS, or twice what a record has */
} box_tensor;

typedef struct box {
	const operator *op;
	box_tensor *tensors;
	int ntensors;
} box;

/* Reads the operator's arguments. The box lives in `memory` and speaks of op's records as they are when it is used. */
box box_of(const operator *op, arena *memory);

/* Whether an input may be asked: no dimension below 0, no tensor too large, bounds of elements as the records have
 * them. */
bool box_allows(const box *b, const int64_t *x);

/* Makes the bounds of a tensor's elements such as the records have them: both 0 without elements, otherwise low < high. */
void box_repair(const box *b, int64_t *x);

/* A mutant of a record in x: one to three symbols changed, or a group of equal ones. `recent` (nrecent rows of nsym;
 * may be empty) are answers of the last round, whose neighbours tell most. With `beyond` a value may leave the box. */
void point_draw(const box *b, rng *r, const int64_t *const *recent, int nrecent, bool beyond, int64_t *x);

/* A joint move of a record, or of a recent input, in x: symbols that share a value above 1 change together.
 * There are three kinds:
 *
 *   - all symbols of a value change to another one;
 *   - all multiples of it change to the same multiple of another: 8 channels in 4 groups become 6 in 3;
 *   - these, and sums of the value and another symbol, change by the same step: 3 inputs, 5 cells, 20 gates and 8 rows
 *     become 3, 6, 24 and 9.
 *
 * At least two symbols move. False if the start has no two such symbols. */
bool point_move(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *x);

/* A part of a joint move: one or two of its symbols stay, or two or three alone move. This separates symbols
 * that are equal by chance. In a layer of 2 inputs and 2 outputs, 2 times, all move except the times; or the
 * inputs alone. */
bool point_part(const box *b, rng *r, const int64_t *const *recent, int nrecent, int64_t *x);

/* The largest dimension that keeps every tensor within the box's number of elements. */
int64_t box_small_side(const box *b);

/* Bounds for Z3: the box, no dimension above `most`; or all of the box (most < 0). */
void box_bounds(const box *b, int64_t most, int64_t *low, int64_t *high);

#endif
