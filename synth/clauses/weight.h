#ifndef WEIGHT_H
#define WEIGHT_H

#include <stdint.h>

/* 2^48 × exp(-cost / 9): what a clause of that description length weighs. In integers, since a machine's exp may
 * differ in the last bit and ties would then fall otherwise. */
uint64_t weight_of(int cost);
/* Of the prices 0 … n - 1. */
void weights_of(uint64_t *to, int n);

#endif
