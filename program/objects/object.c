/* SPDX-License-Identifier: Apache-2.0 */
/* Executable objects: identified by file, opened early, read in parts. */
#include "common/compat.h"
#include "program/objects/object.h"

#include "common/clock.h"
#include "common/hash.h"
#include "common/xalloc.h"
#include "common/outside.h"
#include "program/objects/object-notes.h"
#include "program/objects/object-open.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Bytes of a chunk of an image; while parts are noted, little more than is asked for is read. */
#define CHUNK UINT64_C(4096)
#define CHUNK_NOTED OBJECT_PIECE
#define MAX_SEGMENTS 256
#define MAX_MEMORY_IMAGE (UINT64_C(512) << 20)

enum chunk_state {
	CHUNK_UNREAD = 0,
	CHUNK_READ = 1,
	CHUNK_FAILED = 2,
};

/* A range of bytes of a file that was read. */
struct object_stretch {
	uint64_t position, size;
	unsigned char *bytes; /* NULL: not readable */
};

void object_list_init(struct object_list *list)
{
	memset(list, 0, sizeof(*list));
	idmap_init(&list->by_file);
}

void object_close(struct object *object)
{
	if (object->code && object->code_free)
		object->code_free(object->code);
	if (object->image && !object->image_borrowed)
		munmap(object->image, object->image_size);
	if (object->fd >= 0)
		close(object->fd);
	for (size_t i = 0; i < object->stretch_count; i++)
		free(object->stretches[i].bytes);
	free(object->stretches);
	free(object->present);
	free(object->segments);
	free(object->note);
	free(object->path);
	free(object);
}

void object_list_release(struct object_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		object_close(list->items[i]);
	free(list->items);
	idmap_release(&list->by_file);
	memset(list, 0, sizeof(*list));
}

struct object *object_get(const struct object_list *list, uint32_t id)
{
	return id >= 1 && id <= list->count ? list->items[id - 1] : NULL;
}

/* Creates an empty object. */
static struct object *object_new(enum object_kind kind, const char *path)
{
	struct object *object = xcalloc(1, sizeof(*object));

	object->kind = kind;
	object->path = xstrdup(path);
	object->fd = -1;
	return object;
}

/* Adds an empty object to the list. */
static struct object *object_add(struct object_list *list, enum object_kind kind, const char *path)
{
	struct object *object = object_new(kind, path);

	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count++] = object;
	object->id = (uint32_t)list->count;
	return object;
}

struct object *object_add_named(struct object_list *list, const char *name)
{
	return object_add(list, OBJECT_NAMED, name);
}

void object_set_note(struct object *object, const char *why)
{
	if (!object->note && why)
		object->note = xstrdup(why);
}

/* Returns the present state of the file; that of the moment when it was opened is object->generation. */
static uint64_t file_state(struct object *object)
{
	uint64_t key = 0;

	if (outside_keeps_notes())
		key = hash_pair(hash_bytes(object->path, strlen(object->path)),
				hash_pair((uint64_t)object->device, (uint64_t)object->inode));
	return object_file_state(object->fd, key, &object->state_noted);
}

/* Copies a path without the " (deleted)" that the kernel appends. */
static char *clean_path(const char *path, bool *deleted)
{
	static const char suffix[] = " (deleted)";
	size_t length = strlen(path);

	*deleted = length > sizeof(suffix) - 1 &&
		   strcmp(path + length - (sizeof(suffix) - 1), suffix) == 0;
	return xstrndup(path, *deleted ? length - (sizeof(suffix) - 1) : length);
}

/* Returns whether object is this file in its current state. */
static bool object_is_file(struct object *object, const char *path, dev_t device, ino_t inode)
{
	if (object->kind != OBJECT_FILE || object->device != device || object->inode != inode)
		return false;
	/* While a descriptor is open on the inode, its number cannot be reused for another file. */
	if (object->fd < 0 || inode == 0)
		return strcmp(object->path, path) == 0;
	return file_state(object) == object->generation;
}

/* Returns the newest object of a file, or NULL. */
static struct object *find_file(struct object_list *list, const char *path, dev_t device,
				ino_t inode, uint64_t key)
{
	uint64_t id;

	if (idmap_get(&list->by_file, key, &id) &&
	    object_is_file(list->items[id - 1], path, device, inode))
		return list->items[id - 1];
	return NULL;
}

