/* Draws sessions: Python constructs around parts of a model, and changes between its calls. */
#ifndef GEN_SESSION_H
#define GEN_SESSION_H

#include "gen.h"

/* Gives g->features.sessions per mille of the models a session (model/sessions.h). These models have no gradients, which the
 * oracle computes from one call, and no modules, since constructs have their own. Draws only from r. False: out of memory. */
bool gen_session(gen *g, rng *r);

/* The i-th of all constructs (rulefuzz/session/constructs), then changes; NULL: there are fewer. */
const char *gen_session_name(unsigned i);

#endif
