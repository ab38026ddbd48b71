#include "fit_dtypes.h"

#include <stdlib.h>
#include <string.h>

#include "need.h"

/* Situations with the same slots and consistent trials, and the case fitted to them. */
typedef struct group {
	const dtype_situation **situations;
	int n;
	dtype_trial *trials;
	int ntrials;
	dtype_case fitted;
	bool ok;
} group;

typedef struct fit {
	arena *memory;
	const dtype_table *promotion;
	const dtype_trial *trials;
	int n, nslots, nout;
	int of[DTYPE_SLOTS]; /* the class of each slot of a trial; the fitted case joins list items */
	uint64_t accepted[DTYPE_SLOTS], rejected[DTYPE_SLOTS];
	dtype_case *to;
	int first[DTYPE_SLOTS]; /* per slot of the case: its first slot in trials */
} fit;

/* ---- equality classes */

static bool same_dtype(uint8_t a, uint8_t b)
{
	const int x = dtype_of_kind(a), y = dtype_of_kind(b);
	return x < 0 || y < 0 || x == y;
}

/* Whether two slots have the same dtype in all accepted trials, with at least two dtypes. */
static bool are_tied(const fit *f, int i, int j)
{
	uint64_t seen = 0;
	for (int k = 0; k < f->n; k++) {
		const dtype_trial *t = &f->trials[k];
		if (!t->outputs)
			continue;
		if (!same_dtype(t->kinds[i], t->kinds[j]))
			return false;
		if (dtype_of_kind(t->kinds[i]) >= 0 && dtype_of_kind(t->kinds[j]) >= 0)
			seen |= (uint64_t)1 << dtype_of_kind(t->kinds[i]);
	}
	return seen & (seen - 1);
}

static void find_classes(fit *f)
{
	for (int i = 0; i < f->nslots; i++) {
		f->of[i] = i;
		for (int j = 0; j < i && f->of[i] == i; j++)
			if (f->of[j] == j && are_tied(f, j, i))
				f->of[i] = j;
	}
}

static bool has_equal_classes(const fit *f, const dtype_trial *t)
{
	for (int i = 0; i < f->nslots; i++)
		for (int j = 0; j < i; j++)
			if (f->of[i] == f->of[j] && !same_dtype(t->kinds[i], t->kinds[j]))
				return false;
	return true;
}

/* The kind of a class in a trial: that of its first tensor, preferably one with dimensions. */
static uint8_t kind_of(const fit *f, const dtype_trial *t, int class)
{
	int best = -1;
	for (int i = 0; i < f->nslots; i++) {
		const int kind = t->kinds[i];
		if (f->of[i] == class && (best < 0 || kind / DTYPE_COUNT < best / DTYPE_COUNT))
			best = kind;
	}
	return (uint8_t)best;
}

/* ---- accepted kinds and combinations */

static void find_kinds(fit *f)
{
	for (int k = 0; k < f->n; k++) {
		const dtype_trial *t = &f->trials[k];
		for (int i = 0; i < f->nslots; i++) {
			if (t->outputs)
				f->accepted[i] |= (uint64_t)1 << t->kinds[i];
			else if (has_equal_classes(f, t))
				f->rejected[i] |= (uint64_t)1 << t->kinds[i];
		}
	}
	for (int i = 0; i < f->nslots; i++)
		f->rejected[i] &= ~f->accepted[i];
}

static bool has_kinds(const fit *f, const dtype_trial *t)
{
	for (int i = 0; i < f->nslots; i++)
		if (!(f->accepted[i] >> t->kinds[i] & 1))
			return false;
	return true;
}

static dtype_table *new_table(arena *a)
{
	dtype_table *t = NEED_ARRAY(a, dtype_table, 1);
	memset(t, CELL_UNKNOWN, sizeof *t);
	return t;
}

