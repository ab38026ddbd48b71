/* Quantization of one tensor: the numbers of a QuantizeLinear or DequantizeLinear, and the calls.
 *
 *   x ──► QuantizeLinear(x, s, z) ──► q ──► DequantizeLinear(q, s, z) ──► y        y = (clamp(round(x / s) + z) - z) * s
 *
 * Scales are fractions number/divisor: a power of two, so that products are exact, or another one. Both are constants of one
 * element, of one per index of an axis, or of one per block of an axis. The dtypes are those of the table's records; a
 * signature is made for each rank and axis, since the operators accept all of them. */
#ifndef QUANTIZER_H
#define QUANTIZER_H

#include "gen.h"

enum quantizer_grain { QUANTIZER_TENSOR, QUANTIZER_CHANNEL, QUANTIZER_BLOCK };
enum { QUANTIZER_RANK = 8 }; /* maximum rank of a quantized tensor */

/* The numbers of one quantization. */
typedef struct quantizer {
	uint8_t dtype; /* of the integers */
	uint8_t grain; /* enum quantizer_grain */
	uint8_t axis;
	int64_t block; /* elements per block */
	int64_t number, divisor; /* the largest scale; with several of them the smallest is half of it */
	int64_t zero; /* the zero point */
	bool has_zero;
	uint32_t scale, zero_point; /* tensors; GRAPH_NONE: not made yet, or no zero point */
} quantizer;

/* The bounds of a tensor's elements, in thousandths. */
typedef struct quantizer_bounds {
	int64_t low, high;
} quantizer_bounds;

/* How the numbers of a model are drawn. */
typedef struct quantizer_style {
	uint8_t dtype;	   /* preferred */
	uint8_t grain;	   /* preferred */
	bool odd;	   /* scales that are not powers of two */
	bool strict; /* only preferred values, if the tensor allows it */
} quantizer_style;

/* The operators and dtypes of the generator's index, read on first use. NULL: out of memory. The other functions need it. */
typedef struct quantizers quantizers;
quantizers *quantizers_of(gen *g);
void quantizers_close(gen *g);

/* The integer dtypes that a real dtype is quantized to, or dequantized from (a bit for each rs_dtype). 0: none. */
uint32_t quantizer_targets(const gen *g, uint8_t real);
uint32_t quantizer_sources(const gen *g, uint8_t real);

/* The bounds of a tensor by its class or range. */
quantizer_bounds quantizer_limits(const graph_tensor *t);
/* Draws the numbers for a tensor within these bounds; `among`: a set of integer dtypes. */
quantizer quantizer_draw(const gen *g, const graph_tensor *t, quantizer_bounds b, uint32_t among, quantizer_style style, rng *r);
/* Changes scale, zero point or both, so that elements do not become larger. positive: the elements stay positive. */
void quantizer_mismatch(quantizer *q, bool positive, rng *r);
/* The integers that stand for elements within bounds. False: there is none. */
bool quantizer_range(const quantizer *q, quantizer_bounds b, int64_t *low, int64_t *high);

/* Inserts a call before a node and returns its result. Makes the scale and the zero point of q if it has none, like those of
 * the tensor's dtype `real`. GRAPH_NONE: out of memory. */
uint32_t quantizer_insert(gen *g, quantizer *q, bool quantize, uint32_t tensor, uint8_t real, uint32_t before);

#endif
