#include "literals.h"

#include <stdlib.h>
#include <string.h>

#include "elements.h"

enum { SLOTS = 1024 }; /* of the hash table */

typedef struct entry {
	literal_op made;
	const index_op *base;
	const uint8_t *row;
	uint64_t mask;
	struct entry *next;
} entry;

struct literals {
	arena *arena;
	entry *slots[SLOTS];
};

literals *literals_new(void)
{
	literals *l = calloc(1, sizeof *l);
	if (l && !(l->arena = arena_new())) {
		free(l);
		return NULL;
	}
	return l;
}

void literals_free(literals *l)
{
	if (l)
		arena_free(l->arena);
	free(l);
}

static bool is_written(uint64_t mask, unsigned input)
{
	return mask >> input & 1;
}

/* ---- one signature */

/* Copies the values; a written input becomes two. Arguments follow. */
static bool copy_values(arena *a, const index_op *o, const uint8_t *row, uint64_t mask, rs_op *op)
{
	const rs_op *from = o->op;
	rs_value *to = ARENA_ARRAY(a, rs_value, from->nvalues + (size_t)o->nin + 1);
	rs_arg *args = ARENA_ARRAY(a, rs_arg, from->nargs + 1);
	unsigned n = 0, arg = 0, input = 0;
	if (!to || !args)
		return false;
	for (unsigned i = 0; i < from->nvalues; i++) {
		for (; arg < from->nargs && from->args[arg].value == i; arg++) {
			args[arg] = from->args[arg];
			args[arg].value = (uint16_t)n;
		}
		bool tensor = rs_is_tensor(from->values[i].kind);
		if (tensor && is_written(mask, input)) {
			to[n++] = (rs_value){.kind = RS_ELEMENTS, .dtype = row[input], .count = 1};
			to[n++] = (rs_value){.kind = RS_CONST, .text = "0"};
		} else {
			to[n++] = from->values[i];
		}
		input += tensor;
	}
	op->values = to, op->args = args;
	op->nvalues = (uint16_t)n;
	return true;
}

static bool copy_row(arena *a, const index_op *o, const uint8_t *row, uint64_t mask, rs_op *op)
{
	uint8_t *dtypes = arena_alloc(a, o->nin + (size_t)o->nout + 1);
	unsigned n = 0;
	if (!dtypes)
		return false;
	for (unsigned i = 0; i < o->nin; i++)
		if (!is_written(mask, i))
			dtypes[n++] = row[i];
	op->nin = (uint16_t)n;
	memcpy(dtypes + n, row + o->nin, o->nout);
	op->dtypes = dtypes;
	op->ndtypes = 1;
	return true;
}

static bool make(arena *a, entry *e)
{
	rs_op *op = &e->made.op;
	*op = *e->base->op;
	op->name = op->api; /* it is not a signature of a table */
	op->records = NULL, op->nrecords = 0;
	op->classes = NULL, op->sample = op->back = NULL;
	op->sampler = RS_SAMPLER_RECORD;
	return copy_values(a, e->base, e->row, e->mask, op) && copy_row(a, e->base, e->row, e->mask, op)
	       && graph_find_form(&e->made.form, op, a);
}

const literal_op *literals_find(literals *l, const index_op *o, const uint8_t *row, uint64_t mask)
{
	uint64_t key = graph_name_hash(o->op->name) ^ mask * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(row - o->rows);
	entry **slot = &l->slots[key % SLOTS];
	for (entry *e = *slot; e; e = e->next)
		if (e->base == o && e->row == row && e->mask == mask)
			return &e->made;
	entry *e = ARENA_NEW(l->arena, entry);
	if (!e)
		return NULL;
	e->base = o, e->row = row, e->mask = mask;
	if (!make(l->arena, e))
		return NULL;
	e->next = *slot;
	*slot = e;
	return &e->made;
}

/* ---- texts */

unsigned literals_merge(const index_op *o, uint64_t mask, const char *const *texts, const char *const *elements, const char **to)
{
	unsigned n = 0, input = 0, constant = 0;
	for (unsigned i = 0; i < o->op->nvalues; i++) {
		const rs_value *v = &o->op->values[i];
		if (v->kind == RS_CONST) {
			to[n++] = texts ? texts[constant] : v->text;
			constant++;
		} else if (rs_is_tensor(v->kind)) {
			if (is_written(mask, input))
				to[n++] = elements[input];
			input++;
		}
	}
	return n;
}

bool literal_suits(const char *text, unsigned dtype)
{
	bool real = strpbrk(text, ".ean") != NULL;
	if (dtype == RS_FLOAT32 || dtype == RS_FLOAT64)
		return real;
	if (real || dtype <= RS_BOOL || dtype > RS_INT64 || strlen(text) > 4)
		return false;
	long number = strtol(text, NULL, 10);
	return number >= elements_low((uint8_t)dtype) && number <= elements_high((uint8_t)dtype);
}

bool literal_whole(const char *text, int64_t *number)
{
	char *end;
	*number = strtoll(text, &end, 10);
	if (*end == '.')
		end += 1 + strspn(end + 1, "0");
	return end != text && !*end && *number >= -100 && *number <= 100;
}
