/* SPDX-License-Identifier: Apache-2.0 */
/* The files of the step: identity, DD name, position, waits. */
#include "common/compat.h"
#include "sampler/files.h"
#include "common/hash.h"
#include "common/idmap.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/strbuf.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/file-facts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Maximum number of descriptors of a process that are examined at once. */
#define LOOK_MAX 256
/* Maximum number of attempts to find the peer of a socket. */
#define PEER_TRIES 5

struct file {
	unsigned kind; /* enum file_kind */
	char *path;
	char *device;
	const char *organization;
	const struct sampler_file *named; /* NULL: no DD names it */
	uint64_t open_flags;		  /* flags + 1; 0: unknown */
	uint64_t opens;
	uint64_t holders; /* number of known open descriptors */
	uint64_t size_first, size_last, block_size;
	bool changed;
	/* Since the last FILE_ACTIVITY row. */
	struct files_wait wait;
	uint64_t bytes;			/* by which positions moved */
	uint64_t counted, counted_calls; /* by the programs */
	/* Since the session began. */
	uint64_t bytes_sum, counted_sum;
	bool doubtful;
	bool open_uncounted; /* a process that does not count has it open */
	bool pending; /* programs will count more */
	bool known;   /* its bytes are known */
	bool streamed; /* not all calls are counted */
	bool calls_known;
	unsigned peer_asked;
};

/* An open descriptor of a process. */
struct descriptor {
	int fd;
	uint64_t file;
	uint64_t position;
	uint64_t seen; /* number of the pass that saw it last */
};

/* The descriptors of one process. */
struct holder {
	pid_t pid;
	struct descriptor *items;
	size_t count, alloc;
	uint64_t look;	/* number of the current or last pass */
	uint64_t looks; /* number of complete passes */
	bool stranger;	/* it does not count what it reads and writes */
};

struct files {
	const struct sampler_file *named;
	size_t named_count;
	struct file *items; /* indexed by id - 1 */
	size_t count, alloc;
	struct idmap by_key; /* identity -> id */
	struct holder *holders;
	size_t holder_count, holder_alloc;
	struct idmap by_pid; /* pid -> index in holders */
	bool adopting;	     /* what is found now was open before the session began */
	bool counted;	     /* programs count */
};

struct files *files_new(const struct sampler_file *named, size_t count)
{
	struct files *files = xcalloc(1, sizeof(*files));

	files->named = named;
	files->named_count = count;
	idmap_init(&files->by_key);
	idmap_init(&files->by_pid);
	return files;
}

void files_free(struct files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++) {
		free(files->items[i].path);
		free(files->items[i].device);
	}
	for (size_t i = 0; i < files->holder_count; i++)
		free(files->holders[i].items);
	free(files->items);
	free(files->holders);
	idmap_release(&files->by_key);
	idmap_release(&files->by_pid);
	free(files);
}

static struct file *file_of(const struct files *files, uint64_t id)
{
	return id && id <= files->count ? &files->items[id - 1] : NULL;
}

/*
 * Returns whether path belongs to the data set of a DD: the file itself, a file in
 * the folder that it names, or an index next to it (PATH.1, as GnuCOBOL keeps
 * alternate keys).
 */
static bool belongs(const char *path, const char *data_set)
{
	size_t length = strlen(data_set);

	if (!length || strncmp(path, data_set, length) != 0)
		return false;
	path += length;
	if (*path == '\0' || *path == '/')
		return true;
	return *path == '.' && path[1] && path[1 + strspn(path + 1, "0123456789")] == '\0';
}

