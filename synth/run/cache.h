/* The cache of solved operators: a file of JSON lines, appended to as operators are solved, so that a killed run goes on
 * where it was. Keys are hashes of what an operator's result depends on; an entry of another version of the solver, or
 * one that a kill cut short, is none. Shards of one synthesis each append to a file of their own and read those of all.
 */
#ifndef CACHE_H
#define CACHE_H

#include "rule.h"
#include "shard.h"

typedef struct cache cache;

/* folder NULL: nothing is kept. What other shards kept until now is there. */
cache *cache_open(const char *folder, shard s);
bool cache_has(const cache *c, uint64_t key);
/* The rule of an operator, into a store; false when it is not there. */
bool cache_find(const cache *c, uint64_t key, const operator *op, rule_store to, rule *r);
void cache_add(cache *c, uint64_t key, const operator *op, const rule *r); /* thread-safe */
void cache_close(cache *c);

#endif
