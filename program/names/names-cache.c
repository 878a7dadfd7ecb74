/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of the cache of names: which files there are, and how they come and go. */
#include "common/compat.h"
#include "program/names/names-cache.h"
#include "common/hash.h"
#include "common/path.h"
#include "common/procfs.h"
#include "common/trust.h"
#include "common/xalloc.h"
#include "program/names/dwarf-unpack.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".names"
#define KERNEL "kernel-"
/* Bits of an address within one piece of the kernel. */
#define KERNEL_PIECE 18
/* What stands between its name and the number of the process that writes it. */
#define DRAFT ".draft-"
/* Debug information that is larger unpacked is not kept. */
#define DEBUG_MOST (64U << 20)
/* A larger file is none of ours. */
#define MOST_FILE (UINT64_C(256) << 20)
/* Time of the last use is noted so rarely. */
#define USED_AFTER 3600
/* A draft as old as this was left by somebody who was killed. */
#define DRAFT_AFTER 3600

struct cached {
	char *file;
	bool read; /* it was there */
	struct names_known known;
};

struct names_cache {
	int folder;
	struct idmap objects; /* struct cached by the object's id, 0 none */
	struct idmap kernel;  /* the same by the number of the piece */
	uint64_t kernel_signature;
	bool kernel_asked; /* for the signature, which is 0 where it cannot be had */
};

/* Make a folder and those above it, for this user alone. */
static void make_folders(const char *folder)
{
	char *path = xstrdup(folder);

	for (char *at = path + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	mkdir(path, 0700);
	free(path);
}

/* Whether a file or folder is ours, and nobody else can change it. */
static bool is_own(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & 022);
}

struct names_cache *names_cache_open(const char *folder)
{
	struct names_cache *cache;
	struct stat status;
	char *whole, *refusal;
	int fd;

	RETURN_IF(folder[0] != '/', NULL);
	make_folders(folder);
	whole = realpath(folder, NULL);
	refusal = whole ? trust_refuse(whole) : NULL;
	fd = whole && !refusal ? open(whole, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
	free(whole);
	free(refusal);
	RETURN_IF(fd < 0, NULL);
	if (fstat(fd, &status) || !is_own(&status)) {
		close(fd);
		return NULL;
	}
	cache = xcalloc(1, sizeof(*cache));
	cache->folder = fd;
	idmap_init(&cache->objects);
	idmap_init(&cache->kernel);
	return cache;
}

static void cached_free(struct cached *cached)
{
	if (!cached)
		return;
	names_known_release(&cached->known);
	free(cached->file);
	free(cached);
}

void names_cache_close(struct names_cache *cache)
{
	uint64_t key, value;

	if (!cache)
		return;
	for (size_t at = 0; idmap_next(&cache->objects, &at, &key, &value);)
		cached_free((void *)(uintptr_t)value);
	for (size_t at = 0; idmap_next(&cache->kernel, &at, &key, &value);)
		cached_free((void *)(uintptr_t)value);
	idmap_release(&cache->objects);
	idmap_release(&cache->kernel);
	close(cache->folder);
	free(cache);
}

/* Open one of our files; -1 when there is none that can be used. */
static int open_file(const struct names_cache *cache, const char *file, size_t *size)
{
	int fd = openat(cache->folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	RETURN_IF(fd < 0, -1);
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || !is_own(&status) ||
	    (uint64_t)status.st_size > MOST_FILE) {
		close(fd);
		return -1;
	}
	if (time(NULL) - status.st_mtime > USED_AFTER)
		futimens(fd, NULL);
	*size = (size_t)status.st_size;
	return fd;
}

/* What a file holds, if it is of this signature; takes the file's name. */
static struct cached *open_cached(const struct names_cache *cache, char *file, uint64_t signature)
{
	struct cached *cached = xcalloc(1, sizeof(*cached));
	size_t size;
	int fd = open_file(cache, file, &size);

