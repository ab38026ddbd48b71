/* Reports if a target runs with other versions of its framework than the rules were learned from. This is not an error. */
#ifndef RULES_VERSION_H
#define RULES_VERSION_H

#include "buf.h"

/* Appends "onnxruntime 1.33.0, rules learned from 1.32.0", for each distribution of the framework whose version in a JSON
 * object ({"onnxruntime":"1.32.0",…}) differs; nothing if none does. A local part ("+cpu") does not count. */
void rules_version_note(const char *framework, const char *versions, buf *to);

#endif
