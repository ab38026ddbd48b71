/* Settings of the target that belong to a model: options of its compiler and runtime that are not the default, such as
 * "intra_op_num_threads" = "2". They are text here; the target's file declares them. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <cjson/cJSON.h>

#include "buf.h"
#include "graph.h"

/* Whether a text can be a name or a value: 1 to 63 letters, digits and "._-". */
bool settings_plain(const char *text);

/* Adds a setting with copies of the texts. False: out of memory, a text that is not plain, a name that the model has
 * already, or more than GRAPH_SETTINGS_MAX. */
bool settings_add(graph *g, const char *name, const char *value);
void settings_drop(graph *g, unsigned setting); /* from 0 on */

/* The key "settings" of a model. */
void settings_write(const graph *g, buf *out);
bool settings_read(graph *g, const cJSON *model, diag *d);

#endif
