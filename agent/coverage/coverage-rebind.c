/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COBOL programs with line information (cobc -g) report their statements, too, by
 * calls on which vigil-events.so interposes. If coverage watches a program these
 * reports are not needed: its calls are bound directly to the run time, so that
 * they cost no more than without vigil.
 */
#include "agent/coverage/coverage-agent.h"
#include "agent/agent-next.h"

#include <link.h>

#if defined(__x86_64__)
#define IS_SLOT(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#elif defined(__aarch64__)
#define IS_SLOT(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#endif

static const char *const names[] = { "cob_trace_stmt", "cob_trace_statement", "cob_trace_sect",
				     "cob_trace_para" };

/* The relocations of an object of the loader. */
struct relocations {
	const ElfW(Sym) * symbols;
	const char *texts;
	const ElfW(Rela) * tables[2];
	uint64_t sizes[2]; /* bytes */
};

static void read_relocations(const struct link_map *map, struct relocations *found)
{
	for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
		const void *at = (const void *)entry->d_un.d_ptr;

		switch (entry->d_tag) {
		case DT_SYMTAB:
			found->symbols = at;
			break;
		case DT_STRTAB:
			found->texts = at;
			break;
		case DT_JMPREL:
			found->tables[0] = at;
			break;
		case DT_PLTRELSZ:
			found->sizes[0] = entry->d_un.d_val;
			break;
		case DT_RELA:
			found->tables[1] = at;
			break;
		case DT_RELASZ:
			found->sizes[1] = entry->d_un.d_val;
			break;
		default:
			break;
		}
	}
}

/* Returns the index in names of a relocation's symbol; their count: none of them. */
static size_t name_of(const struct relocations *found, const ElfW(Rela) * relocation)
{
	const char *name = found->texts + found->symbols[ELF64_R_SYM(relocation->r_info)].st_name;
	size_t number = 0;

	if (!IS_SLOT(ELF64_R_TYPE(relocation->r_info)))
		return ARRAY_SIZE(names);
	while (number < ARRAY_SIZE(names) && strcmp(names[number], name) != 0)
		number++;
	return number;
}

void coverage_rebind(const struct link_map *map)
{
	struct relocations found = { 0 };

	read_relocations(map, &found);
	if (!found.symbols || !found.texts)
		return;
	for (size_t table = 0; table < ARRAY_SIZE(found.tables); table++) {
		const ElfW(Rela) *relocation = found.tables[table];
		uint64_t count = relocation ? found.sizes[table] / sizeof(*relocation) : 0;

		for (; count > 0; count--, relocation++) {
			size_t number = name_of(&found, relocation);
			void *function = NULL;

			if (number < ARRAY_SIZE(names) && agent_next(&function, names[number]))
				coverage_write_data(map->l_addr + relocation->r_offset, &function,
						    sizeof(function));
		}
	}
}
