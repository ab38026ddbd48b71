/* Numbers of expressions: of a bank over some symbols, and in closed form for each pruning of Table 5 of NeuRI's
 * paper. */
#ifndef BANK_COUNT_H
#define BANK_COUNT_H

#include "bank_options.h"

/* Expressions over this many symbols, without constant ones: the sum of C(symbols, h) times the classes of h holes.
 * symbols must not exceed the bank's holes. */
uint64_t bank_total(const bank *b, int symbols);

/* Table 5's column "None": Catalan trees, 7 operations, without constant-only trees. */
uint64_t bank_count_unpruned(int symbols, int ops);
/* Column "Equiv." as published: trees that the rules of commutativity and associativity keep; holes may repeat. The
 * rules are syntactic, so several kept trees may be equal functions. */
uint64_t bank_count_formal(int symbols, int ops);
/* Column "Rarity", by either definition. */
uint64_t bank_count_rare(int symbols, int ops, bank_rarity rarity);

#endif
