#include "judge.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory.h"

enum { TIME = 600 }; /* seconds, of one process */

typedef struct court {
	const rules *all;
	const compiled *table;
	bool (*only)(const audited_rule *r, const void *user);
	const void *user;
	judged *of; /* shared with the processes */
	char **path;
	unsigned npaths;
} court;

static void judge_line(const recorded *records, void *user)
{
	court *c = user;
	const audited_rule *r = rules_find(c->all, records->op);
	if (!r || !r->id || !c->only(r, c->user))
		return;
	judged *j = &c->of[r - c->all->rule];
	const rs_op *op = compiled_find(c->table, r->framework, r->op);
	if (j->state != JUDGED_NONE || !op || !compiled_fits(op, r)) {
		j->state = JUDGED_MISFIT;
		return;
	}
	j->state = JUDGED_BEGUN;
	j->records = replay(op, r, records);
	j->samplers = trials_run(compiled_sampler_run(c->table), op, r);
	j->state = JUDGED_DONE;
}

static int is_records(const struct dirent *e)
{
	size_t n = strlen(e->d_name);
	return n > 6 && !strcmp(e->d_name + n - 6, ".jsonl");
}

static bool add_folder(court *c, const char *folder)
{
	struct dirent **entry;
	int n = scandir(folder, &entry, is_records, alphasort);
	if (n <= 0)
		fprintf(stderr, "%s: error: it holds no records\n", folder);
	for (int i = 0; i < n; i++) {
		size_t room = strlen(folder) + strlen(entry[i]->d_name) + 2;
		c->path = memory_grow(c->path, c->npaths + 1, sizeof *c->path);
		c->path[c->npaths] = memory_new(room, 1);
		snprintf(c->path[c->npaths++], room, "%s/%s", folder, entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return n > 0;
}

static _Noreturn void work(court *c, int me, int jobs)
{
	bool ok = true;
	alarm(TIME);
	for (unsigned i = (unsigned)me; i < c->npaths; i += (unsigned)jobs)
		ok &= records_read(c->path[i], judge_line, c);
	_exit(ok ? 0 : 1);
}

judged *judge_all(const rules *all, const compiled *table, const char *const *folders, unsigned nfolders, int jobs,
    bool (*only)(const audited_rule *r, const void *user), const void *user)
{
	bool ok = true;
	court c = {.all = all, .table = table, .only = only, .user = user};
	c.of = mmap(NULL, (all->n + 1u) * sizeof *c.of, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < nfolders; i++)
		ok &= add_folder(&c, folders[i]);
	if (c.of == MAP_FAILED || !ok)
		return NULL;
	fflush(NULL);
	for (int k = 0; k < jobs; k++) {
		pid_t pid = fork();
		if (pid == 0)
			work(&c, k, jobs);
		ok &= pid > 0;
	}
	/* A function that kills its process leaves its own rule begun, and the rest of the process's share
	 * unanswered. */
	for (int status; wait(&status) > 0;)
		ok &= !WIFEXITED(status) || WEXITSTATUS(status) == 0;
	for (unsigned i = 0; i < c.npaths; i++)
		free(c.path[i]);
	free(c.path);
	return ok ? c.of : NULL;
}
