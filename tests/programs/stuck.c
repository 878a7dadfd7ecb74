/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for ever, without CPU time, in a signal handler: it needs a lock that the
 * code had which got the signal. So does a COBOL program whose run time gets a
 * SIGSEGV inside the library of its files; SIGTERM goes to the same handler.
 */
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void close_files(int number)
{
	(void)number;
	pthread_mutex_lock(&lock);
}

int main(void)
{
	signal(SIGSEGV, close_files);
	signal(SIGTERM, close_files);
	pthread_mutex_lock(&lock);
	raise(SIGSEGV);
	return 0;
}
