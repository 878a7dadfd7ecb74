/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the names of the functions that dash executes, in its stack and in its
 * table of commands.
 */
#include "common/compat.h"
#include "collectors/dash-functions.h"
#include "collectors/shell.h"

#include <sys/mman.h>

#define CHAINS 31
#define CHAIN_MAX 256
#define DATA_MAX (1 << 20)
#define NAME_MAX_LENGTH 104
#define DEFINITION 14
/* Words of the stack, from its top on, in which a call is looked for. */
#define CALL_WORDS 1024

enum { COMMAND_FUNCTION = 1, COMMAND_TYPES = 3 };
enum { TABLE, ENTRY }; /* indices of the image's private numbers: addresses */

/* A command that the shell has used. */
struct entry {
	uint64_t next, definition;
	int16_t type;
	char rehash;
	char name[NAME_MAX_LENGTH];
};

/* Definition of a function; uses: how many of its calls are active. */
struct definition {
	int32_t uses, pad, type, line;
	uint64_t name;
};

/* Returns the chain of a name. */
static size_t chain_of(const char *name)
{
	size_t sum = (size_t)((unsigned char)*name << 4);

	while (*name)
		sum += (size_t)*name++;
	return (sum & 0x7fff) % CHAINS;
}

/* Reads an entry with a terminated name; the page may end after it. */
static bool read_entry(const struct vigil_communication *area, uint64_t address,
		       struct entry *entry)
{
	size_t head = offsetof(struct entry, name);
	size_t size = address ? vigil_read(area, address, entry, head + NAME_MAX_LENGTH) : 0;

	RETURN_IF(size <= head || entry->type < -1 || entry->type >= COMMAND_TYPES, false);
	RETURN_IF(!memchr(entry->name, 0, size - head), false);
	return entry->name[0] > ' ';
}

/* Returns whether all chains of a table begin with entries that belong there. */
static bool is_table(const struct vigil_communication *area, const uint64_t *chains)
{
	struct entry entry;

	for (size_t i = 0; i < CHAINS; i++)
		if (chains[i] &&
		    (!read_entry(area, chains[i], &entry) || chain_of(entry.name) != i))
			return false;
	return true;
}

/* Returns the index of the table among the words of the data, or count. */
static size_t find_in_words(const struct vigil_communication *area, const uint64_t *words,
			    size_t count)
{
	struct entry entry;

	for (size_t i = 0; i < count; i++) {
		size_t chain;

		if (!words[i] || words[i] % 8 || !read_entry(area, words[i], &entry))
			continue;
		chain = chain_of(entry.name);
		if (chain <= i && i - chain + CHAINS <= count && is_table(area, words + i - chain))
			return i - chain;
	}
	return count;
}

/* Returns the address of the table: in the program's writable memory, or after it. */
static uint64_t find_table(const struct vigil_communication *area, const struct image *image)
{
	struct vigil_mapping mapping = { .end = image->base };
	uint64_t found = 0;

	for (size_t i = 0; i < 8 && !found; i++) {
		size_t size, count, place;
		uint64_t *words;

		RETURN_IF(vigil_mapping_at(area, mapping.end, &mapping) != 0, 0);
		size = (size_t)(mapping.end - mapping.start);
		if (!(mapping.protection & PROT_WRITE) || size > DATA_MAX)
			continue;
		words = malloc(size);
		RETURN_IF(!words, 0);
		count = vigil_read(area, mapping.start, words, size) / sizeof(*words);
		place = find_in_words(area, words, count);
		if (place < count)
			found = mapping.start + place * sizeof(*words);
		free(words);
	}
	return found;
}

/* Returns whether a function that begins in a line is defined at address and is being executed. */
static bool is_executed(const struct vigil_communication *area, uint64_t address, uint32_t line,
			struct definition *definition)
{
	return address && address % 8 == 0 &&
	       vigil_read(area, address, definition, sizeof(*definition)) == sizeof(*definition) &&
	       definition->type == DEFINITION && definition->uses > 0 &&
	       definition->line == (int64_t)line;
}

/*
 * Finds the name of the innermost function on the stack that begins in a line:
 * code that executes a command has the command's type there and, for a function,
 * the address of its definition.
 */
static bool find_call(const struct vigil_communication *area, uint32_t line, char *name,
		      size_t size)
{
	uint64_t words[CALL_WORDS];
	size_t count = shell_stack(area, words, CALL_WORDS);
	struct definition definition;

	for (size_t i = 0; i + 1 < count; i++)
		if ((uint32_t)words[i] == COMMAND_FUNCTION &&
		    is_executed(area, words[i + 1], line, &definition))
			return vigil_text(area, definition.name, name, size) > 0;
	return false;
}

/* Returns whether an entry is a function that begins in a line and is being executed. */
static bool is_function(const struct vigil_communication *area, const struct entry *entry,
			uint32_t line)
{
	struct definition definition;

	return entry->type == COMMAND_FUNCTION &&
	       is_executed(area, entry->definition, line, &definition);
}

/* Returns the address of the only entry that is a function of that line, 0: none, or several. */
static uint64_t find_entry(const struct vigil_communication *area, uint64_t table, uint32_t line)
{
	uint64_t chains[CHAINS], found = 0;
	struct entry entry;

	RETURN_IF(vigil_read(area, table, chains, sizeof(chains)) != sizeof(chains), 0);
	for (size_t i = 0; i < CHAINS; i++) {
		uint64_t at = chains[i];

		for (size_t j = 0; at && j < CHAIN_MAX && read_entry(area, at, &entry); j++) {
			if (is_function(area, &entry, line)) {
				RETURN_IF(found, 0);
				found = at;
			}
			at = entry.next;
		}
	}
	return found;
}

/*
 * Finds the name in the table, because the shell has entered or left functions
 * since the sample. The entry found last is reused while it is being executed,
 * because a search reads every command the shell has used.
 */
static void find_name(const struct vigil_communication *area, struct image *image, uint32_t line,
		      char *name, size_t size)
{
	struct entry entry;

	*name = 0;
	if (!image->private_values[TABLE])
		image->private_values[TABLE] = find_table(area, image);
	RETURN_IF(!image->private_values[TABLE], );
	if (!read_entry(area, image->private_values[ENTRY], &entry) || !is_function(area, &entry, line)) {
		image->private_values[ENTRY] = find_entry(area, image->private_values[TABLE], line);
		RETURN_IF(!read_entry(area, image->private_values[ENTRY], &entry), );
	}
	snprintf(name, size, "%s", entry.name);
}

void dash_function_name(const struct vigil_communication *area, struct image *image, uint32_t line,
			char *name, size_t size)
{
	if (!find_call(area, line, name, size))
		find_name(area, image, line, name, size);
}
