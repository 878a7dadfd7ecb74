/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executable objects: everything instructions come from. One struct object
 * for each distinct file (device, inode, generation), the vDSO, anonymous
 * executable memory and the kernel, kept until the session ends so that
 * names can be resolved after the step and its files are gone.
 *
 * An object of a file keeps a descriptor opened when the file was first
 * seen, through the root of the process that mapped it, so that one deleted
 * or replaced later can still be read. Where that is not possible (deleted
 * before, vDSO) the image is copied out of the process's memory.
 *
 * Files are read (pread), never mapped: a file truncated during the run must
 * not kill the sampler with SIGBUS. The image is an address range as large
 * as the file, into which the parts that are asked for are read; object_load
 * reads all of it. A file replaced in place (same inode, other size or time)
 * is a new object, and the old one keeps what had been read of it.
 *
 * Everything an analysis needs of the ELF file is reached through these
 * functions; the unwinder's tables and the names hang on their own pointers
 * and are freed by those who made them (code_free).
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
	char *path; /* as mapped, " (deleted)" taken off; "[vdso]", "[anonymous]", ... */
	dev_t device;
	ino_t inode;
	int fd;		      /* the open file, or -1 */
	unsigned char *image; /* the ELF file, mapped or copied from memory; NULL until asked for */
	size_t image_size;
	bool image_is_memory; /* image is laid out as loaded: position = address - lowest vaddr */
	bool image_failed;    /* it was tried and cannot be had */
	bool image_borrowed;  /* it is another object's (object_twin) */
	char *note;	      /* why it cannot be had or has no names; NULL while all is well */
	struct code_table *code; /* what the unwinder knows of it; NULL until needed */
	bool code_failed;
	void (*code_free)(struct code_table *code); /* called when the object goes */

	uint64_t generation;	/* mixes the file's size and time of change when it was opened */
	unsigned char *present; /* for each chunk of the image: 1 read, 2 cannot be read; NULL: all
				   there */
	bool image_complete;	/* every chunk was read */
	bool in_stretches;	/* there is no image, only the stretches that were read */
	struct object_stretch *stretches;
	size_t stretch_count, stretch_alloc;
	bool headers_read; /* segments were looked for */
	struct object_segment *segments;
	size_t segment_count;
	uint64_t lowest_address; /* of the first PT_LOAD, rounded down to its page */
	unsigned elf_class;	 /* 32 or 64; 0 when this is no ELF file */
	unsigned elf_machine;	 /* EM_* */
	uint64_t entry;		 /* where execution of the file begins; 0 none */
};

/* One section of an ELF file. */
struct object_section {
	uint32_t type, link; /* SHT_*; number of another section */
	uint64_t flags, address, position, size, entry_size;
	const char *name; /* valid until the object goes */
};

struct object_list {
	struct object **items; /* by id - 1 */
	size_t count, alloc;
	struct idmap by_file; /* device and inode, mixed -> id of the newest */
};

void object_list_init(struct object_list *list);
void object_list_release(struct object_list *list);

/*
 * The object of a file mapping, found or made. pid and start are where it is
 * mapped now (used to open the file through /proc/PID/root, or to copy the
 * image when that fails); path is as the kernel gave it.
 */
struct object *object_for_file(struct object_list *list, const char *path, dev_t device,
			       ino_t inode, pid_t pid, uint64_t start);
/* The object of a kind of which there is one: vDSO (copied from pid at start), kernel, unknown. */
struct object *object_for_kind(struct object_list *list, enum object_kind kind, pid_t pid,
			       uint64_t start, uint64_t size);
/* The object of memory without a file: the heap, the first stack, or any other. */
struct object *object_for_memory(struct object_list *list, const char *path);
/*
 * A new object of a file that nobody here has mapped (a recording names it). fd is the file, known
 * to be the right one, which it takes over; -1: it cannot be had, for the reason why.
 */
struct object *object_add_file(struct object_list *list, const char *path, int fd, const char *why);
/* A new object for a module that a data collector named. */
struct object *object_add_named(struct object_list *list, const char *name);
struct object *object_get(const struct object_list *list, uint32_t id);

/*
 * A new object of its own, in no list, with the identity and the content of
 * another, for another thread: what is read for one is not seen by the other.
 * It has a descriptor of its own, but an image copied from memory is shared, so
 * it goes before the other does. NULL while the other's content cannot be had,
 * or there are no more descriptors. object_close frees it.
 */
struct object *object_twin(const struct object *object);
/* Say why an object's names cannot be had; the first reason stays, NULL is none. */
void object_set_note(struct object *object, const char *why);

/*
 * Make sure the whole image is there; false when it cannot be had (note says
 * why). Reads all of the file: an analysis that needs little of a large one
 * uses object_part, or libelf on fd.
 */
bool object_load(struct object *object);
/* size bytes of the image from position (as in the file) on, valid until the object goes;
   NULL when they are not all there. */
const unsigned char *object_part(struct object *object, uint64_t position, uint64_t size);
/* The same by address, in the object's terms; all in one segment. */
const unsigned char *object_bytes(struct object *object, uint64_t address, uint64_t size);
/*
 * A new object of its own, in no list, for an ELF file of which little is read
 * (a debug file, a library whose symbols are asked for): of an open descriptor,
 * which it takes over, or of a copy of size bytes. Of a descriptor each stretch
 * that object_part asks for is read once and kept: no room is reserved for the
 * whole file, and where memory is short a stretch is NULL. object_close frees it.
 */
struct object *object_of_descriptor(int fd, const char *path);
struct object *object_of_bytes(const void *bytes, size_t size, const char *path);
void object_close(struct object *object);
/* Read the ELF headers (once); false when this is no ELF file or cannot be read. */
bool object_headers(struct object *object);
/* Where the whole of it lies once it is loaded, in the object's terms: [start, end), whole pages.
   False when this is no ELF file. */
bool object_extent(struct object *object, uint64_t *start, uint64_t *end);
/* How many bytes of the file are loaded from address on, in its segment; 0: none there. */
uint64_t object_loaded_behind(const struct object *object, uint64_t address);
/* The end of the segment of instructions that holds address, as far as the file fills it; 0 when
   none does. */
uint64_t object_code_end(const struct object *object, uint64_t address);
/* Section number; false behind the last one, or when the file has none that can be read. */
bool object_section_at(struct object *object, unsigned number, struct object_section *section);
bool object_section_named(struct object *object, const char *name, struct object_section *section);
/* Its bytes; NULL when it has none in the file or they are compressed. */
const unsigned char *object_section_bytes(struct object *object,
					  const struct object_section *section);
/* A copy of a compressed section's bytes, unpacked, to be freed; NULL when there is none of that
   name, or it is damaged. */
unsigned char *object_section_unpacked(const struct object *object, const char *name, size_t *size);
/* Copy size bytes of a process's memory; false unless all of it could be read. */
bool object_read_memory(pid_t pid, uint64_t address, void *buffer, size_t size);
/* The build id in hex appended to sb; nothing when there is none. */
void object_build_id(struct object *object, struct strbuf *sb);
/* The file offset -> address difference of the executable segment that holds file offset pgoff:
   address = pgoff + *bias. False when no segment holds it. */
bool object_bias(struct object *object, uint64_t pgoff, int64_t *bias);

#endif