/* The table of combinations of two classes; NULL if no tried combination is rejected. */
static const dtype_table *combinations(const fit *f, int a, int b)
{
	dtype_table *t = new_table(f->memory);
	bool all = true;
	for (int k = 0; k < f->n; k++) {
		const dtype_trial *trial = &f->trials[k];
		int8_t *cell = &t->cell[kind_of(f, trial, a)][kind_of(f, trial, b)];
		if (!has_equal_classes(f, trial) || !has_kinds(f, trial))
			continue;
		if (trial->outputs)
			*cell = 0;
		else if (*cell == CELL_UNKNOWN)
			*cell = CELL_REJECTED;
	}
	for (int x = 0; x < DTYPE_KINDS; x++)
		for (int y = 0; y < DTYPE_KINDS; y++)
			all = all && t->cell[x][y] != CELL_REJECTED;
	return all ? NULL : t;
}

static bool find_pairs(fit *f)
{
	for (int i = 0; i < f->nslots; i++)
		for (int j = 0; j < i; j++) {
			if (f->of[i] != i || f->of[j] != j)
				continue;
			const dtype_table *t = combinations(f, j, i);
			if (t && f->to->npairs == DTYPE_PAIRS)
				return false;
			if (t)
				f->to->pairs[f->to->npairs++] = (dtype_pair){j, i, t};
		}
	return true;
}

/* Whether classes, accepted kinds and combinations predict the outcome of each trial. */
static bool predicts_outcomes(const fit *f)
{
	for (int k = 0; k < f->n; k++) {
		const dtype_trial *t = &f->trials[k];
		bool accepted = has_equal_classes(f, t) && has_kinds(f, t);
		for (int p = 0; accepted && p < f->to->npairs; p++) {
			const dtype_pair *pair = &f->to->pairs[p];
			accepted = pair->table->cell[kind_of(f, t, pair->a)][kind_of(f, t, pair->b)] == 0;
		}
		if (accepted != (t->outputs != NULL))
			return false;
	}
	return true;
}

/* ---- outputs */

static int dtype_at(const dtype_trial *t, int out)
{
	return dtype_kind(t->outputs[out]);
}

/* Sets a cell. False if it already has a different dtype. */
static bool set_cell(int8_t *cell, int dtype)
{
	if (*cell != CELL_UNKNOWN && *cell != dtype)
		return false;
	*cell = (int8_t)dtype;
	return true;
}

/* The dtype of an output as a function of two classes (b < 0: one class). NULL if it is not a function of them. */
static const dtype_table *output_table(const fit *f, int out, int a, int b)
{
	dtype_table *t = new_table(f->memory);
	for (int k = 0; k < f->n; k++) {
		const dtype_trial *trial = &f->trials[k];
		if (trial->outputs && !set_cell(&t->cell[kind_of(f, trial, a)][b < 0 ? 0 : kind_of(f, trial, b)], dtype_at(trial, out)))
			return NULL;
	}
	return t;
}

static bool is_same(const dtype_table *t)
{
	for (int k = 0; k < DTYPE_KINDS; k++)
		if (t->cell[k][0] != CELL_UNKNOWN && t->cell[k][0] != dtype_of_kind(k))
			return false;
	return true;
}

static bool find_constant(const fit *f, int out, dtype_output *to)
{
	int8_t cell = CELL_UNKNOWN;
	for (int k = 0; k < f->n; k++)
		if (f->trials[k].outputs && !set_cell(&cell, dtype_at(&f->trials[k], out)))
			return false;
	*to = (dtype_output){OUT_CONSTANT, cell, 0, NULL};
	return cell >= 0;
}

/* Tried before constants: if few dtypes are accepted, a constant fits by chance. */
static bool find_same(const fit *f, int out, dtype_output *to)
{
	for (int c = 0; c < f->nslots; c++) {
		const dtype_table *t = f->of[c] == c ? output_table(f, out, c, -1) : NULL;
		if (t && is_same(t)) {
			*to = (dtype_output){OUT_SAME, c, 0, NULL};
			return true;
		}
	}
	return false;
}

