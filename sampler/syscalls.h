/* SPDX-License-Identifier: Apache-2.0 */
/* A table of what each system call waits for, by number. */
#ifndef VIGIL_SAMPLER_SYSCALLS_H
#define VIGIL_SAMPLER_SYSCALLS_H

#include "common/compat.h"

/* How the arguments of a call determine what it waits for. */
enum syscall_class {
	CALL_OTHER = 0,	 /* it has nothing to wait for that has a name */
	CALL_READ,	 /* reads from descriptor argument 0 */
	CALL_READ_SECOND, /* reads from descriptor argument 1 (sendfile) */
	CALL_WRITE,	 /* writes to descriptor argument 0 */
	CALL_SYNC,	 /* makes descriptor argument 0 durable */
	CALL_FILE_LOCK,	 /* waits for the holder of a lock of descriptor argument 0 */
	CALL_FILE,	 /* anything else with descriptor argument 0 */
	CALL_PATH,	 /* a path in argument 0 */
	CALL_PATH_AT,	 /* a path in argument 1, relative to descriptor argument 0 */
	CALL_SOCKET,	 /* a socket in argument 0 */
	CALL_POLL,	 /* poll, ppoll: array and count in arguments 0 and 1 */
	CALL_SELECT,	 /* select, pselect: count in argument 0 */
	CALL_EPOLL,	 /* waits for any of several */
	CALL_LOCK,	 /* futex, semaphores, file locks of the process itself */
	CALL_QUEUE,	 /* message queues */
	CALL_SLEEP,
	CALL_CHILD,
	CALL_SIGNAL,
	CALL_RESTART, /* a call restarted after a signal; the kernel's function determines which */
};

/* Returns the class of a system call number; CALL_OTHER: unknown number. */
enum syscall_class syscall_class(long number);

#endif
