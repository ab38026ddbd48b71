/* Draws the settings of a model. */
#ifndef DRAW_SETTINGS_H
#define DRAW_SETTINGS_H

#include "graph.h"
#include "setting_table.h"

/* Gives `share` per mille of the models one to three settings that are not the default, each at random, and drops all but one in
 * sixteen of the costly ones. They depend only on the table, the seed and the index. False: out of memory. */
bool draw_settings(const setting_table *t, uint32_t share, uint64_t seed, uint64_t index, graph *g);

#endif
