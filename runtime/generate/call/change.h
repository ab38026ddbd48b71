/* A change to one argument of a call that frameworks mostly reject: a number or elements out of range, another dtype or rank, or
 * a missing tensor. Rules do not cover these changes, so the reference decides. If it rejects the call, a compiler must, too.
 *
 * The graph keeps the call as it was. Its `change` is written with the model, and the worker applies it
 * (rulefuzz/invalid/change.py): a tensor becomes a further input of the model.
 */
#ifndef CHANGE_H
#define CHANGE_H

#include "graph.h"
#include "rng.h"

/* Draws a change to a live call, uniformly from all arguments that can change. *node: the call, GRAPH_NONE if there is none.
 * Draws only from r. */
graph_change change_draw(const graph *g, rng *r, uint32_t *node);

enum { CHANGE_ROUNDS = 8 };
/* The same for one kind: the kinds take turns round by round, and each goes through its numbers or dtypes. The last of
 * CHANGE_ROUNDS rounds changes nothing. */
graph_change change_of_round(const graph *g, uint64_t round, rng *r, uint32_t *node);

#endif
