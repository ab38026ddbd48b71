/* The folder of a report:
 *
 *   rulefuzz.sarif   for code hosts            junit.xml    for build servers
 *   summary.md       for people, in the job    report.html  for people, by itself
 *   scripts/ID.py    what shows each finding, which the others name
 */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "digest.h"

/* Makes the folder, fills in g->scripts and g->written, and writes all files, each whole or not at all. Where
 * GITHUB_STEP_SUMMARY names a file, the summary is added to it. False and d. */
bool report_files_write(digest *g, const char *folder, arena *a, diag *d);

#endif
