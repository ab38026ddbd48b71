/* dlopen and its kin in the static rulefuzz (packages/packages.mk), which has no dynamic linker: glibc's would
 * need exactly the glibc of the build machine. Callers handle a missing library and print dlerror(). The linker
 * replaces the functions (--wrap), also for SQLite, which can load extensions but never does here. */
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
