/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interposes on the functions of the C library that read, write, close and map,
 * and on those of stdio that open, position or close a stream. The next functions
 * are looked up when the library is loaded, so that no call takes the loader's
 * lock in a signal handler or after a fork; only a call before that, from another
 * library's constructor, does its own lookup.
 */
#include "agent/files/file-count.h"
#include "agent/agent-next.h"

#include <stdarg.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

/* A function of the C library; all are placed in one section. */
struct next_function {
	const char *name;
	void *found;
};

extern struct next_function __start_next_functions[] __attribute__((visibility("hidden")));
extern struct next_function __stop_next_functions[] __attribute__((visibility("hidden")));

static void *next_of(struct next_function *function)
{
	return agent_next(&function->found, function->name);
}

__attribute__((constructor)) static void look_up(void)
{
	for (struct next_function *at = __start_next_functions; at < __stop_next_functions; at++)
		next_of(at);
}

#define NEXT(result, name, ...) \
	static struct next_function function __attribute__((section("next_functions"), used)) = { \
		#name, NULL \
	}; \
	result (*next)(__VA_ARGS__); \
	void *found = next_of(&function); \
\
	memcpy(&next, &found, sizeof(next))

/* Defines a function that moves bytes through one descriptor. */
#define MOVES(name, direction, sequential, parameters, arguments, ...) \
	AGENT_VISIBLE ssize_t name parameters; \
	ssize_t name parameters \
	{ \
		ssize_t moved; \
		NEXT(ssize_t, name, __VA_ARGS__); \
\
		moved = next arguments; \
		file_counted(fd, moved, direction, sequential); \
		return moved; \
	}

MOVES(read, FILE_READ, true, (int fd, void *to, size_t size), (fd, to, size), int, void *, size_t)
MOVES(__read_chk, FILE_READ, true, (int fd, void *to, size_t size, size_t space),
      (fd, to, size, space), int, void *, size_t, size_t)
MOVES(write, FILE_WRITTEN, true, (int fd, const void *from, size_t size), (fd, from, size), int,
      const void *, size_t)
MOVES(readv, FILE_READ, true, (int fd, const struct iovec *to, int count), (fd, to, count), int,
      const struct iovec *, int)
MOVES(writev, FILE_WRITTEN, true, (int fd, const struct iovec *from, int count), (fd, from, count),
      int, const struct iovec *, int)
MOVES(pread, FILE_READ, false, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), int,
      void *, size_t, off_t)
MOVES(pread64, FILE_READ, false, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), int,
      void *, size_t, off_t)
MOVES(__pread_chk, FILE_READ, false, (int fd, void *to, size_t size, off_t at, size_t space),
      (fd, to, size, at, space), int, void *, size_t, off_t, size_t)
MOVES(__pread64_chk, FILE_READ, false, (int fd, void *to, size_t size, off_t at, size_t space),
      (fd, to, size, at, space), int, void *, size_t, off_t, size_t)
MOVES(pwrite, FILE_WRITTEN, false, (int fd, const void *from, size_t size, off_t at),
      (fd, from, size, at), int, const void *, size_t, off_t)
MOVES(pwrite64, FILE_WRITTEN, false, (int fd, const void *from, size_t size, off_t at),
      (fd, from, size, at), int, const void *, size_t, off_t)
MOVES(preadv, FILE_READ, false, (int fd, const struct iovec *to, int count, off_t at),
      (fd, to, count, at), int, const struct iovec *, int, off_t)
MOVES(preadv64, FILE_READ, false, (int fd, const struct iovec *to, int count, off_t at),
      (fd, to, count, at), int, const struct iovec *, int, off_t)
MOVES(pwritev, FILE_WRITTEN, false, (int fd, const struct iovec *from, int count, off_t at),
      (fd, from, count, at), int, const struct iovec *, int, off_t)
MOVES(pwritev64, FILE_WRITTEN, false, (int fd, const struct iovec *from, int count, off_t at),
      (fd, from, count, at), int, const struct iovec *, int, off_t)
MOVES(preadv2, FILE_READ, at == -1, (int fd, const struct iovec *to, int count, off_t at, int flags),
      (fd, to, count, at, flags), int, const struct iovec *, int, off_t, int)
MOVES(preadv64v2, FILE_READ, at == -1,
      (int fd, const struct iovec *to, int count, off_t at, int flags), (fd, to, count, at, flags),
      int, const struct iovec *, int, off_t, int)
MOVES(pwritev2, FILE_WRITTEN, at == -1,
      (int fd, const struct iovec *from, int count, off_t at, int flags),
      (fd, from, count, at, flags), int, const struct iovec *, int, off_t, int)
MOVES(pwritev64v2, FILE_WRITTEN, at == -1,
      (int fd, const struct iovec *from, int count, off_t at, int flags),
      (fd, from, count, at, flags), int, const struct iovec *, int, off_t, int)

/* Defines a function that moves bytes from one descriptor to another. */
#define COPIES(name, sequential_in, sequential_out, parameters, arguments, ...) \
	AGENT_VISIBLE ssize_t name parameters; \
	ssize_t name parameters \
	{ \
		ssize_t moved; \
		NEXT(ssize_t, name, __VA_ARGS__); \
\
		moved = next arguments; \
		file_counted(in, moved, FILE_READ, sequential_in); \
		file_counted(out, moved, FILE_WRITTEN, sequential_out); \
		return moved; \
	}

COPIES(sendfile, !at, true, (int out, int in, off_t *at, size_t size), (out, in, at, size), int, int,
       off_t *, size_t)
