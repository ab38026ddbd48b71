/* SQLite statements: prepared, bound by a format, stepped. */
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

/* Fills d with SQLite's message; returns false. */
bool database_fail(const database *b, diag *d);
bool database_execute(const database *b, const char *sql, diag *d); /* several statements, no rows */
/* The number in the only row of a query. */
bool database_number(const database *b, const char *sql, int64_t *number, diag *d);
/* A transaction: database_end commits if ok, else rolls back. It returns whether everything is stored. */
bool database_begin(const database *b, diag *d);
bool database_end(const database *b, bool ok, diag *d);

/* Binds one argument for each letter of the format: i int64_t, u uint64_t, d double, t text (NULL is "").
 * The caller finalizes the statement, or statement_run does. NULL and d on failure. */
sqlite3_stmt *statement_new(
    const database *b, diag *d, const char *sql, const char *format, ...);
/* Runs and finalizes a statement that has no rows. False on failure, and for NULL. */
bool statement_run(const database *b, sqlite3_stmt *st, diag *d);
/* 1: there is a row; 0: there is none; -1 and d on failure. */
int statement_step(const database *b, sqlite3_stmt *st, diag *d);
const char *statement_text(sqlite3_stmt *st, int column); /* never NULL; valid until the next step */

#endif
