/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Raises the events of conditions. This library takes over the signals of
 * conditions; what the program requests is kept in a table, returned by sigaction
 * as if the kernel had it, and called when the handler percolates.
 */
#include "agent/handler/handler.h"
#include "agent/agent-next.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

AGENT_VISIBLE int sigaction(int number, const struct sigaction *action, struct sigaction *before);
AGENT_VISIBLE sighandler_t signal(int number, sighandler_t function);
AGENT_VISIBLE sighandler_t __sysv_signal(int number, sighandler_t function);

typedef int action_function(int, const struct sigaction *, struct sigaction *);

/* Limit of resumes without a change, after each of which the condition recurs at once. */
#define RESUMES_MAX 3
/* As in handler-call.c. */
#define STACK_REACH ((uintptr_t)8 << 20)

static const int watched[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT };
static struct sigaction asked[ARRAY_SIZE(watched)]; /* by the program */
static volatile bool watching;
static action_function *next_action;

/* Frame from which the program's signal handler that runs in this thread was called. */
static __thread uintptr_t handling;
/* The last condition that was resumed. */
static __thread struct {
	uint64_t at, address;
	unsigned times;
} resumed;

static int place_of(int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(watched); i++)
		if (watched[i] == number)
			return (int)i;
	return -1;
}

static void on_condition(int number, siginfo_t *info, void *context);

/* Installs the kernel action for an action that the program requested. */
static int install(int number, const struct sigaction *action)
{
	struct sigaction own = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

	if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_IGN)
		return next_action(number, action, NULL);
	own.sa_sigaction = on_condition;
	own.sa_flags |= action->sa_flags & SA_RESTART;
	if (action->sa_handler != SIG_DFL && !(action->sa_flags & SA_ONSTACK))
		own.sa_flags &= ~SA_ONSTACK;
	return next_action(number, &own, NULL);
}

