/* Smaller versions of a model, for triage. Each is written to another graph and keeps the ids of nodes and tensors. It has
 * outputs, renumbered tensors, and passes graph_check. */
#ifndef REDUCE_H
#define REDUCE_H

#include "graph.h"

/* Keeps one node and its producers; its results are the outputs. `to` is initialized. False: the node is dead, or out of
 * memory. */
bool reduce_to_node(graph *to, const graph *from, uint32_t node);
/* The same with one of a node's results as the only output. */
bool reduce_to_output(graph *to, const graph *from, uint32_t tensor);
/* A node alone: its results are the outputs, its operands inputs. False as above. */
bool reduce_to_call(graph *to, const graph *from, uint32_t node);
/* The same with one producer of its operands, whose results are outputs if they were. */
bool reduce_to_pair(graph *to, const graph *from, uint32_t maker, uint32_t node);
/* Replaces a node's results by inputs, of the widest class of elements up to the default that all users accept. Removes
 * everything that only the node needed; keep: operands made by other nodes become outputs instead. Also false if no output would
 * remain, with keep if no other node made an operand, and for the last node of an invalid model. */
bool reduce_without_node(graph *to, const graph *from, uint32_t node, bool keep);
/* Drops a call that writes to its operands, so that these replace its results (drop), or makes it write to copies. False also if
 * it gets copies already, and with drop if a used result is not an operand. */
bool reduce_write(graph *to, const graph *from, uint32_t node, bool drop);
/* Keeps a body's structure without its computation: used results of a node in a body are replaced by inputs, each
 * passed through an Identity. keep: as above. Also false outside of bodies, for an Identity, and if the table has no
 * Identity for a needed rank and dtype. */
bool reduce_to_identity(graph *to, const graph *from, uint32_t node, bool keep, const rs_table *table);

/* Turns a constant (GRAPH_NONE: all) into a fed input, except 4-bit integers: onnxruntime does not take them from numpy. False
 * also if there is none. */
bool reduce_constant(graph *to, const graph *from, uint32_t tensor);

/* Changes the dtype of an input (tensor; GRAPH_NONE: all) and of tensors computed from it, by the rows recorded for the
 * operators. False also without such an input or row. */
bool reduce_dtype(graph *to, const graph *from, uint32_t tensor, uint8_t old, uint8_t new);

/* Restricts all elements of an input (GRAPH_NONE: all inputs) to 0 or 1 if its class includes these and no call bounds
 * them. False also if nothing changes. */
bool reduce_elements(graph *to, const graph *from, uint32_t tensor, int64_t element);

/* Ends each of these: removes unused parts, renumbers, and checks. False: the model is invalid. */
bool reduce_finish(graph *g);
/* The model with one of its shape instances alone, or with the first and another one. */
bool reduce_assignments(graph *to, const graph *from, uint32_t assignment, bool first);
/* Drops the layout of an input (GRAPH_NONE: of all): it is contiguous and shares no memory. */
bool reduce_layout(graph *to, const graph *from, uint32_t tensor);
/* Drops the gradients; turns a module into a function. */
bool reduce_gradients(graph *to, const graph *from);
/* Moves the model to the newest operator set that has all calls. False if it is in that set already, or has none. */
bool reduce_opset(graph *to, const graph *from);
bool reduce_module(graph *to, const graph *from);
/* Drops a setting of the target (GRAPH_SETTINGS_MAX: all). */
bool reduce_setting(graph *to, const graph *from, unsigned setting);
/* Drops an item of its session, or makes it plain: its number is 0. False also if it is plain already. */
bool reduce_session_item(graph *to, const graph *from, unsigned list, unsigned item, bool drop);
/* Drops its session: it is called once, like other models. */
bool reduce_session(graph *to, const graph *from);
/* Drops one of its bodies: its calls join the others. */
bool reduce_body(graph *to, const graph *from, unsigned body);
/* Removes one of the traits (BODY_TRAITS) of a subgraph: moves its constants outside, gives it the plain form, and a Scan one
 * trip, forward along the first axis. False: it does not have the trait. */
enum { BODY_TRAITS = 5 };
bool reduce_body_trait(graph *to, const graph *from, unsigned body, unsigned trait);

#endif
