/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions at whose hooks the handler is called: by the table of
 * symbols of the file that they stand in, which has also those that are not
 * exported. Hooks come in signal handlers, too: nothing here allocates.
 */
#include "agent/handler/handler.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Functions that are remembered, a power of two; how far from its place one stands; bytes of names. */
#define KNOWN 8192
#define PROBES 16
#define TEXTS (1 << 18)

/* A function and its name; NULL: it has none. */
static struct {
	uint64_t address; /* 0: free; 1: somebody is writing */
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

/* Whether count elements of a size lie in the file. */
static bool holds(const struct image *image, uint64_t offset, uint64_t count, uint64_t size)
{
	return offset <= image->size && count <= (image->size - offset) / size;
}

/* The text at a place of a table of texts; NULL: it does not end there. */
static const char *text_at(const struct image *image, const ElfW(Shdr) *table, uint64_t at)
{
	const char *text;

	if (at >= table->sh_size || !holds(image, table->sh_offset, table->sh_size, 1))
		return NULL;
	text = (const char *)image->bytes + table->sh_offset + at;
	return memchr(text, '\0', table->sh_size - at) ? text : NULL;
}

/* The function that begins at an address of the file, by one table of symbols; NULL. */
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

/* The same by the tables of the whole file. */
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

/* A text that stays; NULL: there is no room. */
static const char *keep(const char *text)
{
	size_t size = strlen(text) + 1, at = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);

	if (at > TEXTS || size > TEXTS - at)
		return NULL;
	return memcpy(texts + at, text, size);
}

/* Find the name of a function, and keep it; NULL: it has none. */
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