/* Returns the DD that names a file: the first one with the longest match; NULL: none. */
static const struct sampler_file *named_file(const struct files *files, const char *path,
					     const struct statx *status)
{
	const struct sampler_file *best = NULL;

	for (size_t i = 0; i < files->named_count; i++) {
		const struct sampler_file *named = &files->named[i];
		struct statx other;

		if (belongs(path, named->path) &&
		    (!best || strlen(named->path) > strlen(best->path)))
			best = named;
		if (!best && (status->stx_mode & S_IFMT) == S_IFREG &&
		    outside_status(AT_FDCWD, named->path, 0, &other) == 0 &&
		    other.stx_ino == status->stx_ino && other.stx_dev_major == status->stx_dev_major &&
		    other.stx_dev_minor == status->stx_dev_minor)
			best = named;
	}
	return best;
}

/*
 * Returns a hash of a file's identity: device, inode and birth time; for files
 * without an inode of their own, the name.
 */
static uint64_t identity(const struct statx *status, const char *path)
{
	uint64_t device = ((uint64_t)status->stx_dev_major << 32) | status->stx_dev_minor;
	uint64_t birth = 0;

	if (path[0] != '/' && strncmp(path, "anon_inode:", 11) == 0)
		return hash_bytes(path, strlen(path));
	if (status->stx_mask & STATX_BTIME)
		birth = (uint64_t)status->stx_btime.tv_sec * 1000000000 +
			status->stx_btime.tv_nsec;
	return hash_pair(hash_pair(device, status->stx_ino), birth);
}

/* Adds an entry. at: path at which its content can be opened, to determine its organization. */
static uint64_t add_file(struct files *files, uint64_t key, const char *path, const char *at,
			 const struct statx *status)
{
	struct file *file;

	GROW(files->items, files->count + 1, files->alloc);
	file = &files->items[files->count++];
	memset(file, 0, sizeof(*file));
	file->kind = facts_kind(status, path);
	file->path = xstrdup(path);
	file->device = facts_device(status);
	file->organization = facts_organization(file->kind, path, at);
	file->named = named_file(files, path, status);
	file->size_first = file->size_last = status->stx_size;
	file->block_size = status->stx_blksize;
	file->changed = true;
	idmap_put(&files->by_key, key, files->count);
	return files->count;
}

/*
 * Records the current size of a file. An empty file shows its organization only
 * once it has data.
 */
static void note_size(struct file *file, const char *at, uint64_t size)
{
	if (file->size_last == size)
		return;
	if (file->kind == FILE_REGULAR && file->size_last == 0)
		file->organization = facts_organization(file->kind, file->path, at);
	file->size_last = size;
	file->changed = true;
}

/* Returns whether path leads to the file with this key. */
static bool leads_to(const char *path, uint64_t key)
{
	struct statx status;

	return outside_status(AT_FDCWD, path, 0, &status) == 0 &&
	       identity(&status, path) == key;
}

/*
 * Records another path of a known file, which may have been renamed, as Berkeley
 * DB does with each file that it creates.
 */
static void note_path(const struct files *files, struct file *file, uint64_t key, const char *path,
		      const struct statx *status)
{
	const struct sampler_file *named;

	if (strcmp(file->path, path) == 0 || file->kind != FILE_REGULAR ||
	    leads_to(file->path, key))
		return;
	named = named_file(files, path, status);
	if (!named && !leads_to(path, key))
		return; /* it no longer has a path */
	free(file->path);
	file->path = xstrdup(path);
	file->named = named;
	file->changed = true;
}

/*
 * Returns whether a file is known, without reading its path; only if it is no
 * regular file, as those others keep their names.
 */
static bool is_known(const struct files *files, const struct statx *status, uint64_t *id)
{
	return (status->stx_mode & S_IFMT) != S_IFREG &&
	       idmap_get(&files->by_key, identity(status, "/"), id);
}

