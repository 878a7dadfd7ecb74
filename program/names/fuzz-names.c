/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the resolving of addresses: any bytes as an ELF file with symbols and
 * debug information. All resulting names are terminated texts, and address ranges
 * do not overlap.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "program/names/names.h"
#include "program/names/statements.h"

#include <sys/stat.h>
#include <unistd.h>

#define MOST 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Resolves one address; returns the length of its names. */
static size_t resolve(struct names *names, struct object *object, uint64_t address)
{
	struct name levels[NAMES_MAX_INLINE];
	size_t count = names_resolve(names, object, address, getpid(), levels), length = 0;

	if (count > NAMES_MAX_INLINE)
		abort();
	for (size_t i = 0; i < count; i++)
		length += strlen(levels[i].procedure) + strlen(levels[i].section) +
			  strlen(levels[i].file) + strlen(levels[i].language) +
			  strlen(levels[i].text);
	return length;
}

/* Resolves the ends and the middle of each section, and the entry. */
static void resolve_all(struct names *names, struct object *object)
{
	struct object_section section;

	resolve(names, object, object->entry);
	for (unsigned i = 0; i < MOST && object_section_at(object, i, &section); i++) {
		resolve(names, object, section.address);
		resolve(names, object, section.address + section.size / 2);
		resolve(names, object, section.address + section.size - 1);
	}
}

static void check_statements(const struct statement_list *list)
{
	size_t first;

	for (size_t i = 0; i < list->place_count; i++) {
		const struct statement_place *place = &list->places[i];

		if (place->statement >= list->count || place->start > place->end)
			abort();
		statement_list_at(list, place->start, &first);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = test_input(0, data, size);
	struct names *names = names_new();
	struct statement_list statements;
	struct object_list objects;
	struct object *object;
	struct stat status;

	if (stat(path, &status) < 0)
		abort();
	names_debug_folder(names, "/nonexistent");
	object_list_init(&objects);
	object = object_for_file(&objects, path, status.st_dev, status.st_ino, getpid(), 0);
	object_headers(object);
	resolve_all(names, object);
	statement_list_read(&statements, names, object);
	check_statements(&statements);
	statement_list_release(&statements);
	names_free(names);
	object_list_release(&objects);
	return 0;
}
