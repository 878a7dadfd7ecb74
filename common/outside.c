/* SPDX-License-Identifier: Apache-2.0 */
/* The system itself as a source. */
#include "common/compat.h"
#include "common/outside.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES_AT_ONCE = 64 };

static uint64_t read_clock(struct outside *self UNUSED, clockid_t id)
{
	struct timespec now;

	if (clock_gettime(id, &now) < 0)
		return 0;
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static int open_file(struct outside *self UNUSED, const char *path, int flags)
{
	return open(path, flags);
}

static int close_file(struct outside *self UNUSED, int fd)
{
	return close(fd);
}

static ssize_t read_file(struct outside *self UNUSED, int fd, void *buffer, size_t size, off_t offset)
{
	return offset < 0 ? read(fd, buffer, size) : pread(fd, buffer, size, offset);
}

static ssize_t read_link(struct outside *self UNUSED, const char *path, char *target, size_t size)
{
	return readlink(path, target, size);
}

static ssize_t read_entries(struct outside *self UNUSED, int fd, void *buffer, size_t size)
{
	return getdents64(fd, buffer, size);
}

static int read_status(struct outside *self UNUSED, int folder, const char *path, int flags,
		       struct statx *status)
{
	return statx(folder, path, flags, STATX_BASIC_STATS | STATX_BTIME, status);
}

/* The kernel copies whole parts only: each page is one, so that the pages before a gap are copied. */
static ssize_t read_memory(struct outside *self UNUSED, pid_t tid, uint64_t address, void *buffer, size_t size)
{
	struct iovec pages[PAGES_AT_ONCE], local = { buffer, 0 };
	size_t count = 0;

	while (local.iov_len < size && count < PAGES_AT_ONCE) {
		uint64_t at = address + local.iov_len;
		size_t length = PAGE - at % PAGE;

		if (length > size - local.iov_len)
			length = size - local.iov_len;
		pages[count++] = (struct iovec){ (void *)(uintptr_t)at, length };
		local.iov_len += length;
	}
	return process_vm_readv(tid, &local, 1, pages, count, 0);
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / UINT64_C(1000000000)), (long)(ns % UINT64_C(1000000000)) };
}

static int wait_for(struct outside *self UNUSED, struct pollfd *polls, size_t count, uint64_t timeout)
{
	const struct timespec until = time_of(timeout);

	return ppoll(polls, count, &until, NULL);
}

/* The descriptor is copied, as only the process that has a socket can ask for its peer. */
static int read_peer(struct outside *self UNUSED, pid_t pid, int fd, struct sockaddr_storage *address,
		     socklen_t *size)
{
	int process = (int)syscall(SYS_pidfd_open, pid, 0), copy, result;

	if (process < 0)
		return -1;
	copy = (int)syscall(SYS_pidfd_getfd, process, fd, 0);
	close(process);
	if (copy < 0)
		return -1;
	result = getpeername(copy, (struct sockaddr *)address, size);
	close(copy);
	return result;
}

static int make_timer(struct outside *self UNUSED)
{
	return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
}

static int set_timer(struct outside *self UNUSED, int fd, uint64_t first, uint64_t interval)
{
	const struct itimerspec when = { .it_value = time_of(first), .it_interval = time_of(interval) };

	return timerfd_settime(fd, 0, &when, NULL);
}

static int open_process(struct outside *self UNUSED, pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static pid_t own_process(struct outside *self UNUSED)
{
	return getpid();
}

static long count_processors(struct outside *self UNUSED)
{
	return sysconf(_SC_NPROCESSORS_CONF);
}

static int limit_descriptors(struct outside *self UNUSED, struct rlimit *limit, bool raise)
{
	int result = getrlimit(RLIMIT_NOFILE, limit);

	if (result < 0 || !raise)
		return result;
	limit->rlim_cur = limit->rlim_max;
	return setrlimit(RLIMIT_NOFILE, limit);
}

static int open_event(struct outside *self UNUSED, struct perf_event_attr *attr, pid_t pid, int processor)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Requests with a number that is not a pointer have it as the argument itself. */
static int control_event(struct outside *self UNUSED, int fd, unsigned long request, uint64_t *number)
{
	if (request == PERF_EVENT_IOC_ID || request == PERF_EVENT_IOC_PERIOD)
		return ioctl(fd, request, number);
	return ioctl(fd, request, number ? (unsigned long)*number : 0);
}

static void *map_ring(struct outside *self UNUSED, int fd, size_t size)
{
	return mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void unmap_ring(struct outside *self UNUSED, void *ring, size_t size)
{
	munmap(ring, (size_t)sysconf(_SC_PAGESIZE) + size);
}

static uint64_t read_ring_head(struct outside *self UNUSED, void *ring)
{
	return __atomic_load_n(&((struct perf_event_mmap_page *)ring)->data_head, __ATOMIC_ACQUIRE);
}

static int trace_task(struct outside *self UNUSED, int request, pid_t tid, uint64_t address, void *data)
{
	return (int)ptrace(request, tid, (void *)(uintptr_t)address, data);
}

static int look_for_task(struct outside *self UNUSED, pid_t tid, siginfo_t *info, int options)
{
	return waitid(P_PID, (id_t)tid, info, options | WNOHANG | __WALL);
}

static void sleep_for(struct outside *self UNUSED, uint64_t ns)
{
	const struct timespec length = time_of(ns);

	if (ns)
		nanosleep(&length, NULL);
	else
		sched_yield();
}

static const void *share_area(struct outside *self UNUSED, const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *area = MAP_FAILED;
	struct stat status;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &status) == 0) {
		*size = (size_t)status.st_size;
		if (*size)
			area = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
		else
			errno = ENODATA;
	}
	close(fd);
	return area == MAP_FAILED ? NULL : area;
}

static void refresh_area(struct outside *self UNUSED, const void *part UNUSED, size_t size UNUSED) {}

static void unshare_area(struct outside *self UNUSED, const void *area, size_t size)
{
	munmap((void *)(uintptr_t)area, size);
}

static const void *recall_nothing(struct outside *self UNUSED, enum outside_note what UNUSED, uint64_t key UNUSED,
				  size_t *size UNUSED)
{
	return NULL;
}

static void note_nothing(struct outside *self UNUSED, enum outside_note what UNUSED, uint64_t key UNUSED,
			 const void *found UNUSED, size_t size UNUSED) {}

struct outside outside_system = {
	.clock = read_clock,
	.open = open_file,
	.close = close_file,
	.read = read_file,
	.link = read_link,
	.entries = read_entries,
	.status = read_status,
	.memory = read_memory,
	.image = read_memory,
	.peer = read_peer,
	.poll = wait_for,
	.timer = make_timer,
	.set_timer = set_timer,
	.process = open_process,
	.own = own_process,
	.processors = count_processors,
	.descriptors = limit_descriptors,
	.event = open_event,
	.control = control_event,
	.ring = map_ring,
	.drop_ring = unmap_ring,
	.ring_head = read_ring_head,
	.trace = trace_task,
	.wait_task = look_for_task,
	.sleep = sleep_for,
	.share = share_area,
	.refresh = refresh_area,
	.unshare = unshare_area,
	.recall = recall_nothing,
	.note = note_nothing,
};
_Thread_local struct outside *outside_current = &outside_system;
