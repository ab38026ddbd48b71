/* Smaller models of a model, for triage. Each is made into another graph, where nodes and tensors
 * keep their ids; it has outputs, its tensors are numbered anew, and graph_check says yes. */
#ifndef REDUCE_H
#define REDUCE_H

#include "graph.h"

/* A node's results are the outputs, and what they need is the model. `to` is initialised. False:
 * the node is dead, or memory ran out. */
bool reduce_to_node(graph *to, const graph *from, uint32_t node);
/* The same with one tensor that a node made as the only output. */
bool reduce_to_output(graph *to, const graph *from, uint32_t tensor);
/* A node alone: its results are the outputs, all that it takes are inputs. False as above. */
bool reduce_to_call(graph *to, const graph *from, uint32_t node);
/* The same with a node that makes something that it takes, whose results are outputs where they were. */
bool reduce_to_pair(graph *to, const graph *from, uint32_t maker, uint32_t node);
/* A node's results become inputs where they are used, of the widest class of elements that is the
 * default or less and that all users take. What only the node needed goes with it; keep: what others made for it is an output
 * instead. False also where no output of the model would be left, with keep where they made nothing, and of the node that
 * makes a model a near miss. */
bool reduce_without_node(graph *to, const graph *from, uint32_t node, bool keep);
/* A body keeps its place and not what it computes: in the place of a node in one, what is taken of it is an input that is
 * handed on, by an Identity each; keep: as above. False also outside of bodies, of an Identity, and where the table has none of
 * a rank and dtype that another node takes. */
bool reduce_to_identity(graph *to, const graph *from, uint32_t node, bool keep, const rs_table *table);

/* A constant becomes an input that is fed; GRAPH_NONE: all do. False also where there is none. */
bool reduce_constant(graph *to, const graph *from, uint32_t tensor);

/* Inputs of one dtype have another, and what is computed from them the dtypes of the rows that their operators were seen
 * with; tensor: this input only, GRAPH_NONE: all. False also where there is none, or no such row. */
bool reduce_dtype(graph *to, const graph *from, uint32_t tensor, uint8_t old, uint8_t new);

/* All elements of an input are 0 or 1, where its class has it and no call bounds them, unless they are one of these by now;
 * GRAPH_NONE: of all inputs. False also where nothing changes. */
bool reduce_elements(graph *to, const graph *from, uint32_t tensor, int64_t element);

/* Whether a call bounds the elements of a tensor that it takes. */
bool reduce_is_ranged(const graph *g, uint32_t tensor);

/* The end of each of these: takes out what nothing needs, numbers, and checks. False: it is no model. */
bool reduce_finish(graph *g);
/* The model with one of its shape assignments alone, or with the first and another one. */
bool reduce_assignments(graph *to, const graph *from, uint32_t assignment, bool first);
/* Without the layout of an input, of all where it is GRAPH_NONE: it lies in memory as usual, a tensor of its own. */
bool reduce_layout(graph *to, const graph *from, uint32_t tensor);
/* Without gradients; as a function instead of a module. */
bool reduce_gradients(graph *to, const graph *from);
bool reduce_module(graph *to, const graph *from);
/* Without one of its bodies: its calls stand among the others. */
bool reduce_body(graph *to, const graph *from, unsigned body);

#endif
