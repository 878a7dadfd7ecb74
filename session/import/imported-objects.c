/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files of a recording, and checks that they match. */
#include "common/compat.h"
#include "session/import/imported-objects.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "session/import/imported-file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

void imported_objects_init(struct imported_objects *objects, uint64_t written)
{
	memset(objects, 0, sizeof(*objects));
	object_list_init(&objects->list);
	strmap_init(&objects->keys);
	objects->written = written;
}

void imported_objects_release(struct imported_objects *objects)
{
	for (size_t i = 0; i < objects->build_id_count; i++)
		free(objects->build_ids[i]);
	free(objects->build_ids);
	free(objects->by_key);
	strmap_release(&objects->keys);
	object_list_release(&objects->list);
}

static void add_hex(struct strbuf *sb, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		strbuf_addf(sb, "%02x", bytes[i]);
}

/* Returns whether a build id in hex equals id, which may be recorded with trailing zeros. */
static bool is_build_id(const char *hex, const unsigned char *id, size_t size)
{
	struct strbuf recorded = STRBUF_INIT;
	size_t length = strlen(hex);
	bool same;

	add_hex(&recorded, id, size);
	same = length && length <= recorded.length && strncmp(recorded.text, hex, length) == 0 &&
	       strspn(recorded.text + length, "0") == recorded.length - length;
	strbuf_release(&recorded);
	return same;
}

