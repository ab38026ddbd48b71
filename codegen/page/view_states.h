/* What each line of an API's view states of each signature: part of the signature's rule, nothing, or what the rule does not. */
#ifndef VIEW_STATES_H
#define VIEW_STATES_H

#include "api_view.h"

void view_states_find(api_view *v);
/* All that the lines of one kind should state of a row: its clauses, or the dimensions of output t. */
uint64_t view_states_all(const api_view *v, int row, int output);

#endif