	cached->file = file;
	names_known_init(&cached->known, signature);
	if (fd >= 0) {
		/* Files are replaced, never changed. */
		cached->read = names_known_map(&cached->known, fd, size);
		close(fd);
	}
	return cached;
}

/* What a file is, but for its content: 0 when it is not there. */
static uint64_t identity(const struct stat *status)
{
	return hash_pair(
		hash_pair((uint64_t)status->st_ino, (uint64_t)status->st_size),
		hash_pair((uint64_t)status->st_mtim.tv_sec, (uint64_t)status->st_mtim.tv_nsec));
}

/* This program: another version may find other names. */
static uint64_t own_identity(void)
{
	struct stat status;

	return stat("/proc/self/exe", &status) ? 0 : identity(&status);
}

struct names_known *names_cache_object(struct names_cache *cache, struct object *object,
				       uint64_t (*signature)(void *argument, struct object *object),
				       void *argument)
{
	struct strbuf file = STRBUF_INIT;
	struct cached *cached = NULL;
	struct stat status;
	uint64_t value;

	RETURN_IF(object->kind != OBJECT_FILE || object->fd < 0, NULL);
	if (idmap_get(&cache->objects, object->id, &value)) {
		cached = (void *)(uintptr_t)value;
		return cached ? &cached->known : NULL;
	}
	object_build_id(object, &file);
	if (file.length && !fstat(object->fd, &status)) {
		uint64_t whole = hash_pair((uint64_t)status.st_size, own_identity());

		strbuf_addstr(&file, SUFFIX);
		cached = open_cached(cache, xstrdup(file.text),
				     hash_pair(whole, signature(argument, object)));
	}
	strbuf_release(&file);
	idmap_put(&cache->objects, object->id, (uintptr_t)cached);
	return cached ? &cached->known : NULL;
}

/* The kernel that runs, since this start, and where its modules are; 0 not known. */
static uint64_t kernel_signature(void)
{
	struct strbuf modules = STRBUF_INIT, boot = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];
	uint64_t hash = 0;

	if (!strbuf_read_file(&boot, procfs_path(path, "/proc/sys/kernel/random/boot_id")) &&
	    boot.length)
		hash = hash_bytes(boot.text, boot.length);
	if (strbuf_read_file(&modules, procfs_path(path, "/proc/modules")))
		strbuf_reset(&modules);
	/* "NAME SIZE USERS WHO STATE ADDRESS": of these the name and the address. */
	for (const char *line = modules.text; hash && *line;) {
		size_t length = strcspn(line, "\n"), name = strcspn(line, " \n");
		const char *address = memrchr(line, 'x', length);

		hash = hash_pair(hash, hash_bytes(line, name));
		if (address)
			hash = hash_pair(hash, strtoull(address + 1, NULL, 16));
		line += length + (line[length] == '\n');
	}
	strbuf_release(&modules);
	strbuf_release(&boot);
	return hash ? hash_pair(hash, own_identity()) : 0;
}

/* A piece of the kernel, by its number. */
static struct cached *kernel_piece(struct names_cache *cache, uint64_t number)
{
	struct strbuf file = STRBUF_INIT;
	struct cached *cached;
	uint64_t value;

	if (idmap_get(&cache->kernel, number, &value))
		return (void *)(uintptr_t)value;
	strbuf_addf(&file, KERNEL "%" PRIx64 SUFFIX, number);
	cached = open_cached(cache, strbuf_detach(&file, NULL), cache->kernel_signature);
	idmap_put(&cache->kernel, number, (uintptr_t)cached);
	return cached;
}

struct names_known *names_cache_kernel(struct names_cache *cache, uint64_t address, bool *whole)
{
	struct cached *cached;

	if (!cache->kernel_asked)
		cache->kernel_signature = kernel_signature();
	cache->kernel_asked = true;
	RETURN_IF(!cache->kernel_signature, NULL);
	cached = kernel_piece(cache, address >> KERNEL_PIECE);
	*whole = cached->read && names_known_holds(&cached->known);
	return &cached->known;
}

void names_cache_kernel_begin(struct names_cache *cache)
{
	uint64_t key, value;

	/* Also a piece without symbols is known from now on. */
	for (size_t at = 0; idmap_next(&cache->kernel, &at, &key, &value);)
		names_known_set_note(&((struct cached *)(uintptr_t)value)->known, "");
}

void names_cache_kernel_put(struct names_cache *cache, const struct name *symbol)
{
	uint64_t end = symbol->start + symbol->size, next;

	/* No procedure is so large: the last one before a gap. */
	if (symbol->size > UINT64_C(1) << KERNEL_PIECE)
		end = symbol->start + (UINT64_C(1) << KERNEL_PIECE);
	for (uint64_t at = symbol->start; at < end; at = next) {
		struct cached *cached = kernel_piece(cache, at >> KERNEL_PIECE);

		next = ((at >> KERNEL_PIECE) + 1) << KERNEL_PIECE;
		if (next > end || next < at)
			next = end;
		if (!names_known_end(&cached->known, at))
			names_known_add(&cached->known, at, next, symbol, 1);
	}
}

/* Write all of a buffer. */
static bool write_whole(int fd, const struct strbuf *bytes)
{
	for (size_t done = 0; done < bytes->length;) {
		ssize_t wrote = write(fd, bytes->text + done, bytes->length - done);

		if (wrote <= 0 && errno != EINTR)
			return false;
		if (wrote > 0)
			done += (size_t)wrote;
	}
	return true;
}

