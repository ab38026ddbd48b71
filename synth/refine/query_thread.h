/* Queries the oracle about the operators of an API, in order, in a thread. Questions of the next operator are prepared
 * meanwhile. The answers do not depend on timing. */
#ifndef QUERY_THREAD_H
#define QUERY_THREAD_H

#include <pthread.h>

#include "inquiry.h"
#include "oracle.h"

typedef struct query_thread {
	oracle *oracle;	    /* owned exclusively until query_thread_end */
	inquiry *inquiries; /* n; not owned. Prepared ones must not be used until query_thread_end */
	int n;
	/* internal: */
	int prepared;
	bool ok, alone; /* alone: no thread; everything is queried at the end */
	diag why;
	long errors;	 /* rejected questions */
	char first[200]; /* error of the first */
	pthread_t thread;
	pthread_mutex_t lock; /* guards `prepared` */
	pthread_cond_t more;
} query_thread;

void query_thread_start(query_thread *a);	       /* set the first three fields before */
void query_thread_add(query_thread *a);	       /* one more inquiry is prepared; call n times */
bool query_thread_end(query_thread *a, diag *d); /* waits for all answers; returns false and sets d if the oracle gave up */

#endif