static bool find_map(const fit *f, int out, dtype_output *to)
{
	for (int c = 0; c < f->nslots; c++) {
		const dtype_table *t = f->of[c] == c ? output_table(f, out, c, -1) : NULL;
		if (t) {
			*to = (dtype_output){OUT_MAP, c, 0, t};
			return true;
		}
	}
	return false;
}

static bool find_table(const fit *f, int out, dtype_output *to)
{
	for (int b = 0; b < f->nslots; b++)
		for (int a = 0; a < b; a++) {
			const dtype_table *t = f->of[a] == a && f->of[b] == b ? output_table(f, out, a, b) : NULL;
			if (t) {
				*to = (dtype_output){OUT_TABLE, a, b, t};
				return true;
			}
		}
	return false;
}

/* The result kind of promoting two kinds; -1 if the table does not have it. */
static int fold_step(const dtype_table *t, int a, int b)
{
	const int rank = a / DTYPE_COUNT < b / DTYPE_COUNT ? a / DTYPE_COUNT : b / DTYPE_COUNT;
	if (rank == 2)
		return a > b ? a : b;
	const int dtype = t->cell[a][b];
	return dtype < 0 ? -1 : rank * DTYPE_COUNT + dtype;
}

static int fold(const fit *f, const dtype_table *t, const dtype_trial *trial, int slots)
{
	int kind = -1;
	bool any = false;
	for (int i = 0; i < f->nslots; i++) {
		if (!(slots >> i & 1))
			continue;
		kind = !any ? trial->kinds[i] : kind < 0 ? -1 : fold_step(t, kind, trial->kinds[i]);
		any = true;
	}
	return kind < 0 ? -1 : dtype_of_kind(kind);
}

static bool folds(const fit *f, int out, const dtype_table *t, int slots)
{
	for (int k = 0; k < f->n; k++)
		if (f->trials[k].outputs && fold(f, t, &f->trials[k], slots) != dtype_at(&f->trials[k], out))
			return false;
	return true;
}

/* Tries the promotion of all slots, then of all but one or two. */
static bool find_fold(const fit *f, int out, dtype_output *to)
{
	const int all = (1 << f->nslots) - 1;
	for (int i = -1; f->promotion && i < f->nslots; i++)
		for (int j = -1; j <= i && (i < 0 || j < i); j++) {
			const int slots = all & ~(i < 0 ? 0 : 1 << i) & ~(j < 0 ? 0 : 1 << j);
			if (slots & (slots - 1) && folds(f, out, f->promotion, slots)) {
				*to = (dtype_output){OUT_FOLD, slots, 0, f->promotion};
				return true;
			}
		}
	return false;
}

static bool find_outputs(fit *f)
{
	f->to->nout = f->nout;
	for (int k = 0; k < f->nout; k++) {
		dtype_output *to = &f->to->out[k];
		if (!find_same(f, k, to) && !find_constant(f, k, to) && !find_map(f, k, to) && !find_table(f, k, to) && !find_fold(f, k, to))
			return false;
	}
	return true;
}

/* ---- items of lists */

static bool is_list_item(const dtype_situation *s, int i)
{
	return i > 0 && strcmp(s->slots[i], s->slots[i - 1]) == 0;
}

/* Rewrites an output from slots of trials to slots of the case; a table of two items of a list becomes a fold over
 * the list. */
static bool join_output(const fit *f, dtype_output *o, const int *slot_of)
{
	if (o->kind == OUT_FOLD) {
		int slots = 0, items = 0;
		for (int i = 0; i < f->nslots; i++)
			if (o->a >> i & 1)
				slots |= 1 << slot_of[i];
		for (int i = 0; i < f->nslots; i++)
			items |= slots >> slot_of[i] & 1 ? 1 << i : 0;
		const bool whole = items == o->a;
		o->a = slots;
		return whole;
	}
	if (o->kind == OUT_TABLE && slot_of[o->a] == slot_of[o->b]) {
		*o = (dtype_output){OUT_FOLD, 1 << slot_of[o->a], 0, o->table};
		return true;
	}
	return true;
}

