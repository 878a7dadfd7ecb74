/* SPDX-License-Identifier: Apache-2.0 */
/* Tests looks at blocked tasks, their files, and the transactions of a step. */
#include "common/compat.h"
#include "common/clock.h"
#include "agent/wait-area.h"
#include "agent/transaction-area.h"
#include "common/xalloc.h"
#include "common/procfs.h"
#include "engine/engine.h"
#include "records/record-types.h"
#include "sampler/file-facts.h"
#include "sampler/probe.h"
#include "step/transactions.h"

#include <dirent.h>
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/vigil-look-XXXXXX";
static int pipe_ends[2], socket_ends[2], lock_fd, listener, connected;
static uint16_t port;

/*
 * Listens at a free port and connects to it. If the child connected only when it
 * is looked at, it would first wait for that, and its socket would have no peer.
 */
static void listen_somewhere(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(at);

	listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(listener, 10), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
	port = ntohs(at.sin_port);
	connected = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(connected, (struct sockaddr *)&at, sizeof(at)), 0);
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(pipe(pipe_ends), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, socket_ends), 0);
	assert_int_equal(mkfifo("FIFO", 0600), 0);
	lock_fd = open("LOCKED", O_RDWR | O_CREAT, 0600);
	assert_true(lock_fd >= 0);
	assert_int_equal(flock(lock_fd, LOCK_EX), 0);
	/* A lock of the open file: locks of a process end when it closes the file anywhere. */
	assert_int_equal(fcntl(lock_fd, F_OFD_SETLK,
			       &(struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET }),
			 0);
	listen_somewhere();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(lock_fd);
	unlink("FIFO");
	unlink("LOCKED");
	unlink("ANEW");
	assert_int_equal(chdir("/"), 0);
	return rmdir(folder);
}

static void block_sleep(void)
{
	sleep(100);
}

static void block_pipe(void)
{
	char byte;

	(void)!read(pipe_ends[0], &byte, 1);
}

static void block_socket(void)
{
	char byte;

	recv(socket_ends[0], &byte, 1, 0);
}

static void block_lock(void)
{
	int word = 1;

	syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
}

/* Waits as vigil's agent in a program does. */
static void block_vigil(void)
{
	const struct timespec time = { .tv_sec = 600 };
	uint32_t word = 0;

	syscall(SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, AGENT_WAIT_MARK);
}

static void block_file_lock(void)
{
	int fd = open("LOCKED", O_RDWR);

	flock(fd, LOCK_EX);
}

static void block_record_lock(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	fcntl(open("LOCKED", O_RDWR), F_SETLKW, &lock);
}

/* Blocks on a socket that is connected to a port of this process. */
static void block_connected(void)
{
	char byte;

	recv(connected, &byte, 1, 0);
}

static void block_open(void)
{
	(void)!open("FIFO", O_RDONLY);
}

static void block_poll_one(void)
{
	struct pollfd one = { socket_ends[0], POLLIN, 0 };

	poll(&one, 1, -1);
}

static void block_poll_two(void)
{
	struct pollfd two[] = { { socket_ends[0], POLLIN, 0 }, { pipe_ends[0], POLLIN, 0 } };

	poll(two, 2, -1);
}

static void block_poll_none(void)
{
	poll(NULL, 0, -1);
}

static void block_child(void)
{
	if (fork() == 0)
		sleep(100);
	wait(NULL);
}

static void block_signal(void)
{
	pause();
}

static void block_stopped(void)
{
	raise(SIGSTOP);
}

static pid_t blocked; /* the running child; 0: none */

/*
 * Starts a child that blocks in a function; one at a time. It ends with the test,
 * even if that fails.
 */
static pid_t start(void (*block)(void))
{
	assert_int_equal(blocked, 0);
	blocked = fork();
	assert_true(blocked >= 0);
	if (blocked == 0) {
		setpgid(0, 0);
		block();
		_exit(0);
	}
	setpgid(blocked, blocked);
	return blocked;
}

