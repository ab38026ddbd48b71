/* Answers on disk, by key: a file of lines "KEY ANSWER", to which what is answered is appended as it comes. A line that
 * was cut off, by a kill, counts as none: its question is asked again.
 */
#ifndef ANSWER_LOG_H
#define ANSWER_LOG_H

#include <stdint.h>

#include "diag.h"

typedef struct answer_log answer_log;

/* The folder is made where it is missing. NULL and d: it cannot be, or the file cannot be written. */
answer_log *answer_log_open(const char *folder, const char *name, diag *d);
void answer_log_free(answer_log *l); /* NULL is fine */

const char *answer_log_get(const answer_log *l, uint64_t key); /* NULL: none */
void answer_log_put(answer_log *l, uint64_t key, const char *answer);
/* What was put is on disk; false and d where it could not be written. */
bool answer_log_flush(answer_log *l, diag *d);

#endif
