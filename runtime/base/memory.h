/* How a program handles a failed allocation: it reports and goes on, or ends. */
#ifndef MEMORY_H
#define MEMORY_H

#include <stddef.h>

/* Called by arenas, bufs and growing arrays after a failed allocation of `bytes` bytes. It returns in the library and in
 * rulefuzz, whose callers check for NULL. rulesmith links its own, which ends the process (synth/memory/need.c): there, an
 * arena never returns NULL and a buf never fails. */
void out_of_memory(size_t bytes);

#endif
