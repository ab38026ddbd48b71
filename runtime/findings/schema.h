/* The tables of a database of findings, and their migration from earlier versions.
 *
 *   version 0 ──► 1 ──► … ──► 6 = SCHEMA_VERSION   one step a version, all in one transaction
 *
 * PRAGMA user_version is the version. PRAGMA application_id is SCHEMA_APPLICATION since version 2; version 1 had none and is
 * recognized by its tables.
 *
 * To change the tables, add a step to schema.c. Never change an existing step: databases exist that it has made.
 * docs/reference/file-formats.md describes the tables.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "database.h"

#define SCHEMA_VERSION 6
#define SCHEMA_APPLICATION 0x7275667a /* "rufz" */

/* Creates the tables (create, in an empty database) or migrates them to SCHEMA_VERSION. On failure, false and d, and the database
 * is unchanged. It fails for a file that is not a database, another program's, or of a later version. */
bool schema_open(const database *b, bool create, diag *d);
/* The checks of schema_open, which write nothing. *older: schema_migrate brings it to SCHEMA_VERSION. */
bool schema_check(const database *b, bool create, bool *older, diag *d);
bool schema_migrate(const database *b, diag *d);

#endif
