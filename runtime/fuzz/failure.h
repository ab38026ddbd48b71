/* Names of failures. One fault has one name, independent of the model's shapes, dtypes and tensor names.
 *
 *   key        of the failure alone:   error|B|exception|place|message    inconsistency|B|API|what differs[|shapes]
 *                                      crash|B|stage|signal|last words
 *   signature  of the reduced model:   key|its APIs, or the pass at fault: key||pass
 *                                      kind|B||API writes over its inputs
 *
 * Messages are normalized: parts that come from a model, a machine or a build are removed. A signature has no APIs if the
 * message of an error locates the fault:
 *
 *   - at a node of the target's own (GRU, LSTM and RNN all fail at its Scan)
 *   - with a dtype ("T is not a number")
 *   - in malformed code that the target generated
 *
 * Regions stand for the APIs if an exception is raised within one, or if several are needed. Each transforms any calls.
 *
 * Spellings of an API are equal: torch.index_add, torch.Tensor.index_add and index_add_. Versions of an ONNX operator are equal
 * if a pass is at fault, not if a kernel is.
 */
#ifndef FAILURE_H
#define FAILURE_H

#include <cjson/cJSON.h>

#include "buf.h"

/* The properties of a failure; texts may be "" and are not owned. */
typedef struct failure {
	const char *kind, *backend;
	const char *type, *where, *message; /* of an exception */
	const char *api, *how;		    /* the first call that differs, and how */
	const char *cause, *owner;	    /* the reason; "reference" if the finding is the reference's */
	const char *stage, *log;	    /* the stage in which a process ended, and its output */
	int signal;
	bool shapes; /* only some of the model's shape instances show it */
} failure;

/* Reads a worker's answer: all but kind, backend, stage, log and signal. The answer owns the texts. NULL: the process ended
 * without one. */
failure failure_told(const cJSON *answer);

/* Strings to free(). NULL: out of memory. pass: "" if unknown. One pass is one fault, independent of the operators around it. "as
 * TARGET" is not a pass: a cheaper target fails the same way. */
char *failure_key(const failure *f);
char *failure_signature(const char *key, const char *apis, const char *pass);

/* The API in the key of an accepted invalid call, *n bytes; NULL: another key. Its signature has no API: the calls of one cause are
 * one finding, and their keys tell the APIs. */
const char *failure_accepted(const char *key, size_t *n);

/* The same, of a model as JSON. */
char *failure_signature_in(const char *model, const char *key, const char *apis, const char *pass);

/* Whether a pass is "API writes over its inputs". The difference then appears at other calls in each model. */
bool pass_spoils(const char *pass);

/* The signature of the same error of another backend: a string to free(). NULL: out of memory. */
char *failure_of_backend(const char *signature, const char *backend);

/* Whether the keys of two differences have the same kind, or the same API. The part about shapes may differ. */
bool key_kind_is(const char *key, const char *other);
bool key_call_is(const char *key, const char *other);

/* Appends the last message of a dying process, with the next line if that has the reason. Appends nothing without one. */
void failure_last_words(const char *log, buf *out);

/* A message without numbers, addresses, paths and dtypes, at most limit bytes. Lists of numbers are one. */
void normalise(const char *message, size_t limit, buf *out);

#endif