/* sigaction in a vfork child, which has its own signal actions, while the table is its parent's. */
static int borrowed_action(int number, const struct sigaction *action, struct sigaction *before)
{
	int result = next_action(number, action, before);

	if (result == 0 && before && before->sa_sigaction == on_condition)
		*before = asked[place_of(number)];
	return result;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	int place = place_of(number);
	struct sigaction was;
	sigset_t all, mask;

	agent_next(&next_action, "sigaction");
	if (!watching || place < 0)
		return next_action(number, action, before);
	if (!handler_has_private_memory())
		return borrowed_action(number, action, before);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	was = asked[place];
	if (action) {
		asked[place] = *action;
		install(number, action);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (before)
		*before = was;
	return 0;
}

static sighandler_t set_function(int number, sighandler_t function, int flags)
{
	struct sigaction action = { .sa_flags = flags }, before;

	action.sa_handler = function;
	if (!(flags & SA_NODEFER))
		sigaddset(&action.sa_mask, number);
	if (function == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	return sigaction(number, &action, &before) < 0 ? SIG_ERR : before.sa_handler;
}

sighandler_t signal(int number, sighandler_t function)
{
	static sighandler_t (*next)(int, sighandler_t);

	agent_next(&next, "signal");
	if (!watching || place_of(number) < 0)
		return next(number, function);
	return set_function(number, function, SA_RESTART);
}

sighandler_t __sysv_signal(int number, sighandler_t function)
{
	static sighandler_t (*next)(int, sighandler_t);

	agent_next(&next, "__sysv_signal");
	if (!watching || place_of(number) < 0)
		return next(number, function);
	return set_function(number, function, (int)(SA_RESETHAND | SA_NODEFER));
}

void handler_watch_conditions(void)
{
	agent_next(&next_action, "sigaction");
	for (size_t i = 0; i < ARRAY_SIZE(watched); i++) {
		next_action(watched[i], NULL, &asked[i]);
		install(watched[i], &asked[i]);
	}
	watching = true;
}

#ifdef __x86_64__
static const int places[VIGIL_HANDLER_REGISTERS] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX,
						     REG_RSI, REG_RDI, REG_RBP, REG_RSP,
						     REG_R8,  REG_R9,  REG_R10, REG_R11,
						     REG_R12, REG_R13, REG_R14, REG_R15 };

static void registers_get(const ucontext_t *context, struct vigil_condition *condition)
{
	for (size_t i = 0; i < VIGIL_HANDLER_REGISTERS; i++)
		condition->registers[i] = (uint64_t)context->uc_mcontext.gregs[places[i]];
	condition->resume = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

/* Returns the stack pointer of the interrupted code. */
static uintptr_t stack_of(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
}

static void registers_set(ucontext_t *context, const struct vigil_condition *condition)
{
	for (size_t i = 0; i < VIGIL_HANDLER_REGISTERS; i++)
		context->uc_mcontext.gregs[places[i]] = (greg_t)condition->registers[i];
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)condition->resume;
}
#else
static uintptr_t stack_of(const ucontext_t *context)
{
	return (uintptr_t)context; /* the signal's frame is right below */
}

static void registers_get(const ucontext_t *context UNUSED,
			  struct vigil_condition *condition UNUSED)
{
}

static void registers_set(ucontext_t *context UNUSED,
			  const struct vigil_condition *condition UNUSED)
{
}
#endif

/* Returns whether a condition to be resumed merely recurs again and again. */
static bool goes_round(const struct vigil_condition *condition, uint64_t at)
{
	bool same = condition->code > 0 && condition->resume == at && resumed.at == at &&
		    resumed.address == condition->address;

	resumed.times = same ? resumed.times + 1 : 0;
	resumed.at = at;
	resumed.address = condition->address;
	return resumed.times >= RESUMES_MAX;
}

/* Raises an event of a condition; returns whether the program is resumed. */
static bool raise_event(int32_t code, struct vigil_condition *condition, ucontext_t *context)
{
	uint64_t at;
	int32_t result = VIGIL_PERCOLATE;

	registers_get(context, condition);
	at = condition->resume;
	handler_event(code, &(struct handler_parameters){ { &condition, &result } });
	if (result != VIGIL_RESUME || goes_round(condition, at))
		return false;
	registers_set(context, condition);
	return true;
}

/* Lets the system's default action take place. */
static void by_default(int number, siginfo_t *info)
{
	struct sigaction action = { 0 };

	handler_end();
	action.sa_handler = SIG_DFL;
	next_action(number, &action, NULL);
	/* A fault recurs by itself; a signal that was sent, and a trap, does not. */
	if (info->si_code <= 0 || number == SIGTRAP || info->si_code == SI_KERNEL)
		if (syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info) < 0)
			syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

/* Calls the program's handler, with the signals blocked that it requests. */
static void by_program(int number, const struct sigaction *action, siginfo_t *info,
		       ucontext_t *context)
{
	sigset_t mask = action->sa_mask;
	uintptr_t before = handling;

	if (!(action->sa_flags & SA_NODEFER))
		sigaddset(&mask, number);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	handling = (uintptr_t)__builtin_frame_address(0);
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(number, info, context);
	else
		action->sa_handler(number);
	handling = before;
}

/*
 * Returns whether the program's handler of an earlier condition runs in this
 * thread: then the interrupted code is below its frame. Detects a handler that was
 * left by longjmp.
 */
static bool is_handling(uintptr_t interrupted)
{
	if (handling && (interrupted > handling || handling - interrupted > STACK_REACH))
		handling = 0;
	return handling != 0;
}

static void on_condition(int number, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	int saved = errno, place = place_of(number);
	bool fault = info->si_code > 0;
	struct vigil_condition condition = { .signal = number, .code = info->si_code };
	struct sigaction action;

	if (fault || info->si_pid == getpid())
		handler_escape(number, &context->uc_sigmask);
	if (fault)
		condition.address = (uint64_t)(uintptr_t)info->si_addr;
	if (handler_is_tracked_process() &&
	    raise_event(is_handling(stack_of(context)) ? VIGIL_CONDITION_PROMOTE
						       : VIGIL_CONDITION_RAISED,
			&condition, context)) {
		errno = saved;
		return;
	}
	action = asked[place];
	if (action.sa_flags & (int)SA_RESETHAND) {
		asked[place].sa_handler = SIG_DFL;
		asked[place].sa_flags &= ~SA_SIGINFO;
	}
	if ((action.sa_flags & SA_SIGINFO) || action.sa_handler != SIG_DFL)
		by_program(number, &action, info, context);
	else if (!handler_is_tracked_process() ||
		 !raise_event(VIGIL_CONDITION_UNHANDLED, &condition, context))
		by_default(number, info);
	errno = saved;
}
