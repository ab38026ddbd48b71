/* A target as its file says, read as text: docs/guides/add-a-backend.md. No Python starts.
 *
 *   """onnxruntime with …"""                    the first line: what it is
 *   FRAMEWORK = "onnx"                          whose models it takes
 *   REQUIRES = ("openvino==2026.4.1",)          what must be there: distributions, programs as "program:g++"
 *   BATCH = 24                                  how many models at a time it compiles as one
 *   PURPOSE = "test"                            for tests of the program and its oracle, not to fuzz
 *   SCREEN = "onnxruntime"                      who looks at its models first, `rulefuzz worker SCREEN`, where it has one
 *
 * A requirement with a version is the target's own. One that has any has an environment of its own, of its name: what the
 * framework requires is there as well. All others are in their framework's.
 */
#ifndef TARGET_FILE_H
#define TARGET_FILE_H

#include <limits.h>
#include <stdbool.h>

typedef struct target {
	char name[80], framework[32], about[160];
	char screen[32];	     /* "": it has none */
	int batch;		     /* models that it takes at a time; 1 where it does not say */
	bool own;		     /* an environment of its own */
	bool test;		     /* for tests, not to fuzz */
	char needs[8][80];	     /* "openvino==2026.4.1" */
	int nneeds;
} target;

/* False when there is no such file, or it names no framework. The name is as users write it: "torch-jit". */
bool target_read(target *t, const char *path, const char *name);

/* The name of the environment: its own, or its framework's. */
const char *target_environment(const target *t);

/* The version of a distribution beside a Python, "bin/../lib/python3.x/site-packages/NAME-VERSION.dist-info"; "" when there
 * is none. What follows "==" in its name does not count. */
void installed_version(const char *python, const char *distribution, char version[64]);

/* Whether a requirement is met there, a program's on $PATH; version: what is there, "" for programs. */
bool is_met(const char *python, const char *need, char version[64]);

#endif
