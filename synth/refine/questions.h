/* Single-clause questions about all rules, as lines for `rulefuzz verify --questions` (docs/reference/file-formats.md, "Single-clause
 * questions"). None is among the records, and the same seed gives the same ones whatever the threads.
 */
#ifndef QUESTIONS_H
#define QUESTIONS_H

#include "pipeline.h"

typedef struct questions_options {
	shard shard; /* of the operators, neighbours in their order: the shards' lines one behind the other are the whole's */
	pipeline_options pipeline; /* glob: operators asked about; rules are those of all records */
	const char *framework; /* of operators asked about; NULL: any */
	int each; /* questions for a clause, at most */
	uint64_t seed;
} questions_options;

typedef struct questions_result {
	buf lines;
	long operators, clauses; /* with a rule */
	long drawn, solved;	 /* questions, by trial and by Z3 */
	long implied;		 /* clauses that Z3 shows the others to imply on the box */
	long open;		 /* and those that nothing was found to break alone */
	long left_open;		 /* and those that claim nothing of the framework (record_subset.h): nothing is asked of them */
	double seconds;
} questions_result;

questions_result questions_make(records *r, const questions_options *o);

#endif
