/* The tables of a database of findings, and how those of an earlier version become those of today.
 *
 *   version 0 ──► 1 ──► … ──► 5 = SCHEMA_VERSION   one step a version; all in one transaction
 *
 * PRAGMA user_version is the version, PRAGMA application_id says that the database is ours: since
 * version 2 it is SCHEMA_APPLICATION. Version 1 had none, and is known by its tables.
 *
 * To change the tables: add a step to schema.c. What a step says is never changed again, since there
 * are databases that it has made. docs/reference/file-formats.md describes the tables.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "database.h"

#define SCHEMA_VERSION 5
#define SCHEMA_APPLICATION 0x7275667a /* "rufz" */

/* Makes the tables (create, in an empty database) or brings them to SCHEMA_VERSION. False and d for
 * what is no database, another program's, or of a later version; it is then as it was. */
bool schema_open(const database *b, bool create, diag *d);
/* The checks of schema_open, which write nothing. *older: schema_migrate brings it to SCHEMA_VERSION. */
bool schema_check(const database *b, bool create, bool *older, diag *d);
bool schema_migrate(const database *b, diag *d);

#endif
