/* JSON lines by cJSON, with exact 64-bit integers, and errors that name path, line and key.
 *
 * cJSON stores numbers as doubles, which are exact up to 2^53. Before a line is parsed, integer literals of 16 digits or
 * more are replaced by marked strings; json_int64 reads them exactly. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <cjson/cJSON.h>

#include "diag.h"

enum { JSON_LONGEST = 16 << 20 }; /* maximum bytes of a line; its tree takes up to 40 times as much */

/* Reads one file of JSON lines. */
typedef struct jsonl {
	FILE *file;
	const char *path;
	char *line; /* the current line, without its newline */
	size_t capacity;
	long number; /* number of the current line, from 1 */
	bool owned;
} jsonl;

bool jsonl_open(jsonl *j, const char *path, diag *d); /* path "-" reads standard input */
void jsonl_close(jsonl *j);
/* Reads the next line that is not blank. Returns 1, 0 at the end of the file, or -1 and d on a read error. */
int jsonl_next(jsonl *j, diag *d);

/* Parses one line to a cJSON tree, to be freed with cJSON_Delete. NULL and d: the line is not JSON, or out of memory. */
cJSON *json_parse(const char *line, const char *path, long number, diag *d);

enum json_int { JSON_INT, JSON_BEYOND, JSON_NOT_INT };
/* Reads an integer. JSON_BEYOND: it does not fit, and *value is the nearest int64. */
enum json_int json_int64(const cJSON *item, int64_t *value);

/* The string of a key. NULL and d: it is missing or not a string (key "op": expected a string). */
const char *json_string(
    const cJSON *object, const char *key, const char *path, long number, diag *d);
/* The string of a key, "" if it is missing or not a string. */
const char *json_text(const cJSON *object, const char *key);
const cJSON *json_array(
    const cJSON *object, const char *key, const char *path, long number, diag *d);

#endif
