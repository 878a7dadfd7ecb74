/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patched WHAT N [M]: functions compiled without instrumentation, whose calls are
 * counted by tests.
 *
 *	forms N			N calls of each function of patched-asm.S; prints their sum
 *	recurse N M		N times down M levels
 *	threads N M		N threads with M calls each, some of which end by pthread_exit or are cancelled
 *	fork N M		N forked processes with M calls each
 *	jump N			N calls that are left by longjmp, from three levels
 *	signals N		N calls, and as many in handlers on a separate stack
 *	coroutines N		two coroutines that take turns, N calls each
 *	load N OBJECT...	N times: load, call and close each object
 *	busy N			one call, and then N ms of CPU time in main
 *	bytes 0			prints 1 if the first byte of leaf is a jump, otherwise 0
 *	given N [M]		calls, with M idle threads, at most N ms, until its code is that
 *				of its file again; prints 1 if it is, otherwise 0
 *	beside N OBJECT...	as load, while other threads call functions and those of the objects
 *	kill N			N calls, and SIGKILL
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

int tiny(void), cramped(void), loop_inside(int), loop_start(int), relative(void), compared(void),
	calls_first(void), branches(int), tail(int), table(int), keeps(void);

static volatile long sink;
static jmp_buf back;
static ucontext_t first, second, last;

__attribute__((noinline)) void leaf(long number)
{
	sink += number;
}

__attribute__((noinline)) void middle(long count)
{
	for (long i = 0; i < count; i++)
		leaf(i);
}

__attribute__((noinline)) long recurse(long depth)
{
	long below = depth > 1 ? recurse(depth - 1) : 1;

	sink++;
	return below ^ sink;
}

__attribute__((noinline)) void thrower(long depth)
{
	sink++;
	if (depth)
		thrower(depth - 1);
	else
		longjmp(back, 1);
	sink++;
}

__attribute__((noinline)) void in_handler(int number)
{
	sink += number;
}

__attribute__((noinline)) void turns(ucontext_t *own, ucontext_t *other, long count)
{
	for (long i = 0; i < count; i++) {
		leaf(i);
		swapcontext(own, other);
	}
}

static void *thread(void *argument)
{
	long count = (long)argument;

	middle(count);
	if (count & 1)
		pthread_exit(NULL);
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_cancel(pthread_self());
	pthread_testcancel();
	return NULL;
}

static void forms(long count)
{
	long sum = 0;

	for (long i = 0; i < count; i++) {
		sum += tiny() + cramped() + loop_inside(3) + loop_start(5) + relative() + compared();
		sum += calls_first() + branches(0) + branches(1) + tail(-1) + tail(0);
		sum += table(0) + table(1) + table(2) + table(3) + 1000 * keeps();
	}
	printf("%ld\n", sum);
}

