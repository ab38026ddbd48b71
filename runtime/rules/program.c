#include "program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "samplercode.h"

/* ---- letters */

/* Operands of an instruction's letter, and its effect on the stack. */
enum kind {
	NONE,
	FINISH, FREE, ROW, SYMBOL_BEGINS, PICK, SEARCH, TEST, FOUND,
	GUARD,	/* an index and a jump; the stack is empty */
	BRANCH, /* a jump on the last comparison */
	GO_ON, REFUGE,
	BOUND,	/* pops a number */
	ONLY_INDEX, PUSH_INDEX, PUSH_NUMBER,
	OPERATION, CHECKED, COMPARISON, /* pop two, push one or none */
};

typedef struct letter {
	uint8_t kind, code, form; /* form: kind of the right operand */
} letter;

#define AS(NAME, KIND) [RS_CODE_##NAME] = {KIND, PROGRAM_##NAME##_, 0},
#define TWIN(NAME, KIND) AS(NAME, KIND) [RS_CODE_##NAME - RS_CODE_TWIN] = {KIND, PROGRAM_##NAME##_, 1},
#define ON_STACK(NAME, KIND) [RS_CODE_##NAME] = {KIND, PROGRAM_##NAME##_STACK_, PROGRAM_STACK},
#define WITH_NUMBER(NAME, KIND) [RS_CODE_##NAME##_NUMBER] = {KIND, PROGRAM_##NAME##_STACK_, PROGRAM_NUMBER},
#define WITH_SYMBOL(NAME, KIND) [RS_CODE_##NAME##_SYMBOL] = {KIND, PROGRAM_##NAME##_STACK_, PROGRAM_SYMBOL},
#define ALL_FORMS(NAME, KIND) ON_STACK(NAME, KIND) WITH_NUMBER(NAME, KIND) WITH_SYMBOL(NAME, KIND)

static const letter LETTERS[128] = {
    AS(FINISH, FINISH) AS(FREE, FREE) AS(ROW, ROW) AS(DIMENSION, SYMBOL_BEGINS) AS(ATTRIBUTE, SYMBOL_BEGINS)
    AS(PICK, PICK) AS(SEARCH, SEARCH) AS(TEST, TEST) AS(FOUND, FOUND)
    TWIN(KNOWN, GUARD) TWIN(WANTED, GUARD) AS(IF, BRANCH) AS(OR, BRANCH) AS(GO_ON, GO_ON)
    [RS_CODE_REFUGE] = {REFUGE, 0, 0},
    ON_STACK(AT_LEAST, BOUND) ON_STACK(AT_MOST, BOUND) ON_STACK(ONLY, BOUND) ON_STACK(HINT, BOUND)
    TWIN(ONLY_KNOWN, ONLY_INDEX) TWIN(ONLY_WANTED, ONLY_INDEX)
    TWIN(SYMBOL, PUSH_INDEX) TWIN(OUTPUT, PUSH_INDEX) TWIN(LOW, PUSH_INDEX) AS(NUMBER, PUSH_NUMBER)
    ALL_FORMS(ADD, OPERATION) ALL_FORMS(SUB, OPERATION) ALL_FORMS(MUL, OPERATION)
    ON_STACK(DIV, OPERATION) WITH_NUMBER(DIV, OPERATION) ON_STACK(MOD, OPERATION) WITH_NUMBER(MOD, OPERATION)
    ON_STACK(MIN, OPERATION) ON_STACK(MAX, OPERATION)
    ON_STACK(CHECKED_ADD, CHECKED) ON_STACK(CHECKED_SUB, CHECKED) ON_STACK(CHECKED_MUL, CHECKED)
    ON_STACK(CHECKED_DIV, CHECKED) ON_STACK(CHECKED_MOD, CHECKED)
    ALL_FORMS(EQ, COMPARISON) ALL_FORMS(NE, COMPARISON) ALL_FORMS(LT, COMPARISON) ALL_FORMS(GT, COMPARISON)
    ALL_FORMS(LE, COMPARISON) ALL_FORMS(GE, COMPARISON)
};

/* ---- the decoder */

/* Whether an instruction can be fused with the one before it, or is a wide number. */
enum tie { TIED, APART, WIDE_NUMBER };

/* States: between symbols, before the tests of a symbol, among its tests. */
enum part { BETWEEN, BOUNDS, TESTS };

