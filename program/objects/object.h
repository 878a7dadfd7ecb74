/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executable objects: everything that instructions come from. There is one struct
 * object for each distinct file (device, inode, generation), the vDSO, anonymous
 * executable memory and the kernel; it is kept until the session ends so that
 * names can be resolved after the step has ended and its files are gone.
 *
 * The object of a file keeps a descriptor that was opened when the file was first
 * seen, through the root of the process that mapped it, so that a file deleted or
 * replaced later can still be read. If that is impossible (deleted before, vDSO),
 * the image is copied from the process's memory.
 *
 * Files are read (pread), never mapped: a file truncated during the run must not
 * kill the sampler with SIGBUS. The image is an address range as large as the
 * file, into which the requested parts are read; object_load reads all of it. A
 * file replaced in place (same inode, other size or time) is a new object; the old
 * one keeps what had been read of it.
 *
 * All other code reads the ELF file through these functions. The unwinder's tables
 * and the names are attached by pointers of their own and freed by the part that
 * made them (code_free).
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_H

#include "common/error.h"
#include "common/idmap.h"
#include "common/object-kind.h"
#include "common/strmap.h"

#include <sys/types.h>

struct code_table;
struct object_stretch;

/* One program header, of either ELF class. */
struct object_segment {
	uint32_t type, flags; /* PT_*, PF_* */
	uint64_t address;     /* in the object's terms */
	uint64_t position;    /* in the file */
	uint64_t file_size, memory_size;
};

struct object {
	uint32_t id; /* OBJECT id, counted from 1 */
	enum object_kind kind;
	char *path; /* as mapped, without " (deleted)"; "[vdso]", "[anonymous]", ... */
	dev_t device;
	ino_t inode;
	int fd;		      /* descriptor of the open file, or -1 */
	bool stands_in;	      /* it has no content, only parts are known (object-notes.h) */
	unsigned char *image; /* the ELF file, read or copied from memory; NULL until requested */
	size_t image_size;
	bool image_is_memory; /* image is laid out as loaded: position = address - lowest vaddr */
	bool image_failed;    /* reading failed; do not try again */
	bool image_borrowed;  /* it belongs to another object (object_clone) */
	char *note;	      /* why it is not readable or has no names; NULL: no problem */
	struct code_table *code; /* the unwinder's tables; NULL until needed */
	bool code_failed;
	void (*code_free)(struct code_table *code); /* called when the object is freed */

	uint64_t generation;	/* hash of the file's size and modification time when it was
				 * opened */
	uint64_t state_noted;	/* the last one that was noted to a recording */
	uint64_t chunk;		/* bytes of a chunk of the image */
	unsigned char *present; /* for each chunk of the image: 1 read, 2 not readable; NULL: all
				 * present */
	bool image_complete;	/* every chunk was read */
	bool in_stretches;	/* there is no image, only the ranges that were read */
	struct object_stretch *stretches;
	size_t stretch_count, stretch_alloc;
	bool headers_read; /* segments were read, or reading failed */
	struct object_segment *segments;
	size_t segment_count;
	uint64_t lowest_address; /* address of the first PT_LOAD, rounded down to its page */
	unsigned elf_class;	 /* 32 or 64; 0: not an ELF file */
	unsigned elf_machine;	 /* EM_* */
	uint64_t entry;		 /* entry address of the file; 0: none */
};

/* One section of an ELF file. */
struct object_section {
	uint32_t type, link; /* SHT_*; number of another section */
	uint64_t flags, address, position, size, entry_size;
	const char *name; /* valid until the object is freed */
};

struct object_list {
	struct object **items; /* by id - 1 */
	size_t count, alloc;
	struct idmap by_file; /* hash of device and inode -> id of the newest */
};

void object_list_init(struct object_list *list);
void object_list_release(struct object_list *list);

/*
 * Returns the object of a file mapping, creating it if needed. pid and start are
 * where it is mapped now (used to open the file through /proc/PID/root, or else to
 * copy the image); path is as the kernel reports it.
 */
struct object *object_for_file(struct object_list *list, const char *path, dev_t device,
			       ino_t inode, pid_t pid, uint64_t start);
