/* For each line of an API's view and each signature: whether the line states a part of the signature's rule,
 * nothing, or something that its rule does not state. */
#ifndef VIEW_STATES_H
#define VIEW_STATES_H

#include "api_view.h"

void view_states_find(api_view *v);
/* The parts that lines of one kind should state of a row: its clauses, or the dimensions of output t. */
uint64_t view_states_all(const api_view *v, int row, int output);

#endif
