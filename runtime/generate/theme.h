/* Themes: in some models most calls are of one kind, so that pairs of them are frequent. Kinds are found in the rules
 * and records, not by name.
 *
 *   integers  Calls that compute integers, mostly of 32 and 64 bits, or convert floats to them: not those that only move data.
 *             Most of their inputs are wide (wide.h). A share `features.wide_integers` of the models.
 *
 *   keeping   Calls with one tensor, floats or integers of 8 bits, whose result has its dtype and no larger elements: those that
 *             move data, maxima, rectifiers. Optimizers move quantization through them. Two fifths of the quantized models.
 *
 *   weighted  Calls with a matrix or kernel that is mostly constant in real models. Optimizers merge them with the dequantization
 *             of their weights. Two fifths of the quantized models.
 *
 * Only models of mixed sizes have themes. In these, the values of an API's string attributes are equally frequent, too. */
#ifndef THEME_H
#define THEME_H

#include "gen.h"

/* Lists the APIs of each theme. False: out of memory. */
bool themes_open(gen *g);
void themes_close(gen *g);

/* Draws the theme of a model, and sets the fraction of its inputs that are wide. */
void theme_begin(gen *g, uint64_t seed, uint64_t index);

/* An API, mostly one of the theme. */
uint32_t theme_draw_api(gen *g);

/* One of `count` places, and a signature of an API: mostly with few dimensions of weights if the theme has these. */
const index_place *theme_draw_place(gen *g, const index_place *all, uint32_t count);
const index_op *theme_draw_signature(gen *g, const index_api *a);

/* A dtype row of a signature, preferably one of the theme. */
const uint8_t *theme_draw_row(gen *g, const index_op *o);

/* Whether a step may insert a chain: most chains are of floats. */
bool theme_takes_chain(gen *g);

#endif
