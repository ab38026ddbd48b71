/* The subcommands of rulefuzz, one file each (cmd_NAME.c). Each takes its own argc and argv (argv[0]
 * is the subcommand) and returns the program's exit code. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cli.h"

/* COMMAND(name, one line of help); an underscore is a hyphen on the command line */
#define COMMANDS(COMMAND)                                                                          \
	COMMAND(eval, "answer whether calls are valid, and with which output shapes")              \
	COMMAND(rules, "list what the rule table knows, and why an operator has no rule")          \
	COMMAND(site, "write pages of all rules: signatures, rules, pictures, C")                  \
	COMMAND(gen, "generate valid models")                                                      \
	COMMAND(coverage, "say how diverse models are, in numbers and charts")                     \
	COMMAND(backends, "list the compilers that there are to fuzz, and which are installed")    \
	COMMAND(run, "generate models, run them on a backend and its reference, keep findings")    \
	COMMAND(ci, "run, and report what is new: one command for a job of a build server")      \
	COMMAND(list, "list the findings in a database")                                           \
	COMMAND(show, "show one finding")                                                          \
	COMMAND(explain_finding, "say in words what was compared, and who was asked")               \
	COMMAND(mark, "give findings a status, and say why")                                       \
	COMMAND(merge, "make one database of the findings of several machines")                   \
	COMMAND(report, "write what a database holds as a page, as SARIF, JUnit's XML and Markdown")  \
	COMMAND(repro, "run a finding's repro script again in a fresh worker")                     \
	COMMAND(recheck, "run findings again: which are gone, and which are back")                 \
	COMMAND(reduce, "make findings smaller")                                                   \
	COMMAND(verify, "ask the live framework how often the rules are right")                    \
	COMMAND(validity, "run models by the framework alone: how many are valid?")                \
	COMMAND(worker, "take a first look at models for `rulefuzz run`")

#define X(name, help) int cmd_##name(int argc, char **argv);
COMMANDS(X)
#undef X

#endif