/* Returns the id of the file to which at leads (a path below /proc); 0: unknown. */
static uint64_t resolve(struct files *files, const char *at, const char *link)
{
	struct statx status;
	char text[PATH_MAX];
	uint64_t key, id;

	RETURN_IF(outside_status(AT_FDCWD, at, 0, &status) < 0, 0);
	if (is_known(files, &status, &id)) {
		note_size(&files->items[id - 1], at, status.stx_size);
		return id;
	}
	RETURN_IF(procfs_link(link, text, sizeof(text)) < 0, 0);
	procfs_strip_deleted(text);
	key = identity(&status, text);
	if (!idmap_get(&files->by_key, key, &id))
		return add_file(files, key, text, at, &status);
	note_size(&files->items[id - 1], at, status.stx_size);
	note_path(files, &files->items[id - 1], key, text, &status);
	return id;
}

uint64_t files_of_path(struct files *files, pid_t tid, int dirfd, const char *path)
{
	char at[PATH_MAX], link[PROCFS_PATH_SIZE];
	uint64_t id;
	int fd, length;

	RETURN_IF(!path[0], 0);
	if (path[0] == '/')
		procfs_process(link, tid, "root");
	else if (dirfd == AT_FDCWD)
		procfs_process(link, tid, "cwd");
	else
		procfs_descriptor(link, tid, "fd", dirfd);
	length = snprintf(at, sizeof(at), "%s/%s", link, path);
	RETURN_IF(length < 0 || (size_t)length >= sizeof(at), 0);
	fd = outside_open(at, O_PATH | O_CLOEXEC);
	RETURN_IF(fd < 0, 0);
	procfs_descriptor(link, PROCFS_SELF, "fd", fd);
	id = resolve(files, link, link);
	outside_close(fd);
	return id;
}

unsigned files_kind(const struct files *files, uint64_t id)
{
	const struct file *file = file_of(files, id);

	return file ? file->kind : 0;
}

/* Returns the entry of a process; makes it if it is new. */
static struct holder *holder_of(struct files *files, pid_t pid)
{
	struct holder *holder;
	uint64_t index;

	if (idmap_get(&files->by_pid, (uint64_t)pid, &index))
		return &files->holders[index];
	GROW(files->holders, files->holder_count + 1, files->holder_alloc);
	idmap_put(&files->by_pid, (uint64_t)pid, files->holder_count);
	holder = &files->holders[files->holder_count++];
	*holder = (struct holder){ .pid = pid };
	return holder;
}

/* Returns the entry of a descriptor; NULL: none. */
static struct descriptor *find_descriptor(const struct holder *holder, int fd)
{
	for (size_t i = 0; i < holder->count; i++)
		if (holder->items[i].fd == fd)
			return &holder->items[i];
	return NULL;
}

/* Returns the entry of a descriptor; makes it if it is new. */
static struct descriptor *descriptor_of(struct holder *holder, int fd)
{
	struct descriptor *descriptor = find_descriptor(holder, fd);

	RETURN_IF(descriptor, descriptor);
	GROW(holder->items, holder->count + 1, holder->alloc);
	descriptor = &holder->items[holder->count++];
	*descriptor = (struct descriptor){ .fd = fd };
	return descriptor;
}

/*
 * Returns the assumed initial position of a newly opened descriptor: the start,
 * unless it is open for update and at the very end, where programs go to find the
 * size.
 */
static uint64_t starting_position(const struct file *file, const struct procfs_position *state)
{
	bool update = (state->flags & O_ACCMODE) == O_RDWR;

	return update && state->position == file->size_last ? state->position : 0;
}

/*
 * Records that a descriptor refers to another file than before: the old one was
 * closed, the new one opened.
 */
static void reopen(struct files *files, struct descriptor *descriptor, uint64_t id, bool first_look,
		   const struct procfs_position *state)
{
	struct file *old = file_of(files, descriptor->file), *file = file_of(files, id);

	if (old && old->holders)
		old->holders--;
	descriptor->file = id;
	descriptor->position = starting_position(file, state);
	/*
	 * A file that a process has open when it is first examined, and that another
	 * process has open too, was inherited; what was there before the session began is
	 * not new either.
	 */
	if (first_look && (file->holders || files->adopting))
		descriptor->position = state->position;
	else
		file->opens++;
	if (!file->open_flags)
		file->open_flags = state->flags + 1;
	file->holders++;
	file->changed = true;
}