static void threads(long count, long calls)
{
	pthread_t ids[1000];

	for (long i = 0; i < count; i++)
		if (pthread_create(&ids[i], NULL, thread, (void *)(calls + (i & 1))))
			exit(9);
	for (long i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

static void forks(long count, long calls)
{
	for (long i = 0; i < count; i++) {
		pid_t child = fork();

		if (!child) {
			middle(calls);
			if (i & 1)
				_exit(0);
			exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void signals(long count)
{
	struct sigaction action = { .sa_handler = in_handler, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_size = 65536 };

	/* above or below the stack: both must work */
	stack.ss_sp = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; i < count; i++) {
		leaf(i);
		raise(SIGUSR1);
	}
}

static void coroutines(long count)
{
	static char stacks[2][65536];

	getcontext(&first);
	first.uc_stack = (stack_t){ .ss_sp = stacks[0], .ss_size = sizeof(stacks[0]) };
	first.uc_link = &last;
	getcontext(&second);
	second.uc_stack = (stack_t){ .ss_sp = stacks[1], .ss_size = sizeof(stacks[1]) };
	second.uc_link = &last;
	makecontext(&first, (void (*)(void))turns, 3, &first, &second, count);
	makecontext(&second, (void (*)(void))turns, 3, &second, &first, count);
	swapcontext(&last, &first);
}

static void load(long count, char **objects)
{
	for (long i = 0; i < count; i++)
		for (char **object = objects; *object; object++) {
			void *handle = dlopen(*object, RTLD_NOW);
			void (*function)(long);
			void *found = handle ? dlsym(handle, "plugged") : NULL;

			if (!found) {
				fprintf(stderr, "%s\n", dlerror());
				exit(9);
			}
			memcpy(&function, &found, sizeof(function));
			function(i);
			/* mapping memory here moves the next one */
			if (i % 3 == 0)
				mmap(NULL, (size_t)(1 + i % 5) << 16, PROT_NONE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			dlclose(handle);
		}
}

/* in main itself: no function may begin meanwhile */
#define SPEND(ms) \
	do { \
		clock_t until = clock() + (ms) * (CLOCKS_PER_SEC / 1000); \
		while (clock() < until) \
			sink++; \
	} while (0)

static volatile int over;

static void *spin(void *nothing)
{
	while (!over)
		middle(3);
	return nothing;
}

/* Loads objects while four threads are busy. */
static void beside(long count, char **objects)
{
	pthread_t ids[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&ids[i], NULL, spin, NULL))
			exit(9);
	load(count, objects);
	over = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
}

/* Returns whether the code of the program is that of its file. */
static int compare(struct dl_phdr_info *info, size_t size, void *same)
{
	int file = open("/proc/self/exe", O_RDONLY);

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		char *code;

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
			continue;
		code = malloc(part->p_filesz);
		if (pread(file, code, part->p_filesz, (off_t)part->p_offset) != (ssize_t)part->p_filesz)
			exit(2);
		*(int *)same = !memcmp(code, (void *)(info->dlpi_addr + part->p_vaddr), part->p_filesz);
		free(code);
	}
	close(file);
	return 1;
}

static void *doze(void *argument)
{
	sleep(60);
	return argument;
}

/* Calls functions until their code is that of the file again. */
static void await_code(long ms, long threads)
{
	pthread_t thread;
	int same = 0;

	while (threads-- > 0)
		pthread_create(&thread, NULL, doze, NULL);
	for (long i = 0; i < ms && !same; i++) {
		usleep(1000);
		middle(10);
		recurse(10);
		dl_iterate_phdr(compare, &same);
	}
	printf("%d\n", same);
}

int main(int argc, char **argv)
{
	const char *what = argv[1];
	long count = atol(argv[2]), more = argc > 3 ? atol(argv[3]) : 0;

	if (strcmp(what, "forms") == 0)
		forms(count);
	else if (strcmp(what, "recurse") == 0)
		for (long i = 0; i < count; i++)
			recurse(more);
	else if (strcmp(what, "threads") == 0)
		threads(count, more);
	else if (strcmp(what, "fork") == 0)
		forks(count, more);
	else if (strcmp(what, "signals") == 0)
		signals(count);
	else if (strcmp(what, "coroutines") == 0)
		coroutines(count);
	else if (strcmp(what, "load") == 0)
		load(count, argv + 3);
	else if (strcmp(what, "beside") == 0)
		beside(count, argv + 3);
	else if (strcmp(what, "jump") == 0)
		for (volatile long i = 0; i < count; i++) {
			if (!setjmp(back))
				thrower(2);
			leaf(1);
		}
	middle(1);
	if (strcmp(what, "busy") == 0)
		SPEND(count);
	if (strcmp(what, "bytes") == 0)
		printf("%d\n", *(volatile unsigned char *)leaf == 0xe9);
	if (strcmp(what, "given") == 0)
		await_code(count, argc > 3 ? atol(argv[3]) : 0);
	if (strcmp(what, "kill") == 0) {
		middle(count);
		kill(getpid(), SIGKILL);
	}
	return 0;
}
