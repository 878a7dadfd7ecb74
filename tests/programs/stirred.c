/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that load and unload objects, fork, and execute code, while signals
 * arrive a thousand times per second: "stirred OBJECT OBJECT". Those that execute
 * code rest often, so that the others get on.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop, sum, alarms;

static void on_alarm(int number)
{
	alarms += number != 0;
	if (alarms % 7 == 3)
		sum++; /* yes */
}

static void *load(void *argument)
{
	for (int i = 0; i < 100; i++) {
		void *loaded = dlopen(argument, RTLD_NOW);
		int (*function)(int);

		*(void **)&function = dlsym(loaded, "plugged");
		sum += function(i % 3);
		dlclose(loaded);
	}
	return NULL; /* yes */
}

static void *begin_children(void *argument)
{
	for (int i = 0; i < 50; i++) {
		pid_t child = fork();

		if (!child) {
			if (i % 5 == 2)
				sum = argument != NULL; /* yes */
			_exit(i % 3);
		}
		waitpid(child, NULL, 0);
	}
	return NULL; /* yes */
}

static void *work(void *argument)
{
	for (long i = 0; !stop; i++)
		switch (i % 11) {
		case 0:
			sum = argument != NULL; /* yes */
			break;
		case 7:
			sum += 4; /* yes */
			usleep(50); /* yes */
			break;
		case 12:
			sum = 9; /* no */
			break;
		default:
			sum++; /* yes */
		}
	return NULL; /* yes */
}

int main(int argc, char **argv)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	pthread_t loaders[5], parents[3], workers[4];

	if (argc != 3)
		return 2; /* no */
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&workers[i], NULL, work, NULL);
	for (int i = 0; i < 5; i++)
		pthread_create(&loaders[i], NULL, load, argv[1 + i % 2]);
	for (int i = 0; i < 3; i++)
		pthread_create(&parents[i], NULL, begin_children, NULL);
	for (int i = 0; i < 5; i++)
		pthread_join(loaders[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(parents[i], NULL);
	stop = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(workers[i], NULL);
	puts("fine"); /* yes */
	return 0;
}
