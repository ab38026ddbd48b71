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

/* The least p so that sides which are the same of several items of a list are of all items k, p + k, 2*p + k … of the list that `list` is
 * an item of, of which there are so many: params[1][0], params[3][0], params[5][0] of 6 have 2. 0: there is none. */
int list_items_period(const char *const *sides, int n, const char *list, int items);
/* How many of the others are the same of its list. */
int list_items_beside(const char *const *sides, int n, const char *side);
/* Whether the k-th side is an item of the list that `list` is one of, and others are the same of it. */
bool list_items_has(const char *const *sides, int n, int k, const char *list, list_item *to);

#endif
