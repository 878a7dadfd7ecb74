/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel shows below /proc and /sys: the one place that knows its
 * paths and the form of its files.
 *
 * Three layers, each usable alone: the path of a file, its text in the
 * caller's buffer, and readers that take the texts apart. None of them
 * allocates, so all may stand in a hot path. A file that is too large for a
 * buffer of the caller's is read with strbuf_read_file(&text, procfs_...(path, ...)),
 * or kept open when it is read often (procfs-file.h).
 *
 * Processes end while they are looked at. Then a reader fails with errno
 * ENOENT or ESRCH, EACCES or EPERM when the file may not be read, or EIO when
 * it is not of the form that is expected; what it was to fill is not changed
 * unless a line below says so.
 *
 * Everything is below a root: "" as a rule, or the folder that a test has set,
 * which holds a recorded proc/ and sys/. All calls may be made by any thread.
 * procfs.c needs nothing of vigil but itself, so a data collector may have it.
 */
#ifndef VIGIL_COMMON_PROCFS_H
#define VIGIL_COMMON_PROCFS_H

#include "common/compat.h"

#include <sys/types.h>

/*
 * Read below root from now on; NULL: the system itself again. The text is
 * borrowed, at most PROCFS_ROOT_MAX bytes long. For tests: it holds for the
 * whole program.
 */
void procfs_set_root(const char *root);

/* --- Paths ------------------------------------------------------------------------------- */

#define PROCFS_ROOT_MAX 384
/* Size of a buffer that holds any path made here. */
#define PROCFS_PATH_SIZE 512
/* As the number of a process: the one that asks, by whatever number /proc knows it. */
#define PROCFS_SELF INT_MIN

/* Each fills path and returns it. format: an absolute path, as "/sys/dev/block/%u:%u". */
const char *procfs_path(char path[PROCFS_PATH_SIZE], const char *format, ...) PRINTFLIKE(2, 3);
/* /proc/PID/NAME; no process has a number below 1 */
const char *procfs_process(char path[PROCFS_PATH_SIZE], pid_t pid, const char *name);
/* /proc/PID/task/TID/NAME */
const char *procfs_task(char path[PROCFS_PATH_SIZE], pid_t pid, pid_t tid, const char *name);
/* /proc/PID/FOLDER/FD, where folder is "fd" or "fdinfo" */
const char *procfs_descriptor(char path[PROCFS_PATH_SIZE], pid_t pid, const char *folder, int fd);

/* --- Texts ------------------------------------------------------------------------------- */

/*
 * Read a small file by one call of read: what the kernel gives at once, which
 * is the whole of any file with the numbers of one process. text ends with NUL;
 * what does not fit in size is cut off. Returns its length, -1 with errno set.
 */
ssize_t procfs_read(const char *path, char *text, size_t size);
/*
 * The same from the start of a file that stays open: a third to half of the
 * time, for what is read again and again. The process of such a file may end,
 * a device go: then it is an error (ESRCH, ENODEV), and stays one.
 */
ssize_t procfs_read_again(int fd, char *text, size_t size);

/* Where a link leads; target ends with NUL. Returns its length, -1 with errno set. */
ssize_t procfs_link(const char *path, char *target, size_t size);
/* Take " (deleted)" off the end of a file's name; whether it was there. */
bool procfs_strip_deleted(char *name);
/*
 * The value in the line of text that begins with name, blanks before it
 * skipped; NULL: there is no such line. name includes what ends it: "PPid:".
 */
const char *procfs_value(const char *text, const char *name);

/* --- Lists ------------------------------------------------------------------------------- */

/* A walk through the entries of a folder that are numbers: processes, threads, descriptors. */
struct procfs_numbers {
	int fd; /* -1: over */
	size_t at, end;
	_Alignas(8) char entries[2048];
};

/* Begin a walk. A folder that cannot be opened has no numbers. */
void procfs_numbers(struct procfs_numbers *walk, const char *path);
/* The next number, in the kernel's order; -1 at the end, when the walk is over. */
long procfs_next_number(struct procfs_numbers *walk);
/* Leave a walk that has not come to its end. */
void procfs_leave_numbers(struct procfs_numbers *walk);

/* Begin a walk through all processes, or through the threads of one. */
void procfs_processes(struct procfs_numbers *walk);
void procfs_threads(struct procfs_numbers *walk, pid_t pid);

/* A walk through the children of a process: of the first thread, of the second, and so on. */
struct procfs_children {
	pid_t pid;
	struct procfs_numbers threads;
	int fd; /* the list of the present thread, -1 none */
	size_t at, end;
	char text[4096]; /* as much as the kernel gives at once */
};

