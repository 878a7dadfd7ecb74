/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interposes on functions that set signal handlers and masks. The kernel kills a
 * thread that reaches a breakpoint while SIGTRAP is blocked: so it is never
 * blocked, even if the program requests it. The handler of SIGTRAP is coverage's;
 * the program's handler is called for those that are not breakpoints of coverage.
 *
 * Masks that the program gives to the kernel directly (syscall(2), setcontext) are
 * not intercepted.
 */
#include "agent/coverage/coverage-agent.h"
#include "agent/agent-next.h"

#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void handler(int);

AGENT_VISIBLE int sigprocmask(int how, const sigset_t *set, sigset_t *before);
AGENT_VISIBLE int pthread_sigmask(int how, const sigset_t *set, sigset_t *before);
AGENT_VISIBLE int sigaction(int number, const struct sigaction *action, struct sigaction *before);
AGENT_VISIBLE handler *signal(int number, handler *action);
AGENT_VISIBLE handler *bsd_signal(int number, handler *action);
AGENT_VISIBLE handler *sysv_signal(int number, handler *action);
AGENT_VISIBLE handler *__sysv_signal(int number, handler *action);
AGENT_VISIBLE handler *sigset(int number, handler *action);
AGENT_VISIBLE int sighold(int number);
AGENT_VISIBLE int sigignore(int number);
AGENT_VISIBLE int sigblock(int mask);
AGENT_VISIBLE int sigsetmask(int mask);
AGENT_VISIBLE int sigsuspend(const sigset_t *set);
AGENT_VISIBLE int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout,
			const sigset_t *set);
AGENT_VISIBLE int pselect(int count, fd_set *read, fd_set *write, fd_set *other,
			  const struct timespec *timeout, const sigset_t *set);
AGENT_VISIBLE int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout,
			      const sigset_t *set);
AGENT_VISIBLE int epoll_pwait2(int fd, struct epoll_event *events, int count,
			       const struct timespec *timeout, const sigset_t *set);
AGENT_VISIBLE int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *set);

/* The program's action for SIGTRAP. */
static struct sigaction wanted;
static int (*next_action)(int, const struct sigaction *, struct sigaction *);

/* Finds the next function of a name; ends the process if there is none. */
static void find(void *function, const char *name)
{
	if (!agent_next(function, name))
		abort();
}

/* Returns a mask without SIGTRAP, if coverage is collected; kept is memory for it. */
static const sigset_t *without_trap(const sigset_t *set, sigset_t *kept)
{
	if (!coverage_area || !set || !sigismember(set, SIGTRAP))
		return set;
	*kept = *set;
	sigdelset(kept, SIGTRAP);
	return kept;
}

