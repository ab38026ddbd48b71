/* Answers for calls: parse, bind, evaluate. See rs_answer in rulesmith.h. */
#ifndef CALL_ANSWER_H
#define CALL_ANSWER_H

#include "buf.h"
#include "rulesmith.h"

/* apis: rules of whole APIs, or NULL. Appends the answer to a call as a JSON object, without a newline. False: the text is not a
 * call; the object has "error". */
bool answer_call(const rs_library *lib, const rs_api_library *apis, const char *text, buf *out);

#endif
