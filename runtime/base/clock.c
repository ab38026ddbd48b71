#include "clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_seconds(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double clock_cpu_seconds(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread_seconds(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