/* Records the peer of a socket, which may not be connected at first. */
static void note_peer(struct file *file, pid_t pid, int fd)
{
	char *peer;

	if (file->peer_asked == PEER_TRIES)
		return;
	peer = facts_peer(pid, fd);
	file->peer_asked = peer ? PEER_TRIES : file->peer_asked + 1;
	if (peer) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s %s", file->path, peer);
		free(file->path);
		file->path = strbuf_detach(&path, NULL);
		file->changed = true;
	}
	free(peer);
}

/* Examines one descriptor; returns the id of its file, 0: unknown. */
static uint64_t look_at(struct files *files, struct holder *holder, pid_t tid, int fd)
{
	struct descriptor *descriptor;
	struct procfs_position state;
	char at[PROCFS_PATH_SIZE];
	struct file *file;
	uint64_t id;

	procfs_descriptor(at, tid, "fd", fd);
	id = resolve(files, at, at);
	file = file_of(files, id);
	if (file && file->kind == FILE_SOCKET)
		note_peer(file, holder->pid, fd);
	/* Positions matter only in regular files. */
	descriptor = find_descriptor(holder, fd);
	if (file && file->kind != FILE_REGULAR && descriptor && descriptor->file == id) {
		descriptor->seen = holder->look;
		return id;
	}
	if (!file || !procfs_position(tid, fd, &state))
		return id;
	descriptor = descriptor_of(holder, fd);
	descriptor->seen = holder->look;
	if (descriptor->file != id)
		reopen(files, descriptor, id, holder->looks == 0, &state);
	if (state.position > descriptor->position && file->kind == FILE_REGULAR)
		file->bytes += state.position - descriptor->position;
	descriptor->position = state.position;
	return id;
}

uint64_t files_of_descriptor(struct files *files, pid_t pid, pid_t tid, int fd)
{
	RETURN_IF(fd < 0, 0);
	return look_at(files, holder_of(files, pid), tid, fd);
}

/* Drops the descriptors that the last pass did not see: they are closed. */
static void drop_closed(struct files *files, struct holder *holder)
{
	size_t kept = 0;

	for (size_t i = 0; i < holder->count; i++) {
		struct file *file = file_of(files, holder->items[i].file);

		if (holder->items[i].seen == holder->look)
			holder->items[kept++] = holder->items[i];
		else if (file && file->holders)
			file->holders--;
	}
	holder->count = kept;
}

void files_look(struct files *files, pid_t pid, pid_t tid)
{
	struct holder *holder = holder_of(files, pid);
	char path[PROCFS_PATH_SIZE];
	struct procfs_numbers walk;
	long fd = 0;

	procfs_numbers(&walk, procfs_process(path, tid, "fd"));
	if (walk.fd < 0)
		return;
	holder->look++;
	for (int seen = 0; seen < LOOK_MAX && (fd = procfs_next_number(&walk)) >= 0; seen++)
		look_at(files, holder, tid, (int)fd);
	procfs_numbers_close(&walk);
	holder->looks++;
	/* What was not examined is not closed: it may have been found at a wait. */
	if (fd < 0)
		drop_closed(files, holder);
}

void files_set_stranger(struct files *files, pid_t pid, bool stranger)
{
	uint64_t index;

	if (idmap_get(&files->by_pid, (uint64_t)pid, &index))
		files->holders[index].stranger = stranger;
}

/*
 * Marks the files that a process which does not count has open as doubtful:
 * permanently if it ends.
 */
static void doubt_files(struct files *files, const struct holder *holder, bool ends)
{
	for (size_t i = 0; holder->stranger && i < holder->count; i++) {
		struct file *file = file_of(files, holder->items[i].file);

		if (!file)
			continue;
		file->open_uncounted = true;
		file->doubtful |= ends;
	}
}

