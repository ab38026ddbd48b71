/* Generators of several operator sets. A range of sets draws one for each model; the generator of a set is made when the first
 * model needs it, which takes tens of milliseconds and some megabytes. */
#ifndef GEN_SETS_H
#define GEN_SETS_H

#include "gen.h"

/* rs_gen_new that shares data with another generator, whose options differ only in operator sets and excluded calls; NULL: none.
 * Either may be freed first. */
typedef gen *gen_maker(const rs_table *table, const rs_gen_options *options, const gen *like, char *message, size_t size);
/* The maker. rs_gen_new takes tens of milliseconds for each operator set, this a few. */
gen_maker gen_like;

/* Prepares g, the generator of the range's newest set. False and d: out of memory, or the strategy learns from all of its
 * earlier models, which must then be of one set. */
bool gen_sets_open(gen *g, const rs_table *table, const rs_gen_options *options, gen_maker *make, diag *d);
void gen_sets_close(gen *g);
/* Moves generators of sets from an earlier generator of the same options: those in which no call is newly excluded. */
void gen_sets_move(gen *from, gen *to);

/* The generator for a model: of the drawn set, or, if that has none of the requested APIs, of the next newer one that has some.
 * NULL: out of memory. */
gen *gen_sets_draw(gen *g, uint64_t seed, uint64_t index);

/* Counts of a generator, over all operator sets. */
gen_stats gen_get_stats(const rs_gen *g);
gen_scope gen_get_scope(const rs_gen *g); /* of the newest operator set */

#endif
