#include "oracle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json.h"
#include "memory.h"
#include "process.h"

#define SILENCE 600.0 /* seconds */
#define FAREWELL 10.0

enum {
	STRIKES = 3, /* deaths in a row without an answer */
};

struct oracle {
	oracle_options options;
	char *command;
	process *process; /* NULL: not running */
	int strikes;
	bool answered; /* since its start */
};

oracle *oracle_new(const oracle_options *options)
{
	oracle *o = calloc(1, sizeof *o);
	if (!o) {
		out_of_memory(sizeof *o);
		return NULL;
	}
	o->options = *options;
	if (o->options.silence <= 0)
		o->options.silence = SILENCE;
	o->command = strdup(options->command);
	if (!o->command) {
		out_of_memory(strlen(options->command));
		free(o);
		return NULL;
	}
	return o;
}

void oracle_free(oracle *o)
{
	if (!o)
		return;
	if (o->process)
		process_finish(o->process, FAREWELL);
	process_free(o->process);
	free(o->command);
	free(o);
}

static bool start(oracle *o, diag *d)
{
	const char *const argv[] = {"sh", "-c", o->command, NULL};
	if (o->process)
		return true;
	o->answered = false;
	o->process = process_start(&(process_options){.argv = argv, .stop_fd = -1}, d);
	return o->process != NULL;
}

/* ---- one exchange */

enum outcome {
	ANSWERED, /* all lines */
	FAILED,	  /* the oracle's fault: d describes it, and it may be restarted */
	REFUSED,  /* the caller's, or out of memory; d describes it */
};

typedef struct exchange {
	oracle *o;
	const char *const *lines;
	int n, done;
	oracle_answer *take;
	void *user;
	diag *d;
} exchange;

static enum outcome take_line(exchange *x, const char *line)
{
	cJSON *answer = json_parse(line, "oracle", 0, NULL);
	enum outcome end = ANSWERED;
	if (!answer && errno == ENOMEM) { /* our fault, not the oracle's */
		diag_memory(x->d, false);
		end = REFUSED;
	} else if (!cJSON_IsObject(answer)) {
		diag_set(x->d, "the oracle's answer is not JSON: '%.80s'", line);
		end = FAILED;
	} else {
		x->o->answered = true;
		x->o->strikes = 0;
		if (!x->take(x->user, x->done++, answer, x->d))
			end = REFUSED;
	}
	cJSON_Delete(answer);
	return end;
}

static bool say_end(const exchange *x)
{
	process_end how = process_how(x->o->process);
	if (how.signal)
		return diag_set(x->d, "the oracle was killed by signal %d", how.signal);
	return diag_set(x->d, "the oracle ended with exit code %d", how.code);
}

static bool send_lines(const exchange *x)
{
	bool ok = true;
	for (int i = x->done; i < x->n && ok; i++)
		ok = process_send(x->o->process, x->lines[i], strlen(x->lines[i]))
		     && process_send(x->o->process, "\n", 1);
	return ok || diag_set(x->d, "out of memory for %d questions", x->n);
}

/* Sends the lines that are not done and reads answers until all are. */
static enum outcome converse(exchange *x)
{
	process *p = x->o->process;
	enum outcome end = send_lines(x) ? ANSWERED : REFUSED;
	double heard = clock_seconds();
	while (end == ANSWERED && x->done < x->n) {
		char *line;
		switch (process_next(p, heard + x->o->options.silence, &line)) {
		case PROCESS_LINE:
			end = take_line(x, line);
			heard = clock_seconds();
			break;
		case PROCESS_ENDED:
			say_end(x);
			end = FAILED;
			break;
		case PROCESS_ENDLESS:
			diag_set(x->d, "the oracle's answer has no line end");
			end = FAILED;
			break;
		case PROCESS_UNREAD:
			diag_memory(x->d, false);
			end = REFUSED;
			break;
		default:
			diag_set(x->d, "the oracle did not answer within %g s", x->o->options.silence);
			end = FAILED;
		}
	}
	return end;
}

/* Stops a failed oracle. Returns how it ended. */
static process_end stop(oracle *o)
{
	process_kill(o->process);
	process_end how = process_how(o->process);
	process_free(o->process);
	o->process = NULL;
	return how;
}

/* Whether to go on after a failure, which d describes. */
static bool forgive(oracle *o, process_end how, diag *d)
{
	int code = how.signal ? -1 : how.code;
	if (!o->options.restarts)
		return false;
	if (o->answered)
		return true;
	if (code == 2 || code == 5 || code == 126 || code == 127)
		return diag_set(d, "the oracle cannot start (exit code %d): %s", code, o->command);
	if (++o->strikes < STRIKES)
		return true;
	return diag_set(d, "the oracle ended %d times without an answer: %s", STRIKES, o->command);
}

bool oracle_ask(oracle *o, const char *const *lines, int n, bool whole, oracle_answer *take,
    void *user, diag *d)
{
	exchange x = {.o = o, .lines = lines, .n = n, .take = take, .user = user, .d = d};
	while (x.done < n) {
		if (!start(o, d))
			return false;
		enum outcome end = converse(&x);
		if (end == ANSWERED)
			break;
		process_end how = stop(o);
		if (end == REFUSED || !forgive(o, how, d))
			return false;
		if (whole)
			x.done = 0;
		else if ((o->answered || o->strikes > 1) /* the first death may be an accident */
			 && !take(user, x.done++, NULL, d))
			return false;
	}
	return true;
}