/* Returns the only object of a kind: vDSO (copied from pid at start), kernel, unknown. */
struct object *object_for_kind(struct object_list *list, enum object_kind kind, pid_t pid,
			       uint64_t start, uint64_t size);
/* Returns the object of memory without a file: the heap, the first stack, or any other. */
struct object *object_for_memory(struct object_list *list, const char *path);
/*
 * Creates an object of a file that no process here has mapped (it comes from a
 * recording). fd is the verified file, whose ownership passes to the object; -1:
 * not available, for the reason why.
 */
struct object *object_add_file(struct object_list *list, const char *path, int fd, const char *why);
/* Creates an object for a module named by a data collector. */
struct object *object_add_named(struct object_list *list, const char *name);
struct object *object_get(const struct object_list *list, uint32_t id);

/*
 * Creates an object, in no list, with the identity and content of another one, for
 * use by another thread: what one reads is not visible to the other. It has a
 * private descriptor, but shares an image copied from memory, so it must be freed
 * before the other. Returns NULL if the other's content is not available, or there
 * are no more descriptors. object_close frees it.
 */
struct object *object_clone(const struct object *object);
/* Records why an object's names are not available; the first reason is kept; NULL: no reason. */
void object_set_note(struct object *object, const char *why);

/*
 * Makes the whole image present; returns false if it is not readable (note says
 * why). Reads the whole file: an analysis that needs little of a large one uses
 * object_part, or libelf on fd.
 */
bool object_load(struct object *object);
/*
 * Returns size bytes of the image from position (as in the file) on, valid until
 * the object is freed; NULL if not all of them are present.
 */
const unsigned char *object_part(struct object *object, uint64_t position, uint64_t size);
/* As object_part, by address in the object's terms; all bytes must be in one segment. */
const unsigned char *object_bytes(struct object *object, uint64_t address, uint64_t size);
/*
 * Create an object, in no list, for an ELF file of which little is read (a debug
 * file, a library whose symbols are requested): from an open descriptor, whose
 * ownership passes to it, or from a copy of size bytes. With a descriptor each
 * range that object_part requests is read once and kept: no space is reserved for
 * the whole file, and if memory is short a range is NULL. object_close frees it.
 */
struct object *object_of_descriptor(int fd, const char *path);
struct object *object_of_bytes(const void *bytes, size_t size, const char *path);
void object_close(struct object *object);
/* Reads the ELF headers (once); returns false if it is not an ELF file or not readable. */
bool object_headers(struct object *object);
/*
 * Finds the address range of the whole object once it is loaded, in the object's
 * terms: [start, end), whole pages. Returns false if it is not an ELF file.
 */
bool object_extent(struct object *object, uint64_t *start, uint64_t *end);
/* Returns how many bytes of the file are loaded from address to the end of its segment; 0: none. */
uint64_t object_loaded_from(const struct object *object, uint64_t address);
/*
 * Returns the end of the file-backed part of the executable segment that contains
 * address; 0: no such segment.
 */
uint64_t object_code_end(const struct object *object, uint64_t address);
/*
 * Reads section number; returns false after the last one, or if the file has no
 * readable section headers.
 */
bool object_section_at(struct object *object, unsigned number, struct object_section *section);
bool object_section_named(struct object *object, const char *name, struct object_section *section);
/* Returns the bytes of a section; NULL if it has none in the file or they are compressed. */
const unsigned char *object_section_bytes(struct object *object,
					  const struct object_section *section);
/*
 * Returns a decompressed copy of a compressed section, which the caller frees;
 * NULL if there is none with this name, or it is damaged.
 */
unsigned char *object_section_unpacked(const struct object *object, const char *name, size_t *size);
/* Copies size bytes of a process's memory; returns false unless all of them were readable. */
bool object_read_memory(pid_t pid, uint64_t address, void *buffer, size_t size);
/* Appends the build id in hex to sb; nothing if there is none. */
void object_build_id(struct object *object, struct strbuf *sb);
/*
 * Finds the difference between address and file offset in the executable segment
 * that contains file offset pgoff: address = pgoff + *bias. Returns false if no
 * segment contains it.
 */
bool object_bias(struct object *object, uint64_t pgoff, int64_t *bias);

#endif
