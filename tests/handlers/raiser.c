/* SPDX-License-Identifier: Apache-2.0 */
/* Raises the events of an event handler, in a different way for each argument. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static sigjmp_buf back;
static volatile int in_handler;
static char *const none[] = { "true", NULL };

/*
 * Loads two bytes from address 16 (movl (%rax), %eax), an instruction that a
 * handler can step over.
 */
static uint64_t fault(void)
{
	uint64_t value = 16;

	__asm__ volatile("movl (%%rax), %%eax" : "+a"(value));
	return value;
}

static void *thread(void *argument)
{
	if (argument)
		pthread_exit(NULL);
	return NULL;
}

static void on_signal(int number)
{
	in_handler++;
	printf("handler %d\n", number);
	fflush(stdout);
	if (in_handler == 1 && number == SIGSEGV && getenv("PROMOTE"))
		raise(SIGFPE);
	siglongjmp(back, 1);
}

static void with_handler(void)
{
	struct sigaction action = { .sa_handler = on_signal }, before;
	sigset_t mask;

	sigaction(SIGSEGV, &action, &before);
	printf("before %d\n", before.sa_handler == SIG_DFL);
	sigaction(SIGSEGV, NULL, &before);
	printf("now %d\n", before.sa_handler == on_signal && before.sa_flags == 0);
	signal(SIGFPE, on_signal);
	if (sigsetjmp(back, 1) == 0)
		fault();
	sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("mask %d\n", sigismember(&mask, SIGSEGV) + sigismember(&mask, SIGFPE));
	in_handler = 0;
	if (sigsetjmp(back, 1) == 0)
		fault();
}

static void fork_ways(const char *how)
{
	pid_t pid = !strcmp(how, "vfork") ? vfork() : fork();
	struct sigaction now;
	int status = 0;

	if (pid == 0) {
		signal(SIGFPE, SIG_DFL);
		_exit(7);
	}
	waitpid(pid, &status, 0);
	sigaction(SIGFPE, NULL, &now);
	printf("child %d kept %d\n", WEXITSTATUS(status), now.sa_handler == on_signal);
}

static void spawn_ways(void)
{
	pid_t pid;
	FILE *stream;

	posix_spawn(&pid, "/bin/true", NULL, NULL, none, environ);
	waitpid(pid, NULL, 0);
	posix_spawnp(&pid, "true", NULL, NULL, none, environ);
	waitpid(pid, NULL, 0);
	printf("system %d\n", system("exit 3") >> 8);
	fflush(stdout);
	stream = popen("exit 4", "r");
	printf("popen %d\n", pclose(stream) >> 8);
}

static void exec_ways(const char *how, const char *self)
{
	char *const list[] = { (char *)self, "nothing", NULL };

	unsetenv("LD_PRELOAD");
	if (!strcmp(how, "execv"))
		execv(self, list);
	if (!strcmp(how, "execvp"))
		execvp(self, list);
	if (!strcmp(how, "execl"))
		execl(self, self, "nothing", (char *)NULL);
	if (!strcmp(how, "execlp"))
		execlp(self, self, "nothing", (char *)NULL);
	if (!strcmp(how, "execle"))
		execle(self, self, "nothing", (char *)NULL, environ);
	if (!strcmp(how, "missing"))
		printf("missing %d\n", execv("/does/not/exist", list));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "nothing";
	pthread_t one;

	errno = ENOTTY;
	if (!strcmp(how, "nothing"))
		puts("nothing");
	if (!strcmp(how, "threads"))
		for (uintptr_t i = 0; i < 2; i++) {
			pthread_create(&one, NULL, thread, (void *)i);
			pthread_join(one, NULL);
		}
	if (!strcmp(how, "errno")) {
		pthread_create(&one, NULL, thread, NULL);
		printf("errno %d\n", errno == ENOTTY);
		pthread_join(one, NULL);
	}
	if (strstr(how, "fork"))
		signal(SIGFPE, on_signal);
	if (!strcmp(how, "fork") || !strcmp(how, "vfork"))
		fork_ways(how);
	if (!strcmp(how, "spawn"))
		spawn_ways();
	if (!strncmp(how, "exec", 4) || !strcmp(how, "missing"))
		exec_ways(how, argv[0]);
	if (!strcmp(how, "fault"))
		printf("after %d\n", fault() == 16);
	if (!strcmp(how, "handler"))
		with_handler();
	if (!strcmp(how, "_exit"))
		_exit(9);
	if (!strcmp(how, "signal"))
		raise(argc > 2 ? atoi(argv[2]) : SIGFPE);
	return 0;
}
