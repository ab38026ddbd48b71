#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* A bound of a sum in one direction, or a formula that holds. The last row of a direction counts. */
typedef struct fact {
	const term *about;
	range lies;
} fact;

struct facts {
	fact *row;
	unsigned n, room;
};

enum { DEPTH = 12 }; /* nesting of sums to which ranges are computed */

facts *facts_new(void)
{
	return memory_new(1, sizeof(facts));
}

void facts_free(facts *known)
{
	if (known)
		free(known->row);
	free(known);
}

unsigned facts_mark(const facts *known)
{
	return known->n;
}

void facts_back(facts *known, unsigned mark)
{
	known->n = mark;
}

static const fact *find(const facts *known, const term *about)
{
	for (unsigned i = known->n; i-- > 0;)
		if (known->row[i].about == about)
			return &known->row[i];
	return NULL;
}

static void note(facts *known, const term *about, range lies)
{
	if (known->n == known->room) {
		known->room = known->room ? 2 * known->room : 64;
		known->row = memory_grow(known->row, known->room, sizeof *known->row);
	}
	known->row[known->n++] = (fact){about, lies};
}

/* ---- ranges */

static range range_shift(range r, int128 by)
{
	return range_add(r, range_of(by, by));
}

static range direction_range(const facts *known, term *direction)
{
	const fact *f = find(known, direction);
	range own = direction->lies;
	if (f)
		own = range_meet(own, f->lies);
	return own;
}

static range sum_range(const facts *known, const term *sum, int depth);

static range atom_range(const facts *known, term *atom, int depth)
{
	range r = atom->lies;
	for (unsigned i = known->n; i-- > 0;) { /* a sum of one monomial with one atom */
		const term *t = known->row[i].about;
		if (t->kind == TERM_SUM && t->n == 1 && t->number == 0 && t->factor[0] == 1 && t->kid[0]->n == 1
		    && t->kid[0]->kid[0] == atom) {
			r = range_meet(r, known->row[i].lies);
			break;
		}
	}
	if (depth > 0 && (atom->kind == TERM_MIN || atom->kind == TERM_MAX)) {
		range a = sum_range(known, atom->kid[0], depth - 1), b = sum_range(known, atom->kid[1], depth - 1);
		bool least = atom->kind == TERM_MIN;
		range m = {least == (a.low < b.low) ? a.low : b.low, least == (a.high < b.high) ? a.high : b.high,
		    least ? a.under || b.under : a.under && b.under, least ? a.over && b.over : a.over || b.over};
		r = range_meet(r, m);
	}
	return r;
}

static range monomial_range(const facts *known, term *m, int depth)
{
	range r = range_of(1, 1);
	for (unsigned i = 0; i < m->n; i++)
		r = range_mul(r, atom_range(known, m->kid[i], depth));
	return range_meet(r, m->lies);
}

static range sum_range(const facts *known, const term *sum, int depth)
{
	range r = range_of(sum->number, sum->number);
	for (unsigned i = 0; i < sum->n; i++)
		r = range_add(r, range_scale(monomial_range(known, sum->kid[i], depth), sum->factor[i]));
	bool negative;
	range d = direction_range(known, term_direction(sum, &negative));
	if (negative)
		d = range_negate(d);
	r = range_meet(r, range_shift(d, sum->number));
	return range_meet(r, sum->lies);
}

range facts_range(const facts *known, const term *sum)
{
	return sum_range(known, sum, DEPTH);
}

/* ---- facts */

static void bound(facts *known, const term *sum, range lies)
{
	bool negative;
	term *direction = term_direction(sum, &negative);
	lies = range_shift(lies, -sum->number);
	if (negative)
		lies = range_negate(lies);
	note(known, direction, range_meet(direction_range(known, direction), lies));
}

/* Tightens the bound of a sum that is not 0 if 0 is its end. */
static void exclude(facts *known, const term *sum)
{
	range r = facts_range(known, sum);
	if (!r.under && r.low == 0)
		bound(known, sum, (range){1, r.high, false, r.over});
	else if (!r.over && r.high == 0)
		bound(known, sum, (range){r.low, -1, r.under, false});
}

