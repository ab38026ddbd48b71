/* Statements on an SQLite database: prepared, bound by a format, stepped. */
#ifndef DATABASE_H
#define DATABASE_H

#include <stdbool.h>
#include <stdint.h>
#include <sqlite3.h>

#include "diag.h"

typedef struct database {
	sqlite3 *handle;
	const char *path; /* for messages; not owned */
} database;

/* Fills d with what SQLite says; false. */
bool database_fail(const database *b, diag *d);
bool database_execute(const database *b, const char *sql, diag *d); /* several statements, no rows */
/* The number in the only row of a query. */
bool database_number(const database *b, const char *sql, int64_t *number, diag *d);
/* A transaction: end keeps what was done when all went well, and returns whether all did. */
bool database_begin(const database *b, diag *d);
bool database_end(const database *b, bool ok, diag *d);

/* Binds one argument for each letter of the format: i int64_t, u uint64_t, d double, t text (NULL:
 * ""). NULL and d; else to be finalized, or to be run by statement_run. */
sqlite3_stmt *statement_new(
    const database *b, diag *d, const char *sql, const char *format, ...);
/* Runs a statement without rows, and finalizes it; false also for NULL. */
bool statement_run(const database *b, sqlite3_stmt *st, diag *d);
/* 1 when there is a row, 0 when not, -1 and d. */
int statement_step(const database *b, sqlite3_stmt *st, diag *d);
const char *statement_text(sqlite3_stmt *st, int column); /* never NULL; until the next step */

#endif
