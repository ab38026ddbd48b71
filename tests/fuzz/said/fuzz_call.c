/* Calls as text, against the linked table. */
#include <string.h>

#include "input.h"
#include "rulesmith.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	char *answer = rs_answer(&rs_rules, NULL, text);
	if (!answer || *answer != '{')
		abort();
	free(answer);
	free(text);
	return 0;
}
