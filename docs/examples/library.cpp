// The same from C++, where the library's objects are freed by themselves.
// c++ -std=c++17 library.cpp $(pkg-config --cflags --libs rulesmith) && ./a.out
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>

#include <rulesmith.h>

template <auto release> struct releaser {
	template <typename T> void operator()(T *p) const { release(p); }
};
template <typename T, auto release> using owned = std::unique_ptr<T, releaser<release>>;

int main()
{
	const rs_op *mm = rs_library_find(&rs_rules, "torch.mm-0");
	if (rs_library_abi(RS_LIBRARY_ABI) || rs_library_check(&rs_rules) || !mm)
		return 1;
	std::array<std::int64_t, 4> call{2, 3, 3, 4};
	std::array<std::int64_t, 2> out{};
	std::cout << "mm of 2x3 and 3x4 is valid: " << rs_eval(mm, call.data(), out.data()) << ", " << out[0] << 'x' << out[1] << '\n';

	owned<rs_caller, rs_caller_free> caller(rs_caller_new(mm, nullptr));
	if (!caller || !rs_sample_forward(caller.get(), 1, call.data(), nullptr, out.data()))
		return 1;
	std::cout << "another: " << call[0] << 'x' << call[1] << " and " << call[2] << 'x' << call[3] << '\n';

	rs_gen_options options{};
	std::array<char, 200> message{};
	owned<rs_gen, rs_gen_free> gen(rs_gen_new(rs_library_table(&rs_rules, "onnx"), &options, message.data(), message.size()));
	owned<rs_graph, rs_graph_free> model(rs_graph_new());
	if (!gen || !model || !rs_gen_model(gen.get(), 1, 0, model.get()))
		return 1;
	std::cout << owned<char, std::free>(rs_graph_json(model.get())).get() << '\n';
}