/* Joins the items of each list into one slot. False if they play different roles. */
static bool join_items(fit *f, const dtype_situation *s)
{
	dtype_case *to = f->to;
	int slot_of[DTYPE_SLOTS];
	bool apart[DTYPE_SLOTS] = {false};
	for (int i = 0; i < f->nslots; i++) {
		if (!is_list_item(s, i)) {
			f->first[to->nslots] = i;
			to->slots[to->nslots++] = (dtype_slot){s->slots[i], ITEMS_NONE, f->of[i], f->accepted[i], f->rejected[i], 0};
		} else {
			dtype_slot *list = &to->slots[to->nslots - 1];
			const bool tied = f->of[i] == list->of, own = f->of[i] == i;
			if ((!tied && !own) || (list->items != ITEMS_NONE && (list->items == ITEMS_TIED) != tied))
				return false;
			list->items = tied ? ITEMS_TIED : ITEMS_APART;
			apart[f->of[i]] = apart[list->of] = !tied;
			list->accepted |= f->accepted[i];
			list->rejected = (list->rejected | f->rejected[i]) & ~list->accepted;
		}
		slot_of[i] = to->nslots - 1;
	}
	for (int k = 0; k < to->npairs; k++)
		if (apart[to->pairs[k].a] || apart[to->pairs[k].b])
			return false;
	for (int k = 0; k < to->nout; k++) {
		dtype_output *o = &to->out[k];
		const bool of_item = (o->kind == OUT_SAME || o->kind == OUT_MAP || o->kind == OUT_TABLE) && apart[o->a];
		if ((of_item && (o->kind != OUT_TABLE || slot_of[o->a] != slot_of[o->b])) || !join_output(f, o, slot_of))
			return false;
	}
	return true;
}

/* Renumbers classes by the slots of the case. */
static void number_classes(fit *f)
{
	int slot[DTYPE_SLOTS];
	dtype_case *to = f->to;
	for (int k = to->nslots - 1; k >= 0; k--)
		slot[to->slots[k].of] = k;
	for (int k = 0; k < to->nslots; k++)
		to->slots[k].of = slot[to->slots[k].of];
	for (int k = 0; k < to->npairs; k++)
		to->pairs[k] = (dtype_pair){slot[to->pairs[k].a], slot[to->pairs[k].b], to->pairs[k].table};
	for (int k = 0; k < to->nout; k++) {
		dtype_output *o = &to->out[k];
		if (o->kind != OUT_CONSTANT && o->kind != OUT_FOLD)
			o->a = slot[o->a];
		if (o->kind == OUT_TABLE)
			o->b = slot[o->b];
	}
}

static bool fit_case(arena *a, group *g, const dtype_table *promotion)
{
	const dtype_situation *s = g->situations[0];
	fit f = {.memory = a, .promotion = promotion, .trials = g->trials, .n = g->ntrials, .nslots = s->nslots, .nout = s->nout, .to = &g->fitted};
	g->fitted = (dtype_case){0};
	find_classes(&f);
	find_kinds(&f);
	if (!find_pairs(&f) || !predicts_outcomes(&f) || !find_outputs(&f) || !join_items(&f, s))
		return false;
	number_classes(&f);
	return true;
}

/* ---- groups of situations */

static int by_kinds(const void *a, const void *b)
{
	return memcmp(((const dtype_trial *)a)->kinds, ((const dtype_trial *)b)->kinds, DTYPE_SLOTS);
}

static bool same_outcome(const dtype_trial *a, const dtype_trial *b)
{
	return a->outputs && b->outputs ? strcmp(a->outputs, b->outputs) == 0 : a->outputs == b->outputs;
}

static bool same_slots(const dtype_situation *a, const dtype_situation *b)
{
	bool same = a->nslots == b->nslots && a->nout == b->nout;
	for (int k = 0; same && k < a->nslots; k++)
		same = strcmp(a->slots[k], b->slots[k]) == 0;
	return same;
}

