/* onnxruntime through its public C API, loaded at run time: not needed to build or link.
 *
 *   library ──OrtGetApiBase──► base ──GetApi(version)──► table of functions ──slots below──► ort_calls
 *
 * The table only grows at its end, so the number of a slot is valid for every library that has the requested version. This header
 * repeats the types of the slots in use; tests/unit/runtime/ort calls each.
 */
#ifndef ORT_H
#define ORT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

typedef struct ort_status ort_status; /* NULL: success; else to be released */
typedef struct ort_env ort_env;
typedef struct ort_options ort_options;
typedef struct ort_session ort_session;
typedef struct ort_run_options ort_run_options;
typedef struct ort_value ort_value;
typedef struct ort_memory ort_memory;
typedef struct ort_shape ort_shape;
typedef struct ort_allocator ort_allocator;

enum { ORT_API = 15 }; /* the requested version: that of onnxruntime 1.15 */
enum { ORT_NOT_IMPLEMENTED = 9 };
enum { ORT_OPTIMISE_NOTHING = 0, ORT_OPTIMISE_BASIC = 1, ORT_OPTIMISE_EXTENDED = 2, ORT_OPTIMISE_LAYOUT = 3,
	ORT_OPTIMISE_ALL = 99 };
enum { ORT_PARALLEL = 1 }; /* an execution mode */
enum { ORT_FATAL = 4 }; /* log levels */

/* The allocator that an environment can be given. */
struct ort_allocator {
	uint32_t version; /* ORT_API */
	void *(*alloc)(ort_allocator *self, size_t size);
	void (*free)(ort_allocator *self, void *p);
	const ort_memory *(*info)(const ort_allocator *self);
};

/* Receives log messages: level, category, id, code location, message. */
typedef void ort_listener(void *to, int level, const char *category, const char *id, const char *where, const char *message);

/* CALL(slot, name, return type, parameters) */
#define ORT_CALLS(CALL)                                                                                         \
	CALL(1, error_code, int, (const ort_status *))                                                          \
	CALL(2, error_message, const char *, (const ort_status *))                                              \
	CALL(3, create_env, ort_status *, (int level, const char *id, ort_env **))                              \
	CALL(4, create_env_heard, ort_status *, (ort_listener *, void *to, int level, const char *id, ort_env **)) \
	CALL(8, create_session, ort_status *,                                                                   \
	    (const ort_env *, const void *model, size_t size, const ort_options *, ort_session **))             \
	CALL(9, run, ort_status *,                                                                              \
	    (ort_session *, const ort_run_options *, const char *const *inputs, const ort_value *const *fed,    \
		size_t, const char *const *outputs, size_t, ort_value **))                                      \
	CALL(10, create_options, ort_status *, (ort_options **))                                                \
	CALL(13, set_execution_mode, ort_status *, (ort_options *, int))                                        \
	CALL(17, disable_pattern, ort_status *, (ort_options *))                                                \
	CALL(19, disable_arena, ort_status *, (ort_options *))                                                  \
	CALL(22, set_log_level, ort_status *, (ort_options *, int))                                             \
	CALL(23, set_optimisation, ort_status *, (ort_options *, int))                                          \
	CALL(24, set_threads_within, ort_status *, (ort_options *, int))                                        \
	CALL(25, set_threads_between, ort_status *, (ort_options *, int))                                       \
	CALL(49, create_tensor, ort_status *,                                                                   \
	    (const ort_memory *, void *data, size_t bytes, const int64_t *shape, size_t rank, int type,         \
		ort_value **))                                                                                  \
	CALL(50, is_tensor, ort_status *, (const ort_value *, int *))                                           \
	CALL(51, data, ort_status *, (ort_value *, void **))                                                    \
	CALL(60, element_type, ort_status *, (const ort_shape *, int *))                                        \
	CALL(61, rank, ort_status *, (const ort_shape *, size_t *))                                             \
	CALL(62, dimensions, ort_status *, (const ort_shape *, int64_t *, size_t))                              \
	CALL(65, shape, ort_status *, (const ort_value *, ort_shape **))                                        \
	CALL(69, create_memory, ort_status *, (int allocator, int type, ort_memory **))                         \
	CALL(92, release_env, void, (ort_env *))                                                                \
	CALL(93, release_status, void, (ort_status *))                                                          \
	CALL(94, release_memory, void, (ort_memory *))                                                          \
	CALL(95, release_session, void, (ort_session *))                                                        \
	CALL(96, release_value, void, (ort_value *))                                                            \
	CALL(99, release_shape, void, (ort_shape *))                                                            \
	CALL(100, release_options, void, (ort_options *))                                                       \
	CALL(130, set_entry, ort_status *, (ort_options *, const char *key, const char *value))                 \
	CALL(176, register_allocator, ort_status *, (ort_env *, ort_allocator *))                               \
	CALL(177, unregister_allocator, ort_status *, (ort_env *, const ort_memory *))

/* Calls added in later versions of the interface; NULL if the library lacks them. */
#define ORT_LATER_CALLS(CALL) CALL(273, 17, set_deterministic, ort_status *, (ort_options *, bool))

typedef struct ort_calls {
#define X(slot, name, result, takes) result(*name) takes;
	ORT_CALLS(X)
#undef X
#define X(slot, since, name, result, takes) result(*name) takes;
	ORT_LATER_CALLS(X)
#undef X
} ort_calls;

typedef struct ort {
	ort_calls call;
	const char *version; /* "1.32.0"; the library's */
	void *library;
} ort;

/* Finds the library: $RULEFUZZ_ONNXRUNTIME, or that of the Python package which this interpreter (".../bin/python") imports.
 * False: none found. */
bool ort_find(char path[PATH_MAX], const char *python);

/* Loads the library until ort_close. False and d: it cannot be loaded, or is older than ORT_API. */
bool ort_open(ort *o, const char *path, diag *d);
void ort_close(ort *o);

/* Whether a call succeeded; otherwise d has its message and *code (may be NULL) its number. Releases the status. */
bool ort_well(const ort *o, ort_status *status, int *code, diag *d);

/* Makes options of sessions with one thread. False and d; release them after a failure, too, unless they are NULL. */
bool ort_options_new(const ort *o, int log_level, int optimisation, ort_options **to, diag *d);

#endif
