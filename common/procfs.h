/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what the kernel shows below /proc and /sys: the only place that knows its
 * paths and file formats.
 *
 * Three layers, each usable alone: the path of a file, its text in the caller's
 * buffer, and readers that parse the text. None of them allocates, so all may be
 * used in a hot path. A file that is too large for a buffer of the caller is read
 * with strbuf_read_file(&text, procfs_...(path, ...)), or kept open if it is read
 * often (procfs-file.h).
 *
 * A process may end while it is read. Then a reader fails with errno ENOENT or
 * ESRCH; with EACCES or EPERM if the file may not be read, or EIO if its format is
 * not the expected one. On failure the result is unchanged unless stated
 * otherwise.
 *
 * A process lives on when its main thread ends before others (pthread_exit in
 * main). Its number then leads to no memory, no program and no files: what needs
 * these is read by the number of another thread (procfs_living), which is as good.
 *
 * All paths are below a root: normally "", or the folder that a test has set,
 * which holds a recorded proc/ and sys/. All functions are thread-safe, and ask the
 * source of their thread (outside.h). procfs.c depends on nothing else of vigil, so
 * a data collector may link both.
 */
#ifndef VIGIL_COMMON_PROCFS_H
#define VIGIL_COMMON_PROCFS_H

#include "common/compat.h"

#include <sys/types.h>

/*
 * Reads below root from now on; NULL: the system itself again. The text is
 * borrowed, at most PROCFS_ROOT_MAX bytes long. For tests: it applies to the whole
 * process.
 */
void procfs_set_root(const char *root);

/* --- Paths ------------------------------------------------------------------------------- */

#define PROCFS_ROOT_MAX 384
/* Size of a buffer for any path made here. */
#define PROCFS_PATH_SIZE 512
/* As a pid: the calling process, whatever its number in this /proc. */
#define PROCFS_SELF INT_MIN

/*
 * The functions below fill path and return it. format: an absolute path such as
 * "/sys/dev/block/%u:%u".
 */
const char *procfs_path(char path[PROCFS_PATH_SIZE], const char *format, ...) PRINTFLIKE(2, 3);
/* /proc/PID/NAME; no process has a number below 1 */
const char *procfs_process(char path[PROCFS_PATH_SIZE], pid_t pid, const char *name);
/* /proc/PID/task/TID/NAME */
const char *procfs_task(char path[PROCFS_PATH_SIZE], pid_t pid, pid_t tid, const char *name);
/*
 * The same as procfs_process for files that only a thread with memory has (cmdline,
 * environ, exe, maps, mem, root): of a thread that has not ended, if there is one.
 */
const char *procfs_living_process(char path[PROCFS_PATH_SIZE], pid_t pid, const char *name);
/* /proc/PID/FOLDER/FD, where folder is "fd" or "fdinfo" */
const char *procfs_descriptor(char path[PROCFS_PATH_SIZE], pid_t pid, const char *folder, int fd);

/* --- Texts ------------------------------------------------------------------------------- */

/*
 * Reads a small file with one call of read: as much as the kernel returns at once,
 * which is the whole of any file with the numbers of one process. text ends with
 * NUL; what does not fit in size is truncated. Returns the length, -1 with errno
 * set.
 */
ssize_t procfs_read(const char *path, char *text, size_t size);
/*
 * As procfs_read, from the start of a file that stays open: saves a third to half
 * of the time for repeated reads. The process or device of such a file may
 * disappear; then reading fails (ESRCH, ENODEV), from then on.
 */
ssize_t procfs_reread(int fd, char *text, size_t size);

/* Reads the target of a link; target ends with NUL. Returns its length, -1 with errno set. */
ssize_t procfs_link(const char *path, char *target, size_t size);
/* Removes " (deleted)" from the end of a file's name; returns whether it was there. */
bool procfs_strip_deleted(char *name);
/*
 * Returns the value on the line of text that begins with name, after blanks; NULL:
 * no such line. name includes its terminator: "PPid:".
 */
const char *procfs_value(const char *text, const char *name);

/* --- Lists ------------------------------------------------------------------------------- */

/* Iterates over the entries of a folder that are numbers: processes, threads, descriptors. */
struct procfs_numbers {
	int fd; /* -1: finished */
	size_t at, end;
	_Alignas(8) char entries[2048];
};

/* Begins the iteration. A folder that cannot be opened has no numbers. */
void procfs_numbers(struct procfs_numbers *walk, const char *path);
/* Returns the next number, in the kernel's order; -1 at the end, which finishes the iteration. */
long procfs_next_number(struct procfs_numbers *walk);
/* Finishes an iteration before its end. */
void procfs_numbers_close(struct procfs_numbers *walk);

/* Begin an iteration over all processes, or over the threads of one. */
void procfs_processes(struct procfs_numbers *walk);
void procfs_threads(struct procfs_numbers *walk, pid_t pid);

/* Iterates over the children of a process: those of its first thread, of its second, and so on. */
struct procfs_children {
	pid_t pid;
	struct procfs_numbers threads;
	int fd; /* the current thread's list, -1: none */
	size_t at, end;
	char text[4096]; /* as much as the kernel returns at once */
};

/*
 * Begins the iteration. Between two reads the kernel finds its position by
 * counting, so with more than about 600 children one may be missed while others
 * end: a caller that needs all must iterate again until nothing is new. A kernel
 * without these lists (CONFIG_PROC_CHILDREN) shows no children.
 */
