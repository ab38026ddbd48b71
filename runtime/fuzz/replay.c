#include "replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "file.h"
#include "json.h"
#include "model_read.h"
#include "room.h"

enum { COLLECTED_MOST = 16384 }; /* new models between two minimizations */

typedef struct entry {
	char *model;	    /* a JSON line */
	uint64_t *features; /* each once, 0 is none */
	size_t nfeatures, gain;
} entry;

typedef struct set { /* of features that are not 0 */
	uint64_t *slots;
	size_t room, n;
} set;

struct replay {
	rs_library library; /* of the one table */
	const rs_table *table;
	entry *entries;
	size_t n, room;
	set seen;
};

/* ---- sets */

/* Whether the feature is new; sets *failed when out of memory. */
static bool set_add(set *s, uint64_t feature, bool *failed)
{
	if (2 * (s->n + 1) > s->room) {
		set larger = {.room = s->room ? 2 * s->room : 1024};
		larger.slots = calloc(larger.room, sizeof *larger.slots);
		if (!larger.slots) {
			*failed = true;
			return false;
		}
		for (size_t i = 0; i < s->room; i++)
			if (s->slots[i])
				set_add(&larger, s->slots[i], failed);
		free(s->slots);
		*s = larger;
	}
	size_t at = feature % s->room;
	while (s->slots[at] && s->slots[at] != feature)
		at = (at + 1) % s->room;
	if (s->slots[at] == feature)
		return false;
	s->slots[at] = feature;
	s->n++;
	return true;
}

static bool set_has(const set *s, uint64_t feature)
{
	if (!s->room)
		return false;
	size_t at = feature % s->room;
	while (s->slots[at] && s->slots[at] != feature)
		at = (at + 1) % s->room;
	return s->slots[at] == feature;
}

/* ---- features of a model */

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint64_t of_call(const rs_graph *g, const graph_node *n)
{
	uint64_t h = mix(1, graph_name_hash(n->op->api));
	for (unsigned i = 0; i < n->nin; i++)
		h = mix(h, g->tensors[graph_node_input(g, n, i)].dtype);
	return h | 1;
}

/* 0: the input is not the result of a call. */
static uint64_t of_edge(const rs_graph *g, const graph_node *n, unsigned input)
{
	const graph_tensor *t = &g->tensors[graph_node_input(g, n, input)];
	if (t->producer == GRAPH_NONE)
		return 0;
	uint64_t h = mix(mix(2, graph_name_hash(g->nodes[t->producer].op->api)), t->dtype);
	return mix(mix(h, graph_name_hash(n->op->api)), input) | 1;
}

/* Lists the features of a model, each once; returns their number. */
static size_t features_of(const rs_graph *g, uint64_t *list)
{
	size_t n = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next) {
		const graph_node *node = &g->nodes[i];
		for (unsigned k = 0; k <= node->nin; k++) {
			uint64_t h = k < node->nin ? of_edge(g, node, k) : of_call(g, node);
			size_t at = 0;
			while (at < n && list[at] != h)
				at++;
			if (h && at == n)
				list[n++] = h;
		}
	}
	return n;
}

static size_t most_features(const rs_graph *g)
{
	size_t n = 0;
	for (uint32_t i = g->first; i != GRAPH_NONE; i = g->nodes[i].next)
		n += g->nodes[i].nin + 1u;
	return n;
}

/* ---- entries */

static bool no_memory(diag *d)
{
	return diag_set(d, "out of memory for models to run again");
}

static void entry_free(entry *e)
{
	free(e->model);
	free(e->features);
}

/* Takes ownership of the model and its features. */
static bool push(replay *c, entry e, diag *d)
{
	entry *entries = room_for_one(c->entries, c->n, &c->room, sizeof *entries);
	if (!entries) {
		entry_free(&e);
		return no_memory(d);
	}
	c->entries = entries;
	c->entries[c->n++] = e;
	return true;
}

/* Adds a model if it has a new feature. */
static bool add(replay *c, const rs_graph *g, diag *d)
{
	entry e = {.features = malloc((most_features(g) + 1) * sizeof *e.features)};
	bool new = false, failed = !e.features;
	e.nfeatures = e.features ? features_of(g, e.features) : 0;
	for (size_t i = 0; i < e.nfeatures; i++)
		new |= set_add(&c->seen, e.features[i], &failed);
	if (new && !failed) {
		e.model = rs_graph_json(g);
		failed = !e.model;
	}
	if (new && !failed)
		return push(c, e, d);
	entry_free(&e);
	return failed ? no_memory(d) : true;
}

/* ---- fewer */

static size_t gain_of(const entry *e, const set *covered)
{
	size_t gain = 0;
	for (size_t i = 0; i < e->nfeatures; i++)
		gain += !set_has(covered, e->features[i]);
	return gain;
}

