/* A process that outputs libFuzzer's bytes; replaces runtime/base/process.c, which is not linked. Lines are
 * bytes; single bytes are events: 1 it times out, 2 it exceeds its memory limit, 3 its line does not end, 4
 * it exits. It exits at the end of the bytes. */
#ifndef SAID_H
#define SAID_H

#include <string.h>

#include "input.h"
#include "process.h"

struct process {
	char line[1 << 16];
	pid_t pid;
};

static struct said {
	const uint8_t *at, *end;
	process process;
} said;

static inline void said_open(const uint8_t *data, size_t size)
{
	said.at = data;
	said.end = data + size;
}

process *process_start(const process_options *options, diag *d)
{
	if (!options->argv[0] || said.at == said.end) {
		diag_set(d, "cannot run");
		return NULL;
	}
	said.process.pid = 1 << 22; /* no process has this number */
	return &said.process;
}

void process_free(process *p)
{
	(void)p;
}

bool process_send(process *p, const char *text, size_t length)
{
	return p->pid || memchr(text, '\n', length);
}

enum process_event process_next(process *p, double deadline, char **line)
{
	static const enum process_event EVENTS[] = {PROCESS_LATE, PROCESS_MEMORY, PROCESS_ENDLESS, PROCESS_ENDED};
	size_t n = 0;
	*line = p->line;
	if (deadline < 0 || said.at == said.end || !p->pid) {
		p->pid = 0;
		return PROCESS_ENDED;
	}
	if (*said.at >= 1 && *said.at <= 4) {
		enum process_event event = EVENTS[*said.at++ - 1];
		p->pid = event == PROCESS_ENDED ? 0 : p->pid;
		return event;
	}
	for (; said.at < said.end && *said.at != '\n'; said.at++)
		if (n + 1 < sizeof p->line)
			p->line[n++] = (char)*said.at;
	said.at += said.at < said.end;
	p->line[n] = '\0';
	return PROCESS_LINE;
}

void process_finish(process *p, double seconds)
{
	p->pid = seconds < 0 ? p->pid : 0;
}

void process_kill(process *p)
{
	p->pid = 0;
}

bool process_kill_member(process *p, pid_t member)
{
	return member > 0 && p->pid && member != p->pid;
}

process_end process_how(const process *p)
{
	return (process_end){.signal = p->pid ? 0 : 9};
}

pid_t process_pid(const process *p)
{
	return p->pid;
}

const char *process_stderr(process *p)
{
	return p->line;
}

void process_forget(process *p)
{
	p->line[0] = '\0';
}

double process_cpu(const process *p)
{
	return p->pid ? 1 : 0;
}

#endif