static void stop(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	blocked = 0;
}

/* Runs after each test that starts children. */
static int stop_blocked(void **state)
{
	(void)state;
	if (blocked > 0)
		stop(blocked);
	return 0;
}

/* Looks until the task is blocked in the expected call (it may not be there yet), at most 5 s. */
static void look_for(struct prober *prober, pid_t pid, enum wait_reason reason,
		     struct probe_site *site)
{
	static struct unwind_frame frames[UNWIND_MAX_FRAMES];

	for (int i = 0; i < 500; i++) {
		enum probe_result result = prober_look(prober, NULL, pid, pid, site, frames);

		if (result == PROBE_BLOCKED && site->reason == reason)
			return;
		usleep(10000);
	}
	fail_msg("reason %d was never seen, the last was %d", (int)reason, (int)site->reason);
}

/* Checks that a socket is named by its peer. */
static void check_peer(const char *path)
{
	char peer[40];

	snprintf(peer, sizeof(peer), "] 127.0.0.1:%u", port);
	assert_non_null(strstr(path, peer));
}

static void each_wait_has_its_reason(void **state)
{
	static const struct {
		void (*block)(void);
		enum wait_reason reason;
		const char *path; /* start of the file's path; NULL: no file */
	} cases[] = {
		{ block_sleep, WAIT_SLEEP, NULL },
		{ block_pipe, WAIT_PIPE, "pipe:[" },
		{ block_socket, WAIT_SOCKET, "socket:[" },
		{ block_lock, WAIT_LOCK, NULL },
		{ block_vigil, WAIT_VIGIL, NULL },
		{ block_file_lock, WAIT_LOCK, folder },
		{ block_record_lock, WAIT_LOCK, folder },
		{ block_connected, WAIT_SOCKET, "socket:[" },
		{ block_open, WAIT_FILE_OTHER, folder },
		{ block_poll_one, WAIT_SOCKET, "socket:[" },
		{ block_poll_two, WAIT_POLL, NULL },
		{ block_poll_none, WAIT_SLEEP, NULL },
		{ block_child, WAIT_CHILD, NULL },
		{ block_signal, WAIT_SIGNAL, NULL },
		{ block_stopped, WAIT_STOPPED, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct files *files = files_new(NULL, 0);
		struct prober *prober = prober_new(files);
		struct engine *engine = engine_new(&session_records);
		struct recordset rows;
		struct probe_site site;
		pid_t pid = start(cases[i].block);

		recordset_init(&rows, &record_types[RECORD_FILE]);
		look_for(prober, pid, cases[i].reason, &site);
		files_rows(files, engine, &rows);
		if (cases[i].path) {
			const struct record_file *row = recordset_get(&rows, site.file - 1);

			assert_int_equal(rows.count, 1);
			if (cases[i].block == block_connected)
				check_peer(
					strmap_text(engine_strings(engine), (uint32_t)row->path));
			assert_ptr_equal(
				strstr(strmap_text(engine_strings(engine), (uint32_t)row->path),
				       cases[i].path),
				strmap_text(engine_strings(engine), (uint32_t)row->path));
		} else {
			assert_int_equal(site.file, 0);
		}
		stop(pid);
		recordset_release(&rows);
		engine_free(engine);
		prober_free(prober);
		files_free(files);
	}
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *want_held(void *unused)
{
	pthread_mutex_lock(&held);
	return unused;
}

/* The first thread holds what a second one waits for. */
static void block_mutex(void)
{
	pthread_t thread;

	pthread_mutex_lock(&held);
	pthread_create(&thread, NULL, want_held, NULL);
	sleep(100);
}

static void block_inheriting_mutex(void)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&held, &kind);
	block_mutex();
}

static void *want_never(void *unused)
{
	pthread_mutex_lock(&held);
	pthread_cond_wait(&never, &held);
	return unused;
}

static void block_condition(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, want_never, NULL);
	sleep(100);
}

