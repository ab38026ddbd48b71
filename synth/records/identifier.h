/* Names from traces: identifiers of C and of Python, alone or joined by dots. */
#ifndef IDENTIFIER_H
#define IDENTIFIER_H

#include <stdbool.h>

bool is_identifier(const char *text);
bool is_dotted(const char *text); /* "torch.nn.functional.conv2d" */

#endif
