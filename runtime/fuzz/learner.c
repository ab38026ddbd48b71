#include "learner.h"

#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "clock.h"
#include "gen_sets.h"
#include "reduce.h"
#include "room.h"
#include "sessions.h"

#define WRITE_SECONDS 5.0
/* A rule may be wrong now and then. A call is excluded after STRIKES rejections by the reference, unless the reference has accepted it
 * more than SPARED times for each rejection since the first one. */
enum { STRIKES = 3, SPARED = 9 };
enum { EAGER = 4, SHARE = 2 }; /* generators made for one new call each; the k-th later one for k / SHARE calls */

void learner_open(learner *l, capabilities *known, const char *path)
{
	*l = (learner){.known = known, .path = path};
	pthread_mutex_init(&l->lock, NULL);
}

/* The lock is held. */
static bool write_known(learner *l, diag *d)
{
	l->changed = 0;
	return capabilities_write(l->known, l->path, d);
}

bool learner_close(learner *l, diag *d)
{
	bool ok = l->changed == 0 || write_known(l, d);
	pthread_mutex_destroy(&l->lock);
	free(l->strikes);
	return ok;
}

/* A call that was probed or trusted is rejected for its dimensions or constants, so with other dtypes too. */
static bool note(capabilities *known, const graph *call, const judgement *failed)
{
	return failed->verdict == VERDICT_unsupported ? capabilities_refuse(known, call, failed->message)
						      : capabilities_note(known, call, failed->verdict, failed->message);
}

/* The index of a call's strikes, or their number. *hash: of the call. */
static size_t find_strike(const learner *l, const graph *g, const graph_node *n, uint64_t *hash)
{
	uint8_t row[GRAPH_ROW_MAX];
	size_t i = 0;
	graph_row(g, n, row);
	*hash = rs_call_hash(n->op, row);
	while (i < l->nstrikes && l->strikes[i].call != *hash)
		i++;
	return i;
}

/* Counts a rejection by the reference. *out: whether the call is to be excluded. */
static bool strike_call(learner *l, const graph *call, bool *out)
{
	const graph_node *n = call->first == GRAPH_NONE ? NULL : &call->nodes[call->first];
	uint64_t hash;
	*out = false;
	if (!n || call->live_nodes != 1 || !graph_has_row(n))
		return true;
	const size_t i = find_strike(l, call, n, &hash);
	strike *strikes = i < l->nstrikes ? l->strikes : room_for_one(l->strikes, l->nstrikes, &l->room, sizeof *strikes);
	if (!strikes)
		return false;
	l->strikes = strikes;
	if (i == l->nstrikes)
		l->strikes[l->nstrikes++] = (strike){.call = hash};
	const unsigned times = ++l->strikes[i].times;
	*out = times >= STRIKES && (uint64_t)times * SPARED >= l->strikes[i].accepted;
	return true;
}

void learner_accepted(learner *l, const graph *model)
{
	uint64_t hash;
	pthread_mutex_lock(&l->lock);
	for (uint32_t i = l->nstrikes ? model->first : GRAPH_NONE; i != GRAPH_NONE; i = model->nodes[i].next)
		if (graph_has_row(&model->nodes[i])) {
			const size_t k = find_strike(l, model, &model->nodes[i], &hash);
			if (k < l->nstrikes)
				l->strikes[k].accepted++;
		}
	pthread_mutex_unlock(&l->lock);
}

bool learner_take(learner *l, const graph *call, const judgement *failed, int64_t finding, diag *d)
{
	size_t before, after;
	bool out = true;
	pthread_mutex_lock(&l->lock);
	capabilities_without(l->known, &before);
	bool ok = diag_memory(d, (!verdict_is_invalid(failed->verdict) || strike_call(l, call, &out))
				     && (!out || note(l->known, call, failed)));
	capabilities_without(l->known, &after);
	l->news += (int64_t)(after - before);
	if (after > before && l->changed == 0)
		l->changed = clock_seconds();
	if (ok && l->changed > 0 && clock_seconds() - l->changed >= WRITE_SECONDS)
		ok = write_known(l, d);
	pthread_mutex_unlock(&l->lock);
	return ok && (!finding || !l->link || l->link(l->context, call, finding, d));
}

bool learner_probed(learner *l, const graph *call, const judgement *j, uint64_t next, diag *d)
{
	size_t before, after;
	pthread_mutex_lock(&l->lock);
	capabilities_without(l->known, &before);
	bool out = true; /* other dimensions may have the predicted shape */
	bool ok = diag_memory(d, (j->verdict != VERDICT_mispredicted || strike_call(l, call, &out))
				     && (!out || capabilities_note(l->known, call, j->verdict, j->message)));
	capabilities_without(l->known, &after);
	l->news += (int64_t)(after - before);
	*capabilities_next(l->known) = next;
	if (l->changed == 0)
		l->changed = clock_seconds();
	if (ok && clock_seconds() - l->changed >= WRITE_SECONDS)
		ok = write_known(l, d);
	pthread_mutex_unlock(&l->lock);
	return ok;
}

int64_t learner_news(learner *l)
{
	pthread_mutex_lock(&l->lock);
	int64_t news = l->news;
	l->news = 0;
	pthread_mutex_unlock(&l->lock);
	return news;
}