/* Returns the thread of a process that is not its first; 0: none yet. */
static pid_t second_thread(pid_t pid)
{
	struct procfs_numbers walk;
	pid_t found = 0;
	long tid;

	procfs_threads(&walk, pid);
	while ((tid = procfs_next_number(&walk)) >= 0)
		if (tid != pid)
			found = (pid_t)tid;
	procfs_numbers_close(&walk);
	return found;
}

/*
 * Checks that a look at the second thread of a child finds a wait for a lock, held
 * by a thread (is_held) or by none.
 */
static void check_holder(void (*block)(void), bool is_held)
{
	struct files *files = files_new(NULL, 0);
	struct prober *prober = prober_new(files);
	struct unwind_frame frames[UNWIND_MAX_FRAMES];
	struct probe_site site = { 0 };
	pid_t pid = start(block), tid;

	while (!(tid = second_thread(pid)))
		usleep(1000);
	while (prober_look(prober, NULL, pid, tid, &site, frames) != PROBE_BLOCKED ||
	       site.reason != WAIT_LOCK)
		usleep(1000);
	assert_int_equal(site.lock_thread, is_held ? pid : 0);
	assert_int_equal(site.lock_process, 0);
	stop(pid);
	prober_free(prober);
	files_free(files);
}

static void a_lock_has_a_holder_where_it_tells(void **state)
{
	struct files *files = files_new(NULL, 0);
	struct prober *prober = prober_new(files);
	struct probe_site site;
	pid_t pid;

	(void)state;
	check_holder(block_mutex, true);
	check_holder(block_inheriting_mutex, true);
	check_holder(block_condition, false);
	/* This process took it in set_up. */
	pid = start(block_file_lock);
	look_for(prober, pid, WAIT_LOCK, &site);
	assert_int_equal(site.lock_process, getpid());
	stop(pid);
	/* This lock has no process. */
	pid = start(block_record_lock);
	look_for(prober, pid, WAIT_LOCK, &site);
	assert_int_equal(site.lock_process, 0);
	stop(pid);
	prober_free(prober);
	files_free(files);
}

static void block_short_sleep(void)
{
	const struct timespec time = { .tv_sec = 600 };

	syscall(SYS_nanosleep, &time, NULL);
}

static void block_timed_lock(void)
{
	const struct timespec time = { .tv_sec = 600 };
	uint32_t word = 1;

	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &time, NULL, 0);
}

/* ^Z and fg: the kernel continues the call, under another number. */
static void a_wait_that_was_stopped_keeps_its_reason(void **state)
{
	static const struct {
		void (*block)(void);
		enum wait_reason reason;
	} cases[] = {
		{ block_sleep, WAIT_SLEEP },	 { block_short_sleep, WAIT_SLEEP },
		{ block_timed_lock, WAIT_LOCK }, { block_poll_one, WAIT_SOCKET },
		{ block_poll_two, WAIT_POLL },	 { block_vigil, WAIT_VIGIL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct files *files = files_new(NULL, 0);
		struct prober *prober = prober_new(files);
		struct probe_site site;
		pid_t pid = start(cases[i].block);

		look_for(prober, pid, cases[i].reason, &site);
		assert_int_equal(kill(pid, SIGSTOP), 0);
		look_for(prober, pid, WAIT_STOPPED, &site);
		assert_int_equal(kill(pid, SIGCONT), 0);
		look_for(prober, pid, cases[i].reason, &site);
		stop(pid);
		prober_free(prober);
		files_free(files);
	}
}

static void *read_pipe(void *unused)
{
	(void)unused;
	block_pipe();
	return NULL;
}

static void block_without_first_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, read_pipe, NULL) == 0)
		pthread_exit(NULL);
}

/* Returns the thread of a process that is not its first; 0: none yet. */
static pid_t other_thread(pid_t pid)
{
	char path[64];
	struct dirent *entry;
	pid_t tid = 0;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	assert_non_null(threads);
	while ((entry = readdir(threads)))
		if (atoi(entry->d_name) != pid && atoi(entry->d_name) > 0)
			tid = atoi(entry->d_name);
	closedir(threads);
	return tid;
}

