#include "ort_limits.h"

#include "onnx_copy.h"
#include "op_versions.h"

enum { FIRST_IR = 4 };

static bool reads(const ort *lib, const ort_env *env, const ort_options *options, file_limits file)
{
	uint8_t text[COPY_MODEL_ROOM];
	ort_session *session = NULL;
	size_t size = copy_model(file.opset, file.ir, text);
	bool well = size && ort_well(lib, lib->call.create_session(env, text, size, options, &session), NULL, NULL);
	if (session)
		lib->call.release_session(session);
	return well;
}

file_limits ort_limits(const ort *lib, const ort_env *env, const ort_options *options)
{
	file_limits found = {OP_SET_LAST, FIRST_IR};
	while (found.opset > OP_SET_FIRST && !reads(lib, env, options, found))
		found.opset--;
	found.ir = op_ir_version(OP_SET_LAST);
	while (found.ir > FIRST_IR && !reads(lib, env, options, found))
		found.ir--;
	return reads(lib, env, options, found) ? found : (file_limits){0};
}
