/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions whose hooks call the handler: from the symbol table of the
 * containing file, which also has those that are not exported. Hooks may occur in
 * signal handlers: nothing here allocates.
 */
#include "agent/handler/handler.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Size of the cache of functions, a power of two; probes per lookup; bytes of names. */
#define KNOWN 8192
#define PROBES 16
#define TEXTS (1 << 18)

/* A function and its name; NULL: it has none. */
static struct {
	uint64_t address; /* 0: free; 1: being written */
	const char *name;
} known[KNOWN];
static char texts[TEXTS];
static size_t used;

/* A file's bytes. */
struct image {
	const unsigned char *bytes;
	size_t size;
};

static bool map_file(struct image *image, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes = MAP_FAILED;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) == 0 && status.st_size >= (off_t)sizeof(ElfW(Ehdr)))
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return false;
	*image = (struct image){ bytes, (size_t)status.st_size };
	return true;
}

/* Returns whether count elements of a size are inside the file. */
static bool holds(const struct image *image, uint64_t offset, uint64_t count, uint64_t size)
{
	return offset <= image->size && count <= (image->size - offset) / size;
}

/* Returns the text at an offset of a string table; NULL: it is not terminated there. */
static const char *text_at(const struct image *image, const ElfW(Shdr) *table, uint64_t at)
{
	const char *text;

	if (at >= table->sh_size || !holds(image, table->sh_offset, table->sh_size, 1))
		return NULL;
	text = (const char *)image->bytes + table->sh_offset + at;
	return memchr(text, '\0', table->sh_size - at) ? text : NULL;
}

/*
 * Returns the name of the function that begins at an address of the file, from one
 * symbol table; NULL: none.
 */
static const char *find_in_table(const struct image *image, const ElfW(Shdr) *table, const ElfW(Shdr) *names,
				 uint64_t address)
{
	uint64_t count = table->sh_size / sizeof(ElfW(Sym));

	if (!holds(image, table->sh_offset, count, sizeof(ElfW(Sym))))
		return NULL;
	for (uint64_t i = 0; i < count; i++) {
		ElfW(Sym) symbol;

		memcpy(&symbol, image->bytes + table->sh_offset + i * sizeof(symbol), sizeof(symbol));
		if (symbol.st_value == address && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx)
			return text_at(image, names, symbol.st_name);
	}
	return NULL;
}

/* Does the same with all symbol tables of the file. */
static const char *find_in_file(const struct image *image, uint64_t address)
{
	const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)image->bytes;
	const ElfW(Shdr) *sections;
	const char *name = NULL;

	if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_shentsize != sizeof(*sections) ||
	    head->e_shoff % _Alignof(ElfW(Shdr)) || !holds(image, head->e_shoff, head->e_shnum, sizeof(*sections)))
		return NULL;
	sections = (const ElfW(Shdr) *)(const void *)(image->bytes + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum && !name; i++)
		if ((sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM) &&
		    sections[i].sh_link < head->e_shnum)
			name = find_in_table(image, &sections[i], &sections[sections[i].sh_link], address);
	return name;
}

/* Returns a permanent copy of a text; NULL: there is no space. */
static const char *keep(const char *text)
{
	size_t size = strlen(text) + 1, at = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);

	if (at > TEXTS || size > TEXTS - at)
		return NULL;
	return memcpy(texts + at, text, size);
}

/* Finds the name of a function and keeps it; returns NULL if it has none. */
static const char *find(uint64_t address)
{
	struct link_map *map = NULL;
	const char *name, *kept = NULL;
	struct image image;
	Dl_info info;

	if (!dladdr1((const void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
		return NULL;
	if (!map_file(&image, *map->l_name ? map->l_name : "/proc/self/exe"))
		return NULL;
	name = find_in_file(&image, address - map->l_addr);
	if (name)
		kept = keep(name);
	munmap((void *)(uintptr_t)image.bytes, image.size);
	return kept;
}

const char *handler_function_name(uint64_t address)
{
	uint64_t place = address * UINT64_C(0x9e3779b97f4a7c15) >> 32;
	const char *name;

	for (uint64_t i = 0; i < PROBES; i++) {
		uint64_t at = (place + i) % KNOWN, none = 0;

		if (__atomic_load_n(&known[at].address, __ATOMIC_ACQUIRE) == address)
			return known[at].name;
		if (!__atomic_compare_exchange_n(&known[at].address, &none, 1, false, __ATOMIC_ACQUIRE,
						 __ATOMIC_RELAXED))
			continue;
		name = find(address);
		known[at].name = name;
		__atomic_store_n(&known[at].address, address, __ATOMIC_RELEASE);
		return name;
	}
	return find(address);
}
