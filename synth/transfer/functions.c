#include "functions.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "need.h"

enum { MAX_PARAMETERS = 7, MAX_FUNCTIONS = 96, MAX_TRIED = 9, MIN_SIZE = 2 };

typedef struct shape_function {
	const expr *e; /* over s0 … s<parameters-1>, numbered by first occurrence */
	int parameters;
	int use; /* log2 of the number of APIs, so that one more API rarely changes the result */
} shape_function;

struct functions {
	expr_pool *pool;
	shape_function *list;
	int n;
};

/* ---- mining */

/* Numbers symbols by first occurrence. Returns false if there are too many. */
static bool number_symbols(const expr *e, int *map, int nsym, int *used)
{
	if (e->op == OP_CONST)
		return true;
	if (e->op == OP_SYM) {
		if (e->value >= nsym)
			return false;
		if (map[e->value] < 0)
			map[e->value] = (*used)++;
		return *used <= MAX_PARAMETERS;
	}
	return (!e->c || number_symbols(e->c, map, nsym, used)) && number_symbols(e->a, map, nsym, used)
	    && number_symbols(e->b, map, nsym, used);
}

/* The expression with its symbols as parameters; NULL if there are too many. */
static const expr *as_function(expr_pool *pool, const expr *e, int nsym, int *parameters)
{
	size_t bytes = sizeof(int) * (size_t)(nsym + 1);
	int *map = need(malloc(bytes), bytes);
	memset(map, -1, bytes);
	*parameters = 0;
	const expr *f = number_symbols(e, map, nsym, parameters) ? expr_copy(pool, e, map) : NULL;
	free(map);
	return f;
}

typedef struct sighting {
	const expr *e;
	const char *api;
	int parameters;
} sighting;

static int by_function(const void *a, const void *b)
{
	const sighting *x = a, *y = b;
	int order = expr_compare(x->e, y->e);
	return order ? order : strcmp(x->api, y->api);
}

static int by_use(const void *a, const void *b)
{
	const shape_function *x = a, *y = b;
	return x->use != y->use ? y->use - x->use : expr_compare(x->e, y->e);
}

static sighting *collect(functions *f, const records *r, const int *todo, int n, const rule *rules, int *count)
{
	sighting *list = NULL;
	size_t room = 0;
	*count = 0;
	for (int k = 0; k < n; k++) {
		const operator *op = &r->ops[todo[k]];
		const rule *found = &rules[todo[k]];
		for (int d = 0; !found->why && d < found->nodim; d++) {
			int parameters;
			const expr *e = found->out[d]->size < MIN_SIZE ? NULL : as_function(f->pool, found->out[d], op->nsym, &parameters);
			if (!e)
				continue;
			list = NEED_ROOM(list, *count, room);
			list[(*count)++] = (sighting){e, op->api, parameters};
		}
	}
	if (*count)
		qsort(list, (size_t)*count, sizeof *list, by_function);
	return list;
}

functions *functions_mine(const records *r, const int *todo, int n, const rule *rules)
{
	functions *f = need(calloc(1, sizeof *f), sizeof *f);
	int count;
	f->pool = expr_pool_new();
	sighting *list = collect(f, r, todo, n, rules, &count);
	f->list = need(calloc((size_t)count + 1, sizeof *f->list), sizeof *f->list * ((size_t)count + 1));
	for (int i = 0, j; i < count; i = j) {
		int apis = 0;
		for (j = i; j < count && list[j].e == list[i].e; j++)
			apis += j == i || strcmp(list[j].api, list[j - 1].api) != 0;
		int use = 0;
		while (apis >> (use + 1))
			use++;
		if (use)
			f->list[f->n++] = (shape_function){list[i].e, list[i].parameters, use};
	}
	free(list);
	qsort(f->list, (size_t)f->n, sizeof *f->list, by_use);
	f->n = f->n < MAX_FUNCTIONS ? f->n : MAX_FUNCTIONS;
	return f;
}

void functions_free(functions *f)
{
	if (!f)
		return;
	expr_pool_free(f->pool);
	free(f->list);
	free(f);
}

uint64_t functions_hash(const functions *f)
{
	buf text = {0};
	for (int i = 0; i < f->n; i++) {
		buf_printf(&text, "%d ", f->list[i].use);
		expr_print(&text, f->list[i].e);
		buf_putc(&text, '\n');
	}
	uint64_t h = XXH3_64bits(need_text(&text), text.length);
	buf_free(&text);
	return h;
}

/* ---- matching symbols with parameters */

typedef struct matcher {
	solver *s;
	int d;
	int symbols[MAX_TRIED], n; /* the relevant ones first */
	int relevant;
} matcher;

static void add_symbol(matcher *m, int symbol)
{
	for (int k = 0; k < m->n; k++)
		if (m->symbols[k] == symbol)
			return;
	if (m->n < MAX_TRIED)
		m->symbols[m->n++] = symbol;
}

