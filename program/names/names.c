/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves addresses: caches for each object the files that its names are read from. */
#include "common/compat.h"
#include "program/names/names.h"
#include "common/cobol-scan.h"
#include "program/names/demangle.h"
#include "program/names/gnucobol.h"
#include "program/names/names-cache.h"
#include "program/names/names-debugfile.h"
#include "program/names/names-dwarf.h"
#include "program/names/names-lists.h"
#include "program/names/names-symbols.h"
#include "program/names/unit-language.h"
#include "common/clock.h"
#include "common/idmap.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "program/objects/frame-header.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

/* Minimum CPU time allowed for caching names if reading the object took less. */
#define CACHE_TIME_MIN (5 * NSEC_PER_MSEC)
/*
 * The CPU time allowed per session for caching all names of an object that an
 * earlier session has seen, while nothing waits for it.
 */
#define CACHE_TIME_WHOLE (200 * NSEC_PER_MSEC)

/* The sources of one ELF object's names. */
struct object_names {
	Elf *elf;   /* the object; NULL: not readable */
	Elf *debug; /* its separate debug file, or NULL */
	int debug_fd;
	int unpacked_fd; /* the decompressed copy that debug is read from; -1: none */
	int64_t written; /* modification time of the object's file; 0: unknown */
	/* Files other than the object that symbols were read from, or NULL. */
	struct object *debug_object;  /* the debug file */
	struct object *packed_object; /* the object's compressed symbol table, decompressed */
	struct dwarf_names *dwarf;
	struct symbol_table symbols;
	struct frame_header routines; /* the starts of routines, for those without a name */
	bool uses_libcob;
	bool keeps; /* its names depend only on what the cache checks */
	uint64_t cache_time; /* ns of CPU time left for caching them */
	uint64_t cached_from; /* all names of the code from this address on are cached; 0: none */
	bool whole; /* the names of all its code are to be cached */
};

/* The perf map of one process. */
struct map_names {
	struct symbol_list list;
	bool found;
};

struct names {
	struct name_texts texts;
	struct idmap objects; /* object id -> struct object_names */
	struct idmap maps;    /* pid -> struct map_names */
	struct map_names *kernel;
	const char *debug_folder; /* where the system keeps debug files */
	struct names_cache *cache; /* NULL: none */
	bool idle;
};

/* Copies a text that lives as long as the names. */
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

void names_use_cache(struct names *names, const char *folder)
{
	if (!names->cache)
		names->cache = names_cache_open(folder);
}

void names_set_idle(struct names *names, bool idle)
{
	names->idle = idle;
}

void names_save_cache(struct names *names)
{
	if (names->cache)
		names_cache_save(names->cache);
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
	if (names->unpacked_fd >= 0)
		close(names->unpacked_fd);
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
	names_cache_close(names->cache);
	idmap_release(&names->objects);
	idmap_release(&names->maps);
	source_cache_release(&names->texts.sources);
	strbuf_release(&names->texts.remark);
	strmap_release(&names->texts.strings);
	free(names);
}

/* Records, once, why an object has no names. */
static void set_note(struct object *object, const char *text)
{
	if (!object->note && text[0])
		object->note = xstrdup(text);
}

/*
 * Opens the object's ELF file: through its descriptor, so that a file truncated
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

/* Returns whether the object is linked with GnuCOBOL's run-time library. */
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

/* Returns whether the object's own file has the full symbol table. */
static bool has_symbol_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

/* Replaces a debug file by its decompressed copy, if there is one. */
static void use_unpacked(struct names *names, struct object_names *found, struct object *object)
{
	uint64_t signature =
		debugfile_signature(found->elf, object->path, names->debug_folder);
	Elf *unpacked;

	if (!names->cache || !found->debug)
		return;
	found->unpacked_fd = names_cache_debug(names->cache, object, signature, found->debug);
	unpacked = found->unpacked_fd >= 0 ?
			   elf_begin(found->unpacked_fd, ELF_C_READ_MMAP, NULL) :
			   NULL;
	if (!unpacked)
		return;
	elf_end(found->debug);
	found->debug = unpacked;
}

