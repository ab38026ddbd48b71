/* dlopen and its like in the static rulefuzz (packages/packages.mk), which has no dynamic linker: glibc's would want the very
 * glibc of the machine that built it. Whoever calls them takes no library for an answer and prints dlerror(). The linker puts
 * them in their place (--wrap), for SQLite as well, which can load extensions but is not asked to. */
#include <stddef.h>

void *__wrap_dlopen(const char *path, int mode);
void *__wrap_dlsym(void *restrict library, const char *restrict name);
int __wrap_dlclose(void *library);
char *__wrap_dlerror(void);

void *__wrap_dlopen(const char *path, int mode)
{
	(void)path, (void)mode;
	return NULL;
}

void *__wrap_dlsym(void *restrict library, const char *restrict name)
{
	(void)library, (void)name;
	return NULL;
}

int __wrap_dlclose(void *library)
{
	(void)library;
	return 0;
}

char *__wrap_dlerror(void)
{
	static const char WHY[] = "this rulefuzz is linked statically and loads no shared library: that of `make install` does";
	return (char *)WHY;
}
