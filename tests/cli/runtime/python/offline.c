/* A library to preload: it writes each attempt to use the network, or to start pip, to the file $OFFLINE_LOG, and lets it fail.
 * The program that does not stop then is the one that needs no network. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(const char *what, const char *detail)
{
	char line[512];
	const char *path = getenv("OFFLINE_LOG");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
	int n = snprintf(line, sizeof line, "%s %s by %s\n", what, detail, program_invocation_short_name);
	if (fd < 0 || write(fd, line, (size_t)(n < (int)sizeof line ? n : (int)sizeof line - 1)) < 0)
		abort(); /* an attempt must not go unseen */
	close(fd);
}

static int leaves(const struct sockaddr *to)
{
	char text[INET6_ADDRSTRLEN] = "?";
	if (!to || (to->sa_family != AF_INET && to->sa_family != AF_INET6))
		return 0;
	if (to->sa_family == AF_INET)
		inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)to)->sin_addr, text, sizeof text);
	else
		inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)to)->sin6_addr, text, sizeof text);
	note("connects to", text);
	return 1;
}

static void *next(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found)
		abort();
	return found;
}

int connect(int fd, const struct sockaddr *to, socklen_t size)
{
	int (*real)(int, const struct sockaddr *, socklen_t);
	if (leaves(to)) {
		errno = ENETUNREACH;
		return -1;
	}
	*(void **)&real = next("connect");
	return real(fd, to, size);
}

ssize_t sendto(int fd, const void *data, size_t n, int flags, const struct sockaddr *to, socklen_t size)
{
	ssize_t (*real)(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
	if (leaves(to)) {
		errno = ENETUNREACH;
		return -1;
	}
	*(void **)&real = next("sendto");
	return real(fd, data, n, flags, to, size);
}

int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
	(void)service, (void)hints, (void)found;
	note("looks up", host ? host : "itself");
	return EAI_FAIL;
}

/* Whether a program is pip, or a Python that is to run it. */
static int installs(char *const argv[])
{
	for (int i = 0; argv && argv[i]; i++) {
		const char *slash = strrchr(argv[i], '/');
		if (strncmp(slash ? slash + 1 : argv[i], "pip", 3) == 0) {
			note("runs", argv[i]);
			errno = EACCES;
			return 1;
		}
	}
	return 0;
}

int execve(const char *path, char *const argv[], char *const envp[])
{
	int (*real)(const char *, char *const[], char *const[]);
	if (installs(argv))
		return -1;
	*(void **)&real = next("execve");
	return real(path, argv, envp);
}

int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const argv[], char *const envp[])
{
	int (*real)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
	if (installs(argv))
		return EACCES;
	*(void **)&real = next("posix_spawn");
	return real(pid, path, actions, attributes, argv, envp);
}
