/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves addresses: for each object it keeps what was found to read names from. */
#include "common/compat.h"
#include "program/names/names.h"
#include "program/names/cobol-scan.h"
#include "program/names/demangle.h"
#include "program/names/gnucobol.h"
#include "program/names/names-debugfile.h"
#include "program/names/names-dwarf.h"
#include "program/names/names-lists.h"
#include "program/names/names-symbols.h"
#include "program/names/unit-language.h"
#include "common/idmap.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "program/objects/frame-header.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

/* What one ELF object's names are read from. */
struct object_names {
	Elf *elf;   /* the object; NULL when it cannot be read */
	Elf *debug; /* its separate debug file, or NULL */
	int debug_fd;
	int64_t written; /* when the object's file was written; 0 unknown */
	/* Files that symbols were read from beside the object itself, or NULL. */
	struct object *debug_object;  /* the debug file */
	struct object *packed_object; /* the object's compressed symbol table, unpacked */
	struct dwarf_names *dwarf;
	struct symbol_table symbols;
	struct frame_header routines; /* where routines begin, for those without a name */
	bool uses_libcob;
};

/* What one process's perf map holds. */
struct map_names {
	struct symbol_list list;
	bool found;
};

struct names {
	struct name_texts texts;
	struct idmap objects; /* struct object_names by the object's id */
	struct idmap maps;    /* struct map_names by pid */
	struct map_names *kernel;
	const char *debug_folder; /* where the system keeps debug files */
};

/* Keep a text as long as the names live. */
static const char *keep(struct names *names, const char *text)
{
	return strmap_text(&names->texts.strings, strmap_put(&names->texts.strings, text));
}

struct names *names_new(void)
{
	struct names *names = xcalloc(1, sizeof(*names));

	elf_version(EV_CURRENT);
	strmap_init(&names->texts.strings);
	source_cache_init(&names->texts.sources);
	strbuf_init(&names->texts.remark);
	idmap_init(&names->objects);
	idmap_init(&names->maps);
	names->debug_folder = DEBUGFILE_FOLDER;
	return names;
}

void names_debug_folder(struct names *names, const char *folder)
{
	names->debug_folder = keep(names, folder);
}

static void object_names_free(struct object_names *names)
{
	dwarf_names_free(names->dwarf);
	symbol_table_release(&names->symbols);
	if (names->packed_object)
		object_close(names->packed_object);
	if (names->debug_object)
		object_close(names->debug_object);
	elf_end(names->debug);
	if (names->debug_fd >= 0)
		close(names->debug_fd);
	elf_end(names->elf);
	free(names);
}

static void map_names_free(struct map_names *names)
{
	if (!names)
		return;
	symbol_list_release(&names->list);
	free(names);
}

void names_free(struct names *names)
{
	uint64_t key, value;

	if (!names)
		return;
	for (size_t at = 0; idmap_next(&names->objects, &at, &key, &value);)
		object_names_free((void *)(uintptr_t)value);
	for (size_t at = 0; idmap_next(&names->maps, &at, &key, &value);)
		map_names_free((void *)(uintptr_t)value);
	map_names_free(names->kernel);
	idmap_release(&names->objects);
	idmap_release(&names->maps);
	source_cache_release(&names->texts.sources);
	strbuf_release(&names->texts.remark);
	strmap_release(&names->texts.strings);
	free(names);
}

/* Say once why an object has no names. */
static void set_note(struct object *object, const char *text)
{
	if (!object->note && text[0])
		object->note = xstrdup(text);
}

/*
 * Open the object's ELF file: through its descriptor, so that a file cut off
 * while it is read gives an error and no signal, otherwise from its image.
 */
static Elf *open_elf(struct object *object)
{
	Elf *elf = NULL;

	if (object->fd >= 0 && object_part(object, 0, 1))
		elf = elf_begin(object->fd, ELF_C_READ, NULL);
	else if (object->fd < 0 && object_load(object))
		elf = elf_memory((char *)object->image, object->image_size);
	if (elf && elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		elf = NULL;
	}
	return elf;
}

/* Whether the object is linked with GnuCOBOL's run-time library. */
static bool needs_libcob(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Dyn entry;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC ||
		    !(data = elf_getdata(section, NULL)))
			continue;
		for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
			const char *name =
				entry.d_tag == DT_NEEDED
					? elf_strptr(elf, header.sh_link, entry.d_un.d_val)
					: NULL;

			if (name && !strncmp(name, "libcob.so", 9))
				return true;
		}
	}
	return false;
}