/* Adds a situation's trials to a group. False, with the group unchanged, if a trial contradicts it. */
static bool add_trials(arena *a, group *g, const dtype_situation *s)
{
	dtype_trial *all = NEED_ARRAY(a, dtype_trial, g->ntrials + s->n);
	int n = 0, i = 0, j = 0;
	while (i < g->ntrials || j < s->n) {
		const int order = i == g->ntrials ? 1 : j == s->n ? -1 : by_kinds(&g->trials[i], &s->trials[j]);
		if (order == 0 && !same_outcome(&g->trials[i], &s->trials[j]))
			return false;
		all[n++] = order <= 0 ? g->trials[i] : s->trials[j];
		i += order <= 0;
		j += order >= 0;
	}
	g->trials = all;
	g->ntrials = n;
	g->situations[g->n++] = s;
	return true;
}

/* Adds a situation to the first group that stays consistent and fittable, or to a new group. */
static void add_situation(arena *a, group *groups, int *n, const dtype_situation *s, int room, const dtype_table *promotion)
{
	for (int k = 0; k < *n; k++) {
		const group before = groups[k];
		if (!before.ok || !same_slots(before.situations[0], s) || !add_trials(a, &groups[k], s))
			continue;
		if (fit_case(a, &groups[k], promotion))
			return;
		groups[k] = before;
	}
	group *g = &groups[(*n)++];
	*g = (group){.situations = NEED_ARRAY(a, const dtype_situation *, room)};
	add_trials(a, g, s);
	g->ok = fit_case(a, g, promotion);
}

/* ---- the argument that distinguishes cases with the same slots */

static const char *value_of(const dtype_situation *s, const char *argument)
{
	for (int k = 0; k < s->nsettings; k++)
		if (strcmp(s->settings[k].argument, argument) == 0)
			return s->settings[k].text;
	return "";
}

static bool same_names(const dtype_case *a, const dtype_case *b)
{
	bool same = a->nslots == b->nslots;
	for (int k = 0; same && k < a->nslots; k++)
		same = strcmp(a->slots[k].name, b->slots[k].name) == 0;
	return same;
}

static bool has_value(const group *g, const char *argument, const char *text)
{
	for (int k = 0; k < g->n; k++)
		if (strcmp(value_of(g->situations[k], argument), text) == 0)
			return true;
	return false;
}

/* Whether the values of the argument in this group occur in no other group with the same slots. */
static bool distinguishes(const group *groups, int n, const group *of, const char *argument)
{
	for (int k = 0; k < n; k++)
		for (int m = 0; &groups[k] != of && groups[k].ok && same_names(&groups[k].fitted, &of->fitted) && m < of->n; m++)
			if (has_value(&groups[k], argument, value_of(of->situations[m], argument)))
				return false;
	return true;
}

static void add_values(arena *a, group *g, const char *argument)
{
	dtype_case *c = &g->fitted;
	c->argument = argument;
	c->texts = NEED_ARRAY(a, const char *, g->n);
	for (int k = 0; k < g->n; k++) {
		const char *text = value_of(g->situations[k], argument);
		bool known = false;
		for (int i = 0; i < c->ntexts; i++)
			known = known || strcmp(c->texts[i], text) == 0;
		if (!known)
			c->texts[c->ntexts++] = text;
	}
}

static void find_argument(arena *a, group *groups, int n, group *g)
{
	bool alone = true;
	for (int k = 0; k < n; k++)
		alone = alone && (&groups[k] == g || !groups[k].ok || !same_names(&groups[k].fitted, &g->fitted));
	if (alone)
		return;
	for (int pass = 0; pass < 2; pass++) /* prefer values to ranks */
		for (int k = 0; k < n; k++)
			for (int m = 0; groups[k].ok && same_names(&groups[k].fitted, &g->fitted) && m < groups[k].situations[0]->nsettings; m++) {
				const dtype_setting *s = &groups[k].situations[0]->settings[m];
				if (strchr("=<>", *s->text) && !pass)
					continue;
				if (distinguishes(groups, n, g, s->argument)) {
					add_values(a, g, s->argument);
					return;
				}
			}
}

