/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sqlite WORD NUMBER [THREADS]: statements of SQLite in a database in memory;
 * prints at the end how many SQLite itself has started.
 *
 *	rows N		a table of N rows, each by its own INSERT, read by one SELECT
 *	texts N		a table of N rows, each by an INSERT that has its values in its text
 *	nap N		a statement that sleeps N ms in the database; also prints its ms
 *	nest N		the same, and another one for its row, in another database
 *	fail N		N statements that cannot be prepared, and N that violate a constraint
 *	threads N T	rows N in each of T threads
 *	forks N T	rows N in each of T processes
 *	kill N		rows N in a transaction that never ends: the process kills itself
 *	long N		a statement of N characters
 */
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_int started;
static int number;

static int count(unsigned type, void *context, void *statement, void *text)
{
	(void)type, (void)context, (void)statement, (void)text;
	started++;
	return 0;
}

static void nap(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	int ms = sqlite3_value_int(argv[0]);
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	(void)argc;
	nanosleep(&time, NULL);
	sqlite3_result_int(context, ms);
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static sqlite3 *open_database(void)
{
	sqlite3 *database;

	if (sqlite3_open(":memory:", &database) != SQLITE_OK)
		exit(2);
	sqlite3_trace_v2(database, SQLITE_TRACE_STMT, count, NULL);
	sqlite3_create_function(database, "nap", 1, SQLITE_UTF8, NULL, nap, NULL, NULL);
	return database;
}

static void run(sqlite3 *database, const char *text)
{
	sqlite3_exec(database, text, NULL, NULL, NULL);
}

/* Executes another statement for a row of a statement. */
static int ask_another(void *text, int columns, char **values, char **names)
{
	sqlite3 *database = open_database();

	(void)columns, (void)values, (void)names;
	run(database, text);
	sqlite3_close(database);
	return 0;
}

static void make_rows(sqlite3 *database)
{
	sqlite3_stmt *statement;

	run(database, "CREATE TABLE item (id INTEGER PRIMARY KEY)");
	sqlite3_prepare_v2(database, "INSERT INTO item VALUES (?)", -1, &statement, NULL);
	for (int i = 0; i < number; i++) {
		sqlite3_bind_int(statement, 1, i);
		sqlite3_step(statement);
		sqlite3_reset(statement);
	}
	sqlite3_finalize(statement);
}

/* Does the same with a separate statement for each row. */
static void texts(void)
{
	sqlite3 *database = open_database();
	char text[80];

	run(database, "CREATE TABLE item (id INTEGER PRIMARY KEY)");
	for (int i = 0; i < number; i++) {
		snprintf(text, sizeof(text), "INSERT INTO item VALUES (%d)", i);
		run(database, text);
	}
	sqlite3_close(database);
}

static void *rows(void *nothing)
{
	sqlite3 *database = open_database();
	sqlite3_stmt *statement;
	int found = 0;

	make_rows(database);
	sqlite3_prepare_v2(database, "SELECT id FROM item", -1, &statement, NULL);
	while (sqlite3_step(statement) == SQLITE_ROW)
		found++;
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return found == number ? nothing : NULL;
}

static void fail(void)
{
	sqlite3 *database = open_database();
	sqlite3_stmt *statement;

	number++;
	make_rows(database);
	number--;
	for (int i = 0; i < number; i++) {
		sqlite3_prepare_v2(database, "SELECT nothing FROM nowhere", -1, &statement, NULL);
		run(database, "INSERT INTO item VALUES (0)");
	}
	sqlite3_close(database);
}

static void in_threads(int threads)
{
	pthread_t ids[256];

	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], NULL, rows, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
}

static void in_processes(int processes)
{
	for (int i = 0; i < processes; i++) {
		if (fork() == 0) {
			rows(NULL);
			exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

static void long_text(void)
{
	sqlite3 *database = open_database();
	char *text = malloc((size_t)number + 1);

	memset(text, ' ', (size_t)number);
	memcpy(text, "SELECT ", 7);
	text[number - 1] = '1';
	text[number] = '\0';
	run(database, text);
	sqlite3_close(database);
	free(text);
}

int main(int argc, char **argv)
{
	const char *word = argc > 2 ? argv[1] : "";
	int threads = argc > 3 ? atoi(argv[3]) : 0;
	long began = now_ms();
	char text[80];

	number = argc > 2 ? atoi(argv[2]) : 0;
	if (strcmp(word, "rows") == 0)
		rows(NULL);
	if (strcmp(word, "texts") == 0)
		texts();
	if (strcmp(word, "nap") == 0) {
		sqlite3 *database = open_database();

		snprintf(text, sizeof(text), "SELECT nap(%d)", number);
		run(database, text);
		sqlite3_close(database);
	}
	if (strcmp(word, "nest") == 0) {
		sqlite3 *database = open_database();

		snprintf(text, sizeof(text), "SELECT nap(%d)", number);
		sqlite3_exec(database, text, ask_another, text, NULL);
		sqlite3_close(database);
	}
	if (strcmp(word, "fail") == 0)
		fail();
	if (strcmp(word, "threads") == 0)
		in_threads(threads);
	if (strcmp(word, "forks") == 0)
		in_processes(threads);
	if (strcmp(word, "long") == 0)
		long_text();
	if (strcmp(word, "kill") == 0) {
		sqlite3 *database = open_database();

		run(database, "BEGIN");
		make_rows(database);
		kill(getpid(), SIGKILL);
	}
	printf("%d\n", started);
	if (word[0] == 'n')
		printf("%ld ms\n", now_ms() - began);
	return 0;
}
