#include "list_items.h"

#include <stdlib.h>
#include <string.h>

bool list_item_of(const char *side, list_item *to)
{
	static const char NAME[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t name = strspn(side, NAME), digits = strspn(side + name + (side[name] == '['), "0123456789");
	const char *end = side + name + 1 + digits;
	if (side[name] != '[' || !digits || digits > 4 || strncmp(end, "][", 2) != 0)
		return false;
	*to = (list_item){name, atoi(side + name + 1), end + 1};
	return true;
}

bool list_items_alike(const char *a, const char *b)
{
	list_item x, y;
	return list_item_of(a, &x) && list_item_of(b, &y) && x.number != y.number && x.name == y.name && memcmp(a, b, x.name) == 0
	    && strcmp(x.rest, y.rest) == 0;
}

int list_items_beside(const char *const *sides, int n, const char *side)
{
	int beside = 0;
	for (int i = 0; i < n; i++)
		beside += list_items_alike(sides[i], side);
	return beside;
}

static bool is_there(const char *const *sides, int n, const char *like, int number)
{
	list_item x;
	for (int i = 0; i < n; i++)
		if ((strcmp(sides[i], like) == 0 || list_items_alike(sides[i], like)) && list_item_of(sides[i], &x) && x.number == number)
			return true;
	return false;
}

bool list_items_has(const char *const *sides, int n, int k, const char *list, list_item *to)
{
	list_item of;
	return list_item_of(list, &of) && list_item_of(sides[k], to) && to->name == of.name && memcmp(sides[k], list, of.name) == 0
	    && list_items_beside(sides, n, sides[k]);
}

static bool has_period(const char *const *sides, int n, const char *list, int items, int p)
{
	list_item x;
	bool has = true, any = false;
	for (int i = 0; i < n && has; i++) {
		if (!list_items_has(sides, n, i, list, &x))
			continue;
		any = true;
		for (int number = x.number % p; number < items && has; number += p)
			has = is_there(sides, n, sides[i], number);
	}
	return has && any;
}

int list_items_period(const char *const *sides, int n, const char *list, int items)
{
	for (int p = 1; 2 * p <= items; p++)
		if (has_period(sides, n, list, items, p))
			return p;
	return 0;
}
