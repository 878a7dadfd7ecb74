/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libpq CONNECTION WORD NUMBER [THREADS]: statements of PostgreSQL.
 *
 *	exec N		N statements by PQexec
 *	together N	the same rows by one statement
 *	prepared N	one prepared statement, executed N times
 *	send N		N statements by PQsendQuery, their results by PQgetResult
 *	fail N		N statements on tables that do not exist
 *	nap N		a statement that sleeps N ms in the server; prints the ms of all of it
 *	threads N T	exec N in each of T threads, each with its connection
 *	forks N T	exec N in each of T processes
 *	kill N		exec N in a transaction that never ends: the process kills itself
 */
#include <libpq-fe.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *where;
static int number;

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static PGconn *begin(void)
{
	PGconn *connection = PQconnectdb(where);

	if (PQstatus(connection) != CONNECTION_OK) {
		fprintf(stderr, "%s", PQerrorMessage(connection));
		exit(2);
	}
	return connection;
}

static void run(PGconn *connection, const char *text)
{
	PQclear(PQexec(connection, text));
}

static void *execute(void *nothing)
{
	PGconn *connection = begin();
	char text[80];

	for (int i = 0; i < number; i++) {
		snprintf(text, sizeof(text), "SELECT %d", i);
		run(connection, text);
	}
	PQfinish(connection);
	return nothing;
}

/* Requests the rows of execute with one statement. */
static void together(void)
{
	PGconn *connection = begin();
	char text[80];

	snprintf(text, sizeof(text), "SELECT i FROM generate_series(0, %d) AS i", number - 1);
	run(connection, text);
	PQfinish(connection);
}

static void prepared(void)
{
	PGconn *connection = begin();
	const char *values[] = { "5" };

	PQclear(PQprepare(connection, "twice", "SELECT 2 * $1::int", 1, NULL));
	for (int i = 0; i < number; i++)
		PQclear(PQexecPrepared(connection, "twice", 1, values, NULL, NULL, 0));
	PQfinish(connection);
}

static void send_all(void)
{
	PGconn *connection = begin();
	PGresult *result;

	for (int i = 0; i < number; i++) {
		PQsendQuery(connection, "SELECT 'sent'");
		while ((result = PQgetResult(connection)))
			PQclear(result);
	}
	PQfinish(connection);
}

static void one(const char *form, int times)
{
	PGconn *connection = begin();
	char text[80];

	snprintf(text, sizeof(text), form, number / 1000.0);
	for (int i = 0; i < times; i++)
		run(connection, text);
	PQfinish(connection);
}

static void in_threads(int threads)
{
	pthread_t ids[256];

	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, execute, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
}

static void in_processes(int processes)
{
	for (int i = 0; i < processes; i++) {
		if (fork() == 0) {
			execute(NULL);
			exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *word = argc > 3 ? argv[2] : "";
	int threads = argc > 4 ? atoi(argv[4]) : 0;

	where = argc > 1 ? argv[1] : "";
	number = argc > 3 ? atoi(argv[3]) : 0;
	if (strcmp(word, "exec") == 0)
		execute(NULL);
	if (strcmp(word, "together") == 0)
		together();
	if (strcmp(word, "prepared") == 0)
		prepared();
	if (strcmp(word, "send") == 0)
		send_all();
	if (strcmp(word, "fail") == 0)
		one("SELECT * FROM nowhere", number);
	if (strcmp(word, "nap") == 0) {
		long began = now_ms();

		one("SELECT pg_sleep(%f)", 1);
		printf("%ld ms\n", now_ms() - began);
	}
	if (strcmp(word, "threads") == 0)
		in_threads(threads);
	if (strcmp(word, "forks") == 0)
		in_processes(threads);
	if (strcmp(word, "kill") == 0) {
		PGconn *connection = begin();

		run(connection, "BEGIN");
		for (int i = 0; i < number; i++)
			run(connection, "SELECT 1");
		kill(getpid(), SIGKILL);
	}
	return 0;
}
