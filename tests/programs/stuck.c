/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits forever, without using CPU time, in a signal handler: it needs a lock that
 * the interrupted code holds. The same happens to a COBOL program whose run time
 * gets a SIGSEGV inside its file library; SIGTERM goes to the same handler.
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