/* Make a file that gets its name once it is whole; -1: it cannot be made. */
static int begin_file(const struct names_cache *cache, const char *file, struct strbuf *draft)
{
	strbuf_addf(draft, "%s" DRAFT "%d", file, (int)getpid());
	unlinkat(cache->folder, draft->text, 0);
	return openat(cache->folder, draft->text,
		      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Put the file in its place when it is whole; otherwise remove it. */
static bool end_file(const struct names_cache *cache, const char *file, const char *draft,
		     bool whole)
{
	/* Some file systems write the new file out at once when it replaces another one. */
	if (whole)
		unlinkat(cache->folder, file, 0);
	if (whole && !renameat(cache->folder, draft, cache->folder, file))
		return true;
	unlinkat(cache->folder, draft, 0);
	return false;
}

/* Write what is known of one object. */
static void save(const struct names_cache *cache, struct cached *cached)
{
	struct strbuf bytes = STRBUF_INIT, draft = STRBUF_INIT;
	int fd = begin_file(cache, cached->file, &draft);

	if (fd >= 0) {
		names_known_settle(&cached->known);
		names_known_write(&cached->known, &bytes);
		end_file(cache, cached->file, draft.text, write_whole(fd, &bytes));
		close(fd);
	}
	cached->known.changed = false;
	strbuf_release(&bytes);
	strbuf_release(&draft);
}

/* Write the debug information of a file, unpacked. */
static bool save_debug(const struct names_cache *cache, const char *file, Elf *debug)
{
	struct strbuf draft = STRBUF_INIT;
	int fd = begin_file(cache, file, &draft);
	bool saved = fd >= 0 && dwarf_unpack(debug, fd, DEBUG_MOST);

	if (fd >= 0) {
		saved = end_file(cache, file, draft.text, saved);
		close(fd);
	}
	strbuf_release(&draft);
	return saved;
}

int names_cache_debug(struct names_cache *cache, struct object *object, uint64_t signature,
		      Elf *debug)
{
	struct strbuf file = STRBUF_INIT;
	size_t size;
	int fd = -1;

	RETURN_IF(!dwarf_is_packed(debug), -1);
	object_build_id(object, &file);
	if (file.length) {
		strbuf_addf(&file, "-debug-%" PRIx64 SUFFIX, signature);
		fd = open_file(cache, file.text, &size);
		if (fd < 0 && save_debug(cache, file.text, debug))
			fd = open_file(cache, file.text, &size);
	}
	strbuf_release(&file);
	return fd;
}

/* One file of the folder. */
struct entry {
	char *name;
	int64_t used;
	uint64_t bytes;
};

static int by_use(const void *one, const void *other)
{
	int64_t first = ((const struct entry *)one)->used;
	int64_t second = ((const struct entry *)other)->used;

	return (first > second) - (first < second);
}

/* List our files, and remove drafts that nobody will finish. */
static struct entry *list_entries(const struct names_cache *cache, size_t *count)
{
	int fd = fcntl(cache->folder, F_DUPFD_CLOEXEC, 0);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	struct entry *entries = NULL;
	size_t alloc = 0;
	struct dirent *one;

	*count = 0;
	RETURN_IF(!folder, NULL);
	rewinddir(folder);
	while ((one = readdir(folder))) {
		struct stat status;
		const char *suffix = strstr(one->d_name, SUFFIX);

		if (!suffix || fstatat(cache->folder, one->d_name, &status, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(status.st_mode))
			continue;
		if (suffix[strlen(SUFFIX)] && strstr(suffix, DRAFT) &&
		    time(NULL) - status.st_mtime > DRAFT_AFTER)
			unlinkat(cache->folder, one->d_name, 0);
		if (suffix[strlen(SUFFIX)])
			continue;
		GROW(entries, *count + 1, alloc);
		entries[(*count)++] = (struct entry){ xstrdup(one->d_name), status.st_mtime,
						      (uint64_t)status.st_size };
	}
	closedir(folder);
	return entries;
}

/* Remove what was not used for longest until the rest is small enough. */
static void bound(const struct names_cache *cache)
{
	uint64_t bytes = 0;
	size_t count;
	struct entry *entries = list_entries(cache, &count);

	for (size_t i = 0; i < count; i++)
		bytes += entries[i].bytes;
	if (count)
		qsort(entries, count, sizeof(*entries), by_use);
	for (size_t i = 0; i < count; i++) {
		if (bytes > CACHE_MOST && !unlinkat(cache->folder, entries[i].name, 0))
			bytes -= entries[i].bytes;
		free(entries[i].name);
	}
	free(entries);
}

/* Write those of a table that were added to; whether any was. */
static bool save_changed(const struct names_cache *cache, const struct idmap *table)
{
	uint64_t key, value;
	bool saved = false;

	for (size_t at = 0; idmap_next(table, &at, &key, &value);) {
		struct cached *cached = (void *)(uintptr_t)value;

		if (!cached || !cached->known.changed)
			continue;
		save(cache, cached);
		saved = true;
	}
	return saved;
}

void names_cache_save(struct names_cache *cache)
{
	bool objects = save_changed(cache, &cache->objects);

	if (save_changed(cache, &cache->kernel) || objects)
		bound(cache);
}