/*
 * Begin a walk. Between two reads the kernel finds its place again by counting,
 * so of more than some 600 children one may be missed while others end: who must
 * have all walks again until nothing is new. A kernel without such
 * lists (CONFIG_PROC_CHILDREN) shows none.
 */
void procfs_children(struct procfs_children *walk, pid_t pid);
/* The next child; -1 at the end, when the walk is over. */
pid_t procfs_next_child(struct procfs_children *walk);
/* Leave a walk that has not come to its end. */
void procfs_leave_children(struct procfs_children *walk);

/* --- What is in them --------------------------------------------------------------------- */

/* The name of a task has at most 15 bytes; those of the kernel's own threads are cut to that. */
#define PROCFS_NAME_SIZE 16

/* What /proc/PID/stat or /proc/PID/task/TID/stat tells. */
struct procfs_stat {
	char name[PROCFS_NAME_SIZE];
	char state;
	pid_t parent;
	/* Page faults, and those of the children that it has waited for. */
	uint64_t minor_faults, children_minor_faults, major_faults, children_major_faults;
	/* CPU time in clock ticks (sysconf(_SC_CLK_TCK) a second), and that of those children. */
	uint64_t user, system, children_user, children_system;
	uint64_t start; /* in those ticks since the system began */
	bool ending;	/* it exits: its memory and files are being taken from it, whatever its state says */
};

bool procfs_stat(pid_t pid, struct procfs_stat *stat);
/*
 * Whether a process has ended, or is about to. Between the two its files in /proc are root's, so that it
 * looks like one of another user.
 */
bool procfs_has_ended(pid_t pid);

/* The state letter of a thread; 0 when it is gone. */
char procfs_state(pid_t pid, pid_t tid);
/* The name of a thread, to its first newline; "" when it is gone. */
void procfs_name(pid_t pid, pid_t tid, char *name, size_t size);
/* The number behind a name ("PPid:") in the status of a process; -1 when there is none. */
long procfs_number(pid_t pid, const char *name);
/* The number of a process in its own PID namespace; its number here where that is not told. */
pid_t procfs_inner_pid(pid_t pid);
/* The path of a process's executable, as the link has it; false when it cannot be told. */
bool procfs_program(pid_t pid, char *path, size_t size);

/* Input and output of a process, and of the children that it has waited for. */
struct procfs_io {
	uint64_t read_calls, write_calls;
	uint64_t read_bytes, write_bytes; /* from and to devices */
	uint64_t moved;			  /* bytes read and written, from and to whatever */
};

/* What the file does not name is 0. */
bool procfs_io(pid_t pid, struct procfs_io *io);
/* The same of a descriptor of that file, which also tells of a process that nobody has waited for. */
bool procfs_io_again(int fd, struct procfs_io *io);

/* What the status of a process tells of its life so far. */
struct procfs_life {
	uint64_t peak;	  /* the most real storage it has had, in bytes; 0 when it cannot be told */
	uint64_t ignored; /* signals that it ignores, bit 0 the first */
};

bool procfs_life(pid_t pid, struct procfs_life *life);

/* Memory of a process in bytes: its addresses, and what of them is in real storage. */
struct procfs_memory {
	uint64_t size, resident;
};

bool procfs_memory(pid_t pid, struct procfs_memory *memory);

/* What all processors of the machine did since it was started, in ns, as fine as a tick of 10 ms. */
struct procfs_times {
	uint64_t busy;	 /* executed anything */
	uint64_t stolen; /* wanted to, while a hypervisor gave the processor to others */
};

/* False where the kernel does not tell. */
bool procfs_times(struct procfs_times *times);

/* What the scheduler tells of a task. */
struct procfs_schedule {
	uint64_t cpu;	 /* ns on a processor */
	uint64_t delay;	 /* ns that it waited for one */
	uint64_t slices; /* how often it was given one */
};

bool procfs_schedule(pid_t pid, pid_t tid, struct procfs_schedule *schedule);

/* The process that holds the file lock that a process waits for; 0: none, more than one, or nobody
   knows (locks of an open file have no process). */
pid_t procfs_lock_holder(pid_t waiter);

/* Where a blocked task stands. */
struct procfs_call {
	long number;	       /* of the system call; -1: blocked, but not in a call */
	uint64_t arguments[6]; /* 0 when it is not in a call */
	uint64_t stack, instruction;
};

/* 1: blocked, call is filled; 0: it runs, nothing is known of call; -1 with errno set. */
int procfs_call(pid_t pid, pid_t tid, struct procfs_call *call);

/* An open descriptor. */
struct procfs_position {
	uint64_t position; /* bytes from the start of the file */
	uint64_t flags;	   /* O_ACCMODE | O_APPEND | ... */
};

bool procfs_position(pid_t pid, int fd, struct procfs_position *position);

#endif
