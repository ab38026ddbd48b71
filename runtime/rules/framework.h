/* The frameworks of frameworks.def. No other C file names one. rs_framework_module (rulesmith.h) returns the module that
 * API names begin with. */
#ifndef FRAMEWORK_H
#define FRAMEWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

const char *framework_default(void); /* the first of the table */

/* The name of the i-th framework of the table; NULL beyond the last. */
const char *framework_at(size_t i);
/* Prints all names: "a, b or c". */
void framework_put_names(FILE *out);

/* The dialect of a framework's scripts; "" if it has no scripts or is unknown. */
const char *framework_dialect(const char *name);

/* The pip requirements of a framework, the framework first: "onnx==1.23.2 onnxruntime==1.32.0 numpy"; "" if it is unknown. */
const char *framework_requirements(const char *name);

/* Whether models are files of the framework, not scripts; the format has the framework's name. A file has one operator set,
 * so models use the newest version of each operator only. */
bool framework_has_files(const char *name);

/* The length of an API's name without the suffix of an earlier version, if models are files: that of Add for Add_7. Else the
 * length of the name. */
size_t framework_unversioned(const char *framework, const char *api);

/* The name of an API without the framework's module, such as "nn.relu"; NULL: the API is of another module. */
const char *framework_inside(const char *framework, const char *api);
/* The same for the framework whose models are files; NULL also if there is none. */
const char *framework_inside_files(const char *api);
/* Whether an API of the framework's module is that operator, of any version. */
bool framework_is_version(const char *framework, const char *api, const char *of);
/* Whether models of a framework may call this API: a name of its module, or an allowed user-defined function. The environment
 * variable RULEFUZZ_OWN lists the latter: "package.module:function", separated by commas (runtime/cli/own_rules.h). */
bool framework_may_call(const char *framework, const char *api);

/* Whether the first n characters of a name are the module of a framework with scripts. */
bool framework_is_module(const char *name, size_t n);

#endif