/* Gives object an image in memory; takes ownership of an anonymous mapping of size bytes. */
static void adopt_memory(struct object *object, void *image, size_t size)
{
	object->image = image;
	object->image_size = size;
	object->image_is_memory = true;
	object->image_complete = true;
}

struct object *object_for_file(struct object_list *list, const char *path, dev_t device,
			       ino_t inode, pid_t pid, uint64_t start)
{
	bool deleted;
	char *name = clean_path(path, &deleted);
	uint64_t key = hash_pair((uint64_t)device, (uint64_t)inode);
	struct object *object;

	if (inode == 0)
		key = hash_bytes(name, strlen(name));
	object = find_file(list, name, device, inode, key);
	if (!object) {
		object = object_add(list, OBJECT_FILE, name);
		object->device = device;
		object->inode = inode;
		object->fd = object_open_file(name, deleted, device, inode, pid, start, &object->stands_in);
		object->generation = file_state(object);
		if (object->fd < 0) {
			size_t size = 0;
			void *image = object_copy_mapped(pid, start, MAX_MEMORY_IMAGE, &size);

			if (image)
				adopt_memory(object, image, size);
			else
				object_set_note(object, deleted ? "the file was deleted"
								: "the file cannot be opened");
		}
		idmap_put(&list->by_file, key, object->id);
	}
	free(name);
	return object;
}

struct object *object_add_file(struct object_list *list, const char *path, int fd, const char *why)
{
	struct object *object = object_add(list, OBJECT_FILE, path);

	object->fd = fd;
	object->generation = file_state(object);
	if (fd < 0)
		object_set_note(object, why);
	return object;
}

struct object *object_of_descriptor(int fd, const char *path)
{
	struct object *object = object_new(OBJECT_FILE, path);

	object->fd = fd;
	object->generation = file_state(object);
	object->in_stretches = true;
	return object;
}

struct object *object_of_bytes(const void *bytes, size_t size, const char *path)
{
	struct object *object = object_new(OBJECT_FILE, path);
	void *image = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	object->image_failed = image == MAP_FAILED;
	if (image == MAP_FAILED)
		return object;
	memcpy(image, bytes, size);
	object->image = image;
	object->image_size = size;
	object->image_complete = true;
	return object;
}

struct object *object_clone(const struct object *object)
{
	bool has_content = object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO;
	int fd = object->fd >= 0 ? fcntl(object->fd, F_DUPFD_CLOEXEC, 0) : -1;
	struct object *twin;

	if (has_content && fd < 0 && (object->fd >= 0 || !object->image))
		return NULL;
	twin = object_new(object->kind, object->path);
	twin->id = object->id;
	twin->device = object->device;
	twin->inode = object->inode;
	twin->generation = object->generation;
	twin->fd = fd;
	twin->stands_in = object->stands_in;
	if (fd < 0 && object->image) {
		adopt_memory(twin, object->image, object->image_size);
		twin->image_is_memory = object->image_is_memory;
		twin->image_borrowed = true;
	}
	return twin;
}

/* Returns the path under which a kind of object is shown. */
static const char *kind_path(enum object_kind kind)
{
	switch (kind) {
	case OBJECT_VDSO:
		return "[vdso]";
	case OBJECT_KERNEL:
		return "[kernel]";
	default:
		return "[unknown]";
	}
}

/* Copies the vDSO from a process. */
static void copy_vdso(struct object *object, pid_t pid, uint64_t start, uint64_t size)
{
	void *image;

	if (size == 0 || size > (UINT64_C(1) << 20))
		return;
	image = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	if (image == MAP_FAILED)
		return;
	if (object_read_memory(pid, start, image, (size_t)size))
		adopt_memory(object, image, (size_t)size);
	else
		munmap(image, (size_t)size);
}

/*
 * Returns the object with a kind and path that is not identified by a file,
 * creating it if needed.
 */
static struct object *object_without_file(struct object_list *list, enum object_kind kind,
					  const char *path)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i]->kind == kind && strcmp(list->items[i]->path, path) == 0)
			return list->items[i];
	return object_add(list, kind, path);
}