void coverage_signals_begin(void (*trap)(int number, siginfo_t *info, void *context))
{
	struct sigaction ours = { .sa_sigaction = trap,
				  .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART };
	sigset_t set;

	find(&next_action, "sigaction");
	sigemptyset(&ours.sa_mask);
	next_action(SIGTRAP, &ours, &wanted);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Ends the process by SIGTRAP, like a process without a handler. */
static void end_by_trap(void)
{
	struct sigaction fatal = { .sa_handler = SIG_DFL };

	next_action(SIGTRAP, &fatal, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGTRAP);
}

void coverage_signal_of_program(int number, siginfo_t *info, void *context)
{
	const struct sigaction action = wanted;
	sigset_t mask = action.sa_mask;

	if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (!(action.sa_flags & SA_SIGINFO) &&
	    (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
		end_by_trap();
		return;
	}
	if (action.sa_flags & (int)SA_RESETHAND)
		wanted = (struct sigaction){ .sa_handler = SIG_DFL };
	/* The kernel restores the mask when the handler returns. */
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(number, info, context);
	else
		action.sa_handler(number);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	struct sigaction kept, old = wanted;

	find(&next_action, "sigaction");
	if (!coverage_area)
		return next_action(number, action, before);
	if (number == SIGTRAP) {
		if (action)
			wanted = *action;
		if (before)
			*before = old;
		return 0;
	}
	if (action) {
		kept = *action;
		sigdelset(&kept.sa_mask, SIGTRAP);
		action = &kept;
	}
	return next_action(number, action, before);
}

/* Sets a simple handler of SIGTRAP; returns the one before. */
static handler *set_simple(handler *action, int flags)
{
	struct sigaction simple = { .sa_handler = action, .sa_flags = flags }, before;

	sigemptyset(&simple.sa_mask);
	sigaction(SIGTRAP, &simple, &before);
	return before.sa_handler;
}

/* Defines a function of the signal() family. */
#define SIGNAL_FUNCTION(name, flags) \
	handler *name(int number, handler *action) \
	{ \
		static handler *(*next)(int, handler *); \
\
		if (coverage_area && number == SIGTRAP) \
			return set_simple(action, flags); \
		find(&next, #name); \
		return next(number, action); \
	}

SIGNAL_FUNCTION(signal, SA_RESTART)
SIGNAL_FUNCTION(bsd_signal, SA_RESTART)
SIGNAL_FUNCTION(sysv_signal, (int)SA_RESETHAND | SA_NODEFER)
SIGNAL_FUNCTION(__sysv_signal, (int)SA_RESETHAND | SA_NODEFER)

handler *sigset(int number, handler *action)
{
	static handler *(*next)(int, handler *);

	if (coverage_area && number == SIGTRAP)
		return action == SIG_HOLD ? wanted.sa_handler : set_simple(action, 0);
	find(&next, "sigset");
	return next(number, action);
}

int sighold(int number)
{
	static int (*next)(int);

	if (coverage_area && number == SIGTRAP)
		return 0;
	find(&next, "sighold");
	return next(number);
}

int sigignore(int number)
{
	static int (*next)(int);

	if (coverage_area && number == SIGTRAP) {
		set_simple(SIG_IGN, 0);
		return 0;
	}
	find(&next, "sigignore");
	return next(number);
}

int sigblock(int mask)
{
	static int (*next)(int);

	find(&next, "sigblock");
	return next(coverage_area ? mask & ~(1 << (SIGTRAP - 1)) : mask);
}

int sigsetmask(int mask)
{
	static int (*next)(int);

	find(&next, "sigsetmask");
	return next(coverage_area ? mask & ~(1 << (SIGTRAP - 1)) : mask);
}

int sigprocmask(int how, const sigset_t *set, sigset_t *before)
{
	static int (*next)(int, const sigset_t *, sigset_t *);
	sigset_t kept;

	find(&next, "sigprocmask");
	return next(how, how == SIG_UNBLOCK ? set : without_trap(set, &kept), before);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	static int (*next)(int, const sigset_t *, sigset_t *);
	sigset_t kept;

	find(&next, "pthread_sigmask");
	return next(how, how == SIG_UNBLOCK ? set : without_trap(set, &kept), before);
}

/* The mask set by these functions also holds while a handler runs. */

int sigsuspend(const sigset_t *set)
{
	static int (*next)(const sigset_t *);
	sigset_t kept;

	find(&next, "sigsuspend");
	return next(without_trap(set, &kept));
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *set)
{
	static int (*next)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	sigset_t kept;

	find(&next, "ppoll");
	return next(files, count, timeout, without_trap(set, &kept));
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *other, const struct timespec *timeout,
	    const sigset_t *set)
{
	static int (*next)(int, fd_set *, fd_set *, fd_set *, const struct timespec *,
			   const sigset_t *);
	sigset_t kept;

	find(&next, "pselect");
	return next(count, read, write, other, timeout, without_trap(set, &kept));
}

int epoll_pwait(int fd, struct epoll_event *events, int count, int timeout, const sigset_t *set)
{
	static int (*next)(int, struct epoll_event *, int, int, const sigset_t *);
	sigset_t kept;

	find(&next, "epoll_pwait");
	return next(fd, events, count, timeout, without_trap(set, &kept));
}

int epoll_pwait2(int fd, struct epoll_event *events, int count, const struct timespec *timeout,
		 const sigset_t *set)
{
	static int (*next)(int, struct epoll_event *, int, const struct timespec *,
			   const sigset_t *);
	sigset_t kept;

	find(&next, "epoll_pwait2");
	return next(fd, events, count, timeout, without_trap(set, &kept));
}

int pthread_attr_setsigmask_np(pthread_attr_t *attributes, const sigset_t *set)
{
	static int (*next)(pthread_attr_t *, const sigset_t *);
	sigset_t kept;

	find(&next, "pthread_attr_setsigmask_np");
	return next(attributes, without_trap(set, &kept));
}
