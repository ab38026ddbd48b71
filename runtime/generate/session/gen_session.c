#include "gen_session.h"

#include "features.h"
#include "sessions.h"

enum {
	PARTS = 4,   /* maximum number of constructs. Half of the sessions have one: others often recompile, which hides a missing guard */
	CHANGES = 4, /* maximum number of changes */
	PICKS = 1024,
};

static const char *const CONSTRUCTS[] = {
#include "constructs.def.h"
};
enum { NCONSTRUCTS = sizeof CONSTRUCTS / sizeof *CONSTRUCTS };

static const struct {
	const char *name;
	unsigned weight;
} CHANGED[] = {
#define CHANGE(name, weight) {name, weight},
#include "changes.def"
};
enum { NCHANGED = sizeof CHANGED / sizeof *CHANGED };

const char *gen_session_name(unsigned i)
{
	return i < NCONSTRUCTS ? CONSTRUCTS[i] : i - NCONSTRUCTS < NCHANGED ? CHANGED[i - NCONSTRUCTS].name : NULL;
}

static const char *draw_change(rng *r)
{
	unsigned all = 0, i = 0;
	for (size_t k = 0; k < NCHANGED; k++)
		all += CHANGED[k].weight;
	for (unsigned at = rng_below(r, all); at >= CHANGED[i].weight; i++)
		at -= CHANGED[i].weight;
	return CHANGED[i].name;
}

/* Gives a model a session (model/sessions.h), and drops what it excludes: gradients, which the oracle computes from one
 * call, and modules, since constructs have their own. */
bool gen_session(gen *g, rng *r)
{
	if (rng_below(r, 1000) >= g->features.sessions)
		return true;
	bool ok = true;
	unsigned parts = 1 + rng_below(r, 1 + rng_below(r, PARTS)), changes = 1 + rng_below(r, CHANGES);
	for (unsigned i = 0; ok && i < parts; i++) {
		const char *name = CONSTRUCTS[rng_below(r, NCONSTRUCTS)];
		ok = session_add(g->graph, SESSION_CONSTRUCTS, name, (uint16_t)rng_below(r, PICKS));
	}
	for (unsigned i = 0; ok && i < changes; i++) {
		const char *name = draw_change(r);
		ok = session_add(g->graph, SESSION_CHANGES, name, (uint16_t)rng_below(r, PICKS));
	}
	g->graph->gradients = g->graph->module = false;
	return ok;
}