/* ---- rules */

/* Marks lists that always had one item in the trials. */
static void mark_single_lists(const dtype_trials *t, const dtype_api *api, group *g)
{
	for (int k = 0; k < g->fitted.nslots; k++)
		for (int i = 0; i < api->n; i++) {
			const dtype_situation *s = &t->situations[api->from + i];
			for (int j = 1; j < s->nslots; j++)
				if (g->fitted.slots[k].items == ITEMS_NONE && is_list_item(s, j) && strcmp(s->slots[j], g->fitted.slots[k].name) == 0)
					g->fitted.slots[k].items = ITEMS_ONE;
		}
}

static void add_ranks(const dtype_trials *t, const dtype_api *api, dtype_slot *s)
{
	for (int i = 0; i < api->n; i++) {
		const char *text = value_of(&t->situations[api->from + i], s->name);
		s->ranks |= *text == '=' ? RANK_EQUAL : *text == '<' ? RANK_LESS : *text == '>' ? RANK_MORE : 0;
	}
}

static bool names_dtypes(const dtype_trials *t, const dtype_rule *r)
{
	return *t->codes && r->n;
}

const dtype_rule *fit_dtypes(arena *a, const dtype_trials *t, const dtype_api *api, const dtype_table *promotion)
{
	group *groups = NEED_ARRAY(a, group, api->n);
	dtype_rule *r = NEED_ARRAY(a, dtype_rule, 1);
	int n = 0;
	for (int k = 0; k < api->n; k++)
		add_situation(a, groups, &n, &t->situations[api->from + k], api->n, promotion);
	r->cases = NEED_ARRAY(a, dtype_case, n);
	for (int k = 0; k < n; k++)
		if (groups[k].ok)
			find_argument(a, groups, n, &groups[k]);
	for (int k = 0; k < n; k++) {
		if (!groups[k].ok)
			continue;
		mark_single_lists(t, api, &groups[k]);
		for (int i = 0; i < groups[k].fitted.nslots; i++)
			add_ranks(t, api, &groups[k].fitted.slots[i]);
		r->cases[r->n++] = groups[k].fitted;
	}
	r->codes = names_dtypes(t, r) ? t->codes : "";
	return r->n ? r : NULL;
}

/* ---- promotion */

/* Whether a table is a promotion: symmetric, maps equal dtypes to themselves, and covers most pairs. */
static bool is_promotion(const dtype_table *t)
{
	int own = 0, pairs = 0;
	for (int x = 0; x < DTYPE_COUNT; x++)
		for (int y = 0; y < DTYPE_COUNT; y++) {
			const int8_t cell = t->cell[x][y];
			if ((x == y && cell != x && cell != CELL_UNKNOWN) || cell != t->cell[y][x])
				return false;
			own += x == y && cell == x;
			pairs += x != y && cell >= 0;
		}
	return own >= 8 && pairs >= own * (own - 1);
}

const dtype_table *fit_dtypes_promotion(arena *a, const dtype_trials *t)
{
	const dtype_table **found = NEED_ARRAY(a, const dtype_table *, t->n);
	int *times = NEED_ARRAY(a, int, t->n), n = 0, best = -1;
	for (int k = 0; k < t->n; k++) {
		const dtype_situation *s = &t->situations[k];
		fit f = {.memory = a, .trials = s->trials, .n = s->n, .nslots = s->nslots, .nout = s->nout, .of = {0, 1}};
		const dtype_table *trial = s->nslots == 2 && s->nout == 1 ? output_table(&f, 0, 0, 1) : NULL;
		if (!trial || !is_promotion(trial))
			continue;
		int i = 0;
		while (i < n && memcmp(found[i], trial, sizeof *trial) != 0)
			i++;
		found[i] = trial;
		times[i]++;
		n += i == n;
	}
	for (int i = 0; i < n; i++)
		best = best < 0 || times[i] > times[best] ? i : best;
	return best < 0 ? NULL : found[best];
}
