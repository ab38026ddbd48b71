#include "chain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "need.h"

enum { LEAST_OF_LIST = 2 };

static bool same(const buf *a, const buf *b)
{
	return strcmp(need_text(a), need_text(b)) == 0;
}

static bool meet(const equation *a, const equation *b)
{
	return a->left.length && b->left.length && same(&a->where, &b->where)
	    && (same(&a->left, &b->left) || same(&a->left, &b->right) || same(&a->right, &b->left)
		|| same(&a->right, &b->right));
}

static int length_of(const int *first, int n, int k)
{
	int length = 0;
	for (int i = 0; i < n; i++)
		length += first[i] == k;
	return length;
}

/* A side that is of an item of a list: tensors[2][i]. */
typedef struct item {
	size_t name; /* the length of its name */
	int number;
	const char *rest;
} item;

/* False where it is none. */
static bool item_of(const char *side, item *to)
{
	size_t name = strcspn(side, "[ "), digits = strspn(side + name + (side[name] == '['), "0123456789");
	const char *end = side + name + 1 + digits;
	if (side[name] != '[' || !digits || digits > 4 || strncmp(end, "][", 2) != 0)
		return false;
	*to = (item){name, atoi(side + name + 1), end + 1};
	return true;
}

/* Whether both are the same of items of one list. */
static bool same_of_list(const char *a, const char *b)
{
	item x, y;
	return item_of(a, &x) && item_of(b, &y) && x.name == y.name && memcmp(a, b, x.name) == 0 && strcmp(x.rest, y.rest) == 0;
}

/* Whether all links of a chain are the same of one list. */
static bool is_of_list(const equation *equations, const int *first, int n, int k)
{
	bool is = true;
	for (int i = k; i < n; i++)
		is &= first[i] != k || (same_of_list(need_text(&equations[k].left), need_text(&equations[i].left))
					  && same_of_list(need_text(&equations[k].left), need_text(&equations[i].right)));
	return is;
}

void chain_find(const equation *equations, int n, int *first)
{
	for (int k = 0; k < n; k++)
		first[k] = k;
	for (int k = 0; k < n; k++)
		for (int i = 0; i < k; i++) {
			if (first[i] == first[k] || !meet(&equations[i], &equations[k]))
				continue;
			int low = first[i] < first[k] ? first[i] : first[k], high = first[i] + first[k] - low;
			for (int j = 0; j <= k; j++)
				first[j] = first[j] == high ? low : first[j];
		}
	for (int k = 0; k < n; k++)
		if (first[k] == k && length_of(first, n, k) < (is_of_list(equations, first, n, k) ? LEAST_OF_LIST : LEAST_LINKS))
			for (int i = n - 1; i >= k; i--)
				first[i] = first[i] == k ? i : first[i];
}

/* More or less than an argument and its indices: a number, or a space or an operation outside of these. */
static bool calculates(const char *side)
{
	int depth = 0;
	if (isdigit((unsigned char)*side))
		return true;
	for (; *side; side++) {
		depth += (*side == '[') - (*side == ']');
		if (depth == 0 && strchr(" +*/%(-", *side))
			return true;
	}
	return false;
}

/* A side of the chain, and the first side that is of the same argument. */
typedef struct side {
	const char *text;
	int argument;
	bool calculated;
} side;

static size_t argument_length(const char *text)
{
	return strcspn(text, "[ ");
}

/* Numbers by their values: params[2][0], params[10][0]. */
static int by_numbers(const char *a, const char *b)
{
	bool inside = false; /* of a number */
	for (; *a && *a == *b; a++, b++)
		inside = isdigit((unsigned char)*a);
	size_t digits = strspn(a, "0123456789"), others = strspn(b, "0123456789");
	if (digits != others && (inside || (digits && others)))
		return digits < others ? -1 : 1;
	return (unsigned char)*a - (unsigned char)*b;
}

/* Calculations last; else arguments in the order of the clauses. */
static int by_argument(const void *x, const void *y)
{
	const side *a = x, *b = y;
	if (a->calculated != b->calculated)
		return a->calculated - b->calculated;
	if (a->argument != b->argument)
		return a->argument - b->argument;
	return by_numbers(a->text, b->text);
}

/* Adds a side that is not among the n. */
static int add_side(side *sides, int n, const char *text)
{
	size_t length = argument_length(text);
	int argument = n;
	for (int i = 0; i < n; i++) {
		if (strcmp(sides[i].text, text) == 0)
			return n;
		if (argument == n && argument_length(sides[i].text) == length && memcmp(sides[i].text, text, length) == 0)
			argument = sides[i].argument;
	}
	sides[n] = (side){text, argument, calculates(text)};
	return n + 1;
}

/* Whether the sides are the same of all items of a list, from the first to the last that any call form has. */
static bool is_of_all(const side *sides, int n, const notation *words)
{
	item x;
	for (int i = 0; i < n; i++)
		if (!item_of(sides[i].text, &x) || x.number != i || !same_of_list(sides[i].text, sides[0].text))
			return false;
	return words && words_most_items(words, sides[0].text, x.name) == n;
}

/* tensors[k][i] == tensors[0][i] for each i, each k */
static void put_all(buf *to, const char *first, const char *where)
{
	item x;
	item_of(first, &x);
	const char *condition = strstr(where, " where ");
	size_t length = condition ? (size_t)(condition - where) : strlen(where);
	buf_printf(to, "%.*s[k]%s == %s%.*s", (int)x.name, first, x.rest, first, (int)length, where);
	words_each(to, "each k");
	buf_puts(to, condition ? condition : "");
}

void chain_put(buf *to, const equation *equations, int n, const int *first, int k, const notation *words)
{
	size_t bytes = 2 * (size_t)n * sizeof(side);
	side *sides = need(malloc(bytes), bytes);
	int nsides = 0;
	for (int i = k; i < n; i++)
		if (first[i] == k) {
			nsides = add_side(sides, nsides, need_text(&equations[i].left));
			nsides = add_side(sides, nsides, need_text(&equations[i].right));
		}
	qsort(sides, (size_t)nsides, sizeof *sides, by_argument);
	bool all = is_of_all(sides, nsides, words);
	if (all)
		put_all(to, sides[0].text, need_text(&equations[k].where));
	for (int i = 0; i < nsides && !all; i++)
		buf_printf(to, "%s%s", i ? " == " : "", sides[i].text);
	buf_puts(to, all ? "" : need_text(&equations[k].where));
	free(sides);
}
