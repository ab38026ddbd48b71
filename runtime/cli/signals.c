#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

static void list(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

int catch_signals(void)
{
	sigset_t set;
	list(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0) /* they would be lost */
		sigprocmask(SIG_UNBLOCK, &set, NULL);
	return fd;
}

bool signal_came(void)
{
	sigset_t pending;
	return sigpending(&pending) == 0
	       && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
		   || sigismember(&pending, SIGHUP) == 1);
}
