/* Quantized models: QuantizeLinear and DequantizeLinear around float tensors, where quantizers place them and elsewhere.
 *
 *   an activation     x ─► Q ─► DQ ─► users          one pair or two in a row; for all users or some; as a result Q, DQ or x
 *   a constant, an input of the model                integers ─► DQ ─► users, or a pair
 *   weights alone, in a quarter of the models        integers of 4 or 8 bits ─► DQ ─► users
 *   a third operand of dequantized ones (a bias)     int32 ─► DQ, with the product of the other scales or a scale of its own
 *
 * The elements keep their class, so that all calls still get the elements that they were drawn for. */
#ifndef QUANTIZE_H
#define QUANTIZE_H

#include "gen.h"

/* Quantizes `features.quantized` in a thousand models. False: out of memory. */
bool gen_quantize(gen *g, rng *r);

#endif
