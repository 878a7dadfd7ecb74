/* SPDX-License-Identifier: Apache-2.0 */
/* Packages, subs and statements of a Perl program. */
#include "common/compat.h"
#include "sampler/collectors/perl-names.h"

#define FILE_MAX 1024
#define FLAG_UTF8 1 /* of a name, behind its NUL */

void perl_names_begin(struct perl_memory *memory)
{
	memory->used = 0;
}

/* Room for size bytes of text, NULL when there is no more of it. */
static char *room(struct perl_memory *memory, size_t size)
{
	char *text = memory->texts + memory->used;

	RETURN_IF(size > sizeof(memory->texts) - memory->used, NULL);
	memory->used += size;
	return text;
}

static bool read_number(struct perl_memory *memory, uint64_t address, uint32_t *number)
{
	return pages_read(&memory->pages, address, number, sizeof(*number));
}

/* The body of a value whose type is wanted, 0 when it is another. */
static uint64_t body_of(struct perl_memory *memory, uint64_t value, uint32_t wanted,
			uint32_t *flags)
{
	const struct perl_layout *layout = memory->layout;

	RETURN_IF(!value || value & 7 || !read_number(memory, value + layout->value_flags, flags),
		  0);
	RETURN_IF((*flags & layout->value_types) != wanted, 0);
	return pages_pointer(&memory->pages, value);
}

/* The name (HEK) at address: Latin-1 becomes UTF-8. NULL when that is none. */
static const char *name_at(struct perl_memory *memory, uint64_t address)
{
	const struct perl_layout *layout = memory->layout;
	unsigned char text[VIGIL_NAME_MAX + 2];
	uint32_t length, used = 0;
	char *name;

	RETURN_IF(!address || !read_number(memory, address + layout->name_length, &length), NULL);
	RETURN_IF(length > INT32_MAX, NULL);
	if (length > VIGIL_NAME_MAX)
		length = VIGIL_NAME_MAX;
	RETURN_IF(!pages_read(&memory->pages, address + layout->name_text, text, length + 2), NULL);
	name = room(memory, 2 * length + 1);
	RETURN_IF(!name, NULL);
	for (uint32_t i = 0; i < length; i++) {
		if (text[i] >= 0x80 && !(text[length + 1] & FLAG_UTF8)) {
			name[used++] = (char)(0xc0 | text[i] >> 6);
			name[used++] = (char)(0x80 | (text[i] & 0x3f));
		} else {
			name[used++] = (char)text[i];
		}
	}
	name[used] = '\0';
	return name;
}

/* The name of the package whose symbol table (stash) is at address, NULL when it has none. */
static const char *package_at(struct perl_memory *memory, uint64_t address)
{
	const struct perl_layout *layout = memory->layout;
	uint32_t flags, names;
	uint64_t body = body_of(memory, address, layout->is_hash, &flags), name;

	RETURN_IF(!body || !(flags & layout->has_name), NULL);
	RETURN_IF(!read_number(memory, body + layout->package_names, &names), NULL);
	name = pages_pointer(&memory->pages, body + layout->package_name);
	/* With several names it is a table of them. */
	return name_at(memory, names ? pages_pointer(&memory->pages, name) : name);
}

/* The path of a statement's file, NULL when it cannot be read. */
static const char *file_at(struct perl_memory *memory, uint64_t address)
{
	char text[FILE_MAX], *file;
	size_t length = 0;

	while (address && length < sizeof(text) - 1 &&
	       pages_read(&memory->pages, address + length, text + length, 1) && text[length])
		length++;
	RETURN_IF(!length, NULL);
	text[length] = '\0';
	file = room(memory, length + 1);
	RETURN_IF(!file, NULL);
	memcpy(file, text, length + 1);
	return file;
}

/* Whether the head is that of a statement: one to be executed, one made void, or the one perl keeps
   for what it compiles. */
static bool is_statement(const struct perl_memory *memory, uint64_t address,
			 const unsigned char *head)
{
	const struct perl_layout *layout = memory->layout;
	uint16_t type;

	memcpy(&type, head + PERL_OPERATION_TYPE, sizeof(type));
	type &= PERL_OPERATION_TYPES;
	return type == 0 || type == layout->next_statement || type == layout->debugged_statement ||
	       address == memory->interpreter + layout->compiling;
}

bool perl_statement(struct perl_memory *memory, uint64_t address, struct perl_statement *statement)
{
	const struct perl_layout *layout = memory->layout;
	unsigned char head[PERL_STATEMENT_HEAD];
	uint64_t package, package_max, file;

	RETURN_IF(!address || address & 7 ||
			  !pages_read(&memory->pages, address, head, sizeof(head)),
		  false);
	RETURN_IF(!is_statement(memory, address, head), false);
	memcpy(&statement->line, head + layout->statement_line, sizeof(statement->line));
	memcpy(&package, head + layout->statement_package, sizeof(package));
	memcpy(&file, head + layout->statement_file, sizeof(file));
	package_max = pages_pointer(&memory->pages, memory->interpreter + layout->packages_max);
	RETURN_IF(package > package_max, false);
	package = pages_pointer(
		&memory->pages,
		pages_pointer(&memory->pages, memory->interpreter + layout->packages) +
			package * 8);
	/* No line: all bits are set. */
	if (statement->line == UINT32_MAX)
		statement->line = 0;
	statement->package = package_at(memory, package);
	statement->file = file_at(memory, file);
	if (!statement->package)
		statement->package = "";
	if (!statement->file)
		statement->file = "";
	return true;
}

bool perl_sub(struct perl_memory *memory, uint64_t address, struct perl_sub *sub)
{
	const struct perl_layout *layout = memory->layout;
	uint32_t flags, sub_flags;
	uint64_t body = body_of(memory, address, layout->is_code, &flags), name;

	RETURN_IF(!body || !read_number(memory, body + layout->sub_flags, &sub_flags), false);
	name = pages_pointer(&memory->pages, body + layout->sub_name);
	if (sub_flags & layout->sub_named) {
		sub->name = name_at(memory, name);
		sub->package = package_at(
			memory, pages_pointer(&memory->pages, body + layout->sub_package));
	} else {
		uint64_t glob = body_of(memory, name, layout->is_glob, &flags);

		sub->name = glob ? name_at(memory,
					   pages_pointer(&memory->pages, glob + layout->glob_name))
				 : NULL;
		sub->package = glob ? package_at(memory, pages_pointer(&memory->pages,
								       glob + layout->glob_package))
				    : NULL;
	}
	if (!sub->name)
		sub->name = "(unknown)";
	return true;
}
