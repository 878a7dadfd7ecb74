// SPDX-License-Identifier: Apache-2.0
// torture WHAT [N [LIBRARY...]]: functions that are entered and left in every possible way, a known number of
// times. Compiled with -finstrument-functions, or -pg with and without -mfentry.
#include <coroutine>
#include <dlfcn.h>
#include <exception>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <ucontext.h>
#include <unistd.h>

#define PLAIN __attribute__((noinline))
#define HIDDEN __attribute__((noinline, no_instrument_function))

// std::runtime_error costs more to compile than all the rest.
struct torture_error : std::exception {
};

extern "C" {
volatile long sink;
volatile long handled;
sigjmp_buf back;

PLAIN void leaf(long number)
{
	sink = sink + number;
}

PLAIN void middle(long count)
{
	for (long i = 0; i < count; i++)
		leaf(i);
}

PLAIN void passes_by(void)
{
	for (long i = 0; i < 10000; i++)
		leaf(i);
}

PLAIN void in_handler(void)
{
	handled = handled + 1;
}

// Exceptions: thrown three levels down, caught two levels up, and rethrown.
PLAIN void thrower(long number)
{
	leaf(number);
	throw torture_error();
}

PLAIN void passes(long number)
{
	thrower(number);
	sink = sink + 1;
}

PLAIN void rethrows(long number)
{
	try {
		passes(number);
	} catch (torture_error &) {
		leaf(number);
		throw;
	}
}

PLAIN void catches(long number)
{
	try {
		rethrows(number);
	} catch (std::exception &) {
		leaf(number);
	}
	leaf(number);
}

PLAIN void exceptions(long count)
{
	for (long i = 0; i < count; i++)
		catches(i);
}

// Contexts: two that switch to each other in the middle of a function.
ucontext_t contexts[3];
alignas(16) char stacks[2][65536];

PLAIN void ping(long count)
{
	for (long i = 0; i < count; i++) {
		leaf(i);
		swapcontext(&contexts[1], &contexts[2]);
	}
}

PLAIN void pong(long count)
{
	for (long i = 0; i < count; i++) {
		leaf(i);
		swapcontext(&contexts[2], &contexts[1]);
	}
}

HIDDEN void start_ping(int count)
{
	ping(count);
}

HIDDEN void start_pong(int count)
{
	pong(count);
}

PLAIN void switches(long count)
{
	for (int i = 1; i <= 2; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i - 1];
		contexts[i].uc_stack.ss_size = sizeof(stacks[0]);
		contexts[i].uc_link = i == 1 ? &contexts[2] : &contexts[0];
	}
	makecontext(&contexts[1], (void (*)(void))start_ping, 1, (int)count);
	makecontext(&contexts[2], (void (*)(void))start_pong, 1, (int)count);
	swapcontext(&contexts[0], &contexts[1]);
	leaf(0);
}

// The same function in many contexts.
ucontext_t worker_contexts[4], scheduler;
alignas(16) char worker_stacks[4][65536];
int current_worker;

PLAIN void worker(long count)
{
	for (long i = 0; i < count; i++) {
		leaf(i);
		swapcontext(&worker_contexts[current_worker], &scheduler);
	}
}

HIDDEN void start_worker(int count)
{
	worker(count);
}

PLAIN void workers(long count)
{
	for (int i = 0; i < 4; i++) {
		getcontext(&worker_contexts[i]);
		worker_contexts[i].uc_stack.ss_sp = worker_stacks[i];
		worker_contexts[i].uc_stack.ss_size = sizeof(worker_stacks[0]);
		worker_contexts[i].uc_link = &scheduler;
		makecontext(&worker_contexts[i], (void (*)(void))start_worker, 1, (int)count);
	}
	for (long i = 0; i <= count; i++)
		for (current_worker = 0; current_worker < 4; current_worker++)
			swapcontext(&scheduler, &worker_contexts[current_worker]);
}

// A signal handler that does not return.
PLAIN void jumper(int signal)
{
	(void)signal;
	leaf(1);
	siglongjmp(back, 1);
}

PLAIN void raises(void)
{
	raise(SIGUSR1);
}

