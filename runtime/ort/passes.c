#include "passes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ort_limits.h"

enum { LOG_INFO = 1 };

/* ---- the log */

static pass_count *find(passes_counts *c, const char *name)
{
	for (uint32_t i = 0; i < c->n; i++)
		if (strcmp(c->pass[i].name, name) == 0)
			return &c->pass[i];
	if (c->n == PASSES_MAX)
		return NULL;
	pass_count *new = &c->pass[c->n++];
	memset(new, 0, sizeof *new);
	snprintf(new->name, sizeof new->name, "%s", name);
	return new;
}

void passes_hear(passes_counts *c, const char *line)
{
	char name[PASS_NAME];
	int modified;
	pass_count *p = sscanf(line, "GraphTransformer %63s modified: %d", name, &modified) == 2 ? find(c, name) : NULL;
	if (!p || !modified || p->now)
		return;
	p->now = true;
	p->models++;
}

static void hear(void *to, int level, const char *category, const char *id, const char *where, const char *message)
{
	(void)level, (void)category, (void)id, (void)where;
	passes_hear(to, message);
}

/* ---- a model */

enum { MADE, REFUSED, BROKEN }; /* exit codes of a child */

/* Runs in a child, which frees nothing. */
static int make_session(passes *p)
{
	ort_options *options;
	ort_session *session = NULL;
	if (!ort_options_new(&p->lib, LOG_INFO, ORT_OPTIMISE_ALL, &options, NULL))
		return BROKEN;
	ort_status *status = p->lib.call.create_session(p->env, p->file.text, p->file.length, options, &session);
	return ort_well(&p->lib, status, NULL, NULL) ? MADE : REFUSED;
}

static bool look(passes *p, diag *d)
{
	int status = 0;
	fflush(NULL);
	pid_t child = fork();
	if (child < 0)
		return diag_set(d, "error: cannot start a process");
	if (child == 0) {
		alarm(PASS_SECONDS);
		_exit(make_session(p));
	}
	while (waitpid(child, &status, 0) < 0)
		;
	p->counts->models++;
	if (WIFEXITED(status) && WEXITSTATUS(status) == BROKEN)
		return diag_set(d, "error: the library takes no options");
	p->counts->rejected += WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
	p->counts->died += !WIFEXITED(status);
	return true;
}

bool passes_add(passes *p, const graph *g, diag *d)
{
	for (uint32_t i = 0; i < p->counts->n; i++)
		p->counts->pass[i].now = false;
	buf_clear(&p->file);
	return graph_write_onnx_to_run(g, false, true, p->limits, p->scratch, &p->file, d) && look(p, d);
}

/* ---- life */

static void find_limits(passes *p)
{
	ort_options *options;
	if (ort_options_new(&p->lib, ORT_FATAL, ORT_OPTIMISE_NOTHING, &options, NULL))
		p->limits = ort_limits(&p->lib, p->env, options);
	if (options)
		p->lib.call.release_options(options);
}

bool passes_open(passes *p, const char *library, diag *d)
{
	*p = (passes){0};
	if (!ort_open(&p->lib, library, d))
		return false;
	p->scratch = arena_new();
	void *shared = mmap(NULL, sizeof *p->counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	p->counts = shared == MAP_FAILED ? NULL : shared;
	if (!p->scratch || !p->counts)
		diag_set(d, "error: out of memory");
	else if (ort_well(&p->lib, p->lib.call.create_env_heard(hear, p->counts, LOG_INFO, "passes", &p->env), NULL, d)) {
		find_limits(p);
		return true;
	}
	passes_close(p);
	return false;
}

void passes_close(passes *p)
{
	if (p->env)
		p->lib.call.release_env(p->env);
	if (p->counts)
		munmap(p->counts, sizeof *p->counts);
	if (p->scratch)
		arena_free(p->scratch);
	buf_free(&p->file);
	if (p->lib.library)
		ort_close(&p->lib);
	*p = (passes){0};
}

/* ---- the report */

uint32_t passes_fired(const passes_counts *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->n; i++)
		n += c->pass[i].models > 0;
	return n;
}

/* Most models first, then by name. */
static int order(const void *a, const void *b)
{
	const pass_count *x = a, *y = b;
	return x->models != y->models ? (x->models < y->models ? 1 : -1) : strcmp(x->name, y->name);
}

void passes_print_text(const passes_counts *c, buf *out)
{
	passes_counts sorted = *c;
	qsort(sorted.pass, sorted.n, sizeof *sorted.pass, order);
	buf_printf(out, "\npasses      %u of %u changed a model, of %" PRIu64 " models; %" PRIu64 " rejected, %" PRIu64 " died\n",
	    passes_fired(c), c->n, c->models, c->rejected, c->died);
	for (uint32_t i = 0; i < sorted.n; i++)
		buf_printf(out, "%8" PRIu64 "  %s\n", sorted.pass[i].models, sorted.pass[i].name);
}

void passes_print_json(const passes_counts *c, buf *out)
{
	passes_counts sorted = *c;
	qsort(sorted.pass, sorted.n, sizeof *sorted.pass, order);
	buf_printf(out, "{\"models\":%" PRIu64 ",\"rejected\":%" PRIu64 ",\"died\":%" PRIu64 ",\"fired\":%u,\"logged\":%u,\"changed\":{",
	    c->models, c->rejected, c->died, passes_fired(c), c->n);
	for (uint32_t i = 0; i < sorted.n; i++) {
		buf_puts(out, i ? "," : "");
		buf_json(out, sorted.pass[i].name);
		buf_printf(out, ":%" PRIu64, sorted.pass[i].models);
	}
	buf_puts(out, "}}");
}
