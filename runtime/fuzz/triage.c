#include "triage.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buf.h"
#include "json.h"

#define MARKED "\"\\u0001" /* how cJSON prints what opens a long integer, see base/json.h */

/* ---- models as JSON */

/* A tree as a line; long integers are numbers again. */
static char *print(const cJSON *tree)
{
	char *text = cJSON_PrintUnformatted(tree);
	if (!text)
		return NULL;
	char *to = text;
	for (const char *c = text; *c;) {
		if (strncmp(c, MARKED, strlen(MARKED)) == 0) {
			c += strlen(MARKED);
			while (*c && *c != '"')
				*to++ = *c++;
			c += *c == '"';
		} else {
			*to++ = *c++;
		}
	}
	*to = '\0';
	return text;
}

static cJSON *key(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static int id_of(const cJSON *tensor)
{
	const cJSON *id = key(tensor, "id");
	return cJSON_IsNumber(id) ? id->valueint : -1;
}

/* A set of tensor ids. */
typedef struct ids {
	bool *in;
	int n;
} ids;

static void ids_add(ids *set, int id)
{
	if (id >= 0 && id < set->n)
		set->in[id] = true;
}

static bool ids_has(const ids *set, int id)
{
	return id >= 0 && id < set->n && set->in[id];
}

static ids ids_for(const cJSON *model)
{
	int most = 0;
	const cJSON *node, *tensor;
	cJSON_ArrayForEach(tensor, key(model, "inputs")) most =
	    id_of(tensor) > most ? id_of(tensor) : most;
	cJSON_ArrayForEach(node, key(model, "nodes")) cJSON_ArrayForEach(
	    tensor, key(node, "outputs")) most = id_of(tensor) > most ? id_of(tensor) : most;
	return (ids){calloc((size_t)most + 1, sizeof(bool)), most + 1};
}

static void add_refs(ids *set, const cJSON *value)
{
	const cJSON *ref = cJSON_IsObject(value) ? key(value, "ref") : NULL, *item;
	if (ref)
		ids_add(set, cJSON_IsNumber(ref) ? ref->valueint : -1);
	else if (cJSON_IsArray(value))
		cJSON_ArrayForEach(item, value) add_refs(set, item);
}

static void add_node_refs(ids *set, const cJSON *node)
{
	const cJSON *arg;
	cJSON_ArrayForEach(arg, key(node, "args")) add_refs(set, key(arg, "value"));
}

static bool makes_any(const cJSON *node, const ids *set)
{
	const cJSON *tensor;
	cJSON_ArrayForEach(
	    tensor, key(node, "outputs")) if (ids_has(set, id_of(tensor))) return true;
	return false;
}

static void drop_unused_inputs(cJSON *model)
{
	ids used = ids_for(model);
	if (!used.in)
		return;
	const cJSON *node;
	cJSON_ArrayForEach(node, key(model, "nodes")) add_node_refs(&used, node);
	cJSON *inputs = key(model, "inputs");
	for (int i = cJSON_GetArraySize(inputs); i-- > 0;)
		if (!ids_has(&used, id_of(cJSON_GetArrayItem(inputs, i))))
			cJSON_DeleteItemFromArray(inputs, i);
	free(used.in);
}

/* Drops the nodes that no output needs, from the last to the first. */
static void drop_unused_nodes(cJSON *model)
{
	ids needed = ids_for(model);
	if (!needed.in)
		return;
	const cJSON *output;
	cJSON_ArrayForEach(output, key(model, "outputs")) ids_add(&needed, output->valueint);
	cJSON *nodes = key(model, "nodes");
	for (int i = cJSON_GetArraySize(nodes); i-- > 0;) {
		cJSON *node = cJSON_GetArrayItem(nodes, i);
		if (makes_any(node, &needed))
			add_node_refs(&needed, node);
		else
			cJSON_DeleteItemFromArray(nodes, i);
	}
	free(needed.in);
}

char *model_up_to_node(const char *model, int node)
{
	cJSON *tree = json_parse(model, "model", 0, NULL), *nodes = key(tree, "nodes");
	const cJSON *tensor, *made = key(cJSON_GetArrayItem(nodes, node), "outputs");
	char *line = NULL;
	if (cJSON_GetArraySize(made) > 0) {
		cJSON *outputs = cJSON_CreateArray();
		cJSON_ArrayForEach(tensor, made)
		    cJSON_AddItemToArray(outputs, cJSON_CreateNumber(id_of(tensor)));
		cJSON_ReplaceItemInObjectCaseSensitive(tree, "outputs", outputs);
		drop_unused_nodes(tree);
		drop_unused_inputs(tree);
		line = print(tree);
	}
	cJSON_Delete(tree);
	return line;
}

/* Takes the outputs of the model that a node made away; false when none is left. */
static bool drop_outputs_of(cJSON *model, const cJSON *node)
{
	cJSON *outputs = key(model, "outputs");
	const cJSON *tensor;
	for (int i = cJSON_GetArraySize(outputs); i-- > 0;) {
		int id = cJSON_GetArrayItem(outputs, i)->valueint;
		bool its = false;
		cJSON_ArrayForEach(tensor, key(node, "outputs")) its = its || id_of(tensor) == id;
		if (its)
			cJSON_DeleteItemFromArray(outputs, i);
	}
	return cJSON_GetArraySize(outputs) > 0;
}

char *model_without_node(const char *model, int node)
{
	cJSON *tree = json_parse(model, "model", 0, NULL), *nodes = key(tree, "nodes"), *tensor;
	char *line = NULL;
	cJSON *gone =
	    node < cJSON_GetArraySize(nodes) ? cJSON_DetachItemFromArray(nodes, node) : NULL;
	if (gone && drop_outputs_of(tree, gone)) {
		while ((tensor = cJSON_DetachItemFromArray(key(gone, "outputs"), 0)))
			cJSON_AddItemToArray(key(tree, "inputs"), tensor);
		drop_unused_inputs(tree);
		line = print(tree);
	}
	cJSON_Delete(gone);
	cJSON_Delete(tree);
	return line;
}

int model_count(const char *model, const char *what)
{
	cJSON *tree = json_parse(model, "model", 0, NULL);
	int n = cJSON_GetArraySize(key(tree, what));
	cJSON_Delete(tree);
	return n;
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char *model_apis(const char *model)
{
	cJSON *tree = json_parse(model, "model", 0, NULL), *nodes = key(tree, "nodes");
	size_t n = 0, room = (size_t)cJSON_GetArraySize(nodes) + 1;
	const char **names = calloc(room, sizeof *names);
	const cJSON *node;
	buf text = {0};
	cJSON_ArrayForEach(node, nodes) if (names && cJSON_IsString(key(node, "api"))) names[n++] =
	    key(node, "api")->valuestring;
	if (n)
		qsort(names, n, sizeof *names, by_bytes);
	buf_puts(&text, "");
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(names[i], names[i - 1]) != 0)
			buf_printf(&text, "%s%s", text.length ? " + " : "", names[i]);
	free(names);
	cJSON_Delete(tree);
	return text.text;
}

/* ---- names */

bool same_failure(const judgement *a, const judgement *b)
{
	if (a->verdict != b->verdict)
		return false;
	if (a->verdict == VERDICT_error || a->verdict == VERDICT_unsupported)
		return a->key && b->key && strcmp(a->key, b->key) == 0;
	return a->verdict != VERDICT_crash || a->signal == b->signal;
}

char *failure_signature(const judgement *j, const char *apis)
{
	buf text = {0};
	buf_puts(&text, j->key ? j->key : "");
	if (j->verdict != VERDICT_inconsistency)
		buf_printf(&text, "|%s", apis);
	return text.text;
}

char *failure_title(const judgement *j, const char *backend, const char *apis)
{
	const cJSON *error = key(j->answer, "error"), *type = error ? key(error, "type") : NULL;
	buf text = {0}, message = {0};
	normalise(j->message, 160, &message);
	const char *why = message.length ? message.text : "";
	buf_printf(&text, "%s: %s in %s: ", backend, verdict_name(j->verdict), apis);
	if (j->verdict == VERDICT_error || j->verdict == VERDICT_unsupported)
		buf_printf(&text, "%s: %s", cJSON_IsString(type) ? type->valuestring : "", why);
	else if (j->verdict == VERDICT_inconsistency)
		buf_printf(&text, "%s differs: %.200s", j->api, j->message);
	else if (j->signal)
		buf_printf(&text, "killed by signal %d (%s)", j->signal, strsignal(j->signal));
	else
		buf_printf(&text, "while the target was in stage %s", j->stage);
	buf_free(&message);
	return text.text;
}

/* ---- triage */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct reduction {
	oracle *oracle;
	triage *result;
	double deadline;
	diag *d;
	bool failed, stopped;
} reduction;

/* Takes a smaller model when it fails alike; candidate is freed. */
static bool try(reduction *r, char *candidate)
{
	judgement j;
	if (!candidate || r->failed || r->stopped || now() > r->deadline) {
		free(candidate);
		return false;
	}
	r->result->tried++;
	r->failed = !oracle_check(r->oracle, candidate, &j, r->d);
	r->stopped = !r->failed && j.verdict == VERDICT_stopped;
	if (r->failed || !same_failure(&j, &r->result->last)) {
		judgement_free(&j);
		free(candidate);
		return false;
	}
	free(r->result->model);
	judgement_free(&r->result->last);
	r->result->model = candidate;
	r->result->last = j;
	return true;
}

/* The first node whose results show the failure, with what it needs; then less of what it needs. */
static void reduce(reduction *r)
{
	int nodes = model_count(r->result->model, "nodes");
	for (int i = 0; i < nodes; i++)
		if (try(r, model_up_to_node(r->result->model, i)))
			break;
	for (int i = model_count(r->result->model, "nodes"); i-- > 0;)
		try(r, model_without_node(r->result->model, i));
}

static bool describe(triage *t, const char *backend)
{
	free(t->apis);
	free(t->signature);
	free(t->title);
	t->signature = t->title = NULL;
	t->apis = model_apis(t->model);
	t->nodes = model_count(t->model, "nodes");
	if (t->apis) {
		t->signature = failure_signature(&t->last, t->apis);
		t->title = failure_title(&t->last, backend, t->apis);
	}
	return t->signature && t->title;
}

bool triage_reduce(
    oracle *o, const char *model, const judgement *first, double seconds, triage *t, diag *d)
{
	*t = (triage){.last = {.api = "", .message = ""}, .model = strdup(model), .tried = 1};
	bool ok = t->model ? oracle_check(o, model, &t->last, d) : diag_set(d, "out of memory");
	if (!ok || !same_failure(&t->last, first))
		return ok;
	reduction r = {.oracle = o, .result = t, .deadline = now() + seconds, .d = d};
	reduce(&r);
	if (r.failed)
		return false;
	if (r.stopped)
		t->last.verdict = VERDICT_stopped;
	else
		t->again = true;
	return describe(t, o->backend) || diag_set(d, "out of memory");
}

bool triage_confirm(oracle *fresh, const char *original, const judgement *first, triage *t,
    bool *confirmed, diag *d)
{
	judgement j;
	bool smaller = true, ok = oracle_check(fresh, t->model, &j, d);
	*confirmed = ok && same_failure(&j, &t->last);
	if (ok && !*confirmed && j.verdict != VERDICT_stopped) {
		judgement_free(&j);
		oracle_close(fresh);
		smaller = false;
		ok = oracle_check(fresh, original, &j, d);
		*confirmed = ok && same_failure(&j, first);
	}
	if (*confirmed && !smaller) {
		free(t->model);
		t->model = strdup(original);
	}
	if (*confirmed || (ok && j.verdict == VERDICT_stopped)) {
		judgement_free(&t->last);
		t->last = j;
		j = (judgement){0};
	}
	if (*confirmed) {
		ok = t->model && describe(t, fresh->backend);
		if (ok)
			t->script = oracle_script(fresh, t->model, t->title);
		else
			diag_set(d, "out of memory");
	}
	judgement_free(&j);
	oracle_close(fresh);
	return ok;
}

void triage_free(triage *t)
{
	judgement_free(&t->last);
	free(t->model);
	free(t->signature);
	free(t->title);
	free(t->apis);
	free(t->script);
	*t = (triage){0};
}
