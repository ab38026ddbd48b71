/* Rules run: what the compiled functions answer, where equal.h says what they would.
 *
 *   records   every recorded call through the compiled rule: it accepts what passed, with the outputs that were seen, and
 *             refuses what was refused. Of a rule for tensors with elements only, empty ones that passed may be refused, as
 *             many as it says
 *   draws     calls that the compiled samplers give, judged by the rule's text: all of it holds, and the outputs are what
 *             the text says. How often a sampler gave none, or backwards none with the wanted output, is counted
 */
#ifndef AUDIT_BEHAVE_H
#define AUDIT_BEHAVE_H

#include "rules.h"

typedef struct behaviour_options {
	const char *library;   /* librulesmith.so */
	const char *const *traces; /* folders of records */
	unsigned ntraces, draws;   /* draws: of each rule, forwards and backwards */
	const char *only;	   /* of one API or operator; NULL: all */
	int jobs;
} behaviour_options;

typedef struct behaviour {
	unsigned long rules;
	unsigned long passed, failed;	 /* records, as recorded */
	unsigned long left_out, beyond;	 /* passing ones of empty tensors that a rule goes without; of no int64 */
	unsigned long forward, backward; /* draws */
	unsigned long none, none_direct, none_back; /* that gave none: in all, of samplers said to have no dead end, backwards */
	unsigned long unsaid;		 /* rules whose text is no term: their draws are judged by the compiled rule alone */
	unsigned long wrong;
} behaviour;

/* Says each wrong answer on stderr, `path:line: error: WRONG: …`. False: something cannot be read. */
bool behave(const rules *r, const behaviour_options *o, behaviour *to);

/* What the compiled rule says of symbols, as "accepted, [3,4]", "refused", or why it cannot be asked. */
void behave_at(const char *library, const char *op, const int64_t *s, unsigned nsym, char *text, size_t size);

#endif
