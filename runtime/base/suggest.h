/* "Did you mean …?": the known name nearest to a mistyped word.
 *
 *   suggestion s = suggest_start("onnx-runtime");
 *   for (each name) suggest_see(&s, name);
 *   if (*s.name) … "did you mean %s?"
 *
 * Distance counts insertions, deletions, replacements and swaps of neighbours; case costs nothing. A word without a dot is
 * also compared with the part of a name behind its last dot, so that `conv2dd` finds `torch.nn.functional.conv2d`. */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

enum { SUGGEST_LONGEST = 160 }; /* bytes of a word or name; longer ones are never suggested */

typedef struct suggestion {
	const char *word;	       /* not owned */
	char name[SUGGEST_LONGEST + 1]; /* the nearest so far, "": none is near enough */
	size_t distance;
} suggestion;

suggestion suggest_start(const char *word);
void suggest_see(suggestion *s, const char *name);

/* The same for a list of n names: the name, or NULL. */
const char *suggest(const char *word, const char *const *names, size_t n);

#endif