typedef struct decoder {
	const char *text, *at, *from; /* from: the letter being decoded */
	size_t length;
	uint8_t *heights;  /* per character: 1 + height of the stack at a jump to it; 0: no jump */
	uint16_t *indices; /* per character: the instruction that begins there */
	uint32_t *targets; /* per instruction: the character it jumps to; 0: none */
	uint8_t *ties;	   /* per instruction: enum tie */
	instruction *code;
	unsigned n, nsym, nodim;
	enum part part;
	size_t end, farthest; /* index of the symbol, and of its open jumps */
	unsigned row;	      /* number of symbols in its row */
	bool row_opens;	      /* the next instruction */
	unsigned height;      /* height of the stack */
	bool reached;	      /* the previous instruction determines the next one */
	bool apart;	      /* the next instruction begins a symbol, or is the target of a jump */
	size_t refuge;	      /* a character; 0: none */
	unsigned refuge_height;
	unsigned nsym_most, nodim_most;
	diag *diag;
} decoder;

static bool refuse(const decoder *d, const char *what)
{
	return diag_set(d->diag, "a sampler's program is broken at character %zu of %zu: %s", (size_t)(d->from - d->text),
	    d->length, what);
}

/* ---- operands */

static bool long_number(decoder *d, int64_t *value)
{
	bool negative = *d->at == '-', fits = isdigit((unsigned char)d->at[negative]);
	int64_t x = 0;
	for (d->at += negative; isdigit((unsigned char)*d->at); d->at++) {
		int digit = *d->at - '0';
		fits &= !__builtin_mul_overflow(x, 10, &x) && !__builtin_sub_overflow(x, digit, &x);
	}
	fits &= *d->at++ == ';' && (negative || x != INT64_MIN);
	*value = negative || !fits ? x : -x;
	return fits || refuse(d, "expected a number");
}

/* Reads an operand of more than one character. */
static bool other_number(decoder *d, int64_t *value)
{
	if (*d->at != RS_CODE_LONG)
		return refuse(d, "an operand is missing");
	d->at++;
	return long_number(d, value);
}

static inline bool any_number(decoder *d, int zero, int64_t *value)
{
	unsigned x = (unsigned)(*d->at - RS_CODE_FIRST);
	if (x > RS_CODE_LARGEST)
		return other_number(d, value);
	d->at++;
	*value = (int)x - zero;
	return true;
}

static bool long_operand(decoder *d, uint16_t *value)
{
	int64_t x;
	if (!other_number(d, &x))
		return false;
	*value = (uint16_t)x;
	return (x >= 0 && x <= UINT16_MAX) || refuse(d, "an operand is too large");
}

static inline bool operand(decoder *d, uint16_t *value)
{
	unsigned x = (unsigned)(*d->at - RS_CODE_FIRST);
	if (x > RS_CODE_LARGEST)
		return long_operand(d, value);
	d->at++;
	*value = (uint16_t)x;
	return true;
}

/* Checks an index, and those of the following symbols in a row. */
static bool take_index(decoder *d, bool output, bool moves, instruction *x)
{
	if (!operand(d, &x->index))
		return false;
	x->moves = moves;
	unsigned beyond = x->index + (moves ? d->row : 1), most = output ? d->nodim_most : d->nsym_most;
	unsigned *used = output ? &d->nodim : &d->nsym;
	*used = beyond > *used ? beyond : *used;
	return beyond <= most || refuse(d, output ? "no such output dimension" : "no such symbol");
}

/* Records a jump over n characters, to a place with this height of the stack. */
static bool mark(decoder *d, size_t target, unsigned height)
{
	if (target >= d->end || target <= (size_t)(d->from - d->text))
		return refuse(d, "a jump out of its symbol");
	if (d->heights[target] && d->heights[target] != height + 1)
		return refuse(d, "jumps meet with different numbers on the stack");
	d->heights[target] = (uint8_t)(height + 1);
	d->farthest = target > d->farthest ? target : d->farthest;
	return true;
}

static bool take_jump(decoder *d, size_t *target)
{
	uint16_t skip;
	if (!operand(d, &skip))
		return false;
	*target = (size_t)(d->at - d->text) + skip;
	return mark(d, *target, d->height);
}

/* ---- instructions */

static void put(decoder *d, instruction x, size_t target)
{
	d->targets[d->n] = (uint32_t)target;
	d->ties[d->n] = d->apart ? APART : TIED;
	d->code[d->n++] = x;
	d->apart = false;
}

static void put_number(decoder *d, int64_t value)
{
	_Static_assert(sizeof(instruction) == sizeof value, "a number takes the place of an instruction");
	if (value >= INT16_MIN && value <= INT16_MAX) {
		put(d, (instruction){.code = PROGRAM_NUMBER_, .number = (int16_t)value}, 0);
		return;
	}
	put(d, (instruction){.code = PROGRAM_WIDE_}, 0);
	memcpy(&d->code[d->n], &value, sizeof value);
	d->targets[d->n] = 0;
	d->ties[d->n++] = WIDE_NUMBER;
}

