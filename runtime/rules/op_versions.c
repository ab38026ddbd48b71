#include "op_versions.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "framework.h"

typedef struct version {
	const char *name;
	int since;
	const char *inputs, *outputs; /* "": the version in force */
} version;

static const version VERSIONS[] = {
#define VERSION(name, since, inputs, outputs) {name, since, inputs, outputs},
#include "op_versions.def"
#undef VERSION
};
enum { COUNT = sizeof VERSIONS / sizeof *VERSIONS };

/* All versions of an operator, oldest first; 0: no more. */
typedef struct history {
	const char *name;
	int since[16];
} history;

static const history HISTORIES[] = {
#define OPERATOR_SET(set, ir)
#define SINCE(name, ...) {name, {__VA_ARGS__}},
#include "op_sets.def"
#undef SINCE
#undef OPERATOR_SET
};
enum { NHISTORIES = sizeof HISTORIES / sizeof *HISTORIES };

static const int IR_VERSIONS[OP_SET_LAST + 1] = {
#define OPERATOR_SET(set, ir) [set] = ir,
#define SINCE(name, ...)
#include "op_sets.def"
#undef SINCE
#undef OPERATOR_SET
};

int op_ir_version(int set)
{
	return IR_VERSIONS[set];
}

int op_name_order(const char *known, const char *name, size_t n)
{
	int order = strncmp(known, name, n);
	return order ? order : known[n] != '\0';
}

size_t op_first_row(const void *rows, size_t count, size_t size, const char *name, size_t n)
{
	size_t low = 0, high = count;
	int last = 1;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = op_name_order(*(const char *const *)((const char *)rows + middle * size), name, n);
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
			last = order;
		}
	}
	return last ? count : low;
}

/* The first row of an operator whose name has n bytes; COUNT: there is none. */
static size_t find(const char *name, size_t n)
{
	return op_first_row(VERSIONS, COUNT, sizeof *VERSIONS, name, n);
}

static const history *find_history(const char *name, size_t n)
{
	size_t at = op_first_row(HISTORIES, NHISTORIES, sizeof *HISTORIES, name, n);
	return at < NHISTORIES ? &HISTORIES[at] : NULL;
}

/* Whether each dtype is among those of its place. */
static bool takes(const char *masks, const uint8_t *dtypes, size_t n)
{
	unsigned long mask = 0;
	for (size_t i = 0; i < n; i++) {
		char *end;
		if (*masks) {
			mask = strtoul(masks, &end, 16);
			masks = end;
		}
		if (dtypes[i] != OP_NO_DTYPE && !(mask >> dtypes[i] & 1))
			return false;
	}
	return true;
}

int op_oldest_set(const char *operator, const uint8_t *inputs, size_t nin, const uint8_t *outputs, size_t nout)
{
	size_t at = find(operator, strlen(operator));
	if (at == COUNT)
		return 0;
	int oldest = VERSIONS[at].since;
	while (++at < COUNT && strcmp(VERSIONS[at].name, operator) == 0 && takes(VERSIONS[at].inputs, inputs, nin)
	       && takes(VERSIONS[at].outputs, outputs, nout))
		oldest = VERSIONS[at].since;
	return oldest > OP_SET_FIRST ? oldest : OP_SET_FIRST;
}

/* ---- versions by name */

size_t op_name_length(const char *versioned)
{
	return strcspn(versioned, "_.");
}

/* The operator that an API names. */
typedef struct operator_name {
	const char *name; /* without the framework; NULL: of a framework without versions, or a user's own */
	size_t n;
	int version; /* in the name; 0: none */
	bool other;  /* of another domain */
} operator_name;

static operator_name name_of(const char *api)
{
	operator_name o = {.name = framework_inside_files(api)};
	if (!o.name)
		return o;
	o.other = strchr(o.name, '.');
	if (o.other)
		return o;
	o.n = op_name_length(o.name);
	o.version = o.n && o.name[o.n] == '_' ? atoi(o.name + o.n + 1) : 0;
	return o;
}

