#include "index_base.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "four_bits.h"
#include "framework.h"
#include "index_programs.h"
#include "index_ranks.h"
#include "python_literal.h"
#include "rulesmith.h"
#include "values.h"

enum { TABLES = 2 }; /* of rules, and of signatures that only chains use */

struct index_base {
	arena *arena;
	const rs_table *table; /* NULL: not made yet */
	index_limits limits;
	index_programs programs;
	index_entry *entries; /* per signature of the table */
};

struct index_bases {
	unsigned users;
	index_base of[TABLES];
};

/* ---- usable signatures */

static bool value_safe(const rs_op *op, const rs_value *v)
{
	if (v->kind != RS_CONST)
		return true;
	for (unsigned i = 0; i < v->count; i++)
		if (!literal_safe(op->floats[v->first + i]))
			return false;
	return literal_safe(v->text);
}

/* Whether the call can be written as Python: identifiers, safe constants, keyword arguments after positional ones. */
static bool call_safe(const rs_table *table, const rs_op *op)
{
	if (!framework_may_call(table->framework, op->api) || !identifier_safe(op->api, true))
		return false;
	for (unsigned i = 0; i < op->nargs; i++)
		if (!identifier_safe(op->args[i].name, false)
		    || (i && op->args[i].by_position && !op->args[i - 1].by_position))
			return false;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (!value_safe(op, &op->values[i]))
			return false;
	return true;
}

/* Whether an input accepts no class of element values. */
static bool no_class_serves(const rs_op *op)
{
	for (unsigned i = 0; op->classes && i < op->nin; i++)
		if (op->classes[i] == RS_VALUES_NONE)
			return true;
	return false;
}

static bool size_fits(const rs_op *op, unsigned rank_max)
{
	if (op->nsym + op->nodim > INDEX_WIDTH_MAX || op->nin > INDEX_TENSORS_MAX || !op->nout
	    || op->nout > INDEX_TENSORS_MAX)
		return false;
	for (unsigned i = 0; i < op->nout; i++)
		if (op->out_ranks[i] > rank_max)
			return false;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind) && op->values[i].count > rank_max)
			return false;
	return true;
}

/* Whether a model with this operator has other results in each run. If models are files, an implementation repeats its random
 * numbers, since the seed is an attribute. Other implementations draw others, and graph_number marks these nodes. */
static bool not_repeated(const index_base *b, const rs_op *op)
{
	return op->flags & RS_RANDOM && !b->limits.random && !framework_has_files(b->table->framework);
}

static enum index_use use_of(const index_base *b, const rs_op *op)
{
	if (!size_fits(op, b->limits.rank_max) || !call_safe(b->table, op))
		return INDEX_UNSAFE;
	return not_repeated(b, op) || (op->flags & RS_HELD) || no_class_serves(op) ? INDEX_ELEMENTS : INDEX_USABLE;
}

static void check(const index_base *b, index_entry *e, const rs_op *op)
{
	e->op = op;
	e->use = use_of(b, op);
	e->versioned = op->api[framework_unversioned(b->table->framework, op->api)] != '\0';
	e->newest = op_newest_set(op->api);
}

index_entry *index_base_entry(index_base *b, uint32_t at)
{
	index_entry *e = &b->entries[at];
	if (e->use == INDEX_UNCHECKED)
		check(b, e, &b->table->ops[at]);
	return e;
}

/* ---- rows of dtypes */

static bool row_usable(const uint8_t *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (row[i] >= RS_STRING)
			return false;
	return true;
}

/* If the table has no dtypes: those of the inputs, and the first input's for every output. */
static const uint8_t *default_row(arena *a, const rs_op *op)
{
	uint8_t *row = arena_zalloc(a, (size_t)op->nin + op->nout + 1);
	if (!row)
		return NULL;
	unsigned n = 0;
	for (unsigned i = 0; i < op->nvalues; i++)
		if (rs_is_tensor(op->values[i].kind))
			row[n++] = op->values[i].dtype;
	memset(row + n, n ? row[0] : RS_OTHER, op->nout);
	return row;
}

