#include "call_kinds.h"

#include <string.h>

#include "file.h"

EMBED(known_kinds);

static char sort_of(uint8_t dtype)
{
	switch ((enum rs_dtype)dtype) {
	case RS_BOOL: return 'b';
	case RS_COMPLEX64:
	case RS_COMPLEX128: return 'c';
	case RS_FLOAT16:
	case RS_BFLOAT16:
	case RS_FLOAT32:
	case RS_FLOAT64:
	case RS_OTHER: return 'f';
	case RS_UINT8:
	case RS_INT8:
	case RS_INT16:
	case RS_INT32:
	case RS_INT64: return 'i';
	default: return '?';
	}
}

static bool occurs_twice(const call_value *list)
{
	for (size_t i = 1; i < list->n; i++)
		for (size_t k = 0; k < i; k++)
			if (list->items[i].integer == list->items[k].integer)
				return true;
	return false;
}

/* Appends the kind of an argument. twice: of a list of integers, also whether one occurs twice. */
static void put_kind(buf *to, const call_value *v, bool twice)
{
	switch (v->kind) {
	case CALL_TENSOR: buf_printf(to, "%c%zu", sort_of(v->dtype), v->n); return;
	case CALL_INT: buf_puts(to, "int"); return;
	case CALL_FLOAT: buf_puts(to, "number"); return;
	case CALL_BOOL: buf_puts(to, v->integer ? "True" : "False"); return;
	case CALL_STRING: buf_printf(to, "'%s'", v->text); return;
	case CALL_LIST:
	case CALL_TUPLE:
		if (v->n && call_is_integers(v)) {
			buf_printf(to, "ints%zu%s", v->n, twice && occurs_twice(v) ? "twice" : "");
			return;
		}
		buf_putc(to, '[');
		for (size_t i = 0; i < v->n; i++) {
			buf_puts(to, i ? "," : "");
			put_kind(to, &v->items[i], twice);
		}
		buf_putc(to, ']');
		return;
	default: buf_putc(to, '?'); return;
	}
}

/* The value of a required argument; NULL: the argument is optional, or omitted. */
static const call_value *required(const binding *b, size_t i)
{
	const call_value *v = b->values[i];
	return v && v->kind != CALL_NONE && !b->to->parameters[i].has_default ? v : NULL;
}

/* The required arguments of a call, and whether it has others that are not defaults. */
static bool describe(const binding *b, bool twice, buf *names, buf *kinds)
{
	bool more = false;
	for (size_t i = 0; i < b->to->n; i++) {
		const parameter *p = &b->to->parameters[i];
		const call_value *v = required(b, i), *other = b->values[i];
		if (!v) {
			more = more || (other && other->kind != CALL_NONE && !call_equal(other, &p->value));
			continue;
		}
		buf_printf(names, "%s%s", names->length ? " " : "", p->name);
		buf_puts(kinds, kinds->length ? "/" : "");
		put_kind(kinds, v, twice);
	}
	return more;
}

/* The kind in words: "a float tensor of rank 2". */
static void put_words(buf *to, const call_value *v)
{
	static const char *const SORTS[] = {['b'] = "a boolean", ['c'] = "a complex", ['f'] = "a float", ['i'] = "an integer", ['?'] = "another"};
	switch (v->kind) {
	case CALL_TENSOR: buf_printf(to, "%s tensor of rank %zu", SORTS[(unsigned char)sort_of(v->dtype)], v->n); return;
	case CALL_INT: buf_puts(to, "an integer"); return;
	case CALL_FLOAT: buf_puts(to, "a number"); return;
	case CALL_BOOL:
	case CALL_STRING: put_kind(to, v, false); return;
	default: buf_printf(to, call_is_integers(v) ? "%zu integers%s" : "a list of %zu%s", v->n, call_is_integers(v) && occurs_twice(v) ? ", with a duplicate" : "");
	}
}

static void put_reason(buf *why, const binding *b)
{
	const char *before = "never accepted: ";
	for (size_t i = 0; i < b->to->n; i++) {
		const call_value *v = required(b, i);
		if (!v)
			continue;
		buf_printf(why, "%s%s ", before, b->to->parameters[i].name);
		put_words(why, v);
		before = ", ";
	}
}

/* Whether a list, separated by spaces and ended by a line's end, has a word. */
static bool has_word(const char *list, const char *word)
{
	const size_t n = strlen(word);
	for (const char *at = list;; at++) {
		const size_t length = strcspn(at, " \n");
		if (length == n && strncmp(at, word, n) == 0)
			return true;
		at += length;
		if (*at != ' ')
			return false;
	}
}

/* Whether the table has the kind in a row that begins so. NULL: any kind. */
static bool has_row(const char *begin, const char *kind)
{
	const size_t n = strlen(begin);
	for (const char *at = known_kinds_begin; (at = strstr(at, begin)); at += n)
		if ((at == known_kinds_begin || at[-1] == '\n') && (!kind || has_word(at + n, kind)))
			return true;
	return false;
}

static bool is_rejected(const char *api, const binding *b, bool twice, buf *names, buf *kinds)
{
	static const char *const MARKS[] = {"+", "-"};
	buf begin = {0};
	bool found = false;
	const bool more = describe(b, twice, names, kinds);
	for (int i = 0; i < (more ? 1 : 2) && !found; i++) {
		buf_clear(&begin);
		buf_printf(&begin, "%s\t%s\t%s\t", api, MARKS[i], buf_text(names));
		found = !begin.failed && has_row(buf_text(&begin), buf_text(kinds));
	}
	buf_free(&begin);
	return found;
}

bool call_always_rejected(const char *api, const binding *b, buf *why)
{
	bool found = false;
	for (int twice = 1; twice >= 0 && !found; twice--) {
		buf names = {0}, kinds = {0};
		found = is_rejected(api, b, twice, &names, &kinds);
		if (found)
			put_reason(why, b);
		buf_end(why, &names);
		buf_end(why, &kinds);
	}
	return found;
}

bool call_accepts_rank(const char *api, const binding *b, size_t rank)
{
	enum { TRIED = 5, HIGHEST = 8 }; /* the collector tries one such rank, which stands for all higher ones */
	buf names = {0}, kinds = {0}, begin = {0};
	describe(b, false, &names, &kinds);
	buf_printf(&begin, "%s\t=\t%s\t", api, buf_text(&names));
	const bool found = !begin.failed && rank >= TRIED && rank <= HIGHEST && has_row(buf_text(&begin), rank == TRIED ? buf_text(&kinds) : NULL);
	buf_free(&names);
	buf_free(&kinds);
	buf_free(&begin);
	return found;
}
