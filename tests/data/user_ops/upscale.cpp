// A custom operator with a shape rule and an attribute's constraint of its own, for tests of `rulesmith learn`.
#include <torch/library.h>
#include <ATen/ATen.h>

// x [N, C, L], weight [C, K], by f: [N, C, L*f - K + 1]; f is 1 to 4 and divides C, K is at most L*f.
at::Tensor upscale(const at::Tensor &x, const at::Tensor &weight, int64_t factor)
{
	TORCH_CHECK(x.dim() == 3 && weight.dim() == 2, "x of 3 dimensions and weight of 2");
	TORCH_CHECK(factor >= 1 && factor <= 4, "factor is 1 to 4");
	TORCH_CHECK(x.size(1) % factor == 0, "factor divides the channels");
	TORCH_CHECK(weight.size(0) == x.size(1), "a row of weights for each channel");
	TORCH_CHECK(weight.size(1) >= 1 && weight.size(1) <= x.size(2) * factor, "the weights fit");
	at::Tensor wide = x.repeat_interleave(factor, 2);
	return (wide.unfold(2, weight.size(1), 1) * weight.unsqueeze(0).unsqueeze(2)).sum(3);
}

TORCH_LIBRARY(rulesmith_test, m)
{
	m.def("upscale(Tensor x, Tensor weight, int factor=2) -> Tensor");
	m.impl("upscale", c10::DispatchKey::CompositeImplicitAutograd, upscale);
}
