/* Preprocessed C as trees, by libclang. The audited C uses few constructs: the expressions and statements
 * of enum node_kind. Anything else becomes NODE_OTHER, which the interpreter rejects.
 *
 * libclang of Debian 12 does not report the operator of an expression. It is read from the text between
 * its operands, so the text is preprocessed first.
 */
#ifndef AUDIT_SOURCE_H
#define AUDIT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_kind {
	NODE_OTHER,
	NODE_NUMBER,	/* value */
	NODE_TEXT,	/* text: a string's */
	NODE_VARIABLE,	/* slot of the function */
	NODE_FUNCTION,	/* text: its name */
	NODE_MEMBER,	/* text: the member; kid */
	NODE_INDEX,	/* kids: what, where */
	NODE_CALL,	/* kids: the function, arguments */
	NODE_BINARY,	/* op; two kids */
	NODE_ASSIGN,	/* op: "=", "+=", …; two kids */
	NODE_UNARY,	/* op: prefix "-", "!", "&", "*", "++" and so on */
	NODE_AFTER,	/* op: "++", "--", behind the kid */
	NODE_CHOICE,	/* three kids */
	NODE_CAST,	/* to type; kid */
	NODE_LIST,	/* kids: the items in braces; value: the size of the array that they initialize */
	NODE_SIZE,	/* value: sizeof */
	NODE_BLOCK,	/* kids; a declaration's variables, too */
	NODE_DEFINE,	/* slot; kid: its first value, if any */
	NODE_IF,	/* kids: condition, then, else */
	NODE_FOR,	/* four kids */
	NODE_DO,	/* kids: body, condition */
	NODE_RETURN,
	NODE_CONTINUE,
	NODE_EMPTY
};

/* The kind of a value. */
enum node_type { TYPE_OTHER, TYPE_BOOL, TYPE_SIGNED, TYPE_UNSIGNED, TYPE_POINTER, TYPE_RECORD, TYPE_ARRAY };

typedef struct node {
	uint8_t kind, type;
	uint8_t bits; /* of integers */
	char op[4];
	unsigned n, slot;
	struct node **kid;
	int64_t value;
	const char *text;
} node;

typedef struct function {
	const char *name;
	unsigned parameters; /* their slots are 0, 1, … */
	unsigned slots;
	const node *body;
	struct function *next;
} function;

typedef struct source source;

/* Parses preprocessed text. NULL and *why if libclang reports an error. Nothing is freed before the
 * process ends. */
source *source_parse(const char *text, size_t length, const char **why);
const function *source_find(const source *s, const char *name);

/* The output of `cc -E -P` for a text in folder `base`, with the folder of samplercode.h for quoted
 * includes; NULL on failure. */
char *source_preprocess(const char *text, const char *base, const char *include, size_t *length);

#endif
