/* The folder of a report:
 *
 *   rulefuzz.sarif   for code hosts            junit.xml    for build servers
 *   summary.md       for people, in the job    report.html  for people, by itself
 *   scripts/ID.py    the script of each finding that is not closed
 */
#ifndef REPORT_FILES_H
#define REPORT_FILES_H

#include "digest.h"

/* Creates the folder, sets g->scripts and g->written, and writes all files, each whole or not at all. If GITHUB_STEP_SUMMARY
 * names a file, the summary is appended to it. False and d on failure. */
bool report_files_write(digest *g, const char *folder, arena *a, diag *d);

#endif