int op_set_beside(const char *name)
{
	const history *h = find_history(name, strlen(name));
	return h ? h->since[0] : OP_SET_FIRST;
}

int op_version(const char *api)
{
	return name_of(api).version;
}

/* The version in force at the last set; 0: none. */
static int last_version(const history *h)
{
	int version = 0;
	for (int i = 0; h->since[i]; i++)
		if (h->since[i] <= OP_SET_LAST)
			version = h->since[i];
	return version;
}

static int last_set_of(const history *h, int version)
{
	for (int i = 0; h->since[i]; i++)
		if (h->since[i] > version)
			return h->since[i] <= OP_SET_LAST ? h->since[i] - 1 : OP_SET_LAST;
	return OP_SET_LAST;
}

static int newest_set(const operator_name *o)
{
	const history *h = o->n ? find_history(o->name, o->n) : NULL;
	int version = !h ? 0 : o->version ? o->version : last_version(h);
	return !version || version > OP_SET_LAST ? 0 : last_set_of(h, version);
}

int op_newest_set(const char *api)
{
	const operator_name o = name_of(api);
	return newest_set(&o);
}

/* Whether a version is the same call as the one in force at the last set. */
static bool is_alike(const char *name, size_t n, int version)
{
	for (size_t i = find(name, n); i < COUNT && op_name_order(VERSIONS[i].name, name, n) == 0; i++)
		if (VERSIONS[i].since == version)
			return true;
	return false;
}

/* ---- calls of a signature */

typedef struct places {
	const rs_op *op;
	op_place *list;
	size_t count, most;
	unsigned value, tensor; /* the next of each */
} places;

static void skip_value(places *p)
{
	const rs_value *v = &p->op->values[p->value++];
	unsigned below = v->kind == RS_LIST ? v->count : v->kind == RS_ELEMENTS;
	while (below--)
		skip_value(p);
}

/* The inputs that the next value makes. */
static void take_value(places *p)
{
	const rs_value *v = &p->op->values[p->value];
	if (v->kind == RS_LIST) {
		p->value++;
		for (unsigned i = 0; i < v->count; i++)
			take_value(p);
		return;
	}
	if (p->count < p->most)
		p->list[p->count++] = (op_place){v, p->tensor};
	p->tensor += rs_is_tensor(v->kind);
	skip_value(p);
}

size_t op_places(const rs_op *op, op_place *list, size_t most)
{
	places p = {.op = op, .list = list, .most = most};
	for (unsigned i = 0; i < op->nargs; i++)
		if (op->args[i].by_position) {
			p.value = op->args[i].value;
			take_value(&p);
		}
	return p.count;
}

static int oldest_of(const rs_op *op, const uint8_t *row, const char *name)
{
	op_place list[OP_PLACES];
	uint8_t dtypes[OP_PLACES];
	size_t n = op_places(op, list, OP_PLACES);
	for (size_t i = 0; i < n; i++) {
		const rs_value *v = list[i].value;
		dtypes[i] = rs_is_tensor(v->kind) ? row[list[i].tensor] : v->kind == RS_ELEMENTS ? v->dtype : OP_NO_DTYPE;
	}
	return op_oldest_set(name, dtypes, n, row + op->nin, op->nout);
}

op_sets op_sets_of(const rs_op *op, const uint8_t *row)
{
	static const op_sets ALL = {0, INT_MAX}, NONE = {1, 0};
	const operator_name o = name_of(op->api);
	if (!o.name)
		return ALL;
	if (o.other)
		return (op_sets){op_set_beside(o.name), INT_MAX};
	const int last = newest_set(&o);
	if (o.version)
		return is_alike(o.name, o.n, o.version) ? NONE : (op_sets){o.version, last};
	size_t at = find(o.name, strlen(o.name));
	if (at == COUNT)
		return NONE;
	const int since = VERSIONS[at].since, oldest = since > OP_SET_FIRST ? oldest_of(op, row, o.name) : since;
	return (op_sets){oldest < since ? oldest : since, last};
}

bool op_in_set(const rs_op *op, const uint8_t *row, int set)
{
	return op_sets_have(op_sets_of(op, row), set);
}
