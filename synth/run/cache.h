/* The cache of solved signatures: a file of JSON lines. Each rule is appended when it is found, so a killed run
 * continues where it stopped. A key is the hash of everything that a result depends on. Entries of another solver
 * version and torn lines are ignored. Each shard appends to its own file and reads the files of all shards.
 */
#ifndef CACHE_H
#define CACHE_H

#include "rule.h"
#include "shard.h"

typedef struct cache cache;

/* Reads the entries that this and other shards have stored so far. folder NULL: no cache. */
cache *cache_open(const char *folder, shard s);
bool cache_has(const cache *c, uint64_t key);
/* Reads the rule of a signature into a store; false if the cache lacks it. */
bool cache_find(const cache *c, uint64_t key, const operator *op, rule_store to, rule *r);
void cache_add(cache *c, uint64_t key, const operator *op, const rule *r); /* thread-safe */
void cache_close(cache *c);

#endif
