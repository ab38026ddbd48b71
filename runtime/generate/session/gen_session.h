/* The names of what sessions have: Python constructs around parts of a model, and changes between its calls. */
#ifndef GEN_SESSION_H
#define GEN_SESSION_H

/* The i-th of all constructs (rulefuzz/session/constructs), then changes; NULL: there are fewer. */
const char *gen_session_name(unsigned i);

#endif
