#include "opset.h"

#include <stdlib.h>
#include <string.h>

#include "rulesmith.h"

/* The 65 operators of Isra's generator (SCIS 2025, section 4: "supporting the generation of 65
 * operations in total"). */
static const char *const ISRA65_ONNX[] = {
	"Abs", "Add", "AveragePool", "BatchNormalization", "Ceil", "Compress", "Concat", "Conv",
	"Cos", "Div", "Elu", "Erf", "Exp", "Expand", "Flatten", "Floor", "Gather", "Gemm",
	"GlobalAveragePool", "GlobalMaxPool", "HardSigmoid", "Identity", "LeakyRelu", "LpPool",
	"MatMul", "Max", "MaxPool", "Mean", "Min", "Mul", "Neg", "PRelu", "Pad", "Reciprocal",
	"ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
	"ReduceProd", "ReduceSum", "ReduceSumSquare", "Relu", "Reshape", "Resize", "Round", "Selu",
	"Sigmoid", "Sign", "Sin", "Slice", "Softmax", "Softplus", "Softsign", "SpaceToDepth",
	"Split", "Sqrt", "Sub", "Sum", "Tanh", "ThresholdedRelu", "Tile", "Transpose", "Unsqueeze",
};

static const struct {
	const char *set, *framework;
	const char *const *names;
	size_t count;
} SETS[] = {
#define SET(set, framework, names) {set, framework, names, sizeof(names) / sizeof *(names)}
    SET("isra65", "onnx", ISRA65_ONNX),
#undef SET
};

const char *const *opset_list(const char *set, const char *framework, size_t *count)
{
	for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
		if (strcmp(SETS[i].set, set) == 0 && strcmp(SETS[i].framework, framework) == 0) {
			*count = SETS[i].count;
			return SETS[i].names;
		}
	*count = 0;
	return NULL;
}

bool opset_exists(const char *set)
{
	for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
		if (strcmp(SETS[i].set, set) == 0)
			return true;
	return false;
}

static int by_bytes(const void *key, const void *name)
{
	return strcmp(key, *(const char *const *)name);
}

bool opset_has(const char *set, const char *framework, const char *api)
{
	size_t count, n;
	const char *module = rs_framework_module(framework);
	const char *const *names = opset_list(set, framework, &count);
	n = strlen(module);
	return names && strncmp(api, module, n) == 0 && api[n] == '.'
	       && bsearch(api + n + 1, names, count, sizeof *names, by_bytes);
}
