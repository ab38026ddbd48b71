/* A model of four calls for tests of triage, as graph_read_json reads it.
 *
 *   0 ─► a ─► 2 ─► b ─► 3, 4     3 and 1 ─► c ─► 5 (output)     2 ─► d ─► 6 (output)
 */
#ifndef SMALL_MODEL_H
#define SMALL_MODEL_H

#include "model_read.h"

#define T(id, n) "{\"id\":" #id ",\"shape\":[" #n "],\"dtype\":\"float32\"}"
#define X(ref) "{\"name\":\"x\",\"pos\":true,\"value\":{\"ref\":" #ref "}}"

static const char SMALL_MODEL[] =
    "{\"model\":1,\"framework\":\"t\",\"seed\":1,\"index\":3,\"values\":18446744073709551615,"
    "\"inputs\":[" T(0, 2) "," T(1, 1) "],\"nodes\":["
    "{\"op\":\"t.a-0\",\"api\":\"t.a\",\"args\":[" X(0) "],\"outputs\":[" T(2, 2) "]},"
    "{\"op\":\"t.b-0\",\"api\":\"t.b\",\"args\":[" X(2) ",{\"name\":\"n\",\"pos\":false,\"value\":9223372036854775807}],"
    "\"outputs\":[" T(3, 2) "," T(4, 2) "]},"
    "{\"op\":\"t.c-0\",\"api\":\"t.c\",\"args\":[{\"name\":\"x\",\"pos\":true,\"value\":[{\"ref\":3},[{\"ref\":1}]]}],"
    "\"outputs\":[" T(5, 2) "]},"
    "{\"op\":\"t.d-0\",\"api\":\"t.a\",\"args\":[" X(2) "],\"outputs\":[" T(6, 2) "]}],\"outputs\":[5,6]}";

#undef T
#undef X

enum { NODE_A, NODE_B, NODE_C, NODE_D };

static inline void read_model(graph *g, const char *line, const rs_library *lib)
{
	diag d = {""};
	if (!graph_read_json(g, line, "model", 1, lib, &d))
		fail_msg("%s\n%.2000s", d.text, line);
	if (!graph_check(g, &d))
		fail_msg("%s\n%.2000s", d.text, line);
}

#endif
