/* Parses each argument over two symbols, and prints it with its value for (7, 3); "error" if it does not parse. */
#include <stdio.h>

#include "expr.h"

int main(int argc, char **argv)
{
	expr_pool *pool = expr_pool_new();
	buf out = {0};
	diag d = {0};
	for (int i = 1; i < argc; i++) {
		const expr *e = expr_parse(pool, argv[i], 2, "argument", i, &d);
		wide value = 0;
		if (!e) {
			puts("error");
			continue;
		}
		expr_print(&out, e);
		if (expr_eval(e, (const int64_t[]){7, 3}, &value))
			printf("%s = %lld\n", buf_text(&out), (long long)value);
		else
			printf("%s = none\n", buf_text(&out));
		buf_clear(&out);
	}
	buf_free(&out);
	expr_pool_free(pool);
	return 0;
}