void procfs_children(struct procfs_children *walk, pid_t pid);
/* Returns the next child; -1 at the end, which finishes the iteration. */
pid_t procfs_next_child(struct procfs_children *walk);
/* Finishes an iteration before its end. */
void procfs_children_close(struct procfs_children *walk);

/* --- Contents ---------------------------------------------------------------------------- */

/*
 * Buffer size for the name of a task, which has at most 15 bytes; names of kernel
 * threads are truncated to that.
 */
#define PROCFS_NAME_SIZE 16

/* The contents of /proc/PID/stat or /proc/PID/task/TID/stat. */
struct procfs_stat {
	char name[PROCFS_NAME_SIZE];
	char state;
	pid_t parent;
	/* Page faults of the process, and of its children that it has waited for. */
	uint64_t minor_faults, children_minor_faults, major_faults, children_major_faults;
	/* CPU time in clock ticks (sysconf(_SC_CLK_TCK) per second), and that of those children. */
	uint64_t user, system, children_user, children_system;
	uint64_t start; /* start time in clock ticks since boot */
	bool ending;	/* exiting: its memory and files are being released, whatever its state
			 * says; of a process its main thread, others may go on (procfs_living) */
};

bool procfs_stat(pid_t pid, struct procfs_stat *stat);
/*
 * Returns whether a process, or at least its main thread, has ended or is exiting.
 * While it exits, its files in /proc belong to root, so that it looks like another
 * user's process.
 */
bool procfs_has_ended(pid_t pid);
/*
 * Returns a thread of a process that has not ended: its main thread (the process's
 * own number), otherwise one of the others; 0: all have ended.
 */
pid_t procfs_living(pid_t pid);
/* Returns one of the others if the main thread has ended; 0: it has not, or all have. */
pid_t procfs_heir(pid_t pid);

/* Returns the state letter of a thread; 0 if it has ended. */
char procfs_state(pid_t pid, pid_t tid);
/*
 * Returns whether a process is in exec(2): it has the new program's memory, but may have no
 * environment yet. False if this process may not know, as of another user's.
 */
bool procfs_is_in_exec(pid_t pid);
/* What a thread has been given, and where it is. */
struct procfs_thread {
	uint64_t minor_faults; /* page faults of itself without input or output, also those of the kernel for it */
	int processor;	       /* that it is on, or was on last */
};

/* Returns false if it has ended. */
bool procfs_thread(pid_t pid, pid_t tid, struct procfs_thread *thread);
/* Reads the name of a thread, up to its first newline; "" if the thread has ended. */
void procfs_name(pid_t pid, pid_t tid, char *name, size_t size);
/* Returns the number after a name ("PPid:") in the status of a process; -1 if there is none. */
long procfs_number(pid_t pid, const char *name);
/*
 * Returns the number of a process in its innermost PID namespace; pid itself if
 * that is not available.
 */
pid_t procfs_inner_pid(pid_t pid);
/* Reads the path of a process's executable from its link; returns false if it is not readable. */
bool procfs_program(pid_t pid, char *path, size_t size);

/* Input and output of a process and of its children that it has waited for. */
struct procfs_io {
	uint64_t read_calls, write_calls;
	uint64_t read_bytes, write_bytes; /* from and to block devices */
	uint64_t moved;			  /* bytes read and written by calls, whatever the file */
};

/* Members that the kernel does not report are 0. */
bool procfs_io(pid_t pid, struct procfs_io *io);
/*
 * As procfs_io, from an open descriptor of that file; it also works for a zombie
 * that has not been waited for.
 */
bool procfs_io_reread(int fd, struct procfs_io *io);

/* Facts about a process's life so far, from its status. */
struct procfs_life {
	uint64_t peak;	  /* maximum resident memory in bytes; 0 if not available */
	uint64_t ignored; /* ignored signals; bit 0 is signal 1 */
};

bool procfs_life(pid_t pid, struct procfs_life *life);

/* Memory of a process in bytes: its address space, and its resident part. */
struct procfs_memory {
	uint64_t size, resident;
};

bool procfs_memory(pid_t pid, struct procfs_memory *memory);

/* CPU time of all processors of the machine since boot, in ns, with a resolution of 10 ms. */
struct procfs_times {
	uint64_t busy;	 /* ns in which a processor executed anything */
	uint64_t stolen; /* ns in which it was ready but a hypervisor ran others */
};

/* Returns false if the kernel does not report them. */
bool procfs_times(struct procfs_times *times);

/* Scheduler statistics of a task. */
struct procfs_schedule {
	uint64_t cpu;	 /* ns on a processor */
	uint64_t delay;	 /* ns of waiting for a processor */
	uint64_t slices; /* number of time slices */
};

bool procfs_schedule(pid_t pid, pid_t tid, struct procfs_schedule *schedule);

/*
 * Returns the process that holds the file lock that a process waits for; 0: none,
 * more than one, or unknown (locks of an open file description have no process).
 */
pid_t procfs_lock_holder(pid_t waiter);

/* The system call that a blocked task is in. */
struct procfs_call {
	long number;	       /* system call number; -1: blocked, but not in a call */
	uint64_t arguments[6]; /* 0 if not in a call */
	uint64_t stack, instruction;
};

/* Returns 1: blocked, call is filled; 0: running, call has no information; -1 with errno set. */
int procfs_call(pid_t pid, pid_t tid, struct procfs_call *call);

/* An open descriptor. */
struct procfs_position {
	uint64_t position; /* bytes from the start of the file */
	uint64_t flags;	   /* O_ACCMODE | O_APPEND | ... */
};

bool procfs_position(pid_t pid, int fd, struct procfs_position *position);

#endif