/* Whether the object's own file has the full symbol table. */
static bool has_symbol_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

/* Look for a separate debug file and open what it holds. */
static void load_debug_file(struct object_names *found, struct object *object, const char *folder,
			    struct name_texts *texts, struct strbuf *why)
{
	found->debug_fd = debugfile_open(found->elf, object->path, folder, why);
	if (found->debug_fd < 0)
		return;
	found->debug = elf_begin(found->debug_fd, ELF_C_READ, NULL);
	if (found->debug)
		found->dwarf = dwarf_names_new(found->debug, texts);
}

/* The debug file as an object, to read symbols from; NULL when there is none. */
static struct object *open_debug_object(const struct object_names *found,
					const struct object *object)
{
	int fd = found->debug ? fcntl(found->debug_fd, F_DUPFD_CLOEXEC, 0) : -1;

	return fd >= 0 ? object_of_descriptor(fd, object->path) : NULL;
}

/* The compressed symbol table of an object unpacked, as an object; NULL when there is none. */
static struct object *open_packed_object(const struct object_names *found,
					 const struct object *object)
{
	size_t size;
	void *image = debugfile_unpack_symbols(found->elf, &size);
	struct object *packed = image ? object_of_bytes(image, size, object->path) : NULL;

	free(image);
	return packed;
}

/* Gather the symbols of all files that belong to the object. */
static void load_symbols(struct object_names *found, struct object *object, bool stripped)
{
	symbol_table_add_object(&found->symbols, object);
	symbol_table_add_plt(&found->symbols, object);
	if (stripped && (found->debug_object = open_debug_object(found, object)))
		symbol_table_add_object(&found->symbols, found->debug_object);
	if (stripped && !found->debug && (found->packed_object = open_packed_object(found, object)))
		symbol_table_add_object(&found->symbols, found->packed_object);
	symbol_table_sort(&found->symbols);
}

/* Say why names are missing where no better source than exported symbols was found. */
static void note_missing(const struct object_names *found, struct object *object, bool stripped,
			 struct strbuf *why)
{
	struct strbuf note = STRBUF_INIT;

	if (!found->symbols.functions)
		strbuf_addstr(&note, "stripped: it has no symbols and no debug information");
	else if (stripped && !found->packed_object && !found->dwarf && !found->debug &&
		 object->kind == OBJECT_FILE)
		strbuf_addstr(&note, "stripped: only its exported symbols are known");
	if (note.length && why->length)
		strbuf_addf(&note, "; %s", why->text);
	set_note(object, note.text);
	strbuf_release(&note);
}

/* Find all that tells names of an object. */
static struct object_names *load_object(struct names *names, struct object *object)
{
	struct object_names *found = xcalloc(1, sizeof(*found));
	struct strbuf why = STRBUF_INIT;
	struct stat status;
	bool stripped;

	found->debug_fd = -1;
	found->elf = open_elf(object);
	if (!found->elf) {
		set_note(object, "the file cannot be read as an ELF file");
		return found;
	}
	if (object->fd >= 0 && !fstat(object->fd, &status))
		found->written = status.st_mtime;
	frame_header_of(&found->routines, object);
	found->uses_libcob = needs_libcob(found->elf);
	stripped = !has_symbol_table(found->elf);
	found->dwarf = dwarf_names_new(found->elf, &names->texts);
	if (!found->dwarf && object->kind == OBJECT_FILE)
		load_debug_file(found, object, names->debug_folder, &names->texts, &why);
	load_symbols(found, object, stripped);
	note_missing(found, object, stripped, &why);
	strbuf_release(&why);
	return found;
}

/* What is known of an object, found when it is first asked for. */
static struct object_names *names_of_object(struct names *names, struct object *object)
{
	struct object_names *found;
	uint64_t value;

	if (idmap_get(&names->objects, object->id, &value))
		return (void *)(uintptr_t)value;
	found = load_object(names, object);
	idmap_put(&names->objects, object->id, (uintptr_t)found);
	return found;
}

