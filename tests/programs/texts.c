/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds a line of many words: "texts add ROUNDS" searches the end of the line
 * before each word, "texts keep ROUNDS" keeps it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4000 };

static char line[WORDS * 8 + 1];

static void add_words(void)
{
	for (int i = 0; i < WORDS; i++)
		strcat(line, "record, ");
}

static void keep_end(void)
{
	char *end = line;

	for (int i = 0; i < WORDS; i++)
		end = stpcpy(end, "record, ");
}

int main(int argc, char **argv)
{
	int rounds = argc == 3 ? atoi(argv[2]) : 0;
	size_t total = 0;

	for (int i = 0; i < rounds; i++) {
		line[0] = '\0';
		if (strcmp(argv[1], "add") == 0)
			add_words();
		else
			keep_end();
		total += (unsigned char)line[WORDS];
	}
	printf("%zu\n", total);
	return total == 0;
}