/* Looks for a separate debug file and opens it. */
static void load_debug_file(struct names *names, struct object_names *found, struct object *object,
			    struct strbuf *why)
{
	found->debug_fd = debugfile_open(found->elf, object->path, names->debug_folder, why);
	if (found->debug_fd < 0)
		return;
	found->debug = elf_begin(found->debug_fd, ELF_C_READ, NULL);
	use_unpacked(names, found, object);
	if (found->debug)
		found->dwarf = dwarf_names_new(found->debug, &names->texts);
}

/* Opens the debug file as an object, to read symbols from; returns NULL if there is none. */
static struct object *open_debug_object(const struct object_names *found,
					const struct object *object)
{
	int fd = found->debug ? fcntl(found->debug_fd, F_DUPFD_CLOEXEC, 0) : -1;

	return fd >= 0 ? object_of_descriptor(fd, object->path) : NULL;
}

/* Opens the decompressed symbol table of an object as an object; returns NULL if there is none. */
static struct object *open_packed_object(const struct object_names *found,
					 const struct object *object)
{
	size_t size;
	void *image = debugfile_unpack_symbols(found->elf, &size);
	struct object *packed = image ? object_of_bytes(image, size, object->path) : NULL;

	free(image);
	return packed;
}

/* Collects the symbols of all files that belong to the object. */
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

/* Records why names are missing if no better source than exported symbols was found. */
static void note_missing(const struct object_names *found, struct object *object, bool stripped,
			 struct strbuf *why)
{
	struct strbuf note = STRBUF_INIT;

	if (!found->symbols.functions)
		strbuf_addstr(&note, "stripped: it has no symbols and no debug information");
	else if (stripped && found->symbols.go && !found->dwarf && !found->debug)
		strbuf_addstr(&note, "stripped: functions are those that the Go program itself "
				     "knows; lines are unknown");
	else if (stripped && !found->packed_object && !found->dwarf && !found->debug &&
		 object->kind == OBJECT_FILE)
		strbuf_addstr(&note, "stripped: only its exported symbols are known");
	if (note.length && why->length)
		strbuf_addf(&note, "; %s", why->text);
	set_note(object, note.text);
	strbuf_release(&note);
}

/*
 * Returns whether the names are unchanged while the object, its debug files and
 * vigil are: COBOL names also come from the source, split units have separate
 * files, and a debuginfod server that does not answer today may do so tomorrow.
 */
static bool is_cacheable(const struct object_names *found, bool stripped)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return !found->uses_libcob && !(found->dwarf && dwarf_names_is_split(found->dwarf)) &&
	       !(stripped && !found->dwarf && urls && *urls);
}

/* Opens all sources of an object's names. */
static struct object_names *load_object(struct names *names, struct object *object)
{
	struct object_names *found = xcalloc(1, sizeof(*found));
	struct strbuf why = STRBUF_INIT;
	struct stat status;
	bool stripped;

	found->debug_fd = found->unpacked_fd = -1;
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
		load_debug_file(names, found, object, &why);
	load_symbols(found, object, stripped);
	note_missing(found, object, stripped, &why);
	found->keeps = is_cacheable(found, stripped);
	strbuf_release(&why);
	return found;
}

