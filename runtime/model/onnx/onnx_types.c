#include "onnx_types.h"

#include "ruletable.h"

static const uint8_t ELEMENT_TYPES[RS_DTYPE_COUNT] = { /* 0: ONNX has none */
    [RS_BOOL] = 9, [RS_UINT4] = 21, [RS_UINT8] = 2, [RS_UINT16] = 4, [RS_UINT32] = 12, [RS_UINT64] = 13, [RS_INT4] = 22, [RS_INT8] = 3,
    [RS_INT16] = 5, [RS_INT32] = 6, [RS_INT64] = 7, [RS_FLOAT16] = 10, [RS_BFLOAT16] = 16, [RS_FLOAT32] = 1,
    [RS_FLOAT64] = 11, [RS_COMPLEX64] = 14, [RS_COMPLEX128] = 15, [RS_STRING] = 8};

int onnx_element_type(uint8_t dtype)
{
	return dtype < RS_DTYPE_COUNT ? ELEMENT_TYPES[dtype] : 0;
}

void onnx_little_endian(uint8_t *bytes, size_t size, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	for (size_t i = 0; i < count; i++, bytes += size)
		for (size_t k = 0; k < size / 2; k++) {
			uint8_t b = bytes[k];
			bytes[k] = bytes[size - 1 - k];
			bytes[size - 1 - k] = b;
		}
#else
	(void)bytes, (void)size, (void)count;
#endif
}
