/* What the files of the strategy graph share, of one generator: what is known of the table's operators,
 * what the run's models covered, and the model at work. */
#ifndef GRAPHING_H
#define GRAPHING_H

#include "corpus.h"
#include "gen.h"
#include "mcts.h"
#include "mutate.h"
#include "olc.h"
#include "topology.h"

enum {
	MAXSPC = 200,
	FEEDS_MAX = 8, /* predecessors of a block that are looked at */
	BASE = 8,      /* rank of the shape that inputs share */
	TYPES = GEN_BUCKETS,
	NOT_YET = OLC_DEGREES, /* an out-degree that counts as none */
	NONE = UINT32_MAX,
};

/* An operator with a dtype row that takes a type at an input and gives a type at output 0. */
typedef struct way {
	uint32_t key; /* input type * TYPES + output type */
	uint32_t op;
	uint16_t row, slot;
} way;

/* A call that could be inserted. */
typedef struct prepared {
	uint64_t gain; /* 0: nothing is prepared */
	uint32_t fed;  /* bits */
	trial trial;
} prepared;

typedef struct graphing {
	corpus corpus;
	olc cover;
	mcts tree;
	topology topo;
	mutation mutation;
	bool steer, mutate; /* options */
	uint8_t models;     /* enum rs_topology */
	uint32_t words;     /* of a set of APIs */
	uint64_t *takers;   /* [TYPES][RS_VALUES_COUNT][words]: APIs that take a type by a rule */
	uint32_t *api_of;   /* by operator of the table; NONE: takes no part */
	bool *recorded;     /* [apis]: some of its operators have records only */
	uint32_t *shy;      /* nshy APIs with operators that have records only */
	uint32_t nshy;
	uint32_t *misses; /* [apis]: calls that were used since one got a new successor */
	uint32_t *reach;  /* [apis]: vectors that can be had: all, or what records hold */
	way *ways;        /* sorted by key */
	uint32_t nways;
	uint32_t *exits; /* by block of the model: its last node */
	uint32_t room;
	uint32_t path[MCTS_LEVELS_MAX]; /* blocks, the newest first */
	unsigned npath;
	bool placed;        /* the newest of them */
	int64_t share;      /* elements that a tensor of this model may have */
	int64_t base[BASE]; /* the shape that the model's inputs share */
	prepared best;      /* scratch */
	/* the run */
	uint64_t seed, next;
	uint32_t run; /* models */
	bool running;
	bool grew; /* the coverage, by the current model */
} graphing;

static inline graphing *own(const gen *g)
{
	return g->own;
}

/* Rank and dtype in one number. */
static inline uint32_t type_of(unsigned rank, unsigned dtype)
{
	return rank * RS_DTYPE_COUNT + dtype;
}

static inline uint32_t type_of_tensor(const gen *g, uint32_t tensor)
{
	return type_of(gen_tensor(g, tensor)->rank, gen_tensor(g, tensor)->dtype);
}

/* The APIs that take a type with elements of a class, by a rule. */
static inline uint64_t *takers_of(const graphing *w, uint32_t type, unsigned class)
{
	return w->takers + ((size_t)type * RS_VALUES_COUNT + class) * w->words;
}

/* The class of an operator's outputs from inputs of the model. */
static inline unsigned likely_class(const index_op *o)
{
	return o->classes ? o->classes[o->nin + RS_VALUES_SMALL] : (unsigned)RS_VALUES_ANY;
}

#endif
