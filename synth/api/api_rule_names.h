/* The words of API rules in JSON, and their numbers in byte code: one table for writer, reader and emitter. */
#ifndef API_RULE_NAMES_H
#define API_RULE_NAMES_H

static const char *const WHOLE_NAMES[] = {"same", "broadcast", "drop", "set", "insert", "swap", "permute", "replace", "concat", "broadcast_all", "merge"};
static const char *const LIST_NAMES[] = {"dims", "items", "bounds", "out"};
static const char *const EACH_NAMES[] = {"", "positive", "copied", "nonzero", "distinct"};
static const char *const ASPECT_NAMES[] = {"constant", "kind", "rank"};

static const char *const OTHERWISE_NAMES[] = {"all", "first", "last"};

#define NAMES_OF(list) (int)(sizeof(list) / sizeof *(list))

#endif
