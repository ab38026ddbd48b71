/* The rows of a generated table, read from its preprocessed text: the functions an operator's row points
 * to, its number of symbols, and its call. */
#ifndef AUDIT_TABLETEXT_H
#define AUDIT_TABLETEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct row {
	char *name, *rule, *valid, *propagate;
	char *sample, *back; /* programs; NULL: none */
	char *call; /* its arguments, in the words of audited_rule.call (rules.h) */
	unsigned nsym, nin, nodim, sampler; /* 0: from records, 1: bounded, 2: direct */
	uint8_t ranks[256];
	unsigned nout;
	int64_t *record; /* nrecords rows */
	unsigned nrecords;
} row;

typedef struct rows {
	row *row;
	unsigned n;
} rows;

/* False and *why if the text is not a table. */
bool tabletext_read(const char *text, rows *into, const char **why);

#endif
