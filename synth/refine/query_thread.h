/* Asks the oracle about an API's operators, in their order, in a thread of its own: each as soon as its questions are there,
 * while those of the next are still looked for. What is answered does not depend on when. */
#ifndef QUERY_THREAD_H
#define QUERY_THREAD_H

#include <pthread.h>

#include "inquiry.h"
#include "oracle.h"

typedef struct asking {
	oracle *oracle;	    /* nobody else's until the end */
	inquiry *inquiries; /* n; not owned. Those that are prepared nobody touches until the end */
	int n;
	/* of the asking */
	int prepared;
	bool ok, alone; /* alone: without a thread, all at the end */
	diag why;
	long errors;	 /* questions that were refused */
	char first[200]; /* what for */
	pthread_t thread;
	pthread_mutex_t lock; /* of prepared */
	pthread_cond_t more;
} asking;

void asking_start(asking *a);	       /* the first three fields are set */
void asking_go_on(asking *a);	       /* one more inquiry is prepared; called n times */
bool asking_end(asking *a, diag *d); /* all are answered; false and d: the oracle gave up */

#endif
