/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of the names cache: creation, replacement and removal of its files. */
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
/* Address bits within one piece of the kernel. */
#define KERNEL_PIECE 18
/* Separates a draft's name from the number of the process that writes it. */
#define DRAFT ".draft-"
/* Debug information that is larger when decompressed is not cached. */
#define DEBUG_SIZE_MAX (64U << 20)
/* A larger file is not a cache file. */
#define FILE_SIZE_MAX (UINT64_C(256) << 20)
/* The time of the last use is updated only after this many seconds. */
#define USED_AFTER 3600
/* A draft of this age, in seconds, was left by a killed process. */
#define DRAFT_AFTER 3600

struct cached {
	char *file;
	bool read; /* the file existed */
	struct names_known known;
};

struct names_cache {
	int folder;
	struct idmap objects; /* object id -> struct cached, 0: none */
	struct idmap kernel;  /* number of the piece -> struct cached */
	uint64_t kernel_signature;
	bool kernel_asked; /* the signature was computed; it is 0 if not available */
};

/* Creates a folder and those above it, for this user alone. */
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

/* Returns whether a file or folder belongs to this user, and nobody else can change it. */
static bool is_private_file(const struct stat *status)
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
	if (fstat(fd, &status) || !is_private_file(&status)) {
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

/* Opens a cache file; returns -1 if there is none that can be used. */
static int open_file(const struct names_cache *cache, const char *file, size_t *size)
{
	int fd = openat(cache->folder, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	RETURN_IF(fd < 0, -1);
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) || !is_private_file(&status) ||
	    (uint64_t)status.st_size > FILE_SIZE_MAX) {
		close(fd);
		return -1;
	}
	if (time(NULL) - status.st_mtime > USED_AFTER)
		futimens(fd, NULL);
	*size = (size_t)status.st_size;
	return fd;
}

/* Returns the contents of a file if it has this signature; takes ownership of the file's name. */
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

/* Returns a hash that identifies a file's version; 0 if it does not exist. */
static uint64_t identity(const struct stat *status)
{
	return hash_pair(
		hash_pair((uint64_t)status->st_ino, (uint64_t)status->st_size),
		hash_pair((uint64_t)status->st_mtim.tv_sec, (uint64_t)status->st_mtim.tv_nsec));
}

/* Returns the identity of this program: another version may find other names. */
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

/*
 * Returns the signature of the running kernel: this boot, and the addresses of its
 * modules; 0: unknown.
 */
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
	/* "NAME SIZE USERS WHO STATE ADDRESS": name and address are used. */
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

/* Returns a piece of the kernel by its number. */
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
	*whole = cached->read && names_known_is_intact(&cached->known);
	return &cached->known;
}

void names_cache_kernel_begin(struct names_cache *cache)
{
	uint64_t key, value;

	/* A piece without symbols is known to be complete, too. */
	for (size_t at = 0; idmap_next(&cache->kernel, &at, &key, &value);)
		names_known_set_note(&((struct cached *)(uintptr_t)value)->known, "");
}

void names_cache_kernel_put(struct names_cache *cache, const struct name *symbol)
{
	uint64_t end = symbol->start + symbol->size, next;

	/* No procedure is so large: it is the last one before a gap. */
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

/* Writes a whole buffer. */
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

/* Creates a file that gets its name once it is complete; returns -1 on failure. */
static int begin_file(const struct names_cache *cache, const char *file, struct strbuf *draft)
{
	strbuf_addf(draft, "%s" DRAFT "%d", file, (int)getpid());
	unlinkat(cache->folder, draft->text, 0);
	return openat(cache->folder, draft->text,
		      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Renames the file to its name if it is complete; otherwise removes it. */
static bool end_file(const struct names_cache *cache, const char *file, const char *draft,
		     bool whole)
{
	/* Some file systems flush the new file at once if it replaces another one. */
	if (whole)
		unlinkat(cache->folder, file, 0);
	if (whole && !renameat(cache->folder, draft, cache->folder, file))
		return true;
	unlinkat(cache->folder, draft, 0);
	return false;
}

/* Writes the names of one object. */
static void save(const struct names_cache *cache, struct cached *cached)
{
	struct strbuf bytes = STRBUF_INIT, draft = STRBUF_INIT;
	int fd = begin_file(cache, cached->file, &draft);

	if (fd >= 0) {
		names_known_merge(&cached->known);
		names_known_write(&cached->known, &bytes);
		end_file(cache, cached->file, draft.text, write_whole(fd, &bytes));
		close(fd);
	}
	cached->known.changed = false;
	strbuf_release(&bytes);
	strbuf_release(&draft);
}

/* Writes the debug information of a file, decompressed. */
static bool save_debug(const struct names_cache *cache, const char *file, Elf *debug)
{
	struct strbuf draft = STRBUF_INIT;
	int fd = begin_file(cache, file, &draft);
	bool saved = fd >= 0 && dwarf_unpack(debug, fd, DEBUG_SIZE_MAX);

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

/* A file of the folder. */
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

/* Lists the cache files, and removes abandoned drafts. */
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

/* Removes the least recently used files until the rest is small enough. */
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
		if (bytes > CACHE_SIZE_MAX && !unlinkat(cache->folder, entries[i].name, 0))
			bytes -= entries[i].bytes;
		free(entries[i].name);
	}
	free(entries);
}

/* Writes the changed entries of a table; returns whether there were any. */
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