/* ---- the call at fault */

static bool ask(judge *by, const graph *call, judgement *alone, diag *d)
{
	char *text = rs_graph_json(call);
	bool ok = text ? judge_screened(by, text, alone, d) : diag_set(d, "out of memory for a call");
	free(text);
	return ok;
}

/* A failure whose call is searched. */
typedef struct search {
	learner *l;
	judge *by;
	const graph *model;
	enum verdict failed;
	int64_t finding;
	graph part; /* of the model; the current one */
	bool found;
} search;

/* Judges the part of a model; if it fails the same way, excludes the call of the node. */
static enum learned try_part(search *s, uint32_t node, diag *d)
{
	judgement alone;
	if (!ask(s->by, &s->part, &alone, d))
		return LEARNED_BACKEND;
	bool stopped = alone.verdict == VERDICT_stopped;
	s->found = alone.verdict == s->failed;
	bool ok = !s->found
		  || (diag_memory(d, reduce_to_call(&s->part, s->model, node)) && learner_take(s->l, &s->part, &alone, s->finding, d));
	judgement_free(&alone);
	return stopped ? LEARNED_STOPPED : ok ? LEARNED_DONE : LEARNED_INPUT;
}

static enum learned blame_calls(search *s, diag *d)
{
	enum learned end = LEARNED_DONE;
	for (uint32_t i = s->model->first; i != GRAPH_NONE && !s->found && end == LEARNED_DONE; i = s->model->nodes[i].next)
		if (reduce_to_call(&s->part, s->model, i))
			end = try_part(s, i, d);
	return end;
}

/* If all calls are accepted alone: the producer whose result makes another call rejected, because the target infers other
 * dimensions for it. */
static enum learned blame_makers(search *s, diag *d)
{
	const graph *model = s->model;
	enum learned end = LEARNED_DONE;
	for (uint32_t i = model->first; i != GRAPH_NONE; i = model->nodes[i].next) {
		uint32_t last = GRAPH_NONE;
		for (unsigned k = 0; k < model->nodes[i].nin; k++) {
			uint32_t maker = model->tensors[graph_node_input(model, &model->nodes[i], k)].producer;
			if (maker == GRAPH_NONE || maker == last || !reduce_to_pair(&s->part, model, maker, i))
				continue;
			last = maker;
			end = try_part(s, maker, d);
			if (s->found || end != LEARNED_DONE)
				return end;
		}
	}
	return end;
}

/* Whether a model has a session or regions, which are what fails more often than a call. To judge each call takes longer than a model. */
static bool is_about_program(const graph *model)
{
	bool any = session_any(model);
	for (unsigned i = 0; i < model->nbodies; i++)
		any |= body_is_region((enum body_kind)model->bodies[i].kind);
	return any;
}

enum learned learner_blame(learner *l, judge *by, const graph *model, const judgement *failed, int64_t finding, diag *d)
{
	search s = {.l = l, .by = by, .model = model, .failed = failed->verdict, .finding = finding};
	if (model->live_nodes == 1 && model->nbodies == 0) /* a body may be the cause */
		return learner_take(l, model, failed, finding, d) ? LEARNED_DONE : LEARNED_INPUT;
	if (is_about_program(model))
		return LEARNED_DONE;
	if (!graph_init(&s.part))
		return diag_set(d, "out of memory"), LEARNED_INPUT;
	enum learned end = blame_calls(&s, d);
	if (end == LEARNED_DONE && !s.found && failed->verdict == VERDICT_unsupported)
		end = blame_makers(&s, d);
	graph_destroy(&s.part);
	return end;
}

/* ---- models without the excluded calls */

/* Making the generators of all operator sets takes a tenth of a second. For n excluded calls, they are made O(sqrt n) times. */
static bool is_due(const renewal *of, size_t without)
{
	size_t news = without - of->without;
	return news && (of->times < EAGER || news * SHARE >= of->times);
}

/* Copies the excluded calls if a generator without them is due. The caller frees the copy. False: out of memory. */
static bool copy_due(learner *l, const renewal *of, uint64_t **copy, size_t *n)
{
	pthread_mutex_lock(&l->lock);
	const uint64_t *without = capabilities_without(l->known, n);
	bool due = is_due(of, *n);
	*copy = due ? malloc(*n * sizeof **copy) : NULL;
	if (*copy)
		memcpy(*copy, without, *n * sizeof **copy);
	pthread_mutex_unlock(&l->lock);
	return *copy || !due;
}

/* Other jobs go on meanwhile. */
bool learner_renew(
    learner *l, const rs_table *table, rs_gen_options options, rs_gen **gen, renewal *of, diag *d)
{
	char message[512];
	uint64_t *without;
	if (!diag_memory(d, copy_due(l, of, &without, &options.nwithout)))
		return false;
	if (!without)
		return true;
	options.without = without;
	rs_gen *new = gen_like(table, &options, *gen, message, sizeof message);
	free(without);
	if (!new)
		return diag_set(d, "%s", message);
	if (*gen)
		gen_sets_move(*gen, new);
	rs_gen_free(*gen);
	*gen = new;
	of->without = options.nwithout;
	of->times++;
	return true;
}
