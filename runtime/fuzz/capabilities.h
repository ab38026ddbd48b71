/* The calls that a target supports, learned by probing single calls.
 *
 *   strategy calls ──► a model of one call ──► judgement ──► capabilities ──► rs_gen_options.without
 *
 * A target that rejects a call rejects every model with it; a wrong result hides failures of everything that depends on it. Both
 * are excluded from models. A wrong result or a crash becomes a finding first. Calls are identified by signature and dtypes.
 *
 * The file, one per backend and version: a header line, then a call per line, separated by tabs:
 *
 *   # backend onnxruntime rules 1f0c… next 6284 versions {"onnxruntime":"1.32.0",…}
 *   onnx.Mish-0	float64	float64	rejects	NOT_IMPLEMENTED : Could not find an implementation for Mish
 *   onnx.Tile-3	*	*	rejects	MNN fails to load the converted model
 *
 * The last is rejected with any dtypes: because of its rank, its constants or some dimensions.
 */
#ifndef CAPABILITIES_H
#define CAPABILITIES_H

#include "graph.h"
#include "rulesmith.h"
#include "verdict.h"

/* CAPABILITY(name): why a call is excluded. */
#define CAPABILITIES(CAPABILITY)                                                                   \
	CAPABILITY(rejects)                                                                        \
	CAPABILITY(fails)                                                                          \
	CAPABILITY(wrong)                                                                          \
	CAPABILITY(crashes)                                                                        \
	CAPABILITY(varies) /* two runs of the reference differ */                                  \
	CAPABILITY(invalid) /* the reference, of other versions than the rules, rejects or lacks it */

enum capability {
#define X(name) CAPABILITY_##name,
	CAPABILITIES(X)
#undef X
	    CAPABILITY_COUNT
};

/* Whether such a call is a finding: it fails, is wrong or crashes. It is excluded only if the database has that finding. */
bool capability_is_finding(enum capability what);

typedef struct capabilities capabilities;

/* Empty capabilities of a backend (NULL: any) in these versions (NULL: any); NULL when out of memory. The table must outlive
 * it; texts are copied. */
capabilities *capabilities_new(const rs_table *table, const char *backend, const char *versions);
void capabilities_free(capabilities *c); /* accepts NULL */

/* Adds the calls of a file if it is of this backend, these versions and rules, and exists. False and d ("path:line: error: …")
 * if it is malformed. */
bool capabilities_read(capabilities *c, const char *path, diag *d);
bool capabilities_write(const capabilities *c, const char *path, diag *d); /* creates the folder */

/* The file name of a backend in versions (JSON): "onnxruntime-1.32.0-5f3a90c2.tsv". */
void capabilities_name(const char *backend, const char *versions, char name[128]);

/* The key that links a call to its finding in a database: *key is a string to free(), NULL for a model of several calls or
 * with bodies. False: out of memory. */
bool capability_key(const char *backend, const graph *call, char **key);
/* Of the calls that are findings, keeps those excluded for whose key fn returns 1. Those with 0 are to be retried: they stay in
 * the file and take part in models until a judgement of them is noted. False and d if fn returned -1 or memory ran out. */
typedef int capability_lookup(void *context, const char *key, diag *d);
bool capabilities_keep(capabilities *c, capability_lookup *fn, void *context, diag *d);
size_t capabilities_retries(const capabilities *c);
bool capabilities_is_retry(const capabilities *c, uint64_t call);

/* Notes the judgement of a numbered model of one call. It decides a call to be retried. False: out of memory. */
bool capabilities_note(capabilities *c, const rs_graph *g, enum verdict v, const char *message);

/* Marks the call of a model of one call as rejected with any dtypes. False: out of memory. */
bool capabilities_refuse(capabilities *c, const rs_graph *g, const char *message);

/* Excludes a call (rs_call_hash) that was not probed, because similar calls fail; not written to the file. False: out of
 * memory. */
bool capabilities_presume(capabilities *c, uint64_t call);
size_t capabilities_presumed(const capabilities *c);
uint64_t *capabilities_next(capabilities *c); /* the first call that was not probed */
/* The n excluded calls, as rs_gen_options.without; valid until the next change. */
const uint64_t *capabilities_without(capabilities *c, size_t *n);
bool capabilities_refused(const capabilities *c, uint64_t call); /* with exactly its dtypes */
size_t capabilities_count(const capabilities *c, enum capability what); /* of those excluded */

#endif
