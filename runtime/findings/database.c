#include "database.h"

#include <stdarg.h>
#include <stddef.h>

bool database_fail(const database *b, diag *d)
{
	return diag_at(d, b->path, 0, "%s", sqlite3_errmsg(b->handle));
}

bool database_execute(const database *b, const char *sql, diag *d)
{
	return sqlite3_exec(b->handle, sql, NULL, NULL, NULL) == SQLITE_OK || database_fail(b, d);
}

bool database_number(const database *b, const char *sql, int64_t *number, diag *d)
{
	sqlite3_stmt *st = statement_new(b, d, sql, "");
	bool ok = st && statement_step(b, st, d) == 1;
	*number = ok ? sqlite3_column_int64(st, 0) : 0;
	sqlite3_finalize(st);
	return ok;
}

bool database_begin(const database *b, diag *d)
{
	return database_execute(b, "BEGIN IMMEDIATE", d);
}

bool database_end(const database *b, bool ok, diag *d)
{
	bool kept = ok && database_execute(b, "COMMIT", d);
	if (!kept)
		database_execute(b, "ROLLBACK", NULL);
	return kept;
}

/* SQLITE_OK, or the error: out of memory, or a text that is too long. */
static int bind(sqlite3_stmt *st, const char *format, va_list args)
{
	int code = SQLITE_OK;
	for (int i = 1; *format; format++, i++) {
		const char *text;
		switch (*format) {
		case 'i':
			sqlite3_bind_int64(st, i, va_arg(args, int64_t));
			break;
		case 'u':
			sqlite3_bind_int64(st, i, (int64_t)va_arg(args, uint64_t));
			break;
		case 'd':
			sqlite3_bind_double(st, i, va_arg(args, double));
			break;
		default:
			text = va_arg(args, const char *);
			if (code == SQLITE_OK)
				code = sqlite3_bind_text(st, i, text ? text : "", -1, SQLITE_TRANSIENT);
		}
	}
	return code;
}

sqlite3_stmt *statement_new(
    const database *b, diag *d, const char *sql, const char *format, ...)
{
	sqlite3_stmt *st = NULL;
	if (sqlite3_prepare_v2(b->handle, sql, -1, &st, NULL) != SQLITE_OK) {
		database_fail(b, d);
		return NULL;
	}
	va_list args;
	va_start(args, format);
	int code = bind(st, format, args);
	va_end(args);
	if (code == SQLITE_OK)
		return st;
	diag_at(d, b->path, 0, "%s", sqlite3_errstr(code));
	sqlite3_finalize(st);
	return NULL;
}

bool statement_run(const database *b, sqlite3_stmt *st, diag *d)
{
	if (!st)
		return false;
	bool ok = statement_step(b, st, d) >= 0;
	sqlite3_finalize(st);
	return ok;
}

int statement_step(const database *b, sqlite3_stmt *st, diag *d)
{
	int code = sqlite3_step(st);
	if (code == SQLITE_ROW)
		return 1;
	if (code == SQLITE_DONE)
		return 0;
	database_fail(b, d);
	return -1;
}

const char *statement_text(sqlite3_stmt *st, int column)
{
	const char *text = (const char *)sqlite3_column_text(st, column);
	return text ? text : "";
}
