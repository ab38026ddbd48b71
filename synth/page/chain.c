#include "chain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "guard_text.h"
#include "list_items.h"
#include "need.h"

enum { FEWEST_ITEMS = 3 }; /* of a list: fewer are said one by one */

static bool same(const buf *a, const buf *b)
{
	return strcmp(need_text(a), need_text(b)) == 0;
}

/* Divisibility is no link. */
static bool divides(const equation *e)
{
	return strchr(need_text(&e->left), '%') || strchr(need_text(&e->right), '%');
}

static bool meet(const equation *a, const equation *b)
{
	return a->left.length && b->left.length && same(&a->where, &b->where) && !divides(a) && !divides(b)
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
		if (first[k] == k && length_of(first, n, k) < MIN_LINKS)
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

/* The list that most sides index, if it has three items or more. Returns its maximum length over all signatures;
 * 0: there is none. */
static int find_list(const char *const *sides, int n, const notation *words, const char **list)
{
	int most = 0, items = 0;
	list_item x;
	for (int i = 0; i < n && words; i++) {
		int beside = list_items_beside(sides, n, sides[i]);
		if (beside <= most || !list_item_of(sides[i], &x))
			continue;
		most = beside;
		*list = sides[i];
		items = words_most_items(words, *list, x.name);
	}
	return items >= FEWEST_ITEMS ? items : 0;
}

/* Of the items that stand p apart, all as one, 2*k + 1; of others, nothing. */
static void put_item(buf *to, const char *side, list_item x, int p)
{
	buf_printf(to, "%.*s[", (int)x.name, side);
	if (p > 1)
		buf_printf(to, "%d*", p);
	buf_puts(to, "k");
	if (x.number)
		buf_printf(to, " + %d", x.number);
	buf_printf(to, "]%s", x.rest);
}

/* The sides, those of a list's items with period p as one: params[2*k + 1][0] == 4*hx[2]; p 0: each by itself. */
static void put_sides(buf *to, const char *const *sides, int n, const char *list, int p)
{
	const char *alone = NULL; /* the first of what is all that there is */
	int count = 0;
	for (int i = 0; i < n; i++) {
		list_item x;
		bool periodic = p && list_items_has(sides, n, i, list, &x);
		if (periodic && x.number >= p)
			continue;
		buf_puts(to, count++ ? " == " : "");
		if (periodic)
			put_item(to, sides[i], x, p);
		else
			buf_puts(to, sides[i]);
		alone = sides[i];
	}
	if (count == 1)
		buf_printf(to, " == %s", alone);
}

/* " for each i, each k if x = 1" */
static void put_where(buf *to, const char *where, bool periodic)
{
	const char *condition = guard_text_find(where);
	size_t length = condition ? (size_t)(condition - where) : strlen(where);
	buf_printf(to, "%.*s", (int)length, where);
	if (periodic)
		words_each(to, "each k");
	buf_puts(to, condition ? condition : "");
}

void chain_put(buf *to, const equation *equations, int n, const int *first, int k, const notation *words)
{
	size_t bytes = 2 * (size_t)n * (sizeof(side) + sizeof(char *));
	side *sides = need(malloc(bytes), bytes);
	const char **texts = (const char **)(sides + 2 * n), *list = "";
	int nsides = 0;
	for (int i = k; i < n; i++)
		if (first[i] == k) {
			nsides = add_side(sides, nsides, need_text(&equations[i].left));
			nsides = add_side(sides, nsides, need_text(&equations[i].right));
		}
	qsort(sides, (size_t)nsides, sizeof *sides, by_argument);
	for (int i = 0; i < nsides; i++)
		texts[i] = sides[i].text;
	int items = find_list(texts, nsides, words, &list), p = items ? list_items_period(texts, nsides, list, items) : 0;
	put_sides(to, texts, nsides, list, p);
	put_where(to, need_text(&equations[k].where), p > 0);
	free(sides);
}