/* A symbol's name as it is shown: readable, without its version, stubs marked as such. */
static const char *symbol_text(struct names *names, const struct symbol *symbol)
{
	struct strbuf text = STRBUF_INIT;
	const char *version = strchr(symbol->name, '@'), *kept;
	char *name = xstrndup(symbol->name, version && version > symbol->name
						    ? (size_t)(version - symbol->name)
						    : strlen(symbol->name));

	if (!demangle(name, &text))
		strbuf_addstr(&text, name);
	if (symbol->plt)
		strbuf_addstr(&text, "@plt");
	kept = keep(names, text.text);
	strbuf_release(&text);
	free(name);
	return kept;
}

/* Fill a level from a symbol. */
static void level_of_symbol(struct names *names, const struct symbol *symbol, struct name *level)
{
	*level = (struct name){
		.procedure = symbol_text(names, symbol),
		.section = keep(names, symbol->section),
		.file = "",
		.language = "",
		.text = "",
		.start = symbol->start,
		.size = symbol->size,
	};
}

/* Fill a level for a routine whose start is all that is known: "+0x1f40". */
static size_t level_of_routine(struct names *names, const struct object_names *found,
			       const struct object *object, uint64_t offset, struct name *level)
{
	uint64_t start, end, code_end = object_code_end(object, offset);
	struct strbuf text = STRBUF_INIT;

	if (!code_end || !frame_header_find(&found->routines, offset, &start, &end))
		return 0;
	if (end > code_end)
		end = code_end;
	strbuf_addf(&text, "+0x%" PRIx64, start);
	*level = (struct name){ .procedure = keep(names, text.text),
				.section = "",
				.file = "",
				.language = "",
				.text = "",
				.start = start,
				.size = end - start };
	strbuf_release(&text);
	return 1;
}

/*
 * A COBOL program compiled without -g: its code is in NAME_, which NAME
 * calls. Show the program's name.
 */
static void name_cobol_program(struct names *names, const struct object_names *found,
			       const struct symbol *symbol, struct name *level)
{
	size_t length = strlen(symbol->name);
	bool body = length > 1 && symbol->name[length - 1] == '_' &&
		    symbol_table_has(&found->symbols, symbol->name, length - 1);
	struct strbuf whole = STRBUF_INIT, program = STRBUF_INIT;

	strbuf_addf(&whole, "%s_", symbol->name);
	if (body || symbol_table_has(&found->symbols, whole.text, whole.length)) {
		cobol_scan_program_name(symbol->name, &program);
		level->procedure = keep(names, program.text);
		level->language = "COBOL";
	}
	strbuf_release(&whole);
	strbuf_release(&program);
}

/* Fill a level from a symbol of an ELF object. */
static void level_of_elf_symbol(struct names *names, const struct object_names *found,
				const struct symbol *symbol, struct name *level)
{
	level_of_symbol(names, symbol, level);
	if (found->uses_libcob && !symbol->plt)
		name_cobol_program(names, found, symbol, level);
}

/* Resolve an address by debug information; what is to be said about it goes to the object's note.
 */
static size_t resolve_dwarf(struct names *names, struct object_names *found, struct object *object,
			    uint64_t offset, struct name levels[NAMES_MAX_INLINE])
{
	size_t count;

	if (!found->dwarf)
		return 0;
	names->texts.object_time = found->written;
	count = dwarf_names_resolve(found->dwarf, offset, levels);
	set_note(object, names->texts.remark.text);
	strbuf_reset(&names->texts.remark);
	return count;
}

/* Resolve an address of an ELF object. */
static size_t resolve_elf(struct names *names, struct object *object, uint64_t offset,
			  struct name levels[NAMES_MAX_INLINE])
{
	struct object_names *found = names_of_object(names, object);
	size_t count = resolve_dwarf(names, found, object, offset, levels);
	const struct symbol *symbol;
	struct name level;

	if (count && levels[count - 1].procedure[0])
		return count;
	symbol = symbol_table_find(&found->symbols, offset);
	if (!symbol)
		return count ? count : level_of_routine(names, found, object, offset, &levels[0]);
	level_of_elf_symbol(names, found, symbol, &level);
	if (!count) {
		levels[0] = level;
		return 1;
	}
	levels[count - 1].procedure = level.procedure;
	levels[count - 1].start = level.start;
	levels[count - 1].size = level.size;
	return count;
}

/* Resolve an address in a list. */
static size_t resolve_list(struct names *names, const struct map_names *found, uint64_t address,
			   struct name *level)
{
	const struct symbol *symbol =
		found->found ? symbol_table_find(&found->list.table, address) : NULL;

	if (!symbol)
		return 0;
	level_of_symbol(names, symbol, level);
	return 1;
}

