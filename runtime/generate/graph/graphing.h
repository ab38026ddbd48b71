/* State of the strategy graph, of one generator: data about the table's signatures, coverage of the run, and the current
 * model. */
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
	FEEDS_MAX = 8, /* maximum predecessors of a block */
	BASE = 8,      /* rank of the shape that inputs share */
	TYPES = GEN_BUCKETS,
	NOT_YET = OLC_DEGREES, /* an out-degree that is not counted */
	NONE = UINT32_MAX,
};

/* A signature with a dtype row that takes a type at an input and returns a type as output 0. */
typedef struct way {
	uint32_t key; /* input type * TYPES + output type */
	uint32_t op;
	uint16_t row, slot;
} way;

/* A call that can be inserted. */
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
	uint32_t words;     /* words of a set of APIs */
	uint64_t *takers;   /* [TYPES][RS_VALUES_COUNT][words]: APIs that accept a type by rule */
	uint32_t *api_of;   /* per signature of the table; NONE: not in the index */
	bool *recorded;     /* [apis]: it has signatures without a rule */
	uint32_t *shy;      /* the nshy APIs with signatures without a rule */
	uint32_t nshy;
	uint32_t *misses; /* [apis]: used calls since the last new successor */
	uint32_t *reach;  /* [apis]: possible vectors: all, or those of the records */
	way *ways;        /* sorted by key */
	uint32_t nways;
	uint32_t *exits; /* per block of the model: its last node */
	uint32_t room;
	uint32_t path[MCTS_LEVELS_MAX]; /* blocks, newest first */
	unsigned npath;
	bool placed;        /* the newest of them */
	int64_t share;      /* maximum elements of a tensor of this model */
	int64_t base[BASE]; /* the shape that the model's inputs share */
	prepared best;      /* scratch */
	/* the run */
	uint64_t seed, next;
	uint32_t run; /* models of the run so far */
	bool running;
	bool grew; /* coverage, current model included */
} graphing;

static inline graphing *own(const gen *g)
{
	return g->own;
}

/* Rank and dtype as one number. */
static inline uint32_t type_of(unsigned rank, unsigned dtype)
{
	return rank * RS_DTYPE_COUNT + dtype;
}

static inline uint32_t type_of_tensor(const gen *g, uint32_t tensor)
{
	return type_of(gen_tensor(g, tensor)->rank, gen_tensor(g, tensor)->dtype);
}

/* The APIs that accept a type with elements of a class, by rule. */
static inline uint64_t *takers_of(const graphing *w, uint32_t type, unsigned class)
{
	return w->takers + ((size_t)type * RS_VALUES_COUNT + class) * w->words;
}

/* The class of a signature's outputs if its inputs are model inputs. */
static inline unsigned likely_class(const index_op *o)
{
	return o->classes ? o->classes[o->nin + RS_VALUES_SMALL] : (unsigned)RS_VALUES_ANY;
}

#endif