COPIES(sendfile64, !at, true, (int out, int in, off_t *at, size_t size), (out, in, at, size), int,
       int, off_t *, size_t)
COPIES(copy_file_range, !from, !to,
       (int in, off_t *from, int out, off_t *to, size_t size, unsigned flags),
       (in, from, out, to, size, flags), int, off_t *, int, off_t *, size_t, unsigned)
COPIES(splice, !from, !to, (int in, off_t *from, int out, off_t *to, size_t size, unsigned flags),
       (in, from, out, to, size, flags), int, off_t *, int, off_t *, size_t, unsigned)

/* Defines a function after which a descriptor is free, or another file. */
#define CLOSES(name, forgotten, parameters, arguments, ...) \
	AGENT_VISIBLE int name parameters; \
	int name parameters \
	{ \
		NEXT(int, name, __VA_ARGS__); \
\
		forgotten; \
		return next arguments; \
	}

CLOSES(close, file_forget(fd), (int fd), (fd), int)
CLOSES(close_range, if (!flags) file_forget_from(first, last),
       (unsigned first, unsigned last, int flags), (first, last, flags), unsigned, unsigned, int)
CLOSES(fclose, if (stream) file_forget(fileno(stream)), (FILE * stream), (stream), FILE *)

/* Defines a function that makes a descriptor a copy of another. */
#define COPIED(name, parameters, arguments, ...) \
	AGENT_VISIBLE int name parameters; \
	int name parameters \
	{ \
		int result; \
		NEXT(int, name, __VA_ARGS__); \
\
		if (fd != to) \
			file_forget(to); \
		result = next arguments; \
		if (result >= 0 && fd != to) \
			file_copied(to); \
		return result; \
	}

COPIED(dup2, (int fd, int to), (fd, to), int, int)
COPIED(dup3, (int fd, int to, int flags), (fd, to, flags), int, int, int)

AGENT_VISIBLE void closefrom(int first);
void closefrom(int first)
{
	NEXT(void, closefrom, int);

	file_forget_from(first < 0 ? 0 : (unsigned)first, UINT32_MAX);
	next(first);
}

/* Defines a function that sets the position of a descriptor. */
#define SEEKS(name, type, fd, parameters, arguments, ...) \
	AGENT_VISIBLE type name parameters; \
	type name parameters \
	{ \
		type result; \
		NEXT(type, name, __VA_ARGS__); \
\
		file_position_before(fd); \
		result = next arguments; \
		file_position_after(fd); \
		return result; \
	}

SEEKS(fseek, int, fileno(stream), (FILE * stream, long at, int whence), (stream, at, whence),
      FILE *, long, int)
SEEKS(fseeko, int, fileno(stream), (FILE * stream, off_t at, int whence), (stream, at, whence),
      FILE *, off_t, int)
SEEKS(fseeko64, int, fileno(stream), (FILE * stream, off_t at, int whence), (stream, at, whence),
      FILE *, off_t, int)
SEEKS(fsetpos, int, fileno(stream), (FILE * stream, const fpos_t *at), (stream, at), FILE *,
      const fpos_t *)
SEEKS(fsetpos64, int, fileno(stream), (FILE * stream, const fpos64_t *at), (stream, at), FILE *,
      const fpos64_t *)
SEEKS(lseek, off_t, fd, (int fd, off_t at, int whence), (fd, at, whence), int, off_t, int)
SEEKS(lseek64, off_t, fd, (int fd, off_t at, int whence), (fd, at, whence), int, off_t, int)

AGENT_VISIBLE void rewind(FILE *stream);
void rewind(FILE *stream)
{
	int fd = fileno(stream);
	NEXT(void, rewind, FILE *);

	file_position_before(fd);
	next(stream);
	file_position_after(fd);
}

/* Defines a function that opens a stream; closing first ends what the stream had open. */
#define OPENS(name, closing, parameters, arguments, ...) \
	AGENT_VISIBLE FILE *name parameters; \
	FILE *name parameters \
	{ \
		FILE *opened; \
		NEXT(FILE *, name, __VA_ARGS__); \
\
		closing; \
		opened = next arguments; \
		if (opened) \
			file_stream_opened(opened, fileno(opened)); \
		return opened; \
	}

OPENS(fopen, , (const char *path, const char *mode), (path, mode), const char *, const char *)
OPENS(fopen64, , (const char *path, const char *mode), (path, mode), const char *, const char *)
OPENS(fdopen, , (int fd, const char *mode), (fd, mode), int, const char *)
OPENS(freopen, file_forget(fileno(stream)), (const char *path, const char *mode, FILE *stream),
      (path, mode, stream), const char *, const char *, FILE *)
OPENS(freopen64, file_forget(fileno(stream)), (const char *path, const char *mode, FILE *stream),
      (path, mode, stream), const char *, const char *, FILE *)
OPENS(tmpfile, , (void), (), void)
OPENS(tmpfile64, , (void), (), void)

#define MAPS(name) \
	AGENT_VISIBLE void *name(void *at, size_t size, int protection, int flags, int fd, off_t from); \
	void *name(void *at, size_t size, int protection, int flags, int fd, off_t from) \
	{ \
		NEXT(void *, name, void *, size_t, int, int, int, off_t); \
\
		if (fd >= 0 && !(flags & MAP_ANONYMOUS)) \
			file_mapped(fd); \
		return next(at, size, protection, flags, fd, from); \
	}

MAPS(mmap)
MAPS(mmap64)
