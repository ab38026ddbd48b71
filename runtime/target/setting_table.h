/* The settings that vary per model, from a target's file in rulefuzz/settings, one line each, the default first:
 *
 *   SETTINGS = {
 *       "execution_mode": ("ORT_SEQUENTIAL", "ORT_PARALLEL"),
 *   }
 *   COSTLY = ("enable_mem_reuse",)
 *   OFTEN = ("gemm",)
 *   SHARE = 300
 *
 * Optional lines:
 *   SHARE   per mille of the models that `run` gives settings
 *   COSTLY  settings that the target's fast path cannot apply: models with them take many times as long
 *   OFTEN   settings that half of these models get in addition, since few models have the calls that they affect
 */
#ifndef SETTING_TABLE_H
#define SETTING_TABLE_H

#include <stdint.h>

enum { SETTINGS_MOST = 32, SETTING_VALUES = 8, SETTING_TEXT = 64, SETTINGS_SHARE = 300 };

typedef struct setting_row {
	char name[SETTING_TEXT], values[SETTING_VALUES][SETTING_TEXT];
	int nvalues; /* 2 at least */
	int costly, often;  /* booleans */
} setting_row;

typedef struct setting_table {
	setting_row rows[SETTINGS_MOST];
	int n;
	uint32_t share; /* per mille of the models that have any by default; SETTINGS_SHARE if the file names none */
} setting_table;

/* Reads the settings of the target whose file is TREE/targets/NAME.py from TREE/settings/NAME.py; none if there is no such
 * file. Rows with fewer than two values are skipped. */
void setting_table_read(setting_table *t, const char *path);

/* Adds the rows that the table lacks. The share is that of the table with the most. */
void setting_table_join(setting_table *t, const setting_table *more);

#endif