/* Resolve an address in memory without a file by its process's perf map. */
static size_t resolve_anonymous(struct names *names, struct object *object, uint64_t address,
				pid_t pid, struct name *level)
{
	struct map_names *found;
	uint64_t value;

	if (idmap_get(&names->maps, (uint64_t)(int64_t)pid, &value)) {
		found = (void *)(uintptr_t)value;
	} else {
		struct strbuf why = STRBUF_INIT;

		found = xcalloc(1, sizeof(*found));
		symbol_list_init(&found->list);
		found->found = symbol_list_read_perf_map(&found->list, pid, &why);
		set_note(object, why.text);
		strbuf_release(&why);
		idmap_put(&names->maps, (uint64_t)(int64_t)pid, (uintptr_t)found);
	}
	return resolve_list(names, found, address, level);
}

/* Resolve an address of the kernel. */
static size_t resolve_kernel(struct names *names, struct object *object, uint64_t address,
			     struct name *level)
{
	if (!names->kernel) {
		struct strbuf why = STRBUF_INIT;
		char path[PROCFS_PATH_SIZE];

		names->kernel = xcalloc(1, sizeof(*names->kernel));
		symbol_list_init(&names->kernel->list);
		names->kernel->found = symbol_list_read_kernel(
			&names->kernel->list, procfs_path(path, "/proc/kallsyms"), &why);
		set_note(object, why.text);
		strbuf_release(&why);
	}
	return resolve_list(names, names->kernel, address, level);
}

size_t names_resolve(struct names *names, struct object *object, uint64_t offset, pid_t pid,
		     struct name levels[NAMES_MAX_INLINE])
{
	switch (object->kind) {
	case OBJECT_FILE:
	case OBJECT_VDSO:
		return resolve_elf(names, object, offset, levels);
	case OBJECT_ANONYMOUS:
		return resolve_anonymous(names, object, offset, pid, &levels[0]);
	case OBJECT_KERNEL:
		return resolve_kernel(names, object, offset, &levels[0]);
	default:
		return 0;
	}
}

/* Gives stretches on, those of no known function with the names of symbols. */
struct giving {
	struct names *names;
	const struct object_names *found;
	names_take_stretch *take;
	void *argument;
};

/* Cut a stretch wherever its symbol may be another one, and name each part as resolve_elf does. */
static bool give_by_symbol(const struct giving *giving, const struct name_stretch *stretch)
{
	struct name_stretch part = *stretch;
	struct name_level *outermost = &part.levels[part.count - 1];
	struct name level;

	for (; part.start < stretch->end; part.start = part.end, part.begins = false) {
		const struct symbol *symbol =
			symbol_table_find(&giving->found->symbols, part.start);

		part.end = symbol_table_next(&giving->found->symbols, part.start);
		if (part.end > stretch->end)
			part.end = stretch->end;
		outermost->procedure = "";
		if (symbol) {
			level_of_elf_symbol(giving->names, giving->found, symbol, &level);
			outermost->procedure = level.procedure;
		}
		RETURN_IF(!giving->take(giving->argument, &part), false);
	}
	return true;
}

/* Give one stretch on. */
static bool give_stretch(void *argument, const struct name_stretch *stretch)
{
	const struct giving *giving = argument;

	if (stretch->levels[stretch->count - 1].procedure[0])
		return giving->take(giving->argument, stretch);
	return give_by_symbol(giving, stretch);
}

void names_stretches(struct names *names, struct object *object, names_take_stretch *take,
		     void *argument)
{
	struct giving giving = { .names = names, .take = take, .argument = argument };

	if (object->kind != OBJECT_FILE && object->kind != OBJECT_VDSO)
		return;
	giving.found = names_of_object(names, object);
	if (giving.found->dwarf)
		dwarf_names_stretches(giving.found->dwarf, give_stretch, &giving);
	set_note(object, names->texts.remark.text);
	strbuf_reset(&names->texts.remark);
}

const char *names_source_line(struct names *names, const char *path, uint64_t line)
{
	struct source_file *source = source_file_get(&names->texts.sources, path);
	struct strbuf text = STRBUF_INIT;
	const char *kept;

	if (language_is_cobol(path))
		source->fixed = cobol_scan_looks_fixed(source);
	source_file_show(source, line, &text);
	kept = keep(names, text.text);
	strbuf_release(&text);
	return kept;
}