/* Relevant symbols, those of the expression found without help, and the dimension at the same position. */
static void choose_symbols(matcher *m, const expr *own)
{
	const solver *s = m->s;
	const operator *op = s->op;
	bool *used = ARENA_ARRAY(s->scratch, bool, op->nsym + 1);
	for (int i = 0; i < op->nsym; i++)
		if (solver_moves(s, i, m->d)) {
			m->relevant++;
			add_symbol(m, i);
		}
	if (own)
		expr_mark_syms(own, used);
	for (int i = 0; i < op->nsym; i++)
		if (used[i])
			add_symbol(m, i);
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		int left = op->out_pos[m->d], right = op->out_rank[m->d] - left;
		if (r->kind == ROLE_INT || r->len == 1 || (r->pos == left && r->len == op->out_rank[m->d])
		    || r->len - r->pos == right)
			add_symbol(m, i);
	}
}

static void fill(const matcher *m, const shape_function *f, const int *pick, int k, int64_t filled[MAX_PARAMETERS])
{
	const int64_t *row = passing_record(m->s->op, k);
	for (int i = 0; i < f->parameters; i++)
		filled[i] = row[m->symbols[pick[i]]];
}

static bool fits(const matcher *m, const shape_function *f, const int *pick)
{
	const operator *op = m->s->op;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		int64_t filled[MAX_PARAMETERS];
		wide v;
		fill(m, f, pick, k, filled);
		if (!expr_eval(f->e, filled, &v) || v != row[op->nsym + m->d])
			return false;
	}
	return true;
}

/* Whether a choice tests if a dimension is negative: one branch would be dead. */
static bool has_dead_choice(const matcher *m, const expr *e, const int *pick)
{
	const expr *c = e->c;
	if (c && c->a->op == OP_SYM && c->b->op == OP_CONST
	    && m->s->op->roles[m->symbols[pick[c->a->value]]].kind == ROLE_DIM
	    && ((c->op == OP_EQ && c->b->value < 0) || (c->op == OP_LT && c->b->value <= 0)))
		return true;
	return e->a && (has_dead_choice(m, e->a, pick) || has_dead_choice(m, e->b, pick));
}

/* Whether the function is a choice on a computed value of which no record takes one branch, such as a clamped quotient: the
 * operator may reject such calls. */
static bool has_unseen_half(const matcher *m, const shape_function *f, const int *pick)
{
	const expr *c = f->e->c;
	bool seen[2] = {false, false};
	if (!c || (c->a->op == OP_SYM && c->b->op == OP_CONST))
		return false;
	for (int k = 0; k < m->s->op->npass && !(seen[0] && seen[1]); k++) {
		int64_t filled[MAX_PARAMETERS];
		fill(m, f, pick, k, filled);
		seen[expr_holds(c, filled)] = true;
	}
	return !seen[0] || !seen[1];
}

/* Assigns unused symbols to the parameters from i on. Every relevant symbol must be used. */
static bool assign(const matcher *m, const shape_function *f, int *pick, int i, unsigned taken)
{
	int missing = m->relevant - __builtin_popcount(taken & ((1u << m->relevant) - 1));
	if (missing > f->parameters - i)
		return false;
	if (i == f->parameters)
		return !has_dead_choice(m, f->e, pick) && fits(m, f, pick) && !has_unseen_half(m, f, pick);
	int most = missing == f->parameters - i ? m->relevant : m->n;
	for (int k = 0; k < most; k++) {
		if (taken >> k & 1)
			continue;
		pick[i] = k;
		if (assign(m, f, pick, i + 1, taken | 1u << k))
			return true;
	}
	return false;
}

static int use_of(const functions *f, const solver *s, const expr *own)
{
	int parameters;
	const expr *e = own ? as_function(s->pool, own, s->op->nsym, &parameters) : NULL;
	for (int i = 0; e && i < f->n; i++)
		if (f->list[i].e->hash == e->hash && expr_compare(f->list[i].e, e) == 0)
			return f->list[i].use;
	return own ? 0 : -1;
}

static void log_function(solver *s, int d, const char *what, const expr *e, const shape_function *f)
{
	solver_log(s, "functions: ", e, "  (output %d, dimension %d: %sused by %d %s %d APIs)", s->op->out_tensor[d],
	    s->op->out_pos[d], what, 1 << f->use, f->use == 1 ? "or" : "to", (2 << f->use) - 1);
}

const expr *functions_match(const functions *f, solver *s, int d, const expr *own)
{
	matcher m = {.s = s, .d = d};
	int least = use_of(f, s, own);
	choose_symbols(&m, own);
	if (m.relevant == 0 || m.relevant > MAX_PARAMETERS)
		return NULL;
	for (int i = 0; i < f->n && f->list[i].use > least; i++) {
		const shape_function *g = &f->list[i];
		int pick[MAX_PARAMETERS], map[MAX_PARAMETERS];
		if (g->parameters < m.relevant || g->parameters > m.n || !assign(&m, g, pick, 0, 0))
			continue;
		for (int k = 0; k < g->parameters; k++)
			map[k] = m.symbols[pick[k]];
		const expr *e = expr_copy(s->pool, g->e, map);
		if (e != own)
			log_function(s, d, "", e, g);
		return e;
	}
	return NULL;
}