static bool has_row(const uint8_t *rows, const uint8_t *end, const uint8_t *row, unsigned width)
{
	for (; rows < end; rows += width)
		if (memcmp(rows, row, width) == 0)
			return true;
	return false;
}

/* Appends the rows of the definition with 4-bit integers that have no record. */
static uint8_t *add_four_bits(index_op *o, const uint8_t *rows, uint8_t *end)
{
	unsigned width = o->nin + o->nout;
	four_bits types;
	if (!four_bits_find(&types, o->op))
		return end;
	for (unsigned i = 0; i < o->op->ndtypes; i++)
		for (unsigned type = 0; type < FOUR_BITS_TYPES; type++)
			if (four_bits_row(&types, o->op->dtypes + (size_t)i * width, type, end) && row_usable(end, width) && !has_row(rows, end, end, width)) {
				end += width;
				o->nrows++;
			}
	return end;
}

/* Copies the usable dtype rows in front of the groups, which exist already. */
static bool find_rows(const index_base *b, index_op *o)
{
	const bool four_bits = b->limits.four_bits;
	unsigned n = o->op->ndtypes ? o->op->ndtypes : 1, width = o->nin + o->nout, most = n * (four_bits ? FOUR_BITS_TYPES + 1 : 1) + 1;
	uint8_t *rows = arena_alloc(b->arena, (size_t)most * width + 2u * o->width + 1), *end = rows;
	if (!rows)
		return false;
	for (unsigned i = 0; i < n; i++) {
		const uint8_t *row = o->op->ndtypes ? o->op->dtypes + (size_t)i * width : default_row(b->arena, o->op);
		if (!row)
			return false;
		if (row_usable(row, width) && (four_bits || !four_bits_has(row, width))) {
			memcpy(end, row, width);
			end += width;
			o->nrows++;
		}
	}
	end = four_bits ? add_four_bits(o, rows, end) : end;
	memcpy(end, o->rows, 2u * o->width);
	o->rows = rows;
	return true;
}

bool index_base_sets(index_base *b, index_entry *e)
{
	op_sets *sets = e->sets ? NULL : ARENA_ARRAY(b->arena, op_sets, e->o.nrows + 1);
	for (unsigned i = 0; sets && i < e->o.nrows; i++)
		sets[i] = op_sets_of(e->op, index_row(&e->o, i));
	e->sets = sets ? sets : e->sets;
	return e->sets;
}

bool index_base_calls(index_base *b, index_entry *e)
{
	uint64_t *calls = e->calls ? NULL : ARENA_ARRAY(b->arena, uint64_t, e->o.nrows + 1);
	for (unsigned i = 0; calls && i < e->o.nrows; i++)
		calls[i] = rs_call_hash(e->op, index_row(&e->o, i));
	e->calls = calls ? calls : e->calls;
	return e->calls;
}

/* ---- the rest of a signature */

static bool vary(const rs_op *op)
{
	for (unsigned i = 0; i < op->nvalues; i++)
		if (op->values[i].kind == RS_CONST && op->values[i].count)
			return true;
	return false;
}

static bool find_consts(arena *a, index_op *o)
{
	const rs_op *op = o->op;
	index_const *consts = ARENA_ARRAY(a, index_const, op->nvalues + 1);
	if (!consts)
		return false;
	o->consts = consts;
	for (unsigned i = 0; i < op->nvalues && vary(op); i++) {
		const rs_value *v = &op->values[i];
		if (v->kind == RS_CONST)
			consts[o->nconsts++] =
			    (index_const){v->count ? op->floats + v->first : &v->text, v->count};
	}
	return true;
}

static bool find_form(arena *a, index_op *o)
{
	graph_form *form = ARENA_NEW(a, graph_form);
	o->form = form;
	return form && graph_find_form(form, o->op, a);
}

