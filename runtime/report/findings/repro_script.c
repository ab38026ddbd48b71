#include "repro_script.h"

#include <string.h>

const char *repro_script(const finding *f, bool full, buf *room)
{
	if (*f->short_script && !full)
		return f->short_script;
	if (full || !*f->script)
		return f->script;
	/* A #! line must stay the first. */
	const char *behind = strncmp(f->script, "#!", 2) == 0 ? strchr(f->script, '\n') : NULL;
	size_t first = behind ? (size_t)(behind + 1 - f->script) : 0;
	buf_add(room, f->script, first);
	buf_printf(room, "# The long script: no short one reproduced this.\n%s", f->script + first);
	return room->failed ? f->script : room->text;
}
