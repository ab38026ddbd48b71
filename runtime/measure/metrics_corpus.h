/* Which APIs count, and which degrees each may have: of an index, of a published set, of a file. */
#ifndef METRICS_CORPUS_H
#define METRICS_CORPUS_H

#include "diag.h"
#include "index_data.h"
#include "metrics.h"

/* What a generator's index holds: its APIs, with the numbers of tensor inputs of their operators. Adds the
 * operators to *operators, and to samplers by their enum rs_sampler. False: out of memory. */
bool metrics_corpus_index(
    metrics *m, const gen_index *x, uint32_t *operators, uint32_t samplers[METRICS_SAMPLERS]);

/* All of a set (opset.h), also those that no generator can use. False: out of memory. */
bool metrics_corpus_set(metrics *m, const char *set, const char *framework);

/* Lines `API [IN-DEGREES [OUT-DEGREES]]`, degrees as 1,2 or 0..5 or - (the table's, the options').
 * False and d. */
bool metrics_corpus_file(metrics *m, const char *path, diag *d);

#endif