/* The instruction that the next one can be fused with, NULL if there is none. */
static instruction *last(const decoder *d)
{
	return d->apart || d->ties[d->n - 1] == WIDE_NUMBER ? NULL : &d->code[d->n - 1];
}

/* Removes the last instruction, so that the next one replaces it. */
static void take_back(decoder *d)
{
	d->apart = d->ties[--d->n] == APART;
}

/* Makes the last pushed value the operand of an operation, if possible. */
static void join_operand(decoder *d, instruction *x, bool output)
{
	const instruction *y = last(d);
	if (!y)
		return;
	if (y->code == PROGRAM_NUMBER_)
		x->code += PROGRAM_NUMBER, x->number = y->number;
	else if (y->code == PROGRAM_SYMBOL_)
		x->code += PROGRAM_SYMBOL, x->index = y->index, x->moves = y->moves;
	else if (y->code == PROGRAM_OUTPUT_ && output)
		x->code += PROGRAM_OUTPUT, x->index = y->index, x->moves = y->moves;
	else
		return;
	take_back(d);
}

static bool needs(const decoder *d, unsigned height)
{
	return d->height >= height || refuse(d, "the stack is empty");
}

static bool push(decoder *d)
{
	return ++d->height <= RS_CODE_STACK || refuse(d, "the stack is full");
}

/* The right operand of a letter with an immediate one: pushed, to be fused. */
static bool push_operand(decoder *d, const letter *l)
{
	instruction x = {.code = PROGRAM_SYMBOL_};
	int64_t value;
	if (l->form == PROGRAM_STACK)
		return true;
	if (l->form == PROGRAM_SYMBOL) {
		if (!take_index(d, false, false, &x))
			return false;
		put(d, x, 0);
	} else {
		if (!any_number(d, RS_CODE_ZERO, &value))
			return false;
		put_number(d, value);
	}
	return push(d);
}

/* Unchecked quotients and remainders have positive divisors. */
static bool divides_well(const decoder *d, const instruction *x)
{
	int64_t divisor;
	if (x->code == PROGRAM_DIV_NUMBER_ || x->code == PROGRAM_MOD_NUMBER_)
		return x->number > 0;
	if (x->code < PROGRAM_DIV_STACK_ || x->code > PROGRAM_MOD_SYMBOL_)
		return true;
	if (d->apart || d->ties[d->n - 1] != WIDE_NUMBER)
		return false;
	memcpy(&divisor, &d->code[d->n - 1], sizeof divisor);
	return divisor > 0;
}

static bool put_operation(decoder *d, const letter *l)
{
	instruction x = {.code = l->code, .height = d->refuge_height & 127};
	if (!push_operand(d, l) || !needs(d, 2))
		return false;
	d->height--;
	if (l->kind == CHECKED) {
		if (!d->refuge || d->refuge_height >= d->height)
			return refuse(d, "nowhere to go without a value");
		if (!mark(d, d->refuge, d->refuge_height))
			return false;
	}
	join_operand(d, &x, false);
	if (!divides_well(d, &x))
		return refuse(d, "a divisor that may be 0");
	put(d, x, l->kind == CHECKED ? d->refuge : 0);
	return true;
}

static bool put_comparison(decoder *d, const letter *l)
{
	instruction x = {.code = l->code};
	if (!push_operand(d, l) || !needs(d, 2))
		return false;
	d->height -= 2;
	join_operand(d, &x, false);
	unsigned form = x.code - l->code;
	const instruction *y = last(d);
	if (form == PROGRAM_NUMBER && y && y->code == PROGRAM_SYMBOL_) {
		form = PROGRAM_BOTH;
		x.index = y->index, x.moves = y->moves;
		take_back(d);
	}
	x.code = (uint8_t)(l->code + form * PROGRAM_THENS);
	put(d, x, 0);
	return true;
}

/* A jump on a comparison, fused with it if possible. */
static void put_then(decoder *d, uint8_t code, enum program_then then, size_t target)
{
	instruction *y = last(d);
	if (y && y->code >= PROGRAM_EQ_STACK_ && (y->code - PROGRAM_EQ_STACK_) % PROGRAM_THENS == PROGRAM_ON) {
		y->code += then;
		d->targets[d->n - 1] = (uint32_t)target;
	} else {
		put(d, (instruction){.code = code}, target);
	}
}