/* ---- products over positions: the number of windows is one factor per dimension (unfold) */

enum { MAX_FACTORS = 3, MAX_CLASS = 7 };

/* The symbols at each of n positions: row k of every position has the same role. */
typedef struct positions {
	int symbols[MAX_FACTORS][MAX_CLASS], n, size;
	unsigned needed; /* rows in which some symbol changes the output */
} positions;

static void add_part(positions *p, const int *symbols, bool moves)
{
	if (p->size == MAX_CLASS)
		return;
	for (int j = 0; j < p->n; j++)
		p->symbols[j][p->size] = symbols[j];
	p->needed |= moves ? 1u << p->size : 0;
	p->size++;
}

/* Finds the dimensions of one tensor that change the output, and the lists aligned with them. */
static bool find_positions(const solver *s, int d, positions *p)
{
	const operator *op = s->op;
	int dims[MAX_FACTORS], first = -1;
	*p = (positions){.n = 0};
	for (int i = 0; i < op->nsym; i++) {
		if (op->roles[i].kind != ROLE_DIM || !solver_moves(s, i, d))
			continue;
		bool own_part = op->out_pos[d] == op->roles[i].pos; /* a separate factor, such as channels */
		if (first >= 0 && op->roles[i].tensor != op->roles[first].tensor)
			continue;
		if (own_part && p->n == 0 && op->roles[i].pos + 2 < op->roles[i].len && op->out_rank[d] > 2)
			continue;
		if (p->n == MAX_FACTORS)
			return false;
		first = first < 0 ? i : first;
		dims[p->n++] = i;
	}
	if (p->n < 2)
		return false;
	add_part(p, dims, true);
	for (int i = 0; i < op->nsym; i++) {
		const role *r = &op->roles[i];
		int same[MAX_FACTORS], items[MAX_FACTORS];
		bool moves = solver_moves(s, i, d);
		for (int j = 0; j < p->n; j++)
			same[j] = i;
		if (r->kind == ROLE_INT || (r->kind == ROLE_ITEM && r->len == 1))
			add_part(p, same, moves);
		if (r->kind != ROLE_ITEM || r->pos || r->outer_len || r->len < p->n)
			continue;
		for (int j = 0; j < p->n; j++) {
			items[j] = i + (r->len == op->roles[dims[j]].len ? op->roles[dims[j]].pos : r->len - p->n + j);
			moves |= solver_moves(s, items[j], d);
		}
		add_part(p, items, moves);
	}
	return true;
}

static const expr *product_of(const positions *p, const shape_function *f, const int *pick, expr_pool *pool)
{
	const expr *product = NULL;
	for (int j = 0; j < p->n; j++) {
		int map[MAX_PARAMETERS];
		for (int i = 0; i < f->parameters; i++)
			map[i] = p->symbols[j][pick[i]];
		const expr *e = expr_copy(pool, f->e, map);
		product = expr_join(pool, OP_MUL, product, e);
	}
	return product;
}

static bool product_fits(const solver *s, int d, const positions *p, const shape_function *f, const int *pick)
{
	const operator *op = s->op;
	for (int k = 0; k < op->npass; k++) {
		const int64_t *row = passing_record(op, k);
		wide product = 1, v;
		for (int j = 0; j < p->n; j++) {
			int64_t filled[MAX_PARAMETERS];
			for (int i = 0; i < f->parameters; i++)
				filled[i] = row[p->symbols[j][pick[i]]];
			if (!expr_eval(f->e, filled, &v) || !checked_mul(product, v, &product))
				return false;
		}
		if (product != row[op->nsym + d])
			return false;
	}
	return true;
}

static bool assign_parts(const solver *s, int d, const positions *p, const shape_function *f, int *pick, int i,
    unsigned taken)
{
	if (__builtin_popcount(p->needed & ~taken) > f->parameters - i)
		return false;
	if (i == f->parameters)
		return product_fits(s, d, p, f, pick);
	for (int k = 0; k < p->size; k++) {
		pick[i] = k;
		if (!(taken >> k & 1) && assign_parts(s, d, p, f, pick, i + 1, taken | 1u << k))
			return true;
	}
	return false;
}

const expr *functions_product(const functions *f, solver *s, int d)
{
	positions p;
	int pick[MAX_PARAMETERS];
	if (!find_positions(s, d, &p))
		return NULL;
	for (int i = 0; i < f->n; i++)
		if (f->list[i].parameters <= p.size && assign_parts(s, d, &p, &f->list[i], pick, 0, 0)) {
			const expr *e = product_of(&p, &f->list[i], pick, s->pool);
			log_function(s, d, "a product of one ", e, &f->list[i]);
			return e;
		}
	return NULL;
}
