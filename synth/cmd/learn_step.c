#include "learn_step.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "file.h"
#include "process.h"

#define LONGEST 3600.0 /* seconds per step; the programs have limits of their own */
#define COMING 10.0    /* seconds until the resident is ready */
#define GOING 5.0

void words_add(words *w, const char *word)
{
	if (w->n + 1 >= STEP_WORDS)
		w->full = true;
	else
		w->list[w->n++] = word;
	w->list[w->n] = NULL;
}

static bool path_of(const steps *s, const char *name, char path[PATH_MAX], diag *d)
{
	return snprintf(path, PATH_MAX, "%s/%s-%02d-%s.step", s->folder, s->about, s->number, name) < PATH_MAX
	       || diag_set(d, "a path below %s is too long", s->folder);
}

/* Prints a command as the first line of a step's file. */
static void put_command(buf *to, const words *w)
{
	for (int i = 0; i < w->n; i++)
		buf_printf(to, "%s%s", i ? "\t" : "", w->list[i]);
	for (char *c = to->text; c && *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	buf_putc(to, '\n');
}

/* Whether an earlier run finished the step; appends that run's output to out. */
static bool was_done(const steps *s, const char *path, const buf *command, buf *out)
{
	diag ignored;
	size_t length;
	if (s->anew || access(path, R_OK) != 0)
		return false;
	char *text = file_read(path, &length, &ignored);
	bool same = text && length >= command->length && memcmp(text, command->text, command->length) == 0;
	if (same && out)
		buf_add(out, text + command->length, length - command->length);
	free(text);
	return same;
}

/* Forwards lines until the process ends; returns its exit code, or as step_run. */
static int follow(process *p, const char *name, buf *printed, diag *d)
{
	double end = clock_seconds() + LONGEST;
	for (char *line;;) {
		switch (process_next(p, end, &line)) {
		case PROCESS_LINE:
			buf_printf(printed, "%s\n", line);
			break;
		case PROCESS_STOPPED:
			return STEP_STOPPED;
		case PROCESS_ENDED:
			if (process_how(p).signal)
				diag_set(d, "step %s was killed by signal %d", name, process_how(p).signal);
			return process_how(p).signal ? STEP_BROKEN : process_how(p).code;
		default:
			diag_set(d, "step %s does not end", name);
			return STEP_BROKEN;
		}
	}
}

static int execute(const steps *s, const char *name, const words *w, buf *printed, diag *d)
{
	process *p = process_start(&(process_options){.argv = w->list, .stop_fd = s->stop_fd}, d);
	if (!p)
		return STEP_BROKEN;
	int code = follow(p, name, printed, d);
	process_free(p);
	return code;
}

/* Runs the probe once. Returns its exit code, or as step_run. */
static int probe(steps *s, diag *d)
{
	buf ignored = {0};
	int code = s->probe.n ? execute(s, "probe", &s->probe, &ignored, d) : 0;
	if (code == 0)
		s->probe.n = 0;
	buf_free(&ignored);
	return code;
}

/* Starts the resident, if any, and waits until it is ready or has failed. */
static void start_resident(steps *s)
{
	diag ignored;
	char *line;
	if (s->running || !s->resident.n)
		return;
	s->running = process_start(&(process_options){.argv = s->resident.list, .stop_fd = s->stop_fd}, &ignored);
	if (s->running)
		process_next(s->running, clock_seconds() + COMING, &line);
}

void steps_close(steps *s)
{
	if (s->running)
		process_finish(s->running, GOING);
	process_free(s->running);
	s->running = NULL;
}

int step_run(steps *s, const char *name, const words *w, int fine, buf *out, diag *d)
{
	char path[PATH_MAX];
	buf text = {0};
	if (w->full || !path_of(s, name, path, d)) {
		if (w->full)
			diag_set(d, "step %s has too many words", name);
		return STEP_BROKEN;
	}
	put_command(&text, w);
	s->number++;
	size_t start = text.length;
	int code = 0;
	if (was_done(s, path, &text, out)) {
		fprintf(stderr, "learn: %-8s already done\n", name);
	} else if ((code = probe(s, d)) == 0) {
		double from = clock_seconds();
		s->anew = true;
		start_resident(s);
		unlink(path);
		code = execute(s, name, w, &text, d);
		if (text.failed)
			code = diag_set(d, "out of memory") ? 0 : STEP_BROKEN;
		if (out && text.length > start)
			buf_add(out, text.text + start, text.length - start);
		if ((code == 0 || code == fine) && !file_write(path, text.text, text.length, d))
			code = STEP_BROKEN;
		fprintf(stderr, "learn: %-8s %5.1f s, %5.1f s in total\n", name, clock_seconds() - from, clock_seconds() - s->began);
	}
	buf_free(&text);
	return code;
}

bool step_note(steps *s, const char *name, int *value, diag *d)
{
	char path[PATH_MAX], text[32];
	const buf command = {.text = "", .length = 0};
	buf before = {0};
	if (!path_of(s, name, path, d))
		return false;
	s->number++;
	bool noted = was_done(s, path, &command, &before);
	if (noted && before.text)
		*value = atoi(before.text);
	buf_free(&before);
	snprintf(text, sizeof text, "%d\n", *value);
	return noted || file_write(path, text, strlen(text), d);
}