/* Sets the range of free dimensions, the same in every call of the generator. */
static void set_box(index_op *o, const index_limits *limits)
{
	int64_t *bounds = (int64_t *)o->bounds;
	for (unsigned i = 0; i < o->nsym; i++)
		if (index_is_dimension(o, i)) {
			bounds[i] = limits->low;
			bounds[o->nsym + i] = limits->high;
		}
}

bool index_base_describe(index_base *b, index_entry *e, diag *d)
{
	const rs_op *op = e->op;
	index_op *o = &e->o;
	assert(e->use == INDEX_USABLE);
	if (e->described)
		return true;
	if (!diag_memory(d, index_describe(b->arena, op, b->limits.max_numel, o) && find_form(b->arena, o) && find_consts(b->arena, o)
				&& find_rows(b, o)))
		return false;
	set_box(o, &b->limits);
	o->classes = op->classes;
	o->delicate = (op->flags & RS_DELICATE) != 0;
	o->symbolic = op->valid && op->propagate && !(op->flags & (RS_BY_RECORD | RS_UNFIT));
	/* Signatures with enough support have samplers; the others use records. */
	e->described = !o->symbolic || index_programs_find(&b->programs, o, d);
	return e->described;
}

/* ---- other ranks */

/* The signature is made from one of the table: its kind, and the ranks as bits. */
static bool add_ranks(index_base *b, index_entry *e, enum elementwise kind, uint32_t ranks)
{
	e->ranks = ARENA_ARRAY(b->arena, index_entry, INDEX_RANKS_LAST);
	for (unsigned rank = 1; e->ranks && rank <= INDEX_RANKS_LAST && rank <= b->limits.rank_max; rank++) {
		if (!(ranks >> rank & 1))
			continue;
		const rs_op *op = index_other_rank(e->op, kind, rank, b->arena);
		if (!op)
			return false;
		check(b, &e->ranks[e->nranks++], op);
	}
	return e->ranks != NULL;
}

bool index_base_rank(index_base *b, index_entry *e)
{
	const uint32_t at = (uint32_t)(e - b->entries);
	if (e->ranked)
		return true;
	enum elementwise kind = index_elementwise(b->table, at);
	uint32_t ranks = kind ? INDEX_RANKS_BEYOND : index_missing_ranks(b->table, at);
	e->ranked = !ranks || add_ranks(b, e, kind ? kind : ELEMENTWISE_UNARY, ranks);
	return e->ranked;
}

/* ---- life */

static bool open_base(index_base *b, const rs_table *table, const index_limits *limits)
{
	*b = (index_base){.arena = arena_new(), .limits = *limits};
	b->entries = b->arena ? ARENA_ARRAY(b->arena, index_entry, table->nops + (size_t)1) : NULL;
	if (!b->entries || !index_programs_open(&b->programs, b->arena, table->nops)) {
		if (b->arena)
			arena_free(b->arena);
		return false;
	}
	b->table = table;
	return true;
}

index_base *index_bases_of(index_bases *b, const rs_table *table, const index_limits *limits)
{
	index_base *found = b->of;
	while (found->table && found->table != table)
		found++;
	assert(found < b->of + TABLES);
	assert(!found->table || (found->limits.max_numel == limits->max_numel && found->limits.rank_max == limits->rank_max));
	return found->table || open_base(found, table, limits) ? found : NULL;
}

index_bases *index_bases_new(void)
{
	index_bases *b = calloc(1, sizeof *b);
	if (b)
		b->users = 1;
	return b;
}

index_bases *index_bases_share(index_bases *b)
{
	b->users++;
	return b;
}

void index_bases_drop(index_bases *b)
{
	if (!b || --b->users)
		return;
	for (unsigned i = 0; i < TABLES && b->of[i].table; i++) {
		index_programs_close(&b->of[i].programs);
		arena_free(b->of[i].arena);
	}
	free(b);
}
