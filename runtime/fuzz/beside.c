#include "beside.h"

#include <stddef.h>

beside *beside_due(beside *all, int n, double seconds)
{
	for (int i = 0; i < n; i++)
		if (all[i].next < all[i].count && all[i].seconds < all[i].share * seconds)
			return &all[i];
	return NULL;
}