PLAIN void jumps(long count)
{
	signal(SIGUSR1, jumper);
	for (volatile long i = 0; i < count; i = i + 1)
		if (!sigsetjmp(back, 1))
			raises();
	leaf(1);
}

// The same from a timer, wherever the program is at that moment: also in the code that writes its events.
PLAIN void escaper(int signal)
{
	(void)signal;
	handled = handled + 1;
	siglongjmp(back, 1);
}

// One signal at a time, each a few us later in the calls: siglongjmp lets the next one in before it leaves, and handlers of a
// periodic timer would nest.
PLAIN void escapes(long count)
{
	struct itimerval once = {}, none = {};

	signal(SIGALRM, escaper);
	sigsetjmp(back, 1);
	while (handled < count) {
		once.it_value.tv_usec = 1 + handled % 50;
		setitimer(ITIMER_REAL, &once, nullptr);
		middle(1000);
	}
	// The last one may have arrived after the timer was set again.
	setitimer(ITIMER_REAL, &none, nullptr);
	signal(SIGALRM, SIG_IGN);
	passes_by();
	printf("%ld\n", handled);
}

// On a separate signal stack.
PLAIN void from_stack(long count)
{
	static char memory[65536];
	stack_t other = {}, before = {};
	struct sigaction action = {};

	other.ss_sp = memory;
	other.ss_size = sizeof(memory);
	sigaltstack(&other, &before);
	action.sa_handler = jumper;
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &action, nullptr);
	for (volatile long i = 0; i < count; i = i + 1)
		if (!sigsetjmp(back, 1))
			raises();
	leaf(1);
}

HIDDEN void on_alarm(int signal)
{
	(void)signal;
	in_handler();
}

PLAIN void alarms(long count)
{
	struct itimerval every = { { 0, 50 }, { 0, 50 } }, none = { { 0, 0 }, { 0, 0 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, nullptr);
	middle(count);
	setitimer(ITIMER_REAL, &none, nullptr);
	printf("%ld\n", handled);
}

// Threads, and how they end.
HIDDEN void *returns(void *count)
{
	middle((long)count);
	return nullptr;
}

PLAIN void leaves(long count)
{
	middle(count);
	pthread_exit(nullptr);
}

HIDDEN void *exits(void *count)
{
	leaves((long)count);
	return nullptr;
}

PLAIN void sleeps(long count)
{
	middle(count), alarm(120);
	for (;;)
		pause();
}

HIDDEN void *cancelled(void *count)
{
	sleeps((long)count);
	return nullptr;
}

HIDDEN int standard(void *count)
{
	middle((long)count);
	return 0;
}

HIDDEN int standard_exits(void *count)
{
	middle((long)count);
	thrd_exit(3);
}

PLAIN void threads(long count)
{
	pthread_t id;
	thrd_t other;

	for (long i = 0; i < count; i++) {
		pthread_create(&id, nullptr, returns, (void *)3);
		pthread_join(id, nullptr);
		pthread_create(&id, nullptr, exits, (void *)3);
		pthread_join(id, nullptr);
		pthread_create(&id, nullptr, cancelled, (void *)3);
		pthread_cancel(id);
		pthread_join(id, nullptr);
		thrd_create(&other, standard, (void *)3);
		thrd_join(other, nullptr);
		thrd_create(&other, standard_exits, (void *)3);
		thrd_join(other, nullptr);
	}
}

PLAIN void storm(long count)
{
	for (long done = 0; done < count; done += 50) {
		pthread_t ids[50];

		for (pthread_t &id : ids)
			if (pthread_create(&id, nullptr, returns, (void *)2))
				exit(9);
		for (pthread_t id : ids)
			pthread_join(id, nullptr);
	}
}

pthread_barrier_t all_there;

HIDDEN void *waits(void *count)
{
	pthread_barrier_wait(&all_there);
	middle((long)count);
	return nullptr;
}

PLAIN void crowd(long count)
{
	pthread_t ids[500];

	pthread_barrier_init(&all_there, nullptr, 500);
	for (pthread_t &id : ids)
		if (pthread_create(&id, nullptr, waits, (void *)count))
			exit(9);
	for (pthread_t id : ids)
		pthread_join(id, nullptr);
}

// A thread's handlers run while others end and begin.
PLAIN void handled_storm(long count)
{
	struct itimerval every = { { 0, 100 }, { 0, 100 } }, none = { { 0, 0 }, { 0, 0 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &every, nullptr);
	storm(count);
	setitimer(ITIMER_REAL, &none, nullptr);
}

char *self;

HIDDEN void *executes(void *count)
{
	middle((long)count);
	/* The timer of -pg survives an exec, and its signal would end the program before it has a handler. */
	const itimerval none = {};
	setitimer(ITIMER_PROF, &none, nullptr);
	execl(self, self, "calls", "5", nullptr);
	return nullptr;
}

PLAIN void exec_thread(long count)
{
	pthread_t id;

	middle(count);
	pthread_create(&id, nullptr, executes, (void *)count), alarm(120);
	for (;;)
		pause();
}

PLAIN void vforks(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t child = vfork();

		if (!child) {
			if (i % 2)
				_exit(0);
			execl(self, self, "calls", "2", nullptr);
			_exit(1);
		}
		waitpid(child, nullptr, 0);
		leaf(i);
	}
}

// Libraries that are loaded and unloaded, at addresses that are reused.
PLAIN void libraries(long count, char **names)
{
	for (long i = 0; i < count; i++)
		for (char **name = names; *name; name++) {
			void *library = dlopen(*name, RTLD_NOW);
			void (*call)(long) = library ? (void (*)(long))dlsym(library, "of_library") : nullptr;

			if (!call)
				exit(9);
			call(i);
			dlclose(library);
		}
}
}

