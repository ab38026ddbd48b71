/* The items of a list as sides of equations: params[2][i] is item 2 of params. */
#ifndef LIST_ITEMS_H
#define LIST_ITEMS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct list_item {
	size_t name; /* the length of the list's name */
	int number;
	const char *rest; /* [i] */
} list_item;

/* False where the side is none. */
bool list_item_of(const char *side, list_item *to);
/* Whether both are the same of two items of one list. */
bool list_items_alike(const char *a, const char *b);

/* The least p so that sides which are the same of several items of a list are of all items k, p + k, 2*p + k … of it, of which there
 * are so many: params[1][0], params[3][0], params[5][0] of 6 have 2. 0: there is none; name: the length of the list's name. */
int list_items_period(const char *const *sides, int n, const char *list, size_t name, int items);
/* How many of the others are the same of its list. */
int list_items_beside(const char *const *sides, int n, const char *side);

#endif
