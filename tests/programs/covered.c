/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements that are partly executed, in ways that make coverage difficult:
 * "covered WAY". Lines that end with "yes" are executed in their way, those with
 * "no" never. "covered plug FILE" loads a plug-in; "covered exec FILE" execs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile int never, sum;
static volatile sig_atomic_t traps, alarms;

/* Is called by all ways. */
static int branch(int value)
{
	if (value % 3 == 0)
		sum += 1; /* all yes */
	else if (value % 3 == 1)
		sum += 2; /* all yes */
	else if (value < 0)
		sum += 3; /* all no */
	else
		sum += 4; /* all yes */
	return sum;
}

static void work(void)
{
	for (int i = 0; i < 10; i++)
		branch(i);
	if (never)
		branch(-2); /* all no */
}

/* Forks children that execute what the parent does not. */
static int forks(int count)
{
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (child == 0) {
			branch(i); /* fork yes */
			_exit(i % 7 == 3 ? 3 : 0);
		}
		if (child < 0 || waitpid(child, NULL, 0) != child)
			return 1; /* fork no */
	}
	return 0;
}

static pthread_barrier_t barrier;

static void *thread(void *argument)
{
	pthread_barrier_wait(&barrier);
	work(); /* threads yes */
	sum += argument != NULL;
	return NULL; /* threads yes */
}

static int threads(void)
{
	enum { COUNT = 50 };
	pthread_t all[COUNT];

	pthread_barrier_init(&barrier, NULL, COUNT);
	for (int i = 0; i < COUNT; i++)
		if (pthread_create(&all[i], NULL, thread, NULL))
			return 1; /* threads no */
	for (int i = 0; i < COUNT; i++)
		pthread_join(all[i], NULL);
	return 0;
}

static void on_alarm(int number)
{
	alarms += number != 0; /* blocked yes */
	if (never)
		alarms = 0; /* blocked no */
}

/* Blocks all signals in the program and in its handler. */
static int blocked(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct timespec moment = { 0, 1000000 };
	sigset_t all, others;

	sigfillset(&all);
	sigfillset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	work(); /* blocked yes */
	raise(SIGALRM);
	others = all;
	sigdelset(&others, SIGALRM);
	sigsuspend(&others);
	raise(SIGALRM);
	ppoll(NULL, 0, &moment, &others);
	return alarms == 2 ? 0 : 1; /* blocked yes */
}

static void on_trap(int number, siginfo_t *info, void *context)
{
	(void)context;
	traps += number == SIGTRAP && info != NULL; /* trap yes */
}

/* Raises traps of the program itself: its handler gets them, and it sees its own handler. */
static int own_trap(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO }, before;

	sigfillset(&action.sa_mask);
	sigaction(SIGTRAP, &action, NULL);
	raise(SIGTRAP);
	kill(getpid(), SIGTRAP);
#if defined(__x86_64__)
	__asm__ volatile("int3");
#else
	raise(SIGTRAP);
#endif
	work(); /* trap yes */
	sigaction(SIGTRAP, NULL, &before);
	return traps == 3 && before.sa_sigaction == on_trap ? 0 : 1; /* trap yes */
}

static jmp_buf place;

static void leap(void)
{
	work();		   /* jump yes */
	longjmp(place, 1); /* jump yes */
}

static int jumps(void)
{
	if (!setjmp(place))
		leap(); /* jump yes */
	else
		return 0; /* jump yes */
	return 1;	  /* jump no */
}

static ucontext_t outside, inside;

static void coroutine(void)
{
	work();	     /* coroutine yes */
	sum += 1000; /* coroutine yes */
}

/* Uses stacks of the minimum size. */
static int coroutines(void)
{
	static char stack[16384];

	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	inside.uc_link = &outside;
	makecontext(&inside, coroutine, 0);
	swapcontext(&outside, &inside);
	return sum > 1000 ? 0 : 1; /* coroutine yes */
}

static int vforks(char *program)
{
	pid_t child = vfork();

	if (child == 0) {
		work(); /* vfork yes */
		execl(program, program, "none", NULL);
		_exit(9); /* vfork no */
	}
	return waitpid(child, NULL, 0) == child ? 0 : 1; /* vfork yes */
}

static int apart(const char *file)
{
	void *loaded = dlmopen(LM_ID_NEWLM, file, RTLD_NOW); /* apart yes */
	int (*function)(int);

	if (!loaded)
		return 1; /* apart no */
	*(void **)&function = dlsym(loaded, "plugged");
	if (!function || function(2) != 2) /* apart yes */
		return 1; /* apart no */
	dlclose(loaded); /* apart yes */
	work();		 /* apart yes */
	return 0;	 /* apart yes */
}

static int plugs(const char *file, int times)
{
	work(); /* plug yes */
	for (int i = 0; i < times; i++) {
		void *loaded = dlopen(file, RTLD_NOW);
		int (*function)(int);

		if (!loaded)
			return 1; /* plug no */
		*(void **)&function = dlsym(loaded, "plugged");
		if (function(i) < 0)
			return 1; /* plug no */
		dlclose(loaded);
	}
	return 0; /* plug yes */
}

/* Runs until it is killed. */
static int lasts(void)
{
	work(); /* killed yes */
	puts("ready");
	alarm(120), fflush(stdout);
	for (;;)
		pause();
}

/* Reads a line, executes something, and repeats that. */
static int asks(void)
{
	char line[64];

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (*line == 'a')
			sum += 1; /* ask a */
		if (*line == 'b')
			sum += 2; /* ask b */
		if (*line == 'c')
			sum += 3; /* ask c */
		puts("done");
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "none";

	if (!strcmp(way, "work"))
		work(); /* work yes */
	if (!strcmp(way, "fork"))
		return forks(argc > 2 ? atoi(argv[2]) : 100); /* fork yes */
	if (!strcmp(way, "threads"))
		return threads(); /* threads yes */
	if (!strcmp(way, "blocked"))
		return blocked(); /* blocked yes */
	if (!strcmp(way, "trap"))
		return own_trap(); /* trap yes */
	if (!strcmp(way, "jump"))
		return jumps(); /* jump yes */
	if (!strcmp(way, "coroutine"))
		return coroutines(); /* coroutine yes */
	if (!strcmp(way, "vfork"))
		return vforks(argv[0]); /* vfork yes */
	if (!strcmp(way, "apart"))
		return apart(argv[2]); /* apart yes */
	if (!strcmp(way, "plug"))
		return plugs(argv[2], 3); /* plug yes */
	if (!strcmp(way, "killed"))
		return lasts(); /* killed yes */
	if (!strcmp(way, "ask"))
		return asks();
	if (!strcmp(way, "exec"))
		execvp(argv[2], argv + 2); /* exec yes */
	return 0;
}
