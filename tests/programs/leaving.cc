// SPDX-License-Identifier: Apache-2.0
// Calls functions of another library and leaves them in every possible way; their results are checked.
// At the end it prints how often "back" was called, and how often it returned.
#include "leaving.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern char **environ;

static std::atomic<long> called, returned;

static void check(bool right, const char *what)
{
	if (right)
		return;
	printf("wrong: %s\n", what);
	exit(1);
}

static int call(int (*function)(int), int argument)
{
	int result;

	called++;
	result = back(function, argument);
	returned++;
	return result;
}

static int same(int value)
{
	return value;
}

static int thrower(int value)
{
	throw std::runtime_error("thrown");
	return value;
}

static int deeper(int value)
{
	return value ? call(deeper, value - 1) : 0;
}

static jmp_buf place;

static int jumper(int value)
{
	longjmp(place, value);
}

#if defined(__x86_64__)
__attribute__((target("avx512f"))) static void call_wider()
{
	wider a = { 1, 2, 3, 4, 5, 6, 7, 8 };

	a = add_wider(a, a);
	check(a[0] == 2 && a[7] == 16, "vectors of 64 bytes");
}

__attribute__((target("avx"))) static void call_wide()
{
	wide a = { 1, 2, 3, 4 };

	a = add_wide(a, a);
	check(a[0] == 2 && a[3] == 8, "vectors of 32 bytes");
}
#endif

static void arguments()
{
	struct large large;

#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx"))
		call_wide();
	if (__builtin_cpu_supports("avx512f"))
		call_wider();
#endif
	check(extended(2.5L, 3, 4.0L) == 13.0L, "long double");
	for (int i = 0; i < 40; i++)
		large.values[i] = i;
	large = scaled(3, large);
	check(large.values[39] == 117 && large.values[1] == 3, "structures");
	check(mixed(4, 5).a == 5 && mixed(4, 5).b == 6, "two registers");
	check(sum(30, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12., 13., 14., 15., 16., 17.,
		  18., 19., 20., 21., 22., 23., 24., 25., 26., 27., 28., 29., 30.) == 465,
	      "many arguments");
}

static void exceptions()
{
	volatile int caught = 0;

	for (int i = 0; i < 1000; i++) {
		try {
			call(thrower, i);
		} catch (const std::exception &) {
			caught++;
		}
	}
	check(caught == 1000, "exceptions");
}

static void jumps()
{
	for (volatile int i = 1; i <= 1000; i++)
		if (setjmp(place) == 0)
			call(jumper, i);
}

static ucontext_t own, other;

static void coroutine()
{
	for (;;) { // ends when main does, to which it switches back each time
		call(same, 1);
		swapcontext(&other, &own);
	}
}

// Its stack ends at unreadable memory.
static void coroutines()
{
	const size_t size = 16384;
	char *stack = static_cast<char *>(mmap(nullptr, size + 4096, PROT_READ | PROT_WRITE,
					       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	mprotect(stack + size, 4096, PROT_NONE);
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = size;
	makecontext(&other, coroutine, 0);
	for (int i = 0; i < 1000; i++)
		swapcontext(&own, &other);
}

static void in_thread()
{
	for (int i = 0; i < 1000; i++)
		call(same, i);
}

static void threads()
{
	std::vector<std::thread> all;

	for (int i = 0; i < 50; i++)
		all.emplace_back(in_thread);
	for (auto &one : all)
		one.join();
}

static void on_signal(int)
{
	call(same, 1);
}

static void signals()
{
	struct sigaction action = {}, before;

	action.sa_handler = on_signal;
	sigaction(SIGUSR1, &action, nullptr);
	for (int i = 0; i < 100; i++)
		raise(SIGUSR1);
	check(signal(SIGUSR1, SIG_DFL) == on_signal, "what signal says");
	signal(SIGUSR1, on_signal);
	sigaction(SIGUSR1, nullptr, &before);
	check(before.sa_handler == on_signal, "what sigaction says");
	raise(SIGUSR1);
}

// Processes of all kinds; those that fork count separately.
static void processes()
{
	char name[] = "true", *arguments[] = { name, nullptr };
	int status;
	pid_t child = vfork();

	if (child == 0) {
		execlp("true", "true", nullptr);
		_exit(1);
	}
	waitpid(child, &status, 0);
	check(status == 0, "vfork");
	child = fork();
	if (child == 0) {
		in_thread();
		exit(3);
	}
	called += 1000;
	returned += 1000;
	waitpid(child, &status, 0);
	check(WEXITSTATUS(status) == 3, "fork");
	posix_spawnp(&child, "true", nullptr, nullptr, arguments, environ);
	waitpid(child, &status, 0);
	check(status == 0, "posix_spawn");
	check(system("true") == 0, "system");
	pclose(popen("true", "r"));
}

int main()
{
	for (int i = 0; i < 1000; i++)
		arguments();
	exceptions();
	jumps();
	deeper(5000);
	coroutines();
	threads();
	signals();
	processes();
	printf("%ld %ld\n", called.load(), returned.load());
	return 0;
}
