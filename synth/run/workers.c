#include "workers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "need.h"

typedef struct shared {
	const workers *w;
	atomic_int next;
} shared;

static void *work(void *argument)
{
	shared *s = argument;
	const workers *w = s->w;
	void *own = w->begin ? w->begin(w->user) : NULL;
	for (int k; (k = atomic_fetch_add(&s->next, 1)) < w->tasks;)
		if (!w->task(w->user, own, k))
			atomic_store(&s->next, w->tasks);
	if (w->end)
		w->end(w->user, own);
	return NULL;
}

void workers_run(const workers *w)
{
	size_t n = (size_t)w->threads, bytes = n * sizeof(pthread_t);
	pthread_t *threads = need(malloc(bytes), bytes);
	bool *started = need(calloc(n, sizeof *started), n);
	shared s = {.w = w};
	for (size_t i = 1; i < n; i++)
		started[i] = pthread_create(&threads[i], NULL, work, &s) == 0;
	work(&s);
	for (size_t i = 1; i < n; i++)
		if (started[i])
			pthread_join(threads[i], NULL);
	free(started);
	free(threads);
}
