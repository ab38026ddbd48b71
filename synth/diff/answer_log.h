/* Answers on disk, by key: a file of lines "KEY ANSWER". Answers are appended as they arrive. A torn last line, left by
 * a kill, is ignored, so its question is asked again.
 */
#ifndef ANSWER_LOG_H
#define ANSWER_LOG_H

#include <stdint.h>

#include "diag.h"

typedef struct answer_log answer_log;

/* Opens the log; the folder is created if missing. NULL and d if it or the file cannot be written. */
answer_log *answer_log_open(const char *folder, const char *name, diag *d);
void answer_log_free(answer_log *l); /* NULL is fine */

const char *answer_log_get(const answer_log *l, uint64_t key); /* NULL: none */
void answer_log_put(answer_log *l, uint64_t key, const char *answer);
/* Writes all answers to disk; false and d on failure. */
bool answer_log_flush(answer_log *l, diag *d);

#endif