static bool put_bound(decoder *d, const letter *l)
{
	instruction x = {.code = l->code};
	if (d->part != BOUNDS)
		return refuse(d, "a bound that stands before no search");
	if (!needs(d, 1))
		return false;
	d->height--;
	join_operand(d, &x, true);
	put(d, x, 0);
	return true;
}

static bool put_index(decoder *d, const letter *l)
{
	instruction x = {.code = l->code};
	if (l->kind == ONLY_INDEX && d->part != BOUNDS)
		return refuse(d, "a bound that stands before no search");
	if (!take_index(d, l->code == PROGRAM_OUTPUT_ || l->code == PROGRAM_ONLY_WANTED_, l->form, &x))
		return false;
	put(d, x, 0);
	return l->kind == ONLY_INDEX || push(d);
}

static bool put_jump(decoder *d, const letter *l)
{
	instruction x = {.code = l->code};
	size_t target;
	if (l->kind == GUARD && (d->height || !take_index(d, l->code == PROGRAM_WANTED_, l->form, &x)))
		return d->height ? refuse(d, "something is left on the stack") : false;
	if (!take_jump(d, &target))
		return false;
	if (l->kind == BRANCH)
		put_then(d, l->code, l->code == PROGRAM_IF_ ? PROGRAM_IF : PROGRAM_OR, target);
	else
		put(d, x, target);
	d->apart = l->kind == GUARD; /* a failed test continues here */
	d->reached = l->kind != GO_ON;
	return true;
}

static bool set_refuge(decoder *d)
{
	uint16_t height, skip;
	if (!operand(d, &height) || !operand(d, &skip))
		return false;
	d->refuge = (size_t)(d->at - d->text) + skip;
	d->refuge_height = height;
	return height <= d->height || refuse(d, "the stack is empty");
}

/* ---- symbols */

static bool put_free(decoder *d)
{
	instruction x = {.code = PROGRAM_FREE_};
	if (d->row_opens || !operand(d, &x.index) || !operand(d, &x.skip))
		return d->row_opens ? refuse(d, "a row without a symbol") : false;
	unsigned beyond = x.index + (unsigned)x.skip;
	d->nsym = beyond > d->nsym ? beyond : d->nsym;
	put(d, x, 0);
	return beyond <= d->nsym_most || refuse(d, "no such symbol");
}

static bool put_row(decoder *d)
{
	instruction x = {.code = PROGRAM_ROW_};
	if (!operand(d, &x.skip))
		return false;
	if (d->row_opens || !x.skip)
		return refuse(d, "a row without a symbol");
	d->row_opens = true;
	d->row = x.skip;
	put(d, x, 0);
	return true;
}

static bool begin_symbol(decoder *d, const letter *l)
{
	instruction x = {.code = l->code};
	uint16_t skip;
	if (!take_index(d, false, true, &x) || !operand(d, &skip))
		return false;
	d->end = (size_t)(d->at - d->text) + skip;
	if (d->end >= d->length)
		return refuse(d, "a symbol without an end");
	d->farthest = 0;
	d->refuge = 0;
	d->part = BOUNDS;
	d->row_opens = false;
	put(d, x, d->end);
	d->apart = true;
	return true;
}

/* Between the parts of a symbol the stack is empty and no jump is open. */
static bool is_settled(const decoder *d, enum part part)
{
	if (d->part != part)
		return refuse(d, "an instruction out of place");
	if (d->height)
		return refuse(d, "something is left on the stack");
	return d->farthest <= (size_t)(d->from - d->text) || refuse(d, "a jump out of its part");
}

static bool end_symbol(decoder *d, const letter *l)
{
	if (!is_settled(d, l->kind == FOUND ? TESTS : BOUNDS))
		return false;
	if (d->at != d->text + d->end)
		return refuse(d, "a symbol ends elsewhere");
	put(d, (instruction){.code = l->code}, 0);
	d->part = BETWEEN;
	d->row = 1;
	d->apart = true;
	return true;
}

static bool begin_tests(decoder *d)
{
	if (!is_settled(d, BOUNDS))
		return false;
	put(d, (instruction){.code = PROGRAM_SEARCH_}, 0);
	d->part = TESTS;
	d->apart = true;
	return true;
}

static bool put_test(decoder *d)
{
	if (d->part != TESTS)
		return refuse(d, "a test without a search");
	if (d->height)
		return refuse(d, "something is left on the stack");
	put_then(d, PROGRAM_TEST_, PROGRAM_TEST, 0);
	d->refuge = 0;
	d->apart = true;
	return true;
}

static bool finish(decoder *d)
{
	put(d, (instruction){.code = PROGRAM_FINISH_}, 0);
	return (!d->row_opens && d->at == d->text + d->length) || refuse(d, "it ends early");
}