// Coroutines of the language: resumed as often as they yield a value.
struct sequence {
	struct promise_type {
		long value;
		HIDDEN sequence get_return_object()
		{
			return { std::coroutine_handle<promise_type>::from_promise(*this) };
		}
		HIDDEN std::suspend_always initial_suspend() noexcept
		{
			return {};
		}
		HIDDEN std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		HIDDEN std::suspend_always yield_value(long given)
		{
			value = given;
			return {};
		}
		HIDDEN void return_void()
		{
		}
		HIDDEN void unhandled_exception()
		{
		}
	};
	std::coroutine_handle<promise_type> handle;
};

static sequence numbers(long count)
{
	for (long i = 0; i < count; i++) {
		leaf(i);
		co_yield i;
	}
}

extern "C" PLAIN void coroutines(long count)
{
	sequence first = numbers(count), second = numbers(count);

	while (!first.handle.done()) {
		first.handle.resume();
		second.handle.resume();
	}
	first.handle.destroy();
	second.handle.destroy();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*function)(long);
	} all[] = {
		{ "calls", middle },	   { "exceptions", exceptions }, { "switches", switches },
		{ "workers", workers },	   { "coroutines", coroutines }, { "jumps", jumps },
		{ "alarms", alarms },	   { "threads", threads },	 { "storm", storm },
		{ "crowd", crowd },	   { "handled", handled_storm }, { "exec", exec_thread },
		{ "vforks", vforks },	   { "escapes", escapes },	 { "stack", from_stack },
	};
	const char *what = argc > 1 ? argv[1] : "";
	long count = argc > 2 ? atol(argv[2]) : 10;
	pthread_attr_t small;

	self = argv[0];
	// Small stacks are reused; of the default ones the library unmaps all but five, which costs more than the thread.
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 128 * 1024);
	pthread_setattr_default_np(&small);
	for (auto &one : all)
		if (strcmp(what, one.name) == 0)
			one.function(count);
	if (strcmp(what, "libraries") == 0) {
		libraries(count, argv + 3);
	} else if (strcmp(what, "abort") == 0) {
		middle(count);
		abort();
	} else if (strcmp(what, "leave") == 0) {
		middle(count);
		_exit(3);
	} else if (strcmp(what, "quick") == 0) {
		middle(count);
		quick_exit(4);
	} else if (strcmp(what, "kill") == 0) {
		middle(count);
		kill(getpid(), SIGKILL);
	}
	return 0;
}
