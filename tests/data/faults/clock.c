/* LD_PRELOAD: the clock of the wall, CLOCK_REALTIME, jumps by $JUMP seconds after $JUMP_AFTER seconds of the process. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long jumped(void)
{
	static struct timespec begun;
	struct timespec now;
	const char *by = getenv("JUMP"), *after = getenv("JUMP_AFTER");
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	if (!begun.tv_sec)
		begun = now;
	double since = (double)(now.tv_sec - begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
	return by && since >= (after ? atof(after) : 0) ? atol(by) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int code = (int)syscall(SYS_clock_gettime, clock, t);
	if (clock == CLOCK_REALTIME)
		t->tv_sec += jumped();
	return code;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	struct timespec now;
	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*t = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}

time_t time(time_t *to)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (to)
		*to = now.tv_sec;
	return now.tv_sec;
}