void facts_add(facts *known, term *f)
{
	switch (f->kind) {
	case TERM_AND:
		for (unsigned i = 0; i < f->n; i++)
			facts_add(known, f->kid[i]);
		return;
	case TERM_LE:
		bound(known, f->kid[0], (range){INT128_MIN, 0, true, false});
		return;
	case TERM_EQ:
		bound(known, f->kid[0], range_of(0, 0));
		return;
	case TERM_NE:
		exclude(known, f->kid[0]);
		break;
	default:
		break;
	}
	note(known, f, range_of(1, 1));
}

/* ---- formulas */

static term *literal(const facts *known, term *f)
{
	range r;
	if (find(known, f))
		return term_true();
	if (find(known, term_not(f)))
		return term_false();
	if (f->kind == TERM_TRUE || f->kind == TERM_FALSE)
		return f;
	r = facts_range(known, f->kid[0]);
	switch (f->kind) {
	case TERM_LE:
		return !r.over && r.high <= 0 ? term_true() : !r.under && r.low > 0 ? term_false() : f;
	case TERM_EQ:
		return !range_holds(r, 0) ? term_false() : range_within(r, 0, 0) ? term_true() : f;
	case TERM_NE:
		return !range_holds(r, 0) ? term_true() : range_within(r, 0, 0) ? term_false() : f;
	case TERM_FITS:
		return range_fits(r) ? term_true() : f;
	case TERM_LEAVES:
		return range_fits(r) ? term_false() : f;
	default:
		return f;
	}
}

static bool single(const term *f)
{
	return f->kind != TERM_AND && f->kind != TERM_OR;
}

/* Keeps the strongest bound of each direction, and all other formulas. */
static term *strongest(unsigned n, term **f)
{
	term **kept = memory_new(n, sizeof *kept);
	unsigned count = 0;
	for (unsigned i = 0; i < n; i++) {
		bool weaker = false, negative, other;
		const term *mine = f[i]->kind == TERM_LE ? term_direction(f[i]->kid[0], &negative) : NULL;
		for (unsigned k = 0; mine && k < n && !weaker; k++)
			if (k != i && f[k]->kind == TERM_LE && term_direction(f[k]->kid[0], &other) == mine && other == negative)
				weaker = f[k]->kid[0]->number > f[i]->kid[0]->number;
			else if (f[k]->kind == TERM_EQ && term_direction(f[k]->kid[0], &other) == mine)
				weaker = true;
		if (!weaker)
			kept[count++] = f[i];
	}
	term *r = term_all(count, kept);
	free(kept);
	return r;
}

/* One round over a conjunction: its literals are facts for the other conjuncts, in any order. */
static term *one_round(facts *known, term *f)
{
	unsigned mark = facts_mark(known), n = f->n;
	term **kid = memory_new(n, sizeof *kid);
	for (unsigned i = 0; i < n; i++) {
		kid[i] = single(f->kid[i]) ? literal(known, f->kid[i]) : f->kid[i];
		if (kid[i]->kind == TERM_LE || kid[i]->kind == TERM_EQ)
			facts_add(known, kid[i]);
	}
	for (unsigned i = 0; i < n; i++) /* `!= 0` and `fits` may follow from bounds */
		if (single(kid[i]) && kid[i]->kind != TERM_LE && kid[i]->kind != TERM_EQ) {
			kid[i] = literal(known, kid[i]);
			facts_add(known, kid[i]);
		}
	for (unsigned i = 0; i < n; i++)
		if (!single(kid[i]))
			kid[i] = facts_simplify(known, kid[i]);
		else if (kid[i]->kind == TERM_LE && literal(known, kid[i])->kind == TERM_FALSE)
			kid[i] = term_false();
	facts_back(known, mark);
	term *r = strongest(n, kid);
	free(kid);
	return r;
}

term *facts_simplify(facts *known, term *f)
{
	if (single(f))
		return literal(known, f);
	if (f->kind == TERM_OR)
		return term_not(facts_simplify(known, term_not(f)));
	for (int i = 0; i < 8; i++) {
		term *r = one_round(known, f);
		if (r == f || single(r))
			return single(r) ? literal(known, r) : r;
		if (r->kind == TERM_OR)
			return facts_simplify(known, r);
		f = r;
	}
	return f;
}
