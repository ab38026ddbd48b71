/* Memory of the audit. If it runs out, the process ends with a message and exit code 1. No caller has a result
 * to check. */
#ifndef AUDIT_MEMORY_H
#define AUDIT_MEMORY_H

#include <stddef.h>

void *memory_new(size_t n, size_t size);	    /* n zeroed items, to free(); n may be 0 */
void *memory_grow(void *old, size_t n, size_t size); /* realloc to n items */
char *memory_text(const char *text);		    /* a copy, to free() */
char *memory_part(const char *text, size_t n);	    /* of its first n bytes */

#endif
