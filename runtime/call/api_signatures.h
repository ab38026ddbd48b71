/* The frameworks' own signatures: the parameters of an API in order, with types and defaults.
 *
 * They come from traces/FRAMEWORK/SIGNATURES.tsv, which the collector writes from the framework's schemas. The file is
 * compiled in; APIs with the same parameters share one line. */
#ifndef API_SIGNATURES_H
#define API_SIGNATURES_H

#include "call_value.h"

enum { PARAMETERS_MOST = 64 };

typedef enum parameter_type {
	PARAMETER_ANY, /* nothing is known */
	PARAMETER_TENSOR,
	PARAMETER_INT,
	PARAMETER_NUMBER, /* an integer or a float */
	PARAMETER_BOOL,
	PARAMETER_STRING,
	PARAMETER_OTHER /* a dtype, a device, … */
} parameter_type;

typedef struct parameter {
	const char *name;
	parameter_type type;
	bool list;	   /* of values of the type. */
	unsigned count;	   /* `int[2]`: one integer stands for a list of two; 0: any length. */
	bool optional;	   /* May be None. */
	bool keyword;	   /* By name only. */
	bool packed;	   /* Its items are the positional arguments from here on, or one list of them. */
	bool tensor_too;   /* A number whose value decides no shape: another overload has a tensor here. */
	bool has_default;
	call_value value; /* the default */
} parameter;

typedef struct overload {
	parameter *parameters;
	size_t n;
} overload;

/* The overloads of an API, in the order in which the framework tries them. *n is 0 if none are known. NULL: out of memory. */
const overload *signatures_find(const char *api, arena *memory, size_t *n);

/* The APIs whose name has the same first and last part and one part more or one less between them, such as torch.Tensor.std for
 * torch.std. Returns how many, at most `most`. */
unsigned signatures_siblings(const char *api, arena *memory, const char **names, unsigned most);

#endif
