/* Quantized models: QuantizeLinear (Q) and DequantizeLinear (DQ) around float tensors, in the places that quantizers choose, and
 * in others.
 *
 * An activation becomes x ─► Q ─► DQ ─► users. There may be a second pair, some users may keep x, and the result of the model
 * is x, Q or DQ.
 *
 * A constant or an input of the model becomes integers ─► DQ ─► users, or a pair. A quarter of the models have only weights
 * quantized, mostly to 4 or 8 bits.
 *
 * A bias is a third operand behind dequantized ones. It becomes int32 ─► DQ. Its scale is the product of the other scales, or
 * its own.
 *
 * The elements keep their class, so that all calls still get the elements that they were drawn for. */
#ifndef QUANTIZE_H
#define QUANTIZE_H

#include "gen.h"

/* Quantizes `features.quantized` in a thousand models. False: out of memory. */
bool gen_quantize(gen *g, rng *r);

#endif