struct object *object_for_memory(struct object_list *list, const char *path)
{
	if (strcmp(path, "[heap]") != 0 && strcmp(path, "[stack]") != 0)
		path = "[anonymous]";
	return object_without_file(list, OBJECT_ANONYMOUS, path);
}

struct object *object_for_kind(struct object_list *list, enum object_kind kind, pid_t pid,
			       uint64_t start, uint64_t size)
{
	struct object *object = object_without_file(list, kind, kind_path(kind));

	/* If a process ended before its vDSO could be copied, the next process's is the same. */
	if (kind == OBJECT_VDSO && !object->image)
		copy_vdso(object, pid, start, size);
	return object;
}

/* Reserves the address range of a file's image; reads nothing yet. */
static bool reserve_image(struct object *object)
{
	struct stat st;
	void *range;

	if (object->image)
		return true;
	if (object->image_failed)
		return false;
	object->image_failed = true;
	if (object->fd < 0) {
		if (object->kind == OBJECT_FILE || object->kind == OBJECT_VDSO)
			object_set_note(object, "no file to read");
		return false;
	}
	if (fstat(object->fd, &st) < 0 || st.st_size <= 0) {
		object_set_note(object, "the file is empty or cannot be read");
		return false;
	}
	range = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (range == MAP_FAILED) {
		object_set_note(object, "the file is too large to be read");
		return false;
	}
	object->image = range;
	object->image_size = (size_t)st.st_size;
	object->chunk = outside_keeps_notes() ? CHUNK_NOTED : CHUNK;
	object->present = xcalloc((object->image_size + object->chunk - 1) / object->chunk, 1);
	object->image_failed = false;
	return true;
}

