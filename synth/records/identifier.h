/* Names in records: identifiers that are valid in C and Python, alone or joined by dots. */
#ifndef IDENTIFIER_H
#define IDENTIFIER_H

#include <stdbool.h>

bool is_identifier(const char *text);
bool is_dotted(const char *text); /* such as "torch.nn.functional.conv2d" */

#endif
