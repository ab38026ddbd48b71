/* Checks texts of a table or model file before they are written into a Python script.
 *
 *   value  ::= word | number | string | '(' list ')' | '[' list ']'
 *   word   ::= None | True | False | [-] inf | [-] nan | MODULE '.' identifier, of a framework that has scripts
 *   string ::= quoted printable ASCII without a backslash
 *
 * All other texts are rejected, calls above all. */
#ifndef PYTHON_LITERAL_H
#define PYTHON_LITERAL_H

#include <stdbool.h>

#include "buf.h"

bool literal_safe(const char *text);
void literal_python(const char *text, buf *out); /* writes the text; inf as float("inf") */
bool identifier_safe(const char *text, bool dotted);

#endif
