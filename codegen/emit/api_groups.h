/* Groups APIs that have the same functions, such as torch.abs, Tensor.abs and Tensor.abs_, so that one of them prints these.
 *
 *   API ──► the set of its functions' texts, as hashes
 *   sets ──► groups: every set is within the representative's, which has at most twice as many functions
 *
 * An API that shares only a few of its functions with another one keeps functions of its own: a reader finds all of them in
 * one file.
 */
#ifndef API_GROUPS_H
#define API_GROUPS_H

#include <stdint.h>

#include "arena.h"

/* A function of a signature. */
typedef struct api_group_entry {
	const char *api;
	uint64_t hash;	   /* of the kind and the text of the function */
	const char *group; /* set by api_groups_find: name of the group's representative */
} api_group_entry;

/* Finds the group of each of n entries, which may be in any order. */
void api_groups_find(arena *memory, api_group_entry *entries, size_t n);

#endif
