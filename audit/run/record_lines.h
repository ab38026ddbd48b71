/* Record files, read anew for the audit (docs/formats.md, traces/SCHEMA.md): of each line the operator's name, and the rows
 * of calls that passed and that were refused. */
#ifndef AUDIT_RECORD_LINES_H
#define AUDIT_RECORD_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* A row: nsym symbols, of passing ones nodim output dimensions behind them. */
typedef struct record_line {
	const char *path;
	unsigned line;
	const char *op;
	unsigned nsym, nodim, npass, nfail;
	int64_t *pass, *fail;
	unsigned beyond; /* rows left out, whose numbers are beyond int64 */
} record_line;

/* How many symbols and output dimensions an operator has; false: it is none that is known. */
typedef bool record_widths(void *user, const char *op, unsigned *nsym, unsigned *nodim);
typedef void record_take(void *user, const record_line *r);

/* Lines of operators that are not known are gone by. False, with `path:line: error: what` on stderr: a line cannot be read. */
bool record_lines(const char *path, record_widths *widths, record_take *take, void *user);

#endif
