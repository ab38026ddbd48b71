/* Findings run again: what `repro`, `recheck` and `reduce` share. A worker of each backend that is asked for, one at a
 * time; whatever ends it, a signal too, leaves no worker and no folder behind. */
#ifndef AGAIN_H
#define AGAIN_H

#include <getopt.h>
#include <stdbool.h>

#include "cli.h"
#include "store.h"
#include "verdict.h"

#define AGAIN_HELP                                                                                                    \
	"  --timeout S        seconds for a model (default 60)\n"                                                      \
	"  --memory M         MiB for a model (default 4096; 0: no limit)\n"                                           \
	"  --python PATH, --backend-command CMD   as for `rulefuzz run`\n"

/* Of getopt_long; the letters that again_option takes. */
#define AGAIN_OPTIONS                                                                                                 \
	{"db", required_argument, NULL, 'd'}, {"python", required_argument, NULL, 'p'},                               \
	    {"backend-command", required_argument, NULL, 'c'}, {"timeout", required_argument, NULL, 't'},             \
	{                                                                                                             \
		"memory", required_argument, NULL, 'm'                                                                \
	}

typedef struct again_options {
	const char *command; /* for messages */
	const char *db, *python, *backend_command;
	int64_t timeout, memory;
} again_options;

again_options again_defaults(const char *command);
/* Takes an option; false after a message. */
bool again_option(again_options *o, int letter, const char *text);

/* What a command does with a finding: an exit code, of which the worst is kept; with EXIT_INPUT or EXIT_BACKEND d says why. */
typedef int again_fn(void *context, const finding *f, judge *by, diag *d);
/* Runs fn on the findings with these numbers, or, where there are none, on those that are wanted (NULL: all), by backend. *s is
 * the open database meanwhile. */
int again_each(const again_options *o, int nids, char **ids, store **s, bool (*wanted)(void *context, const finding *f),
    again_fn *fn, void *context);

/* A judge like another, without a worker. */
judge again_judge(const judge *like);
/* Whether a judgement is of the failure that a finding is. */
bool again_fails(const finding *f, const judgement *j);
/* Whether it is at least of its kind, as that of the model as it was generated, where another tensor may be the first. */
bool again_kind(const finding *f, const judgement *j);

#endif
