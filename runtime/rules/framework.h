/* The frameworks, from frameworks.def: nothing else in C has the name of one. rs_framework_module in
 * rulesmith.h says what the names of their APIs begin with. */
#ifndef FRAMEWORK_H
#define FRAMEWORK_H

#include <stdbool.h>
#include <stddef.h>

const char *framework_default(void); /* the first of the table */

/* The name of the i-th framework of the table; NULL beyond the last. */
const char *framework_at(size_t i);

/* The dialect of a framework's scripts; "" where it has none, or is not known. */
const char *framework_dialect(const char *name);

/* What pip installs for a framework, the framework itself first: "onnx==1.23.2 onnxruntime==1.31.1 numpy"; "" where it is
 * not known. */
const char *framework_requirements(const char *name);

/* Whether models are files of the framework's own, not scripts: the format is named as it is. Such a file has
 * one set of operators, so that of an operator's versions only the newest is in models. */
bool framework_has_files(const char *name);

/* An API's name behind the framework's module and its dot, "nn.relu"; NULL where it is of another module. */
const char *framework_inside(const char *framework, const char *api);
/* Whether models of a framework may call this API: a name of its module, or a function of the user's own that the environment
 * allows, RULEFUZZ_OWN, "package.module:function" with commas between (runtime/cli/own_rules.h). */
bool framework_may_call(const char *framework, const char *api);

/* Whether the first n characters of a name are the module of a framework that has scripts. */
bool framework_is_module(const char *name, size_t n);

#endif
