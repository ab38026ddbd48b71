/* Clocks for intervals: seconds since an arbitrary, fixed moment. */
#ifndef CLOCK_H
#define CLOCK_H

double clock_seconds(void);	/* wall clock; never goes back */
double clock_cpu_seconds(void); /* processor time of all threads of this process */
double clock_thread_seconds(void); /* processor time of the calling thread */

#endif
