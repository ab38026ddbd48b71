#include "olc.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "rng.h"

bool olc_init(olc *o, uint32_t ntypes, const uint64_t *in_degrees, uint32_t maxspc)
{
	uint64_t room = 16;
	*o = (olc){.ntypes = ntypes, .words = (ntypes + 63) / 64, .maxspc = maxspc};
	while (room < (uint64_t)ntypes * maxspc * 4) /* limit of marked vectors, like that of counted ones */
		room *= 2;
	o->mask = room - 1;
	o->types = calloc(ntypes + 1u, sizeof *o->types);
	o->edges = calloc((size_t)ntypes * o->words + 1, sizeof *o->edges);
	o->set = calloc(room, sizeof *o->set);
	if (!o->types || !o->edges || !o->set) {
		olc_free(o);
		return false;
	}
	for (uint32_t i = 0; i < ntypes; i++)
		o->types[i].in_possible = in_degrees[i];
	return true;
}

void olc_free(olc *o)
{
	free(o->types);
	free(o->edges);
	free(o->set);
	*o = (olc){0};
}

void olc_reset(olc *o)
{
	for (uint32_t i = 0; i < o->ntypes; i++)
		o->types[i] = (olc_type){.in_possible = o->types[i].in_possible};
	memset(o->edges, 0, (size_t)o->ntypes * o->words * sizeof *o->edges);
	memset(o->set, 0, (o->mask + 1) * sizeof *o->set);
}

/* ---- seen items */

static uint64_t vector_key(uint32_t type, uint64_t vector)
{
	uint64_t state = vector ^ (uint64_t)type << 32;
	uint64_t key = rng_mix(&state);
	return key ? key : 1;
}

/* The slot of a vector, or the free one where it belongs. At most half of the slots are used. */
static uint64_t *find_vector(const olc *o, uint32_t type, uint64_t vector)
{
	uint64_t key = vector_key(type, vector), at = key & o->mask;
	while (o->set[at] && o->set[at] != key)
		at = (at + 1) & o->mask;
	return &o->set[at];
}

static bool add_vector(olc *o, uint32_t type, uint64_t vector)
{
	if (o->types[type].vectors >= o->maxspc)
		return false;
	uint64_t *place = find_vector(o, type, vector);
	if (*place)
		return false;
	*place = vector_key(type, vector);
	o->types[type].vectors++;
	return true;
}

void olc_mark(olc *o, uint32_t type, uint64_t vector)
{
	*find_vector(o, type, vector) = vector_key(type, vector);
}

bool olc_has_vector(const olc *o, uint32_t type, uint64_t vector)
{
	return o->types[type].vectors >= o->maxspc || *find_vector(o, type, vector);
}

bool olc_add_node(olc *o, uint32_t type, uint32_t in_degree, uint32_t out_degree, uint64_t vector)
{
	olc_type *t = &o->types[type];
	uint64_t in = in_degree < 64 ? (uint64_t)1 << in_degree & t->in_possible : 0;
	uint8_t out = out_degree < OLC_DEGREES ? (uint8_t)(1 << out_degree) : 0;
	bool grew = !t->seen || in & ~t->in_seen || out & ~t->out_seen;
	t->seen = true;
	t->in_seen |= in;
	t->out_seen |= out;
	return add_vector(o, type, vector) || grew;
}

bool olc_add_edge(olc *o, uint32_t from, uint32_t to)
{
	if (olc_has_edge(o, from, to))
		return false;
	o->edges[(uint64_t)from * o->words + to / 64] |= (uint64_t)1 << (to % 64);
	o->types[from].successors++;
	return true;
}

/* ---- values of items */

uint32_t olc_worth_in(const olc *o, uint32_t type, uint32_t in_degree)
{
	const olc_type *t = &o->types[type];
	bool new = in_degree < 64 && (t->in_possible & ~t->in_seen) >> in_degree & 1;
	return new ? OLC_ONE / (uint32_t)bit_count(t->in_possible) : 0;
}

uint32_t olc_worth_out(const olc *o, uint32_t type, uint32_t out_degree)
{
	bool new = out_degree < OLC_DEGREES && !(o->types[type].out_seen >> out_degree & 1);
	return new ? OLC_ONE / OLC_DEGREES : 0;
}

uint32_t olc_worth_vector(const olc *o, uint32_t type)
{
	return o->types[type].vectors < o->maxspc ? OLC_ONE / o->maxspc : 0;
}

uint32_t olc_of_type(const olc *o, uint32_t type)
{
	const olc_type *t = &o->types[type];
	uint64_t possible = (uint64_t)bit_count(t->in_possible), one = OLC_ONE;
	uint64_t in = (uint64_t)bit_count(t->in_seen);
	uint64_t out = (uint64_t)__builtin_popcount(t->out_seen);
	return (uint32_t)((t->seen ? one : 0) + (possible ? one * in / possible : 0)
			  + one * out / OLC_DEGREES + one * t->successors / o->ntypes
			  + one * t->vectors / o->maxspc);
}

olc_report olc_sum(const olc *o)
{
	olc_report r = {0};
	double n = o->ntypes ? o->ntypes : 1;
	for (uint32_t i = 0; i < o->ntypes; i++) {
		const olc_type *t = &o->types[i];
		double possible = bit_count(t->in_possible);
		r.otc += t->seen / n;
		r.idc += possible > 0 ? bit_count(t->in_seen) / possible / n : 0;
		r.odc += __builtin_popcount(t->out_seen) / (double)OLC_DEGREES / n;
		r.sec += t->successors / n / n;
		r.spc += t->vectors / (double)o->maxspc / n;
	}
	r.all = (r.otc + r.idc + r.odc + r.sec + r.spc) / 5;
	return r;
}