/* ---- programs */

static bool between(decoder *d, const letter *l)
{
	switch (l->kind) {
	case FINISH:
		return finish(d);
	case FREE:
		return put_free(d);
	case ROW:
		return put_row(d);
	case SYMBOL_BEGINS:
		return begin_symbol(d, l);
	default:
		return refuse(d, "an instruction out of place");
	}
}

static bool within(decoder *d, const letter *l)
{
	int64_t value;
	switch (l->kind) {
	case PICK:
	case FOUND:
		return end_symbol(d, l);
	case SEARCH:
		return begin_tests(d);
	case TEST:
		return put_test(d);
	case GUARD:
	case BRANCH:
	case GO_ON:
		return put_jump(d, l);
	case REFUGE:
		return set_refuge(d);
	case BOUND:
		return put_bound(d, l);
	case ONLY_INDEX:
	case PUSH_INDEX:
		return put_index(d, l);
	case PUSH_NUMBER:
		if (!any_number(d, RS_CODE_ZERO, &value))
			return false;
		put_number(d, value);
		return push(d);
	case OPERATION:
	case CHECKED:
		return put_operation(d, l);
	case COMPARISON:
		return put_comparison(d, l);
	default:
		return refuse(d, "an instruction out of place");
	}
}

/* The height of the stack at a target, checked against all jumps to it. */
static bool meet(decoder *d)
{
	size_t place = (size_t)(d->from - d->text);
	unsigned height = d->heights[place];
	d->indices[place] = (uint16_t)d->n;
	if (height && d->reached && d->height != height - 1)
		return refuse(d, "jumps meet with different numbers on the stack");
	if (!height && !d->reached)
		return refuse(d, "nothing leads here");
	if (height) {
		d->height = height - 1;
		d->apart = d->reached = true;
	}
	return true;
}

static bool decode_one(decoder *d)
{
	unsigned char c = (unsigned char)*d->at;
	const letter *l = &LETTERS[c & 127];
	d->from = d->at++;
	if (c > 127 || l->kind == NONE)
		return refuse(d, "no instruction");
	if (d->n + 4 > UINT16_MAX)
		return refuse(d, "it is too long");
	return meet(d) && (d->part == BETWEEN ? between(d, l) : within(d, l));
}

/* Resolves jumps from characters to instructions; each target must begin an instruction. */
static bool settle_jumps(decoder *d)
{
	for (unsigned i = 0; i < d->n; i++) {
		size_t target = d->targets[i];
		if (!target)
			continue;
		if (d->indices[target] == UINT16_MAX) {
			d->from = d->text + target;
			return refuse(d, "a jump into an instruction");
		}
		d->code[i].skip = (uint16_t)(d->indices[target] - i - 1);
	}
	return true;
}

static bool decode(decoder *d)
{
	while (d->at < d->text + d->length)
		if (!decode_one(d))
			return false;
	d->from = d->at;
	if (!d->n || d->code[d->n - 1].code != PROGRAM_FINISH_ || d->ties[d->n - 1] == WIDE_NUMBER)
		return refuse(d, "it has no end");
	return settle_jumps(d);
}

/* Allocates the tables per character and per instruction; there are at most as many instructions as characters. */
static void lay_out(decoder *d, char *memory)
{
	size_t n = d->length + 1;
	d->code = (instruction *)memory;
	d->targets = (uint32_t *)(d->code + n);
	d->indices = memset(d->targets + n, 0xff, n * sizeof *d->indices);
	d->heights = memset(d->indices + n, 0, n);
	d->ties = d->heights + n;
}

const program *program_decode(arena *a, const char *text, unsigned nsym, unsigned nodim, diag *g)
{
	decoder d = {.text = text, .at = text, .length = strlen(text), .nsym_most = nsym, .nodim_most = nodim, .diag = g,
	    .row = 1, .reached = true, .apart = true};
	char *memory = malloc((d.length + 1) * (sizeof *d.code + sizeof *d.targets + sizeof *d.indices + 2));
	program *p = NULL;
	if (!memory) {
		out_of_memory(d.length);
		diag_set(g, "out of memory");
		return NULL;
	}
	lay_out(&d, memory);
	if (decode(&d)) {
		p = arena_alloc(a, sizeof *p + d.n * sizeof *p->code);
		if (p) {
			*p = (program){d.nsym, d.nodim};
			memcpy(p->code, d.code, d.n * sizeof *p->code);
		} else {
			diag_set(g, "out of memory");
		}
	}
	free(memory);
	return p;
}
