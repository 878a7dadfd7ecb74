/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of what each system call waits for. The numbers are specific to the
 * processor and come from the system's header.
 */
#include "common/compat.h"
#include "sampler/syscalls.h"

#include <sys/syscall.h>

static const unsigned char classes[] = {
	[SYS_read] = CALL_READ,
	[SYS_readv] = CALL_READ,
	[SYS_pread64] = CALL_READ,
	[SYS_preadv] = CALL_READ,
	[SYS_preadv2] = CALL_READ,
	[SYS_splice] = CALL_READ,
	[SYS_tee] = CALL_READ,
	[SYS_copy_file_range] = CALL_READ,
	[SYS_readahead] = CALL_READ,
	[SYS_getdents64] = CALL_READ,
	[SYS_sendfile] = CALL_READ_SECOND,
	[SYS_write] = CALL_WRITE,
	[SYS_writev] = CALL_WRITE,
	[SYS_pwrite64] = CALL_WRITE,
	[SYS_pwritev] = CALL_WRITE,
	[SYS_pwritev2] = CALL_WRITE,
	[SYS_vmsplice] = CALL_WRITE,
	[SYS_fsync] = CALL_SYNC,
	[SYS_fdatasync] = CALL_SYNC,
	[SYS_sync_file_range] = CALL_SYNC,
	[SYS_syncfs] = CALL_SYNC,
	[SYS_ftruncate] = CALL_FILE,
	[SYS_fallocate] = CALL_FILE,
	[SYS_flock] = CALL_FILE_LOCK,
	[SYS_fcntl] = CALL_FILE_LOCK, /* its other operations do not wait */
	[SYS_fstat] = CALL_FILE,
	[SYS_close] = CALL_FILE,
	[SYS_fchmod] = CALL_FILE,
	[SYS_fchown] = CALL_FILE,
	[SYS_ioctl] = CALL_FILE,
	[SYS_lseek] = CALL_FILE,
	[SYS_fadvise64] = CALL_FILE,
	[SYS_truncate] = CALL_PATH,
	[SYS_statfs] = CALL_PATH,
	[SYS_chdir] = CALL_PATH,
	[SYS_execve] = CALL_PATH,
	[SYS_openat] = CALL_PATH_AT,
	[SYS_openat2] = CALL_PATH_AT,
	[SYS_newfstatat] = CALL_PATH_AT,
	[SYS_statx] = CALL_PATH_AT,
	[SYS_unlinkat] = CALL_PATH_AT,
	[SYS_renameat2] = CALL_PATH_AT,
	[SYS_mkdirat] = CALL_PATH_AT,
	[SYS_faccessat] = CALL_PATH_AT,
	[SYS_faccessat2] = CALL_PATH_AT,
	[SYS_fchmodat] = CALL_PATH_AT,
	[SYS_fchownat] = CALL_PATH_AT,
	[SYS_readlinkat] = CALL_PATH_AT,
	[SYS_utimensat] = CALL_PATH_AT,
	[SYS_execveat] = CALL_PATH_AT,
	[SYS_connect] = CALL_SOCKET,
	[SYS_accept] = CALL_SOCKET,
	[SYS_accept4] = CALL_SOCKET,
	[SYS_sendto] = CALL_SOCKET,
	[SYS_recvfrom] = CALL_SOCKET,
	[SYS_sendmsg] = CALL_SOCKET,
	[SYS_recvmsg] = CALL_SOCKET,
	[SYS_sendmmsg] = CALL_SOCKET,
	[SYS_recvmmsg] = CALL_SOCKET,
	[SYS_shutdown] = CALL_SOCKET,
	[SYS_ppoll] = CALL_POLL,
	[SYS_pselect6] = CALL_SELECT,
	[SYS_epoll_pwait] = CALL_EPOLL,
	[SYS_epoll_pwait2] = CALL_EPOLL,
	[SYS_io_uring_enter] = CALL_EPOLL,
	[SYS_io_getevents] = CALL_EPOLL,
	[SYS_futex] = CALL_LOCK,
#ifdef SYS_futex_waitv
	[SYS_futex_waitv] = CALL_LOCK,
#endif
	[SYS_semop] = CALL_LOCK,
	[SYS_semtimedop] = CALL_LOCK,
	[SYS_msgrcv] = CALL_QUEUE,
	[SYS_msgsnd] = CALL_QUEUE,
	[SYS_mq_timedreceive] = CALL_QUEUE,
	[SYS_mq_timedsend] = CALL_QUEUE,
	[SYS_nanosleep] = CALL_SLEEP,
	[SYS_clock_nanosleep] = CALL_SLEEP,
	[SYS_wait4] = CALL_CHILD,
	[SYS_waitid] = CALL_CHILD,
	/* Blocked only if the child shares the caller's memory, until it calls exec or ends. */
	[SYS_clone] = CALL_CHILD,
	[SYS_clone3] = CALL_CHILD,
	[SYS_rt_sigsuspend] = CALL_SIGNAL,
	[SYS_rt_sigtimedwait] = CALL_SIGNAL,
	[SYS_restart_syscall] = CALL_RESTART,
	/* Older forms that newer processors do not have. */
#ifdef SYS_open
	[SYS_open] = CALL_PATH,
	[SYS_creat] = CALL_PATH,
	[SYS_stat] = CALL_PATH,
	[SYS_lstat] = CALL_PATH,
	[SYS_access] = CALL_PATH,
	[SYS_unlink] = CALL_PATH,
	[SYS_rename] = CALL_PATH,
	[SYS_mkdir] = CALL_PATH,
	[SYS_rmdir] = CALL_PATH,
	[SYS_link] = CALL_PATH,
	[SYS_symlink] = CALL_PATH,
	[SYS_readlink] = CALL_PATH,
	[SYS_chmod] = CALL_PATH,
	[SYS_chown] = CALL_PATH,
	[SYS_getdents] = CALL_READ,
	[SYS_renameat] = CALL_PATH_AT,
	[SYS_poll] = CALL_POLL,
	[SYS_select] = CALL_SELECT,
	[SYS_epoll_wait] = CALL_EPOLL,
	[SYS_vfork] = CALL_CHILD,
	[SYS_pause] = CALL_SIGNAL,
#endif
};

enum syscall_class syscall_class(long number)
{
	RETURN_IF(number < 0 || (size_t)number >= ARRAY_SIZE(classes), CALL_OTHER);
	return (enum syscall_class)classes[number];
}