/* Reads size bytes of a file into buffer; returns false unless all of them were read. */
static bool read_fully(int fd, uint64_t position, unsigned char *buffer, uint64_t size)
{
	while (size > 0) {
		ssize_t got = pread(fd, buffer, (size_t)size, (off_t)position);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		buffer += got;
		position += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return true;
}

/* Reads a part of the file, or recalls it. */
static bool read_part(struct object *object, uint64_t position, unsigned char *buffer, uint64_t size)
{
	int known = object_recall_part(object->path, object->generation, position, buffer, size);
	bool read;

	if (known >= 0)
		return known;
	if (object->stands_in) {
		object_note_missing(object->path);
		return false;
	}
	read = read_fully(object->fd, position, buffer, size);
	object_note_part(object->path, object->generation, position, read ? buffer : NULL, size);
	return read;
}

/* Reads the chunks of the image from first to before end, of which none is present. */
static bool load_chunks(struct object *object, uint64_t first, uint64_t end)
{
	uint64_t position = first * object->chunk, rest = object->image_size - position;
	uint64_t size = (end - first) * object->chunk < rest ? (end - first) * object->chunk : rest;
	bool read = file_state(object) == object->generation &&
		    read_part(object, position, object->image + position, size);

	memset(object->present + first, read ? CHUNK_READ : CHUNK_FAILED, end - first);
	if (!read)
		object_set_note(object, "the file was changed during the run");
	return read;
}

/* Reads what is not present of the chunks from first to before end. */
static bool load_missing(struct object *object, uint64_t first, uint64_t end)
{
	for (uint64_t at = first; at < end; at++) {
		uint64_t behind = at;

		while (behind < end && object->present[behind] == CHUNK_UNREAD)
			behind++;
		RETURN_IF(behind > at && !load_chunks(object, at, behind), false);
		if (behind < end && object->present[behind] == CHUNK_FAILED)
			return false;
		at = behind;
	}
	return true;
}

/* Reads a range of an object that has no image; cached. */
static const unsigned char *read_stretch(struct object *object, uint64_t position, uint64_t size)
{
	struct object_stretch stretch = { position, size, NULL };
	struct stat st;

	for (size_t i = 0; i < object->stretch_count; i++) {
		const struct object_stretch *known = &object->stretches[i];

		if (position >= known->position && position - known->position <= known->size &&
		    size <= known->size - (position - known->position))
			return known->bytes ? known->bytes + (position - known->position) : NULL;
	}
	if (fstat(object->fd, &st) < 0 || position > (uint64_t)st.st_size ||
	    size > (uint64_t)st.st_size - position)
		return NULL;
	stretch.bytes = malloc(size + 1);
	if (stretch.bytes && (file_state(object) != object->generation ||
			      !read_part(object, position, stretch.bytes, size))) {
		free(stretch.bytes);
		stretch.bytes = NULL;
	}
	GROW(object->stretches, object->stretch_count + 1, object->stretch_alloc);
	object->stretches[object->stretch_count++] = stretch;
	return stretch.bytes;
}

const unsigned char *object_part(struct object *object, uint64_t position, uint64_t size)
{
	if (object->in_stretches)
		return read_stretch(object, position, size);
	if (!object->image && !reserve_image(object))
		return NULL;
	if (position > object->image_size || size > object->image_size - position)
		return NULL;
	if (object->present && size > 0 &&
	    !load_missing(object, position / object->chunk, (position + size - 1) / object->chunk + 1))
		return NULL;
	return object->image + position;
}

bool object_load(struct object *object)
{
	if (object->image_complete)
		return true;
	if (object->image_failed || !reserve_image(object))
		return false;
	if (!object_part(object, 0, object->image_size)) {
		object->image_failed = true;
		return false;
	}
	object->image_complete = true;
	return true;
}

/* Stores a program header. */
static void add_segment(struct object *object, const struct object_segment *segment)
{
	uint64_t page = segment->address & ~UINT64_C(4095);

	if (segment->type == PT_LOAD && page < object->lowest_address)
		object->lowest_address = page;
	object->segments[object->segment_count++] = *segment;
}

/* Reads a program header and converts it to the 64-bit form. */
static Elf64_Phdr read_entry(const unsigned char *entry, bool wide)
{
	Elf64_Phdr ph;
	Elf32_Phdr narrow;

	if (wide) {
		memcpy(&ph, entry, sizeof(ph));
		return ph;
	}
	memcpy(&narrow, entry, sizeof(narrow));
	return (Elf64_Phdr){ .p_type = narrow.p_type,
			     .p_flags = narrow.p_flags,
			     .p_vaddr = narrow.p_vaddr,
			     .p_offset = narrow.p_offset,
			     .p_filesz = narrow.p_filesz,
			     .p_memsz = narrow.p_memsz };
}

/* Reads a file header and converts it to the 64-bit form. */
static Elf64_Ehdr read_header(const unsigned char *start, bool wide)
{
	Elf64_Ehdr header;
	Elf32_Ehdr narrow;

	if (wide) {
		memcpy(&header, start, sizeof(header));
		return header;
	}
	memcpy(&narrow, start, sizeof(narrow));
	return (Elf64_Ehdr){ .e_machine = narrow.e_machine,
			     .e_entry = narrow.e_entry,
			     .e_phoff = narrow.e_phoff,
			     .e_phentsize = narrow.e_phentsize,
			     .e_phnum = narrow.e_phnum };
}

/* Reads the program headers. */
static void read_headers(struct object *object, const unsigned char *start, bool wide)
{
	Elf64_Ehdr header = read_header(start, wide);
	size_t size = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	const unsigned char *table;

	object->elf_machine = header.e_machine;
	object->entry = header.e_entry;
	if (header.e_phentsize != size || header.e_phnum > MAX_SEGMENTS)
		return;
	table = object_part(object, header.e_phoff, header.e_phnum * size);
	if (!table || header.e_phnum == 0)
		return;
	object->segments = xcalloc(header.e_phnum, sizeof(*object->segments));
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr ph = read_entry(table + i * size, wide);

		add_segment(object,
			    &(struct object_segment){ ph.p_type, ph.p_flags, ph.p_vaddr,
						      ph.p_offset, ph.p_filesz, ph.p_memsz });
	}
}

bool object_headers(struct object *object)
{
	const unsigned char *start;

	if (object->headers_read)
		return object->segment_count > 0;
	object->headers_read = true;
	object->lowest_address = UINT64_MAX;
	start = object_part(object, 0, sizeof(Elf32_Ehdr));
	if (!start || memcmp(start, ELFMAG, SELFMAG) != 0 || start[EI_DATA] != ELFDATA2LSB) {
		if (start)
			object_set_note(object, "this is not an ELF file");
		return false;
	}
	if (start[EI_CLASS] == ELFCLASS64) {
		start = object_part(object, 0, sizeof(Elf64_Ehdr));
		object->elf_class = start ? 64 : 0;
		if (start)
			read_headers(object, start, true);
	} else if (start[EI_CLASS] == ELFCLASS32) {
		object->elf_class = 32;
		read_headers(object, start, false);
	}
	if (object->lowest_address == UINT64_MAX)
		object->lowest_address = 0;
	if (object->segment_count == 0)
		object_set_note(object, "the ELF file is damaged");
	return object->segment_count > 0;
}