/* Checks whether a file that is no longer at its path is that of a DD now. */
static void find_again(const struct files *files, struct file *file, uint64_t key,
		       const struct statx *status)
{
	const struct sampler_file *named;

	if (file->named || leads_to(file->path, key))
		return;
	named = named_file(files, "", status);
	if (named)
		note_path(files, file, key, named->path, status);
}

/*
 * Returns the entry of a file that programs have counted; makes it if the file was
 * open too briefly to be seen.
 */
static struct file *counted_file(struct files *files, const struct files_counted *counted)
{
	struct statx status = {
		.stx_dev_major = counted->device_major,
		.stx_dev_minor = counted->device_minor,
		.stx_ino = counted->inode,
		.stx_mode = (uint16_t)counted->mode,
		.stx_size = counted->size,
		.stx_blksize = (uint32_t)counted->block,
		.stx_mask = counted->birth ? STATX_BTIME : 0,
		.stx_btime = { .tv_sec = (int64_t)(counted->birth / 1000000000),
			       .tv_nsec = (uint32_t)(counted->birth % 1000000000) },
	};
	struct statx there;
	char path[sizeof(counted->path)];
	uint64_t key = identity(&status, counted->path), id;
	bool same;

	if (idmap_get(&files->by_key, key, &id)) {
		if (counted->bytes && files->named_count)
			find_again(files, file_of(files, id), key, &status);
		return file_of(files, id);
	}
	snprintf(path, sizeof(path), "%s", counted->path);
	procfs_strip_deleted(path);
	same = leads_to(path, key) && outside_status(AT_FDCWD, path, 0, &there) == 0;
	id = add_file(files, key, path, same ? path : "", &status);
	if (same)
		note_size(file_of(files, id), path, there.stx_size);
	else
		find_again(files, file_of(files, id), key, &status);
	return file_of(files, id);
}

void files_count(struct files *files, const struct files_counted *counted)
{
	struct file *file = counted_file(files, counted);

	file->counted += counted->bytes;
	file->counted_calls += counted->calls;
	file->counted_sum += counted->bytes;
	file->doubtful |= counted->doubtful;
	file->pending = counted->pending;
	file->streamed |= counted->streamed;
	if (counted->opens <= file->opens)
		return;
	file->opens = counted->opens;
	file->changed = true;
}

/* Returns the possible error of a file's figure, bytes. */
static uint64_t error_of(const struct files *files, const struct files_bound *bound)
{
	uint64_t sum = 0;

	if (bound->counted)
		return bound->unknown;
	for (size_t i = 0; i < files->count; i++)
		sum += files->items[i].bytes_sum + files->items[i].bytes;
	return sum > bound->moved ? sum - bound->moved : bound->moved - sum;
}

void files_judge(struct files *files, const struct files_bound *bound)
{
	uint64_t error = error_of(files, bound);

	files->counted = bound->counted;
	for (size_t i = 0; i < files->count; i++)
		files->items[i].open_uncounted = false;
	for (size_t i = 0; i < files->holder_count; i++)
		doubt_files(files, &files->holders[i], false);
	for (size_t i = 0; i < files->count; i++) {
		struct file *file = &files->items[i];
		uint64_t sum = bound->counted ? file->counted_sum
					      : file->bytes_sum + file->bytes;
		bool known = file->kind == FILE_REGULAR && error <= sum / 100 &&
			     !bound->unbounded && (bound->counted ? !file->doubtful && !file->open_uncounted && !file->pending
					      : bound->moved > 0);

		bool calls_known = known && bound->counted && !file->streamed;

		file->changed |= known != file->known || calls_known != file->calls_known;
		file->known = known;
		file->calls_known = calls_known;
	}
}

void files_adopt(struct files *files, pid_t pid)
{
	files->adopting = true;
	files_look(files, pid, pid);
	files->adopting = false;
}

