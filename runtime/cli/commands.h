/* The subcommands of rulefuzz, one file each (cmd_NAME.c). Each gets its own argc and argv (argv[0] is the subcommand) and
 * returns the exit code of the program. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cli.h"

/* COMMAND(name, group, one line of help), in the order of `rulefuzz --help`; an underscore is a hyphen on the command line. */
#define COMMANDS(COMMAND)                                                                                     \
	COMMAND(backends, "Fuzz a compiler", "list the compilers and whether they are installed")            \
	COMMAND(run, "Fuzz a compiler", "run generated models on a backend and record findings")             \
	COMMAND(ci, "Fuzz a compiler", "run and report changes, for continuous integration")                 \
	COMMAND(list, "Work with findings", "list the findings in a database")                               \
	COMMAND(show, "Work with findings", "show one finding")                                              \
	COMMAND(explain_finding, "Work with findings", "explain how a finding was compared and confirmed")   \
	COMMAND(report, "Work with findings", "write findings as HTML, Markdown, SARIF and JUnit XML")       \
	COMMAND(mark, "Work with findings", "set the status of findings")                                    \
	COMMAND(repro, "Work with findings", "run the script of a finding in a fresh process")               \
	COMMAND(recheck, "Work with findings", "rerun findings and update their status")                     \
	COMMAND(reduce, "Work with findings", "reduce the models of findings")                               \
	COMMAND(triage, "Work with findings", "reduce and confirm the failures that a run left")             \
	COMMAND(merge, "Work with findings", "merge databases of several machines into one")                 \
	COMMAND(rules, "Look at rules", "print the rule of an API, or count rules")                          \
	COMMAND(eval, "Look at rules", "evaluate rules: is a call valid, and what shapes result?")           \
	COMMAND(verify, "Look at rules", "check rules with fresh calls of the live framework")               \
	COMMAND(site, "Look at rules", "write HTML pages of all rules")                                      \
	COMMAND(gen, "Generate models", "generate valid models as JSON, scripts or model files")             \
	COMMAND(coverage, "Generate models", "measure the diversity of models")                              \
	COMMAND(validity, "Generate models", "count the models that a framework accepts")                    \
	COMMAND(worker, "Internal", "run the fast path of `rulefuzz run`")

#define X(name, group, help) int cmd_##name(int argc, char **argv);
COMMANDS(X)
#undef X

#endif
