/* Clocks for intervals: seconds since a moment that is the same as long as the program runs. */
#ifndef CLOCK_H
#define CLOCK_H

double clock_seconds(void);	/* of the wall; never goes back */
double clock_cpu_seconds(void); /* of all threads of this process, added up */
double clock_thread_seconds(void); /* of the calling thread on a processor */

#endif
