/* rules.jsonl: the hand-over to codegen (docs/formats.md, "Rules"). */
#ifndef RULES_H
#define RULES_H

#include "buf.h"
#include "record.h"

/* A rule as text: what threads hand over and the cache keeps. Strings are owned. */
typedef struct solved {
	char **out, **valid; /* nodim and nvalid expressions */
	int nodim, nvalid;
	char *why;	     /* NULL: there is a rule */
	char *layer;
	int proof;	     /* a verdict, or -1: none was needed */
	bool thin;
	int passed, failed;  /* records the rule agrees with */
	double seconds;	     /* spent now; 0 from the cache */
	long work;	     /* column evaluations spent now */
	bool cached;
} solved;

void solved_free(solved *r);

/* Appends one line (with its newline) for an operator. */
void rules_write_header(buf *to, const char *tool, const char *z3, int operators, int complete);
void rules_write(buf *to, const operator *op, const solved *r);

/* The cache: a file of JSON lines, appended to as operators are solved, so that a killed run goes on
 * where it was. Keys are hashes of an operator's records and of the program itself. */
typedef struct cache cache;

cache *cache_open(const char *folder, uint64_t version); /* folder NULL: nothing is kept */
bool cache_find(const cache *c, uint64_t key, solved *r);
void cache_add(cache *c, uint64_t key, const solved *r); /* thread-safe */
void cache_close(cache *c);

#endif