/* The entry from an index on with the largest gain. Gains only shrink, so most need not be recomputed. */
static size_t best_from(replay *c, size_t from, const set *covered)
{
	for (;;) {
		size_t best = from;
		for (size_t i = from + 1; i < c->n; i++)
			if (c->entries[i].gain > c->entries[best].gain)
				best = i;
		size_t gain = gain_of(&c->entries[best], covered);
		if (gain == c->entries[best].gain)
			return best;
		c->entries[best].gain = gain;
	}
}

/* Orders models by their gain over those before; keeps at most `most`, and none without a gain. */
static bool minimise(replay *c, size_t most, diag *d)
{
	set covered = {0};
	bool failed = false;
	size_t kept = 0;
	for (size_t i = 0; i < c->n; i++)
		c->entries[i].gain = c->entries[i].nfeatures;
	while (!failed && kept < most && kept < c->n) {
		size_t best = best_from(c, kept, &covered);
		entry e = c->entries[best];
		if (e.gain == 0)
			break;
		memmove(c->entries + kept + 1, c->entries + kept, (best - kept) * sizeof e); /* the others keep their order */
		c->entries[kept++] = e;
		for (size_t i = 0; i < e.nfeatures; i++)
			set_add(&covered, e.features[i], &failed);
	}
	if (failed) {
		free(covered.slots);
		return no_memory(d);
	}
	for (size_t i = kept; i < c->n; i++)
		entry_free(&c->entries[i]);
	c->n = kept;
	free(c->seen.slots);
	c->seen = covered;
	return true;
}

/* ---- from outside */

static bool read_file(replay *c, const char *path, diag *d)
{
	jsonl file;
	rs_graph *g = rs_graph_new();
	int more = 1;
	bool ok = g != NULL || no_memory(d);
	if (!ok || !jsonl_open(&file, path, d)) {
		rs_graph_free(g);
		return false;
	}
	while (ok && (more = jsonl_next(&file, d)) == 1) {
		if (!graph_read_json(g, file.line, path, file.number, &c->library, NULL) || !graph_check(g, NULL)
		    || strcmp(g->framework, c->table->framework) != 0)
			continue; /* invalid by these rules: skip it */
		ok = add(c, g, d);
	}
	jsonl_close(&file);
	rs_graph_free(g);
	return ok && more == 0;
}

replay *replay_open(const char *path, const rs_table *table, diag *d)
{
	replay *c = calloc(1, sizeof *c);
	if (!c) {
		no_memory(d);
		return NULL;
	}
	c->table = table;
	c->library = (rs_library){.abi = table->abi, .ntables = 1, .tables = &c->table};
	if (access(path, F_OK) != 0 && errno == ENOENT)
		return c;
	if (read_file(c, path, d))
		return c;
	replay_free(c);
	return NULL;
}

void replay_free(replay *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++)
		entry_free(&c->entries[i]);
	free(c->entries);
	free(c->seen.slots);
	free(c);
}

size_t replay_count(const replay *c)
{
	return c->n;
}

bool replay_model(const replay *c, size_t i, rs_graph *to, diag *d)
{
	return graph_read_json(to, c->entries[i].model, "replay", (long)i + 1, &c->library, d);
}

bool replay_see(replay *c, const rs_graph *model, enum verdict v, diag *d)
{
	if (v != VERDICT_ok && v != VERDICT_rounding)
		return true;
	return add(c, model, d) && (c->n < COLLECTED_MOST || minimise(c, REPLAY_MOST, d));
}

bool replay_write(replay *c, size_t most, const char *path, diag *d)
{
	buf text = {0};
	if (!minimise(c, most, d))
		return false;
	for (size_t i = 0; i < c->n; i++)
		buf_printf(&text, "%s\n", c->entries[i].model);
	bool ok = text.failed ? no_memory(d) : file_update(path, buf_text(&text), text.length, d);
	buf_free(&text);
	return ok;
}

/* ---- campaigns */

static bool make(void *context, uint64_t index, rs_graph *to)
{
	return replay_model(context, (size_t)index, to, NULL);
}

enum campaign_end replay_run(replay *c, const campaign_options *o, double seconds, store *s, arena *a, diag *d)
{
	campaign_options again = *o;
	uint64_t next = 0;
	if (c->n == 0)
		return CAMPAIGN_DONE;
	again.seconds = seconds;
	again.phase = "corpus replay";
	again.count = c->n;
	again.model = make;
	again.observe = NULL;
	again.context = c;
	again.save_models = NULL;
	again.audited = 0;
	again.spent = NULL;
	again.tiers = NULL; /* every tier runs every model */
	again.jobs = 1;	    /* an interrupted replay has then run a prefix */
	fprintf(stderr, "corpus replay: %zu model%s of earlier runs\n", c->n, c->n == 1 ? "" : "s");
	enum campaign_end end = campaign_phase(&again, "corpus", &next, s, a, d);
	return end == CAMPAIGN_SHORT && next > 0 && !d->text[0] ? CAMPAIGN_DONE : end;
}

static bool see(void *context, const rs_graph *model, const judgement *j, uint64_t next, diag *d)
{
	(void)next;
	return replay_see(context, model, j->verdict, d);
}

void replay_follow(replay *c, campaign_options *o)
{
	o->observe = see;
	o->context = c;
}