void files_forget(struct files *files, pid_t pid)
{
	struct holder *holder, *last;
	uint64_t index;

	if (!idmap_get(&files->by_pid, (uint64_t)pid, &index))
		return;
	holder = &files->holders[index];
	doubt_files(files, holder, true);
	holder->look++;
	drop_closed(files, holder);
	free(holder->items);
	idmap_remove(&files->by_pid, (uint64_t)pid);
	last = &files->holders[--files->holder_count];
	if (last != holder) {
		*holder = *last;
		idmap_put(&files->by_pid, (uint64_t)holder->pid, index);
	}
}

void files_add_wait(struct files *files, uint64_t id, const struct files_wait *wait)
{
	struct file *file = file_of(files, id);

	if (!file)
		return;
	file->wait.waits += wait->waits;
	file->wait.total += wait->total;
	file->wait.charged += wait->charged;
	file->wait.charged_solo += wait->charged_solo;
	file->wait.busy += wait->busy;
	file->wait.busy_solo += wait->busy_solo;
}

static void take_at_most(uint64_t *sum, uint64_t part)
{
	*sum -= part < *sum ? part : *sum;
}

void files_take_wait(struct files *files, uint64_t id, const struct files_wait *wait)
{
	struct file *file = file_of(files, id);

	if (!file)
		return;
	take_at_most(&file->wait.waits, wait->waits);
	take_at_most(&file->wait.total, wait->total);
	take_at_most(&file->wait.charged, wait->charged);
	take_at_most(&file->wait.charged_solo, wait->charged_solo);
}

/* Fills the FILE row of a file. */
static void file_row(const struct file *file, struct engine *engine, struct record_file *row)
{
	const struct sampler_file *named = file->named;
	bool plain = named && named->organization && named->organization[0] &&
		     strcmp(file->organization, "PS") == 0;

	row->kind = file->kind;
	row->path = engine_string(engine, file->path);
	row->ddname = engine_string(engine, named ? named->ddname : "");
	row->dsn = engine_string(engine, named && named->dsn ? named->dsn : "");
	row->organization = engine_string(engine, plain ? named->organization : file->organization);
	row->recfm = engine_string(engine, named && named->recfm ? named->recfm : "");
	row->lrecl = named ? named->lrecl : 0;
	row->device = engine_string(engine, file->device);
	row->open_flags = file->open_flags;
	row->opens = file->opens;
	row->size_first = file->size_first;
	row->size_last = file->size_last;
	row->block_size = file->block_size;
	row->bytes_known = file->known;
	row->calls_known = file->calls_known;
}

void files_rows(struct files *files, struct engine *engine, struct recordset *set)
{
	for (size_t i = 0; i < files->count; i++) {
		struct record_file row = { .file = i + 1 };

		if (!files->items[i].changed)
			continue;
		files->items[i].changed = false;
		file_row(&files->items[i], engine, &row);
		recordset_add(set, &row);
	}
}

void files_activity(struct files *files, uint64_t time, struct recordset *set)
{
	for (size_t i = 0; i < files->count; i++) {
		struct file *file = &files->items[i];
		const struct files_wait *wait = &file->wait;
		struct record_file_activity row = {
			.time = time,
			.file = i + 1,
			.waits = wait->waits,
			.total = wait->total,
			.charged = wait->charged,
			.charged_solo = wait->charged_solo,
			.busy = wait->busy,
			.busy_solo = wait->busy_solo,
			.bytes = files->counted ? file->counted : file->bytes,
			.calls = file->counted_calls,
		};

		file->bytes_sum += file->bytes;
		file->bytes = file->counted = file->counted_calls = 0;
		if (!(row.waits | row.total | row.charged | row.busy | row.bytes | row.calls))
			continue;
		recordset_add(set, &row);
		file->wait = (struct files_wait){ 0 };
	}
}