static void a_thread_is_looked_at_when_the_first_has_ended(void **state)
{
	static struct unwind_frame frames[UNWIND_MAX_FRAMES];
	struct files *files = files_new(NULL, 0);
	struct prober *prober = prober_new(files);
	struct object_list objects;
	struct space *space = NULL;
	struct probe_site site;
	pid_t pid = start(block_without_first_thread), tid = 0;

	(void)state;
	object_list_init(&objects);
	for (int i = 0; i < 500; i++) {
		usleep(10000);
		if (tid && prober_look(prober, NULL, pid, pid, &site, frames) == PROBE_GONE)
			break;
		tid = other_thread(pid);
	}
	space = space_new();
	assert_true(space_read_proc(&space, &objects, getpid(), NULL) >= 0);
	for (int i = 0; i < 500; i++) {
		if (prober_look(prober, space, pid, tid, &site, frames) == PROBE_BLOCKED &&
		    site.reason == WAIT_PIPE)
			break;
		usleep(10000);
	}
	assert_int_equal(prober_look(prober, space, pid, tid, &site, frames), PROBE_BLOCKED);
	assert_int_equal(site.reason, WAIT_PIPE);
	assert_int_not_equal(site.file, 0);
	assert_true(site.depth >= 3);
	stop(pid);
	space_drop(space);
	object_list_release(&objects);
	prober_free(prober);
	files_free(files);
}

static void a_task_that_is_gone_or_runs_is_told_apart(void **state)
{
	struct files *files = files_new(NULL, 0);
	struct prober *prober = prober_new(files);
	static struct unwind_frame frames[UNWIND_MAX_FRAMES];
	struct probe_site site;
	pid_t pid = start(block_sleep);

	(void)state;
	stop(pid);
	assert_int_equal(prober_look(prober, NULL, pid, pid, &site, frames), PROBE_GONE);
	pid = getpid();
	assert_int_equal(prober_look(prober, NULL, pid, pid, &site, frames), PROBE_RUNNING);
	assert_false(prober_refused(prober));
	prober_free(prober);
	files_free(files);
}

/* Memory is read up to the first page that cannot be read. */
static void memory_is_read_up_to_what_is_not_there(void **state UNUSED)
{
	const size_t page = 4096;
	unsigned char *pages =
		mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t address = (uintptr_t)pages;
	unsigned char buffer[4 * 4096];

	assert_true(pages != MAP_FAILED);
	memset(pages, 7, 4 * page);
	assert_int_equal(munmap(pages + 3 * page, page), 0);
	assert_int_equal(probe_memory(getpid(), address, buffer, 3 * page), 3 * page);
	assert_int_equal(probe_memory(getpid(), address + 100, buffer, 4 * page - 100),
			 3 * page - 100);
	assert_int_equal(probe_memory(getpid(), address + 100, buffer, 3 * page), 3 * page - 100);
	assert_int_equal(probe_memory(getpid(), address + 3 * page - 8, buffer, 16), 8);
	assert_int_equal(probe_memory(getpid(), address + 3 * page, buffer, 16), 0);
	assert_int_equal(probe_memory(getpid(), address + 5, buffer, 3), 3);
	munmap(pages, 3 * page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_wait_has_its_reason, stop_blocked),
		cmocka_unit_test_teardown(a_wait_that_was_stopped_keeps_its_reason, stop_blocked),
		cmocka_unit_test_teardown(a_thread_is_looked_at_when_the_first_has_ended,
					  stop_blocked),
		cmocka_unit_test_teardown(a_task_that_is_gone_or_runs_is_told_apart, stop_blocked),
		cmocka_unit_test_teardown(a_lock_has_a_holder_where_it_tells, stop_blocked),
		cmocka_unit_test(memory_is_read_up_to_what_is_not_there),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
