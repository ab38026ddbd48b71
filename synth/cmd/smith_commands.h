/* The subcommands of rulesmith. Each takes its own argc and argv (argv[0] is the subcommand) and
 * returns the exit code: 0 clean, 1 bad input or I/O, 2 usage, 3 a check failed,
 * 5 the framework is missing. */
#ifndef COMMANDS_H
#define COMMANDS_H

/* COMMAND(name, one line of help) */
#define COMMANDS(COMMAND)                                                                          \
	COMMAND(synth, "learn rules from records: traces to rules.jsonl")                          \
	COMMAND(emit, "write rules as C: rules.jsonl to generated/")                               \
	COMMAND(explain, "show an operator's rule, what was refuted and by which record")          \
	COMMAND(refine, "ask a live framework what the records leave open, and keep its answers")  \
	COMMAND(questions, "make inputs that each break one clause of a rule, for rulefuzz verify")  \
	COMMAND(diff, "what another version accepts more, less, or answers otherwise")              \
	COMMAND(learn, "your own operator: from a call to its rules, a library of them and models that use it")  \
	COMMAND(holdout, "cross-validate: learn from a part of the records, ask about the rest")   \
	COMMAND(bank, "enumerate NeuRI's expression bank and print its Table 5")

#define X(name, help) int cmd_##name(int argc, char **argv);
COMMANDS(X)
#undef X

#endif
