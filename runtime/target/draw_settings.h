/* Draws the settings of a model. */
#ifndef DRAW_SETTINGS_H
#define DRAW_SETTINGS_H

#include "graph.h"
#include "setting_table.h"

/* Gives `share` per mille of the models one to three random settings that are not the default, and drops 15 of 16 costly ones.
 * The settings depend only on the table, the seed and the group. Models that a target compiles as one form a group, since they
 * need the same settings. False: out of memory. */
bool draw_settings(const setting_table *t, uint32_t share, uint64_t seed, uint64_t group, graph *g);

#endif
