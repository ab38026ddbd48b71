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

/* The 50 operators of graph-based fuzz testing (ICSE 2021, section IV.B), TensorFlow's, as its raw
 * operators; "Resize" stands for the bicubic one. Then what the other frameworks have of them. */
static const char *const GRAPH50_TENSORFLOW[] = {
	"raw_ops.AddV2", "raw_ops.ArgMax", "raw_ops.AvgPool", "raw_ops.BatchToSpaceND",
	"raw_ops.BiasAdd", "raw_ops.Cast", "raw_ops.Ceil", "raw_ops.ConcatV2",
	"raw_ops.Conv2D", "raw_ops.Conv2DBackpropInput", "raw_ops.CropAndResize",
	"raw_ops.DepthwiseConv2dNative", "raw_ops.Exp", "raw_ops.ExpandDims", "raw_ops.Fill",
	"raw_ops.FusedBatchNormV3", "raw_ops.GatherV2", "raw_ops.Greater", "raw_ops.LRN",
	"raw_ops.Max", "raw_ops.MaxPool", "raw_ops.Maximum", "raw_ops.Mean", "raw_ops.Minimum",
	"raw_ops.Mul", "raw_ops.Prod", "raw_ops.RealDiv", "raw_ops.Relu", "raw_ops.Relu6",
	"raw_ops.Reshape", "raw_ops.ResizeBicubic", "raw_ops.ResizeBilinear",
	"raw_ops.ResizeNearestNeighbor", "raw_ops.Rsqrt", "raw_ops.Selu", "raw_ops.Shape",
	"raw_ops.Sigmoid", "raw_ops.Slice", "raw_ops.Softmax", "raw_ops.SpaceToBatchND",
	"raw_ops.Sqrt", "raw_ops.Square", "raw_ops.Squeeze", "raw_ops.StridedSlice",
	"raw_ops.Sub", "raw_ops.Sum", "raw_ops.Tanh", "raw_ops.Tile", "raw_ops.TopKV2",
	"raw_ops.Transpose",
};

static const char *const GRAPH50_TORCH[] = {
	"Tensor.__getitem__", "Tensor.fill_", "Tensor.to", "add", "amax", "argmax", "cat",
	"ceil", "div", "exp", "gather", "gt", "index_select", "maximum", "mean", "minimum",
	"mul", "narrow", "nn.functional.avg_pool2d", "nn.functional.batch_norm",
	"nn.functional.conv2d", "nn.functional.conv_transpose2d", "nn.functional.interpolate",
	"nn.functional.local_response_norm", "nn.functional.max_pool2d", "nn.functional.relu6",
	"nn.functional.selu", "nn.functional.upsample_bilinear",
	"nn.functional.upsample_nearest", "permute", "prod", "relu", "reshape", "rsqrt",
	"sigmoid", "softmax", "sqrt", "square", "squeeze", "sub", "sum", "tanh", "tile",
	"topk", "unsqueeze",
};

static const char *const GRAPH50_ONNX[] = {
	"Add", "ArgMax", "AveragePool", "BatchNormalization", "Cast", "Ceil", "Clip", "Concat",
	"ConstantOfShape", "Conv", "ConvTranspose", "DepthToSpace", "Div", "Exp", "Gather",
	"Greater", "LRN", "Max", "MaxPool", "Min", "Mul", "ReduceMax", "ReduceMean",
	"ReduceProd", "ReduceSum", "Relu", "Reshape", "Resize", "Selu", "Shape", "Sigmoid",
	"Slice", "Softmax", "SpaceToDepth", "Sqrt", "Squeeze", "Sub", "Tanh", "Tile", "TopK",
	"Transpose", "Unsqueeze",
};

static const struct {
	const char *set, *framework;
	const char *const *names;
	size_t count;
} SETS[] = {
#define SET(set, framework, names) {set, framework, names, sizeof(names) / sizeof *(names)}
    SET("isra65", "onnx", ISRA65_ONNX),
    SET("graph50", "tensorflow", GRAPH50_TENSORFLOW),
    SET("graph50", "torch", GRAPH50_TORCH),
    SET("graph50", "onnx", GRAPH50_ONNX),
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