/* Opens a regular file; -1 on an error. */
static int open_regular(const char *path, struct stat *facts)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd >= 0 && (fstat(fd, facts) < 0 || !S_ISREG(facts->st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Returns whether an open file has the recorded build id. */
static bool has_build_id(int fd, const struct recorded_file *file)
{
	struct object *object = object_of_descriptor(dup(fd), file->path);
	struct strbuf hex = STRBUF_INIT;
	bool same;

	object_build_id(object, &hex);
	same = is_build_id(hex.text, file->build_id, file->build_id_size);
	object_close(object);
	strbuf_release(&hex);
	return same;
}

/* Opens perf record's copy of a file; -1: none. */
static int open_debug_copy(const struct recorded_file *file)
{
	const char *home = getenv("HOME");
	struct strbuf path = STRBUF_INIT;
	struct stat facts;
	int fd = -1;

	if (home && file->build_id_size > 1) {
		strbuf_addf(&path, "%s/.debug/.build-id/%02x/", home, file->build_id[0]);
		add_hex(&path, file->build_id + 1, file->build_id_size - 1);
		strbuf_addstr(&path, "/elf");
		fd = open_regular(path.text, &facts);
	}
	strbuf_release(&path);
	if (fd >= 0 && !has_build_id(fd, file)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Returns why an open file does not match, if no build id was recorded; NULL: it matches. */
static const char *why_mismatch(const struct imported_objects *objects,
			       const struct recorded_file *file, const struct stat *facts)
{
	uint64_t changed = clock_timespec_ns(&facts->st_mtim);

	if (file->inode && facts->st_ino != file->inode)
		return "the recording has no build id of it, and the file here is a different one";
	if (objects->written && changed > objects->written)
		return "the recording has no build id of it, and the file has changed since";
	return NULL;
}

/* Opens the file that matches; -1 with the reason if there is none. */
static int open_recorded(const struct imported_objects *objects, const struct recorded_file *file,
			 const char **why)
{
	struct stat facts;
	int fd = open_regular(file->path, &facts);

	if (!file->build_id) {
		*why = fd < 0 ? "there is no such file here" : why_mismatch(objects, file, &facts);
	} else {
		*why = fd < 0 ? "there is no such file here"
		       : has_build_id(fd, file)
			       ? NULL
			       : "the file here is not the recorded one: its build id differs";
	}
	if (!*why)
		return fd;
	if (fd >= 0)
		close(fd);
	return file->build_id ? open_debug_copy(file) : -1;
}

/* Stores the recorded build id of an object. */
static void keep_build_id(struct imported_objects *objects, const struct object *object,
			  const unsigned char *id, size_t size)
{
	struct strbuf hex = STRBUF_INIT;

	GROW(objects->build_ids, object->id, objects->build_id_alloc);
	while (objects->build_id_count < object->id)
		objects->build_ids[objects->build_id_count++] = NULL;
	add_hex(&hex, id, size);
	free(objects->build_ids[object->id - 1]);
	objects->build_ids[object->id - 1] = strbuf_detach(&hex, NULL);
}

/* Returns the object of a file, created if new. */
static struct object *object_of(struct imported_objects *objects, const struct recorded_file *file)
{
	size_t known = objects->keys.count;
	struct strbuf key = STRBUF_INIT;
	const char *why = NULL;
	struct object *object;
	size_t number;
	int fd;

	strbuf_addf(&key, "%s\n", file->path);
	if (file->build_id)
		add_hex(&key, file->build_id, file->build_id_size);
	else
		strbuf_addf(&key, "%" PRIu64 ":%" PRIu64 ":%" PRIu64, file->device, file->inode,
			    file->generation);
	number = strmap_put(&objects->keys, key.text);
	strbuf_release(&key);
	if (number < known)
		return objects->by_key[number];
	fd = open_recorded(objects, file, &why);
	object = object_add_file(&objects->list, file->path, fd, why);
	if (file->build_id)
		keep_build_id(objects, object, file->build_id, file->build_id_size);
	GROW(objects->by_key, number + 1, objects->key_alloc);
	objects->by_key[number] = object;
	return object;
}

/* Returns whether the kernel's name of a mapping is that of a file. */
static bool names_file(const char *path)
{
	return path[0] == '/' && strncmp(path, "//anon", 6) != 0 &&
	       strncmp(path, "/dev/zero", 9) != 0 && strncmp(path, "/SYSV", 5) != 0 &&
	       strncmp(path, "/memfd:", 7) != 0;
}

void imported_objects_map(struct imported_objects *objects, struct space **space, uint64_t start,
			  uint64_t length, uint64_t offset, const struct recorded_file *file)
{
	struct mapping mapping = { .start = start, .end = start + length };
	int64_t bias = 0;

	if (!length || mapping.end < start)
		return;
	if (strcmp(file->path, "[vdso]") == 0) {
		mapping.object = object_for_kind(&objects->list, OBJECT_VDSO, 0, 0, 0);
		mapping.bias = start;
	} else if (strcmp(file->path, "[vsyscall]") == 0) {
		mapping.object = object_for_kind(&objects->list, OBJECT_KERNEL, 0, 0, 0);
	} else if (names_file(file->path)) {
		mapping.object = object_of(objects, file);
		/* Without ELF headers the address is shown as the offset in the file. */
		object_bias(mapping.object, offset, &bias);
		mapping.bias = start - offset - (uint64_t)bias;
	} else {
		mapping.object = object_for_memory(&objects->list, file->path);
	}
	space_put(space, &mapping);
}

void imported_objects_vdso(struct imported_objects *objects, const unsigned char *build_id,
			   size_t size, uint64_t length)
{
	uint64_t here = getauxval(AT_SYSINFO_EHDR);
	struct strbuf hex = STRBUF_INIT;
	struct object *object;

	if (objects->vdso_fits || !here || !size)
		return;
	object = object_for_kind(&objects->list, OBJECT_VDSO, 0, 0, 0);
	keep_build_id(objects, object, build_id, size);
	/* It is read from this process, and discarded if it does not match. */
	object_for_kind(&objects->list, OBJECT_VDSO, getpid(), here, length);
	object_build_id(object, &hex);
	objects->vdso_fits = is_build_id(hex.text, build_id, size);
	strbuf_release(&hex);
}

/* Appends the build id of the running kernel in hex. */
static void kernel_build_id(struct strbuf *hex)
{
	char path[PROCFS_PATH_SIZE];
	unsigned char notes[4096];
	size_t at = 0;
	FILE *stream = fopen(procfs_path(path, "/sys/kernel/notes"), "re");
	size_t size = stream ? fread(notes, 1, sizeof(notes), stream) : 0;

	if (stream)
		fclose(stream);
	while (size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		uint64_t name, whole;

		memcpy(&note, notes + at, sizeof(note));
		name = ((uint64_t)note.n_namesz + 3) & ~UINT64_C(3);
		whole = sizeof(note) + name + (((uint64_t)note.n_descsz + 3) & ~UINT64_C(3));
		if (whole > size - at)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(notes + at + sizeof(note), "GNU", 4) == 0) {
			add_hex(hex, notes + at + sizeof(note) + name, note.n_descsz);
			return;
		}
		at += whole;
	}
}

/* Returns the address of a symbol of the running kernel; 0: this user may not see it. */
static uint64_t kernel_address(const char *symbol)
{
	char path[PROCFS_PATH_SIZE], line[512];
	FILE *stream = fopen(procfs_path(path, "/proc/kallsyms"), "re");
	uint64_t address, found = 0;
	char type, name[256];

	while (stream && !found && fgets(line, sizeof(line), stream))
		if (sscanf(line, "%" SCNx64 " %c %255s", &address, &type, name) == 3 &&
		    strcmp(name, symbol) == 0)
			found = address;
	if (stream)
		fclose(stream);
	return found;
}

/* Appends the release of the running kernel. */
static void kernel_release(struct strbuf *sb)
{
	char path[PROCFS_PATH_SIZE];

	if (strbuf_read_file(sb, procfs_path(path, "/proc/sys/kernel/osrelease")) == 0)
		strbuf_rtrim(sb);
}

/* Returns why the recorded kernel is not the running one; NULL: it is. */
static const char *why_other_kernel(const char *release, const unsigned char *build_id, size_t size,
				    const char *symbol, uint64_t address)
{
	struct strbuf here = STRBUF_INIT, hex = STRBUF_INIT;
	const char *why = NULL;
	uint64_t there;

	kernel_release(&here);
	kernel_build_id(&hex);
	if (release && *release && strcmp(release, here.text) != 0)
		why = "it was recorded on another kernel";
	else if (size && hex.length && !is_build_id(hex.text, build_id, size))
		why = "it was recorded on another kernel: the build id differs";
	else if (!address)
		why = "the recording does not contain the load address of the kernel";
	strbuf_release(&here);
	strbuf_release(&hex);
	RETURN_IF(why, why);
	there = kernel_address(symbol);
	/* If addresses are hidden there are no names either, which program/names reports. */
	return there && there != address ? "it was recorded before the last boot of the machine" : NULL;
}

void imported_objects_kernel(struct imported_objects *objects, const char *release,
			     const unsigned char *build_id, size_t size, const char *symbol,
			     uint64_t address)
{
	const char *why = why_other_kernel(release, build_id, size, symbol, address);

	objects->kernel_fits = !why;
	if (why)
		object_set_note(object_for_kind(&objects->list, OBJECT_KERNEL, 0, 0, 0), why);
}

/* Adds the row of one object. */
static void add_row(struct imported_objects *objects, struct object *object,
		    struct imported_file *file)
{
	const char *recorded = object->id <= objects->build_id_count ? objects->build_ids[object->id - 1]
								      : NULL;
	struct strbuf build_id = STRBUF_INIT;
	struct record_object row = {
		.object = object->id,
		.kind = object->kind,
		.path = imported_file_string(file, object->path),
	};

	if (recorded)
		strbuf_addstr(&build_id, recorded);
	else if (object->kind == OBJECT_FILE && object->fd >= 0)
		object_build_id(object, &build_id);
	row.build_id = imported_file_string(file, build_id.text);
	row.note = imported_file_string(file, object->note);
	strbuf_release(&build_id);
	imported_file_add(file, RECORD_OBJECT, &row);
}

void imported_objects_rows(struct imported_objects *objects, const unsigned char *used,
			   struct imported_file *file)
{
	for (size_t i = 0; i < objects->list.count; i++)
		if (used[i])
			add_row(objects, objects->list.items[i], file);
}
