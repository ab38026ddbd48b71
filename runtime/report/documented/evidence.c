#include "evidence.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "elements_agree.h"

/* Thresholds, shares of a message's weight and shared bits, from campaigns with tract and onnxruntime; see
 * docs/explanation/verdicts.md. */
static const double COVERED = 0.5, MOSTLY = 0.75, NEARLY_ALL = 0.95, BITS = 10;

void evidence_words(const documented_page *page, words *to)
{
	words_add(to, page->expected);
	words_add(to, page->actual);
	words_add(to, page->quoted);
}

typedef struct overlap {
	double shared;	 /* bits that finding and page have */
	double finding, page; /* share of the finding's and of the page's message that the other has */
} overlap;

/* shown: the message as the page shows it, "" if only its prose has it. Operators are no evidence here. */
static overlap compare(const clues *c, const char *text, const documented_page *page, const char *shown, const words_corpus *corpus)
{
	words ours = {.n = 0}, theirs = {.n = 0}, message = {.n = 0}, operators = {.n = 0};
	words_add(&ours, text);
	words_add(&message, shown);
	evidence_words(page, &theirs);
	clues_operators(c, &operators);
	words_add(&operators, page->operators);
	words_remove(&ours, &operators);
	words_remove(&message, &operators);
	double our_weight = words_weight(corpus, &ours, NULL), their_weight = words_weight(corpus, &message, NULL);
	overlap o = {.shared = words_weight(corpus, &ours, &theirs)};
	o.finding = our_weight > 0 ? o.shared / our_weight : 0;
	o.page = their_weight > 0 ? words_weight(corpus, &message, &ours) / their_weight : 0;
	return o;
}

/* Signals of a process that corrupted its memory; which one kills it is random. */
static bool of_memory(int number)
{
	return number == SIGSEGV || number == SIGABRT || number == SIGBUS;
}

static bool same_signal(const clues *c, const documented_page *page)
{
	static const struct {
		const char *name;
		int number;
	} NAMES[] = {{"SIGABRT", SIGABRT}, {"SIGSEGV", SIGSEGV}, {"SIGFPE", SIGFPE}, {"SIGBUS", SIGBUS}, {"SIGILL", SIGILL}};
	const char *at = strstr(page->actual, "signal ");
	int number = at ? atoi(at + strlen("signal ")) : 0;
	for (size_t i = 0; !number && i < sizeof NAMES / sizeof *NAMES; i++)
		number = strstr(page->actual, NAMES[i].name) ? NAMES[i].number : 0;
	return number && (number == c->signal || (!*c->message && of_memory(number) && of_memory(c->signal)));
}

/* Whether the page names the source file in which a process dies. */
static bool names_place(const documented_page *page)
{
	static const char *const ENDS[] = {".rs", ".cc", ".cpp", ".c", ".h"};
	for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++)
		for (const char *at = page->quoted; (at = strstr(at, ENDS[i])); at++)
			if (!at[strlen(ENDS[i])] || at[strlen(ENDS[i])] == ' ')
				return true;
	return false;
}

/* A process that died without a message leaves only its signal. */
static evidence weigh_crash(const clues *c, const documented_page *page, const words_corpus *corpus)
{
	overlap o = compare(c, c->message, page, "", corpus);
	bool words = *c->message ? o.finding >= COVERED && o.shared >= BITS : c->empty == pages_list_has(page->needs, "zero-size dimension");
	bool killed = same_signal(c, page);
	bool unsure = killed && !words && *c->message && !names_place(page);
	return (evidence){.score = o.finding + killed, .sufficient = killed && words, .unsure = unsure};
}

static evidence weigh_result(const clues *c, const documented_page *page)
{
	bool cause = c->uninitialized || c->overwrites; /* the page has the same: clues_meet */
	bool agree = !cause && elements_agree(c->got, c->expected, page->actual, page->expected);
	return (evidence){.score = agree + cause, .sufficient = agree || cause};
}

static evidence weigh_error(const clues *c, const documented_page *page, const words_corpus *corpus)
{
	overlap o = compare(c, c->message, page, page->actual, corpus), bare = compare(c, c->bare, page, "", corpus);
	bool dtype = clues_name_dtype(c, page);
	/* A page may show only the outermost of several causes; then its title must name a dtype of the model. */
	bool same = o.shared >= BITS && o.page >= COVERED && o.finding >= COVERED, outer = o.page >= NEARLY_ALL && dtype;
	same |= bare.shared >= BITS && bare.finding >= MOSTLY;
	return (evidence){.score = o.finding + o.page + bare.finding + dtype, .sufficient = same || outer};
}

static evidence weigh_validation(const clues *c, const documented_page *page, const words_corpus *corpus)
{
	overlap o = compare(c, c->message, page, page->expected, corpus);
	return (evidence){.score = o.finding, .sufficient = o.finding >= COVERED && o.shared >= BITS};
}

evidence evidence_weigh(const clues *c, const documented_page *page, const words_corpus *corpus)
{
	if (c->uninitialized || strcmp(c->class, "wrong result") == 0)
		return weigh_result(c, page);
	if (strcmp(c->class, "crash") == 0)
		return weigh_crash(c, page, corpus);
	if (strcmp(c->class, "lost validation") == 0)
		return weigh_validation(c, page, corpus);
	if (strcmp(c->class, "rejected valid model") == 0)
		return weigh_error(c, page, corpus);
	return (evidence){0};
}
