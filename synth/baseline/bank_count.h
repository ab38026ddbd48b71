/* Counts of expressions: of a bank's over some symbols, and in closed form what each pruning leaves (Table 5 of
 * NeuRI's paper). */
#ifndef BANK_COUNT_H
#define BANK_COUNT_H

#include "bank_options.h"

/* Expressions over so many symbols, constant ones left out: the sum of C(symbols, h) times classes of h
 * holes. symbols may not exceed the bank's holes. */
uint64_t bank_total(const bank *b, int symbols);

/* Table 5's column "None": Catalan trees, 7 operations, constant-only trees left out. */
uint64_t bank_count_unpruned(int symbols, int ops);
/* Column "Equiv." as published: what its rules of commutativity and associativity leave, holes repeating.
 * They are rules of form: what they leave is not one expression a class. */
uint64_t bank_count_formal(int symbols, int ops);
/* Column "Rarity", by either rule. */
uint64_t bank_count_rare(int symbols, int ops, bank_rarity rarity);

#endif
