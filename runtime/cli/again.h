/* Reruns findings for `repro`, `recheck` and `reduce`: one worker at a time, by backend. No worker and no folder remains
 * afterwards, even after a signal. */
#ifndef AGAIN_H
#define AGAIN_H

#include <getopt.h>
#include <stdbool.h>

#include "cli.h"
#include "store.h"
#include "verdict.h"

#define AGAIN_HELP                                                                                                    \
	"  --timeout S        seconds for a model (default 60)\n"                                                      \
	"  --time T           total time; findings left then stay unchanged (default: unlimited)\n"                 \
	"  --memory M         MiB for a model (default 4096; 0: no limit)\n"                                           \
	"  --python PATH, --backend-command CMD   as for `rulefuzz run`\n"

/* Options of getopt_long, with the letters of again_option. */
#define AGAIN_OPTIONS                                                                                                 \
	{"db", required_argument, NULL, 'd'}, {"python", required_argument, NULL, 'p'},                               \
	    {"backend-command", required_argument, NULL, 'c'}, {"timeout", required_argument, NULL, 't'},             \
	    {"time", required_argument, NULL, 'T'},                                                                   \
	{                                                                                                             \
		"memory", required_argument, NULL, 'm'                                                                \
	}

typedef struct again_options {
	const char *command; /* for messages */
	const char *db, *python, *backend_command;
	int64_t timeout, memory;
	double seconds; /* in all; 0: no limit */
} again_options;

again_options again_defaults(const char *command);
/* Handles an option; false after a message. */
bool again_option(again_options *o, int letter, const char *text);

/* Handles one finding. Returns an exit code; the worst is kept. d explains EXIT_INPUT and EXIT_BACKEND. */
typedef int again_fn(void *context, const finding *f, judge *by, diag *d);
/* Calls fn for the findings with these IDs or, without IDs, for all that are wanted (NULL: all), by backend. *s is the open
 * database meanwhile. */
int again_each(const again_options *o, int nids, char **ids, store **s, bool (*wanted)(void *context, const finding *f),
    again_fn *fn, void *context);

/* A copy of a judge without its worker. */
judge again_judge(const judge *like);
/* Whether a judgement is the failure of a finding. */
bool again_fails(const finding *f, const judgement *j);
/* Whether it has at least the same kind: in the model as generated, another tensor may differ first. */
bool again_kind(const finding *f, const judgement *j);

#endif
