/* Corpus files of rulefuzz coverage. */
#include "metrics_corpus.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input in = input_open(data, size);
	diag d = {""};
	metrics *m = metrics_new(NULL);
	if (!m || (!metrics_corpus_file(m, in.path, &d) && !d.text[0]))
		abort();
	metrics_free(m);
	input_close(&in);
	return 0;
}
