/* SPDX-License-Identifier: Apache-2.0 */
/* Reads packages, subs and statements of a Perl program. */
#include "common/compat.h"
#include "collectors/perl-names.h"

#define FLAG_UTF8 1 /* flag of a name, after its NUL */

static bool read_number(struct perl_memory *memory, uint64_t address, uint32_t *number)
{
	return pages_read(memory->pages, address, number, sizeof(*number));
}

/* State that changes whenever the current thread compiles something: at least with each block. */
struct moment {
	uint64_t interpreter;
	uint32_t compiled, unused;
};

static bool read_moment(struct perl_memory *memory, struct moment *moment)
{
	*moment = (struct moment){ .interpreter = memory->interpreter };
	return read_number(memory, memory->interpreter + memory->layout->compiled,
			   &moment->compiled);
}

/* Returns the body of a value with the wanted type, 0 if it has another type. */
static uint64_t body_of(struct perl_memory *memory, uint64_t value, uint32_t wanted,
			uint32_t *flags)
{
	const struct perl_layout *layout = memory->layout;

	RETURN_IF(!value || value & 7 || !read_number(memory, value + layout->value_flags, flags),
		  0);
	RETURN_IF((*flags & layout->value_types) != wanted, 0);
	return pages_pointer(memory->pages, value);
}

/* Returns whether a text is a plausible name: data read while it changes mostly is not. */
static bool is_name(const unsigned char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		RETURN_IF(text[i] < ' ' || text[i] == 0x7f, false);
	return true;
}

/* Returns whether a text is UTF-8, by lead and continuation bytes only. */
static bool is_utf8(const char *text)
{
	for (unsigned follow = 0;; text++) {
		unsigned char byte = (unsigned char)*text;

		RETURN_IF((follow > 0) != (byte >> 6 == 2), false);
		RETURN_IF(!byte, true);
		RETURN_IF(byte >= 0xf8, false);
		if (follow)
			follow--;
		else
			follow = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc0;
	}
}

/*
 * Reads the name (HEK) at address, "" if there is none; Latin-1 becomes UTF-8.
 * Returns false if it is not a name.
 */
static bool read_name(struct perl_memory *memory, uint64_t address, char name[PERL_NAME])
{
	const struct perl_layout *layout = memory->layout;
	unsigned char text[VIGIL_NAME_MAX + 2];
	uint32_t length, used = 0;

	name[0] = '\0';
	RETURN_IF(!address, true);
	RETURN_IF(!read_number(memory, address + layout->name_length, &length), false);
	RETURN_IF(length > VIGIL_NAME_MAX, false);
	RETURN_IF(!pages_read(memory->pages, address + layout->name_text, text, length + 2),
		  false);
	RETURN_IF(text[length] || !is_name(text, length), false);
	for (uint32_t i = 0; i < length; i++) {
		if (text[i] >= 0x80 && !(text[length + 1] & FLAG_UTF8)) {
			name[used++] = (char)(0xc0 | text[i] >> 6);
			name[used++] = (char)(0x80 | (text[i] & 0x3f));
		} else {
			name[used++] = (char)text[i];
		}
	}
	name[used] = '\0';
	return is_utf8(name);
}

/* Reads the name of the package whose symbol table (stash) is at address, "" if it has none. */
static bool read_package(struct perl_memory *memory, uint64_t address, char name[PERL_NAME])
{
	const struct perl_layout *layout = memory->layout;
	uint32_t flags, names;
	uint64_t body = body_of(memory, address, layout->is_hash, &flags), text;

	name[0] = '\0';
	RETURN_IF(!body || !(flags & layout->has_name), true);
	RETURN_IF(!read_number(memory, body + layout->package_names, &names), false);
	text = pages_pointer(memory->pages, body + layout->package_name);
	/* If it has several names, this is a table of them. */
	return read_name(memory, names ? pages_pointer(memory->pages, text) : text, name);
}

/*
 * Reads the path of a statement's file, "" if it has none. The path of an
 * evaluated text may have been freed and then has arbitrary contents.
 */
static bool read_file(struct perl_memory *memory, uint64_t address, char file[PERL_FILE])
{
	size_t length = 0;

	file[0] = '\0';
	RETURN_IF(!address, true);
	do {
		RETURN_IF(length == PERL_FILE ||
				  !pages_read(memory->pages, address + length, file + length, 1),
			  false);
	} while (file[length++]);
	return is_name((const unsigned char *)file, length - 1) && is_utf8(file);
}

/* The data that leads from a statement to its names. */
struct statement_head {
	unsigned char bytes[PERL_STATEMENT_HEAD];
	struct moment moment;
};

/*
 * Returns whether the head is that of a statement: an executable one, a disabled
 * one, or the one perl uses while it compiles.
 */
static bool is_statement(const struct perl_memory *memory, uint64_t address,
			 const struct statement_head *head)
{
	const struct perl_layout *layout = memory->layout;
	uint16_t type;

	memcpy(&type, head->bytes + PERL_OPERATION_TYPE, sizeof(type));
	type &= PERL_OPERATION_TYPES;
	return type == 0 || type == layout->next_statement || type == layout->debugged_statement ||
	       address == memory->interpreter + layout->compiling;
}

