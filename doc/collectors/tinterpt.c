/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tinterpt - an interpreter of a small fourth-generation language.
 *
 *	tinterpt SCRIPT [ROUNDS]	(default 30)
 *
 * A script has one statement per line and is executed ROUNDS times:
 *
 *	PROGRAM NAME		the statements from here on belong to program NAME
 *	nnnnnn COMPUTE n	statement number nnnnnn: calculate for n milliseconds
 *	nnnnnn WAIT n		sleep for n milliseconds
 *	* ...			a comment
 *
 * A profile of tinterpt shows where the interpreter spends its time. Its users
 * want to know which statement of their program does: STRBDC1 reads that from the
 * control blocks (tmain.h).
 */
#include "tmain.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STATEMENTS_MAX 1000

struct statement {
	char program[9], number[7], verb[9];
	unsigned milliseconds, line;
};

static struct tcurprog program = { .eye = TCURPROG_EYE };
static struct tcurtask task = { .eye = TCURTASK_EYE };
/* The anchor. Collectors find it by the name of this variable. */
struct tmaincb tmaincb = { .eye = TMAINCB_EYE, .task = &task };

static uint64_t cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static void compute(unsigned milliseconds)
{
	uint64_t until = cpu_ns() + milliseconds * UINT64_C(1000000), value = until;

	while (cpu_ns() < until)
		for (int i = 0; i < 10000; i++)
			value = value * 6364136223846793005u + 1442695040888963407u;
	__asm__ volatile("" : : "r"(value));
}

static size_t read_script(const char *path, struct statement *statements)
{
	FILE *stream = fopen(path, "r");
	char text[200], name[9] = "";
	size_t count = 0;

	if (!stream) {
		perror(path);
		exit(1);
	}
	for (unsigned line = 1; fgets(text, sizeof(text), stream) && count < STATEMENTS_MAX;
	     line++) {
		struct statement *statement = &statements[count];

		if (text[0] == '*' || sscanf(text, "PROGRAM %8s", name) == 1)
			continue;
		if (sscanf(text, "%6s %8s %u", statement->number, statement->verb,
			   &statement->milliseconds) != 3) {
			fprintf(stderr, "%s:%u: not a statement\n", path, line);
			exit(1);
		}
		memcpy(statement->program, name, sizeof(name));
		statement->line = line;
		count++;
	}
	fclose(stream);
	return count;
}

/* Records the program and statement in control, for collectors. */
static void enter(const struct statement *statement)
{
	memset(program.name, ' ', sizeof(program.name));
	memcpy(program.name, statement->program, strlen(statement->program));
	memcpy(program.statement, statement->number, sizeof(program.statement));
	program.line = statement->line;
	task.program = &program;
}

/* The interpreter's loop: everything it calls works for a statement. */
__attribute__((noinline)) void interpret(const struct statement *statements, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		enter(&statements[i]);
		if (strcmp(statements[i].verb, "COMPUTE") == 0)
			compute(statements[i].milliseconds);
		else
			nanosleep(&(struct timespec){ .tv_nsec = statements[i].milliseconds *
								 1000000L },
				  NULL);
	}
	task.program = NULL;
}

int main(int argc, char **argv)
{
	static struct statement statements[STATEMENTS_MAX];
	size_t count;

	if (argc < 2) {
		fprintf(stderr, "usage: tinterpt SCRIPT [ROUNDS]\n");
		return 2;
	}
	count = read_script(argv[1], statements);
	snprintf(program.file, sizeof(program.file), "%s", argv[1]);
	for (int rounds = argc > 2 ? atoi(argv[2]) : 30; rounds > 0; rounds--)
		interpret(statements, count);
	return 0;
}
