/* The subcommands of rulesmith. Each gets its own argc and argv (argv[0] is the subcommand) and returns the exit
 * code: 0 clean, 1 bad input or I/O, 2 usage, 3 a check failed, 5 the framework is missing. */
#ifndef COMMANDS_H
#define COMMANDS_H

/* COMMAND(name, one line of help) */
#define COMMANDS(COMMAND)                                                                          \
	COMMAND(synth, "learn rules from records (traces/ to rules.jsonl)")                          \
	COMMAND(emit, "write rules as C (rules.jsonl to generated/)")                               \
	COMMAND(explain, "print the reason for each clause of a rule: records, refuted clauses, rivals")         \
	COMMAND(refine, "query a framework where the records leave a rule open, and record its answers")  \
	COMMAND(questions, "write calls that each violate one clause of a rule, for `rulefuzz verify`")  \
	COMMAND(diff, "compare two versions: calls newly accepted or rejected, different outputs")              \
	COMMAND(learn, "learn the rule of your own function, and compile it for rulefuzz")  \
	COMMAND(holdout, "cross-validate: learn from part of the records, test on the rest")   \
	COMMAND(bank, "enumerate NeuRI's expression bank and print its Table 5")

#define X(name, help) int cmd_##name(int argc, char **argv);
COMMANDS(X)
#undef X

#endif
