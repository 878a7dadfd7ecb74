/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves the addresses of a recording. */
#include "common/compat.h"
#include "session/import/imported-names.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/name-rows.h"
#include "session/import/imported.h"

/* Returns whether a frame may be resolved. Offset 0 stands for a whole object. */
static bool is_named(const struct imported *made, const struct stacks_frame *frame,
		     const struct object *object)
{
	if (!frame->offset)
		return false;
	switch (object->kind) {
	case OBJECT_FILE:
		return object->fd >= 0;
	case OBJECT_VDSO:
		return made->objects.vdso_fits;
	case OBJECT_KERNEL:
	case OBJECT_ANONYMOUS:
		return made->objects.kernel_fits;
	default:
		return false;
	}
}

/* Resolves all frames. */
static void name_frames(struct imported *made)
{
	const struct stacks *stacks = &made->stacks;
	uint32_t *order = xcalloc(stacks->frame_count + 1, sizeof(*order));
	struct name levels[NAMES_MAX_INLINE];

	for (uint32_t i = 0; i < stacks->frame_count; i++)
		order[i] = i;
	if (stacks->frame_count)
		qsort_r(order, stacks->frame_count, sizeof(*order), stacks_by_place, stacks->frames);
	for (size_t i = 0; i < stacks->frame_count; i++) {
		const struct stacks_frame *frame = &stacks->frames[order[i]];
		struct object *object = object_get(&made->objects.list, frame->object);

		if (is_named(made, frame, object))
			name_rows_add(&made->file.strings,
				      snapshot_set(&made->file.snapshot, RECORD_NAME), order[i] + 1,
				      levels,
				      names_resolve(made->names, object, frame->offset, frame->pid, levels));
	}
	free(order);
}

void imported_names_rows(struct imported *made)
{
	unsigned char *used = xcalloc(made->objects.list.count + 1, 1);

	for (size_t i = 0; i < made->stacks.frame_count; i++)
		used[made->stacks.frames[i].object - 1] = 1;
	if (!made->named)
		name_frames(made);
	imported_objects_rows(&made->objects, used, &made->file);
	free(used);
}

bool imported_names_is_start(const char *function)
{
	static const char *const starts[] = {
		"main",		"_start",	 "__libc_start_main", "__libc_start_call_main",
		"start_thread", "clone",	 "clone3",	      "__clone",
		"__clone3",	"__clone_internal", "thread_start",   "ret_from_fork",
		"ret_from_fork_asm", "kthread",	 "_dl_start_user",
	};
	size_t length = strcspn(function, "@");

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (strlen(starts[i]) == length && strncmp(starts[i], function, length) == 0)
			return true;
	return strncmp(function, "__libc_start_main", 17) == 0;
}

/* Kernel functions, and the reason of waits in them: a complete name, or a prefix with '*'. */
static const struct reason {
	const char *function;
	enum wait_reason reason;
} reasons[] = {
	{ "futex_*", WAIT_LOCK },	       { "__futex_*", WAIT_LOCK },
	{ "do_futex", WAIT_LOCK },	       { "do_nanosleep", WAIT_SLEEP },
	{ "hrtimer_nanosleep", WAIT_SLEEP },   { "common_nsleep*", WAIT_SLEEP },
	{ "do_wait", WAIT_CHILD },	       { "__do_wait", WAIT_CHILD },
	{ "kernel_wait4", WAIT_CHILD },	       { "kernel_waitid*", WAIT_CHILD },
	{ "pipe_read", WAIT_PIPE },	       { "pipe_write", WAIT_PIPE },
	{ "anon_pipe_read", WAIT_PIPE },       { "anon_pipe_write", WAIT_PIPE },
	{ "fifo_pipe_read", WAIT_PIPE },       { "fifo_pipe_write", WAIT_PIPE },
	{ "do_poll*", WAIT_POLL },	       { "do_sys_poll", WAIT_POLL },
	{ "do_select", WAIT_POLL },	       { "ep_poll", WAIT_POLL },
	{ "do_epoll_wait", WAIT_POLL },	       { "unix_stream_*", WAIT_SOCKET },
	{ "unix_dgram_*", WAIT_SOCKET },       { "tcp_recvmsg*", WAIT_SOCKET },
	{ "tcp_sendmsg*", WAIT_SOCKET },       { "inet_csk_accept", WAIT_SOCKET },
	{ "inet_*connect", WAIT_SOCKET },      { "sock_recvmsg", WAIT_SOCKET },
	{ "sock_sendmsg", WAIT_SOCKET },       { "n_tty_read", WAIT_TERMINAL },
	{ "n_tty_write", WAIT_TERMINAL },      { "do_fsync", WAIT_FILE_SYNC },
	{ "vfs_fsync*", WAIT_FILE_SYNC },      { "do_signal_stop", WAIT_STOPPED },
	{ "sigsuspend", WAIT_SIGNAL },	       { "do_sigtimedwait*", WAIT_SIGNAL },
	{ "do_user_addr_fault", WAIT_PAGE },   { "exc_page_fault", WAIT_PAGE },
	{ "vfs_read", WAIT_FILE_READ },	       { "vfs_readv", WAIT_FILE_READ },
	{ "vfs_write", WAIT_FILE_WRITE },      { "vfs_writev", WAIT_FILE_WRITE },
	{ "do_sys_openat2", WAIT_FILE_OTHER }, { "vfs_statx", WAIT_FILE_OTHER },
	{ "do_unlinkat", WAIT_FILE_OTHER },    { "do_renameat2", WAIT_FILE_OTHER },
};

unsigned imported_names_reason_of(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++) {
		const char *name = reasons[i].function, *star = strchr(name, '*');

		if (star ? strncmp(name, function, (size_t)(star - name)) == 0
			 : strcmp(name, function) == 0)
			return reasons[i].reason;
	}
	return 0;
}

/*
 * Bit in made->told that marks a frame as resolved; the others are its flags and
 * reason of waits.
 */
#define FRAME_RESOLVED 1
#define STARTS 2
#define REASON_SHIFT 2

/* Resolves a frame, once. */
static unsigned frame_facts(struct imported *made, uint32_t frame)
{
	const struct stacks_frame *place = &made->stacks.frames[frame - 1];
	struct object *object = object_get(&made->objects.list, place->object);
	struct name levels[NAMES_MAX_INLINE];
	const char *function = "";
	size_t count = 0;

	if (frame > made->frame_cache_count) {
		GROW(made->frame_cache, made->stacks.frame_count, made->frame_cache_alloc);
		memset(made->frame_cache + made->frame_cache_count, 0, made->stacks.frame_count - made->frame_cache_count);
		made->frame_cache_count = made->stacks.frame_count;
	}
	if (made->frame_cache[frame - 1])
		return made->frame_cache[frame - 1];
	if (is_named(made, place, object))
		count = names_resolve(made->names, object, place->offset, place->pid, levels);
	if (count)
		function = levels[count - 1].procedure;
	made->frame_cache[frame - 1] = (unsigned char)(FRAME_RESOLVED | (imported_names_is_start(function) ? STARTS : 0) |
						imported_names_reason_of(function) << REASON_SHIFT);
	return made->frame_cache[frame - 1];
}

bool imported_names_starts(struct imported *made, uint32_t frame)
{
	return frame_facts(made, frame) & STARTS;
}

unsigned imported_names_reason(struct imported *made, uint32_t frame)
{
	return frame_facts(made, frame) >> REASON_SHIFT;
}