const unsigned char *object_bytes(struct object *object, uint64_t address, uint64_t size)
{
	if (!object_headers(object))
		return NULL;
	if (object->image_is_memory)
		return object_part(object, address - object->lowest_address, size);
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];
		uint64_t inside = address - segment->address;

		if (segment->type == PT_LOAD && address >= segment->address &&
		    inside < segment->file_size && size <= segment->file_size - inside)
			return object_part(object, segment->position + inside, size);
	}
	return NULL;
}

/* Returns the loaded segment that has address in its file-backed part, or NULL. */
static const struct object_segment *segment_at(const struct object *object, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];

		if (segment->type == PT_LOAD && address >= segment->address &&
		    address - segment->address < segment->file_size)
			return segment;
	}
	return NULL;
}

uint64_t object_loaded_from(const struct object *object, uint64_t address)
{
	const struct object_segment *segment = segment_at(object, address);

	return segment ? segment->file_size - (address - segment->address) : 0;
}

uint64_t object_code_end(const struct object *object, uint64_t address)
{
	const struct object_segment *segment = segment_at(object, address);

	return segment && (segment->flags & PF_X) ? segment->address + segment->file_size : 0;
}

bool object_extent(struct object *object, uint64_t *start, uint64_t *end)
{
	*end = 0;
	RETURN_IF(!object_headers(object), false);
	*start = object->lowest_address;
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];
		uint64_t last = segment->address + segment->memory_size;

		if (segment->type == PT_LOAD && last > *end)
			*end = last;
	}
	*end = (*end + 4095) & ~UINT64_C(4095);
	return *end > *start;
}

bool object_bias(struct object *object, uint64_t pgoff, int64_t *bias)
{
	const struct object_segment *best = NULL;

	if (!object_headers(object))
		return false;
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];
		uint64_t first = segment->position & ~UINT64_C(4095);

		if (segment->type != PT_LOAD || pgoff < first ||
		    pgoff - first >= segment->file_size + (segment->position - first))
			continue;
		/* Segments may share a page of the file: prefer the executable one. */
		if (!best || (!(best->flags & PF_X) && (segment->flags & PF_X)))
			best = segment;
	}
	if (!best)
		return false;
	*bias = (int64_t)(best->address - best->position);
	return true;
}

/* Appends the build id if this note contains it. */
static bool add_build_id(const unsigned char *note, const Elf64_Nhdr *header, struct strbuf *sb)
{
	const unsigned char *id = note + sizeof(*header) + 4;

	if (header->n_type != NT_GNU_BUILD_ID || header->n_namesz != 4 ||
	    memcmp(note + sizeof(*header), "GNU", 4) != 0 || header->n_descsz == 0)
		return false;
	for (uint32_t i = 0; i < header->n_descsz; i++)
		strbuf_addf(sb, "%02x", id[i]);
	return true;
}

/* Looks for the build id in a note segment. */
static bool scan_notes(const unsigned char *notes, uint64_t size, struct strbuf *sb)
{
	uint64_t at = 0;

	while (size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr header;
		uint64_t whole;

		memcpy(&header, notes + at, sizeof(header));
		whole = sizeof(header) + (((uint64_t)header.n_namesz + 3) & ~UINT64_C(3)) +
			(((uint64_t)header.n_descsz + 3) & ~UINT64_C(3));
		if (whole > size - at)
			return false;
		if (add_build_id(notes + at, &header, sb))
			return true;
		at += whole;
	}
	return false;
}

void object_build_id(struct object *object, struct strbuf *sb)
{
	if (!object_headers(object))
		return;
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];
		const unsigned char *notes;

		if (segment->type != PT_NOTE || segment->file_size > 65536)
			continue;
		notes = object->image_is_memory
				? object_bytes(object, segment->address, segment->file_size)
				: object_part(object, segment->position, segment->file_size);
		if (notes && scan_notes(notes, segment->file_size, sb))
			return;
	}
}
