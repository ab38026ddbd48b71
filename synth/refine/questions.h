/* Questions that violate a single clause of a rule, as lines for `rulefuzz verify --questions`
 * (docs/reference/file-formats.md, "Single-clause questions"). None is among the records. The same seed gives the same
 * questions for any number of threads. */
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include "pipeline.h"

typedef struct questions_options {
	shard shard; /* a range of operators: the outputs of all shards, concatenated, equal one run */
	pipeline_options pipeline; /* glob: operators to query; rules are learned from all records */
	const char *framework; /* framework of the operators; NULL: any */
	int each; /* maximum number of questions per clause */
	uint64_t seed;
} questions_options;

typedef struct questions_result {
	buf lines;
	long operators, clauses; /* that have a rule */
	long drawn, solved;	 /* questions found by random search, and by Z3 */
	long implied;		 /* clauses that the others imply on the box, according to Z3 */
	long open;		 /* clauses without a question */
	long left_open;		 /* clauses that leave the framework's behaviour open (record_subset.h): no question */
	double seconds;
} questions_result;

questions_result questions_make(records *r, const questions_options *o);

#endif
