/* Defines the corpus: the APIs that count and their possible degrees, from an index, a published set or a file. */
#ifndef METRICS_CORPUS_H
#define METRICS_CORPUS_H

#include "diag.h"
#include "index_data.h"
#include "metrics.h"

/* Adds the APIs of a generator's index, with the numbers of tensor inputs of their signatures. Adds the number of
 * signatures to *operators, and to samplers by enum rs_sampler. False: out of memory. */
bool metrics_corpus_index(
    metrics *m, const gen_index *x, uint32_t *operators, uint32_t samplers[METRICS_SAMPLERS]);

/* Adds a whole set (opset.h), including operators that no generator can use. False: out of memory. */
bool metrics_corpus_set(metrics *m, const char *set, const char *framework);

/* Reads lines `API [IN-DEGREES [OUT-DEGREES]]`, with degrees as 1,2 or 0..5 or - (those of the table, of the options).
 * False and d on an error. */
bool metrics_corpus_file(metrics *m, const char *path, diag *d);

#endif