/* Reads the package and the file that a statement's head refers to. */
static const struct remembered *read_statement(struct perl_memory *memory, uint64_t address,
					       const struct statement_head *head)
{
	const struct perl_layout *layout = memory->layout;
	char package[PERL_NAME], file[PERL_FILE];
	uint64_t number, max, table, text;

	memcpy(&number, head->bytes + layout->statement_package, sizeof(number));
	memcpy(&text, head->bytes + layout->statement_file, sizeof(text));
	max = pages_pointer(memory->pages, memory->interpreter + layout->packages_max);
	table = pages_pointer(memory->pages, memory->interpreter + layout->packages);
	RETURN_IF(number > max, NULL);
	RETURN_IF(
		!read_package(memory, pages_pointer(memory->pages, table + number * 8), package) ||
			!read_file(memory, text, file),
		NULL);
	return remember_add(memory->known, address, head, sizeof(*head), package, file);
}

bool perl_statement(struct perl_memory *memory, uint64_t address, struct perl_statement *statement)
{
	struct statement_head head;
	const struct remembered *known;

	RETURN_IF(!address || address & 7 ||
			  !pages_read(memory->pages, address, head.bytes, sizeof(head.bytes)) ||
			  !read_moment(memory, &head.moment),
		  false);
	RETURN_IF(!is_statement(memory, address, &head), false);
	known = remember_find(memory->known, address, &head, sizeof(head));
	if (!known)
		known = read_statement(memory, address, &head);
	RETURN_IF(!known, false);
	memcpy(&statement->line, head.bytes + memory->layout->statement_line,
	       sizeof(statement->line));
	/* All bits set: no line. */
	if (statement->line == UINT32_MAX)
		statement->line = 0;
	statement->package = known->first;
	statement->file = known->second;
	return true;
}

/* The data that leads from a sub to its names. */
struct sub_head {
	uint64_t package, name; /* name: address of a glob, or of the name */
	uint32_t flags, unused;
	struct moment moment;
};

static const struct remembered *read_sub(struct perl_memory *memory, uint64_t address,
					 const struct sub_head *head)
{
	const struct perl_layout *layout = memory->layout;
	char package[PERL_NAME] = "", name[PERL_NAME] = "";
	uint32_t flags;
	uint64_t glob;

	if (head->flags & layout->sub_named) {
		RETURN_IF(!read_name(memory, head->name, name) ||
				  !read_package(memory, head->package, package),
			  NULL);
	} else if ((glob = body_of(memory, head->name, layout->is_glob, &flags))) {
		RETURN_IF(!read_name(memory,
				     pages_pointer(memory->pages, glob + layout->glob_name),
				     name) ||
				  !read_package(memory,
						pages_pointer(memory->pages,
							      glob + layout->glob_package),
						package),
			  NULL);
	}
	return remember_add(memory->known, address, head, sizeof(*head), package,
			    name[0] ? name : "(unknown)");
}

bool perl_sub(struct perl_memory *memory, uint64_t address, struct perl_sub *sub)
{
	const struct perl_layout *layout = memory->layout;
	const struct remembered *known;
	struct sub_head head = { 0 };
	uint32_t flags;
	uint64_t body = body_of(memory, address, layout->is_code, &flags);

	RETURN_IF(!body || !read_number(memory, body + layout->sub_flags, &head.flags) ||
			  !read_moment(memory, &head.moment),
		  false);
	/* Ignore flags that change from call to call. */
	head.flags &= layout->sub_named;
	head.name = pages_pointer(memory->pages, body + layout->sub_name);
	head.package = pages_pointer(memory->pages, body + layout->sub_package);
	known = remember_find(memory->known, address, &head, sizeof(head));
	if (!known)
		known = read_sub(memory, address, &head);
	RETURN_IF(!known, false);
	sub->package = known->first;
	sub->name = known->second;
	return true;
}

/*
 * Returns which code the operation at address was compiled with: perl allocates a
 * sub's operations in slabs of that sub, which all point to the first of them. 0:
 * unknown.
 */
static uint64_t slab_of(struct perl_memory *memory, uint64_t address)
{
	const struct perl_layout *layout = memory->layout;
	uint64_t slot = address - layout->slot_operation, head;
	uint16_t bits, offset;

	RETURN_IF(!address || address & 7, 0);
	RETURN_IF(!pages_read(memory->pages, address + PERL_OPERATION_TYPE, &bits, sizeof(bits)) ||
			  !(bits & PERL_OPERATION_SLABBED),
		  0);
	RETURN_IF(!pages_read(memory->pages, slot + layout->slot_offset, &offset, sizeof(offset)),
		  0);
	head = pages_pointer(memory->pages, slot - offset * sizeof(uint64_t) - layout->slab_slots +
						    layout->slab_head);
	/* The first one points to itself. */
	return head && pages_pointer(memory->pages, head + layout->slab_head) == head ? head : 0;
}

bool perl_sub_contains(struct perl_memory *memory, uint64_t sub, uint64_t statement)
{
	const struct perl_layout *layout = memory->layout;
	uint32_t flags;
	uint64_t body = body_of(memory, sub, layout->is_code, &flags), own, other;

	own = body ? slab_of(memory, pages_pointer(memory->pages, body + layout->sub_root)) : 0;
	other = own ? slab_of(memory, statement) : 0;
	return !other || own == other;
}
