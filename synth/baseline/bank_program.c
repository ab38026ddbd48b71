/* Nodes as programs: flattened once, run at any number of points. */
#include "bank_program.h"

/* The parent's holes that are the child's: the bits of `inner` select among the bits of `outer`. */
static unsigned place_mask(unsigned inner, unsigned outer)
{
	unsigned placed = 0;
	for (; inner; inner >>= 1, outer &= outer - 1)
		if (inner & 1)
			placed |= outer & -outer;
	return placed;
}

static int add_step(program *p, program_step s)
{
	for (int i = 0; i < p->count; i++)
		if (p->steps[i].op == s.op && p->steps[i].left == s.left && p->steps[i].right == s.right)
			return LEAVES + i;
	p->steps[p->count] = s;
	return LEAVES + p->count++;
}

int bank_compile(const bank *b, unsigned mask, const node *n, program *p)
{
	if (n->op == OP_SYM)
		return __builtin_ctz(mask);
	if (n->op == OP_CONST)
		return HOLES + (int)n->left - 1;
	unsigned left_mask = place_mask(n->left_mask, mask), right_mask = place_mask(n->right_mask, mask);
	const node *left = &b->nodes[bank_count_holes(left_mask)].at[n->left];
	const node *right = &b->nodes[bank_count_holes(right_mask)].at[n->right];
	program_step s = {.op = n->op};
	s.left = (uint8_t)bank_compile(b, left_mask, left, p);
	s.right = (uint8_t)bank_compile(b, right_mask, right, p);
	return add_step(p, s);
}

const column *bank_value(const bank *b, int block, const column results[MAX_STEPS], int operand)
{
	if (operand < HOLES)
		return &b->holes[block][operand];
	return operand < LEAVES ? &b->constants[operand - HOLES] : &results[operand - LEAVES];
}

void bank_run(const bank *b, const program *p, int block, column results[MAX_STEPS])
{
	for (int i = 0; i < p->count; i++) {
		program_step s = p->steps[i];
		b->kernels->op(&results[i], (enum op)s.op, bank_value(b, block, results, s.left),
		    bank_value(b, block, results, s.right));
	}
}
