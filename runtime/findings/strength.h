/* SQL that ranks rows of one bucket, the best first, for merging databases and for merging findings of one database. The order is
 * total over a row's contents, so it does not depend on the origin of a row. */
#ifndef STRENGTH_H
#define STRENGTH_H

/* The best reproduction: a short script before none, reduced to the end before not, fewer nodes, less text. */
#define STRENGTH_REPRODUCTION                                                                                          \
	"short_script = '', reduced DESC, nodes, length(model), length(short_script), length(script), model,"          \
	" short_script, script, original, versions, seed, model_index, value_seed, detail, log, title, apis, kind,"    \
	" backend, class, pass, smaller"

/* The strongest decision: a person's before a run's. */
#define STRENGTH_DECISION                                                                                              \
	"CASE status WHEN 'not-a-bug' THEN 0 WHEN 'known' THEN 1 WHEN 'open' THEN 2 WHEN 'flaky' THEN 3"               \
	" WHEN 'fixed' THEN 4 WHEN 'unsupported' THEN 5 ELSE 6 END, status, checked DESC, reason DESC, fixed_in DESC"

/* Ids of unsupported findings are above this one, so that ids of bugs begin with 1. */
#define STRENGTH_UNSUPPORTED_IDS 100000
#define STRENGTH_TEXT(number) STRENGTH_LITERAL(number)
#define STRENGTH_LITERAL(number) #number

#endif
