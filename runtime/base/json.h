/* JSON lines by cJSON, with exact 64-bit integers and errors that name path, line and key.
 *
 * cJSON keeps numbers as doubles, which is exact to 2^53 only. Before a line is parsed, an integer
 * literal of 16 digits or more is turned into a marked string, and json_int64 reads it back exactly.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <cjson/cJSON.h>

#include "diag.h"

enum { JSON_LONGEST = 16 << 20 }; /* bytes of a line that is read: its tree takes 40 times as much at most */

/* A reader of one file of JSON lines. */
typedef struct jsonl {
	FILE *file;
	const char *path;
	char *line; /* the current line, without its newline */
	size_t capacity;
	long number; /* of the current line, from 1 */
	bool owned;
} jsonl;

bool jsonl_open(jsonl *j, const char *path, diag *d); /* path "-" reads standard input */
void jsonl_close(jsonl *j);
/* The next line that is not blank: 1; at the end of the file: 0; on a read error: -1 and d. */
int jsonl_next(jsonl *j, diag *d);

/* Parses one line to a cJSON tree (free with cJSON_Delete), NULL and d when it is not JSON, or memory ran out. */
cJSON *json_parse(const char *line, const char *path, long number, diag *d);

enum json_int { JSON_INT, JSON_BEYOND, JSON_NOT_INT };
/* An integer: JSON_BEYOND when it does not fit and *value is the nearest int64. */
enum json_int json_int64(const cJSON *item, int64_t *value);

/* The string of a key, or NULL with d filled ("key "op": expected a string"). */
const char *json_string(
    const cJSON *object, const char *key, const char *path, long number, diag *d);
/* The same where it may be missing or no string: then "". */
const char *json_text(const cJSON *object, const char *key);
const cJSON *json_array(
    const cJSON *object, const char *key, const char *path, long number, diag *d);

#endif