/* Returns the CPU time of this thread in ns. */
static uint64_t thread_cpu(void)
{
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns the sources of an object's names, opened at the first request. */
static struct object_names *names_of_object(struct names *names, struct object *object)
{
	struct object_names *found;
	uint64_t value, begun;

	if (idmap_get(&names->objects, object->id, &value))
		return (void *)(uintptr_t)value;
	begun = thread_cpu();
	found = load_object(names, object);
	found->cache_time = thread_cpu() - begun;
	if (found->cache_time < CACHE_TIME_MIN)
		found->cache_time = CACHE_TIME_MIN;
	idmap_put(&names->objects, object->id, (uintptr_t)found);
	return found;
}

/* Returns a symbol's name as it is shown: demangled, without its version, stubs marked as such. */
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

/* Fills a level from a symbol. */
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

/* Fills a level for a routine of which only the start is known: "+0x1f40". */
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
 * Replaces the name for a COBOL program compiled without -g: its code is in NAME_,
 * which NAME calls; shows the program's name.
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

/* Fills a level from a symbol of an ELF object. */
static void level_of_elf_symbol(struct names *names, const struct object_names *found,
				const struct symbol *symbol, struct name *level)
{
	level_of_symbol(names, symbol, level);
	if (found->uses_libcob && !symbol->plt)
		name_cobol_program(names, found, symbol, level);
}

/* Resolves an address by debug information; messages go to the object's note. */
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

/* Resolves an address of an ELF object from its files. */
static size_t read_elf(struct names *names, struct object_names *found, struct object *object,
		       uint64_t offset, struct name levels[NAMES_MAX_INLINE])
{
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

/* Returns the address up to which the result for an address is certainly the same. */
static uint64_t next_change(const struct object_names *found, uint64_t offset)
{
	uint64_t next = symbol_table_next(&found->symbols, offset);
	uint64_t other = found->dwarf ? dwarf_names_next(found->dwarf, offset) : UINT64_MAX;

	return other < next ? other : next;
}

/* Parameters of caching: the object, and the CPU time of the thread at which to stop. */
struct caching {
	struct names *names;
	struct object_names *found;
	struct object *object;
	struct names_known *known;
	uint64_t until;
};

/* Caches the names of one piece of code that has none yet; returns where the next one begins. */
static uint64_t cache_piece(const struct caching *caching, uint64_t at, uint64_t end)
{
	uint64_t next = names_known_end(caching->known, at);
	uint64_t limit = names_known_next(caching->known, at);
	struct name levels[NAMES_MAX_INLINE];
	const struct name *outer;
	size_t count;

	if (next)
		return next;
	count = read_elf(caching->names, caching->found, caching->object, at, levels);
	next = next_change(caching->found, at);
	/* A routine of which only the start is known ends where the next one begins. */
	outer = &levels[count ? count - 1 : 0];
	if (count && at - outer->start < outer->size && outer->start + outer->size < limit)
		limit = outer->start + outer->size;
	if (limit > end)
		limit = end;
	if (next > limit)
		next = limit;
	if (count && !names_known_add(caching->known, at, next, levels, count))
		return UINT64_MAX;
	return next;
}

/* Caches the names of a range, as far as time permits; returns the address reached. */
static uint64_t cache_until(const struct caching *caching, uint64_t start, uint64_t end)
{
	uint64_t pieces = 0, at = start;

	while (at < end && (++pieces % 64 != 0 || thread_cpu() < caching->until))
		at = cache_piece(caching, at, end);
	names_known_merge(caching->known);
	return at;
}

/* Caches the names of a range; returns false if the time was not sufficient. */
static bool cache_range(const struct caching *caching, uint64_t start, uint64_t end)
{
	return cache_until(caching, start, end) >= end;
}

/* Caches names of the code after an address, as far as time permits. */
static void cache_code(const struct caching *caching, uint64_t offset)
{
	struct object_names *found = caching->found;
	uint64_t end = object_code_end(caching->object, offset);

	if (found->cached_from > offset && found->cached_from < end)
		end = found->cached_from;
	if (cache_range(caching, offset, end))
		found->cached_from = offset;
}

/*
 * Caches names of all code, from where an earlier session stopped. A library has
 * thousands of functions, and each session would read the library again for
 * functions that no earlier one has seen.
 */
static void cache_whole(const struct caching *caching)
{
	struct names_known *known = caching->known;
	uint64_t start, end;

	dwarf_names_extent(caching->found->dwarf, &start, &end);
	if (known->complete_below >= end)
		return;
	known->complete_below = cache_until(caching, known->complete_below > start ? known->complete_below : start, end);
	known->changed = true;
}

/*
 * Decides whether to cache all names: not for an object that only one session has
 * seen, such as a program that was just built.
 */
static void decide_cache_whole(const struct names *names, struct object_names *found,
			 const struct names_known *known)
{
	if (found->whole || !found->dwarf || !known->before)
		return;
	found->whole = true;
	if (names->idle && found->cache_time < CACHE_TIME_WHOLE)
		found->cache_time = CACHE_TIME_WHOLE;
}

/*
 * Caches names for later sessions: that of an address just resolved, its
 * function's, and those of the whole unit, because a program that runs one part of
 * a source file may run the rest next time; without units, those of the code after
 * it, which are found quickly. This takes at most as long as reading what this
 * session needs has taken, unless the whole object is to be cached.
 */
static void cache_around(struct names *names, struct object_names *found, struct object *object,
			struct names_known *known, uint64_t offset)
{
	uint64_t begun = thread_cpu();
	struct caching caching = { names, found, object, known, 0 };
	const struct range_list *unit =
		found->dwarf ? dwarf_names_functions(found->dwarf, offset) : NULL;
	const struct code_range *function = unit ? range_list_find(unit, offset) : NULL;
	uint64_t spent;
	bool more;

	decide_cache_whole(names, found, known);
	caching.until = begun + found->cache_time;
	if (!names_known_note(known)[0] && object->note)
		names_known_set_note(known, object->note);
	cache_piece(&caching, offset, UINT64_MAX);
	names_known_merge(known);
	more = !function || cache_range(&caching, function->start, function->end);
	for (size_t i = 0; more && unit && i < unit->count; i++)
		more = cache_range(&caching, unit->items[i].start, unit->items[i].end);
	if (!found->dwarf)
		cache_code(&caching, offset);
	else if (more && found->whole)
		cache_whole(&caching);
	spent = thread_cpu() - begun;
	found->cache_time -= spent < found->cache_time ? spent : found->cache_time;
}

/* Adds what is not cached: the texts of the lines, and texts that live as long as the names. */
static void complete(struct names *names, struct object *object, struct name *levels, size_t count)
{
	struct stat status;

	names->texts.object_time =
		object->fd >= 0 && !fstat(object->fd, &status) ? status.st_mtime : 0;
	for (size_t i = 0; i < count; i++) {
		levels[i].procedure = keep(names, levels[i].procedure);
		levels[i].section = keep(names, levels[i].section);
		levels[i].file = keep(names, levels[i].file);
		levels[i].language = keep(names, levels[i].language);
		name_texts_place(&names->texts, &levels[i]);
	}
	set_note(object, names->texts.remark.text);
	strbuf_reset(&names->texts.remark);
}

/* Returns a number that identifies the debug files of an object (names_cache_object). */
static uint64_t signature_of(void *argument, struct object *object)
{
	const struct names *names = argument;
	Elf *elf = open_elf(object);
	uint64_t signature =
		elf ? debugfile_signature(elf, object->path, names->debug_folder) : 0;

	elf_end(elf);
	return signature;
}

/* Resolves an address of an ELF object. */
static size_t resolve_elf(struct names *names, struct object *object, uint64_t offset,
			  struct name levels[NAMES_MAX_INLINE])
{
	struct names_known *known =
		names->cache ? names_cache_object(names->cache, object, signature_of, names) : NULL;
	struct object_names *found;
	size_t count = known ? names_known_find(known, offset, levels) : 0;
	uint64_t begun;

	if (count) {
		set_note(object, names_known_note(known));
		complete(names, object, levels, count);
		return count;
	}
	found = names_of_object(names, object);
	begun = thread_cpu();
	count = read_elf(names, found, object, offset, levels);
	found->cache_time += thread_cpu() - begun;
	if (count && known && found->keeps)
		cache_around(names, found, object, known, offset);
	return count;
}

/* Resolves an address in a list. */
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

/* Resolves an address in memory without a file by its process's perf map. */
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

/*
 * Returns whether a kernel symbol keeps its address until the next boot, while no
 * module is loaded or unloaded: not so for code compiled at run time.
 */
static bool symbol_is_stable(const struct symbol *symbol)
{
	return strcmp(symbol->section, "bpf") != 0 && strncmp(symbol->section, "__builtin", 9) != 0;
}

/* Caches all symbols of the kernel for later sessions. */
static void cache_kernel(struct names *names)
{
	const struct symbol_table *table = &names->kernel->list.table;

	names_cache_kernel_begin(names->cache);

	for (size_t i = 0; i < table->count; i++) {
		struct name level;

		if (!symbol_is_stable(&table->items[i]))
			continue;
		level_of_symbol(names, &table->items[i], &level);
		names_cache_kernel_put(names->cache, &level);
	}
}

/* Resolves an address of the kernel. */
static size_t resolve_kernel(struct names *names, struct object *object, uint64_t address,
			     struct name *level)
{
	bool whole = false;
	struct names_known *known =
		names->cache ? names_cache_kernel(names->cache, address, &whole) : NULL;

	if (known && names_known_find(known, address, level)) {
		complete(names, object, level, 1);
		return 1;
	}
	if (!names->kernel) {
		struct strbuf why = STRBUF_INIT;
		char path[PROCFS_PATH_SIZE];

		names->kernel = xcalloc(1, sizeof(*names->kernel));
		symbol_list_init(&names->kernel->list);
		names->kernel->found = symbol_list_read_kernel(
			&names->kernel->list, procfs_path(path, "/proc/kallsyms"), &why);
		set_note(object, why.text);
		strbuf_release(&why);
		if (known && !whole && names->kernel->found)
			cache_kernel(names);
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

/* Passes stretches on; those without a known function get the names of symbols. */
struct relay {
	struct names *names;
	const struct object_names *found;
	names_stretch_callback *take;
	void *argument;
};

/* Splits a stretch wherever its symbol may change, and names each part as resolve_elf does. */
static bool relay_by_symbol(const struct relay *relay, const struct name_stretch *stretch)
{
	struct name_stretch part = *stretch;
	struct name_level *outermost = &part.levels[part.count - 1];
	struct name level;

	for (; part.start < stretch->end; part.start = part.end, part.begins = false) {
		const struct symbol *symbol =
			symbol_table_find(&relay->found->symbols, part.start);

		part.end = symbol_table_next(&relay->found->symbols, part.start);
		if (part.end > stretch->end)
			part.end = stretch->end;
		outermost->procedure = "";
		if (symbol) {
			level_of_elf_symbol(relay->names, relay->found, symbol, &level);
			outermost->procedure = level.procedure;
		}
		RETURN_IF(!relay->take(relay->argument, &part), false);
	}
	return true;
}

/* Passes one stretch on. */
static bool relay_stretch(void *argument, const struct name_stretch *stretch)
{
	const struct relay *relay = argument;

	if (stretch->levels[stretch->count - 1].procedure[0])
		return relay->take(relay->argument, stretch);
	return relay_by_symbol(relay, stretch);
}

void names_stretches(struct names *names, struct object *object, names_stretch_callback *take,
		     void *argument)
{
	struct relay relay = { .names = names, .take = take, .argument = argument };

	if (object->kind != OBJECT_FILE && object->kind != OBJECT_VDSO)
		return;
	relay.found = names_of_object(names, object);
	if (relay.found->dwarf)
		dwarf_names_stretches(relay.found->dwarf, relay_stretch, &relay);
	set_note(object, names->texts.remark.text);
	strbuf_reset(&names->texts.remark);
}

const char *names_keep(struct names *names, const char *text)
{
	return keep(names, text);
}

void names_show_line(struct names *names, const char *path, uint64_t line, struct strbuf *sb)
{
	struct source_file *source = source_file_get(&names->texts.sources, path);

	if (!source->form_known && language_is_cobol(path))
		source->fixed = cobol_scan_looks_fixed(source->lines, source->line_count);
	source->form_known = true;
	source_file_show(source, line, sb);
}

const char *names_source_line(struct names *names, const char *path, uint64_t line)
{
	struct strbuf text = STRBUF_INIT;
	const char *kept;

	names_show_line(names, path, line, &text);
	kept = keep(names, text.text);
	strbuf_release(&text);
	return kept;
}
