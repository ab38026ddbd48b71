/* Reads a target's file as text, without starting Python. docs/guides/add-a-backend.md specifies the file.
 *
 *   """onnxruntime with …"""                    the first line: a description
 *   FRAMEWORK = "onnx"                          the framework of its models
 *   REQUIRES = ("openvino==2026.4.1",)          requirements: distributions, and programs as "program:g++"
 *   BATCH = 24                                  the number of models that are compiled as one
 *   BEFORE = ("torch-decomp", "torch-aot")      targets whose work is the first stage of this one's
 *   PURPOSE = "test"                            only for tests of the program and its oracle
 *   SCREEN = "onnxruntime"                      the fast path: `rulefuzz worker SCREEN`, if there is one
 *
 * A requirement with a version makes a separate environment with the target's name, which also holds the
 * framework's requirements. All other targets use the environment of their framework.
 */
#ifndef TARGET_FILE_H
#define TARGET_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "setting_table.h"

enum { TARGET_TEXT = 80 };

typedef struct target {
	char name[80], framework[32], about[160];
	char version[48];	     /* "1.17.1", if requested; "": as its file and framework require */
	char screen[32];	     /* "" if there is none */
	int batch;		     /* models compiled as one; 1 by default */
	bool own;		     /* has a separate environment */
	bool test;		     /* only for tests */
	char needs[8][TARGET_TEXT];  /* "openvino==2026.4.1" */
	int nneeds;
	char before[4][TARGET_TEXT]; /* cheaper tiers */
	int nbefore;
	setting_table settings;
} target;

/* False if the file cannot be read or names no framework. name is the target's: "torch-jit". The settings come from the file
 * of this name in ../settings, if there is one. */
bool target_read(target *t, const char *path, const char *name);

/* The name of the environment: the target's or the framework's. Of another version it is "onnxruntime@1.17.1", with the
 * distribution whose version that is, as traces/backends.sh makes it. */
void target_environment(const target *t, char name[128]);

/* Cuts "@VERSION" off a name and stores it as the version. False: malformed. */
bool target_take_version(target *t, char *name);

/* The version of a distribution installed for a Python:
 * "bin/../lib/python3.x/site-packages/NAME-VERSION.dist-info"; "" if there is none. A suffix "==…" of the
 * distribution is ignored. */
void installed_version(const char *python, const char *distribution, char version[64]);

/* Whether a requirement is installed, in its pinned version if it has one: distributions for this Python,
 * programs on $PATH. version: the installed version, "" for programs. */
bool is_met(const char *python, const char *need, char version[64]);

#endif
