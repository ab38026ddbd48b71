/* What a target can do, learned from single calls before models are made for it.
 *
 *   strategy calls ──► a model of one call ──► judgement ──► capabilities ──► rs_gen_options.without
 *
 * A target that refuses one call refuses every model with it, and one that computes it wrongly hides all behind it: both
 * are left out of models. What is wrong or crashes is a finding first. Calls are told apart by operator and dtypes.
 *
 * The file, one a backend: a first line with what it was learned of, then a call a line, tabs between:
 *
 *   # backend onnxruntime rules 1f0c… next 6284 versions {"onnxruntime":"1.31.1",…}
 *   onnx.Mish-0	float64	float64	refuses	NOT_IMPLEMENTED : Could not find an implementation for Mish
 *   onnx.Tile-3	*	*	refuses	MNN does not load what it converted
 *
 * The last is refused whatever its dtypes: for its rank, its constants or some dimensions.
 */
#ifndef CAPABILITIES_H
#define CAPABILITIES_H

#include "graph.h"
#include "rulesmith.h"
#include "verdict.h"

/* CAPABILITY(name): why a call is excluded. */
#define CAPABILITIES(CAPABILITY)                                                                   \
	CAPABILITY(refuses)                                                                        \
	CAPABILITY(fails)                                                                          \
	CAPABILITY(wrong)                                                                          \
	CAPABILITY(crashes)                                                                        \
	CAPABILITY(varies) /* two runs of the reference differ */

enum capability {
#define X(name) CAPABILITY_##name,
	CAPABILITIES(X)
#undef X
	    CAPABILITY_COUNT
};

/* Whether such a call is a finding, of which each database is to know: it fails, is wrong or crashes. */
bool capability_is_finding(enum capability what);

typedef struct capabilities capabilities;

/* Nothing known of a backend (NULL: of any) in these versions (NULL: in any); NULL when out of memory. The table must
 * outlive it, texts are copied. */
capabilities *capabilities_new(const rs_table *table, const char *backend, const char *versions);
void capabilities_free(capabilities *c); /* NULL is fine */

/* Adds what a file says, where it is of this backend, these versions and rules; of others, or where there is no file,
 * nothing. False and d ("path:line: error: …") for what is no such file. */
bool capabilities_read(capabilities *c, const char *path, diag *d);
bool capabilities_write(const capabilities *c, const char *path, diag *d); /* makes its folder */

/* Names the file of a backend in versions (JSON), "onnxruntime-1.31.1-5f3a90c2.tsv": each version has its own. */
void capabilities_name(const char *backend, const char *versions, char name[128]);

/* The key by which a database links a call to the finding that it shows: *key is a string to free(), NULL for a model of
 * several calls or with bodies. False: out of memory. */
bool capability_key(const char *backend, const graph *call, char **key);
/* Keeps excluded, of the calls that are findings, those whose key fn finds: 1. The others, 0, are to be retried: they stay in
 * the file and take part in models until a judgement of them is noted. False and d where fn returned -1, or without memory. */
typedef int capability_lookup(void *context, const char *key, diag *d);
bool capabilities_keep(capabilities *c, capability_lookup *fn, void *context, diag *d);
size_t capabilities_retries(const capabilities *c);
bool capabilities_is_retry(const capabilities *c, uint64_t call);

/* Takes a judgement of a model of one call, numbered; of one to be retried it is the result. False: out of memory. */
bool capabilities_note(capabilities *c, const rs_graph *g, enum verdict v, const char *message);

/* Takes the call of a model of one for refused whatever its dtypes. False: out of memory. */
bool capabilities_refuse(capabilities *c, const rs_graph *g, const char *message);

/* Leaves a call (rs_call_hash) out, since those like it are refused; forgotten when written. False: out of memory. */
bool capabilities_presume(capabilities *c, uint64_t call);
size_t capabilities_presumed(const capabilities *c);
uint64_t *capabilities_next(capabilities *c); /* the first model of the strategy that was not judged */
/* The calls to leave out, n of them, as rs_gen_options.without; valid until the next change. */
const uint64_t *capabilities_without(capabilities *c, size_t *n);
bool capabilities_refused(const capabilities *c, uint64_t call); /* with its dtypes */
size_t capabilities_count(const capabilities *c, enum capability what); /* of those excluded */

#endif
