/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at blocked tasks, their files, and the transactions of a step. */
#include "common/compat.h"
#include "common/clock.h"
#include "agent/transaction-area.h"
#include "common/xalloc.h"
#include "common/procfs.h"
#include "engine/engine.h"
#include "sampler/file-facts.h"
#include "sampler/probe.h"
#include "sampler/transactions.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/vigil-look-XXXXXX";
static int pipe_ends[2], socket_ends[2], lock_fd;

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
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	close(lock_fd);
	unlink("FIFO");
	unlink("LOCKED");
	unlink("DATA");
	unlink("DATA.1");
	unlink("DATA.OTHER");
	unlink("INDEXED");
	unlink("LIBRARYS");
	unlink("WHOLE");
	unlink("HEAD");
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

static void block_file_lock(void)
{
	int fd = open("LOCKED", O_RDWR);

	flock(fd, LOCK_EX);
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

static pid_t blocked; /* the child that runs now, 0 none */

/* Start a child that blocks in a function; one at a time. It ends with the test, even one that fails. */
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

/* After each test that starts children. */
static int stop_blocked(void **state)
{
	(void)state;
	if (blocked > 0)
		stop(blocked);
	return 0;
}

/* Look until the task is blocked in the call meant (it may still be on its way), at most 5 s. */
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

static void each_wait_has_its_reason(void **state)
{
	static const struct {
		void (*block)(void);
		enum wait_reason reason;
		const char *path; /* start of the file's path, NULL: no file */
	} cases[] = {
		{ block_sleep, WAIT_SLEEP, NULL },
		{ block_pipe, WAIT_PIPE, "pipe:[" },
		{ block_socket, WAIT_SOCKET, "socket:[" },
		{ block_lock, WAIT_LOCK, NULL },
		{ block_file_lock, WAIT_FILE_OTHER, folder },
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
		struct engine *engine = engine_new();
		struct recordset rows;
		struct probe_site site;
		pid_t pid = start(cases[i].block);

		recordset_init(&rows, &record_types[RECORD_FILE]);
		look_for(prober, pid, cases[i].reason, &site);
		files_rows(files, engine, &rows);
		if (cases[i].path) {
			const struct record_file *row = recordset_get(&rows, site.file - 1);

			assert_int_equal(rows.count, 1);
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

/* ^Z and fg: the kernel goes on with the call, under another number. */
static void a_wait_that_was_stopped_keeps_its_reason(void **state)
{
	static const struct {
		void (*block)(void);
		enum wait_reason reason;
	} cases[] = {
		{ block_sleep, WAIT_SLEEP },	 { block_short_sleep, WAIT_SLEEP },
		{ block_timed_lock, WAIT_LOCK }, { block_poll_one, WAIT_SOCKET },
		{ block_poll_two, WAIT_POLL },
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

/* The thread of a process that is not its first; 0 when there is none yet. */
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
		if (prober_look(prober, space, pid, tid, &site, frames) == PROBE_BLOCKED)
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

/* Make a file of the folder with some content. */
static void make(const char *name, const void *content, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, size), (ssize_t)size);
	close(fd);
}

/* The FILE row whose path ends in name. */
static const struct record_file *row_of(const struct recordset *rows, struct engine *engine,
					const char *name)
{
	for (size_t i = rows->count; i-- > 0;) {
		const struct record_file *row = recordset_get(rows, i);
		const char *path = strmap_text(engine_strings(engine), (uint32_t)row->path);
		size_t length = strlen(path);

		if (length >= strlen(name) && strcmp(path + length - strlen(name), name) == 0)
			return row;
	}
	fail_msg("no row for %s", name);
	return NULL;
}

/* Bytes of one file's activity rows (the test's own output may be a file with rows too). */
static uint64_t bytes_moved(const struct recordset *activity, uint64_t file)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < activity->count; i++) {
		const struct record_file_activity *row = recordset_get(activity, i);

		if (row->file == file)
			bytes += row->bytes;
	}
	return bytes;
}

/* What the rows say after 300 of 700 bytes of DATA were read. */
static void check_rows(const struct recordset *rows, const struct recordset *activity,
		       struct engine *engine)
{
	struct strmap *strings = engine_strings(engine);
	const struct record_file *row;

	row = row_of(rows, engine, "/DATA");
	assert_string_equal(strmap_text(strings, (uint32_t)row->ddname), "MASTER");
	assert_string_equal(strmap_text(strings, (uint32_t)row->dsn), "PAY.MASTER");
	assert_int_equal(row->opens, 1);
	assert_int_equal(row->size_last, 700);
	assert_int_equal((row->open_flags - 1) & O_ACCMODE, O_RDWR);
	assert_int_equal(bytes_moved(activity, row->file), 300);
	assert_string_equal(strmap_text(strings, (uint32_t)row_of(rows, engine, "/DATA.1")->ddname),
			    "MASTER");
	assert_string_equal(
		strmap_text(strings, (uint32_t)row_of(rows, engine, "/DATA.OTHER")->ddname), "");
	row = row_of(rows, engine, "/INDEXED");
	assert_string_equal(strmap_text(strings, (uint32_t)row->organization), "VS");
}

static void files_carry_their_dd_and_how_far_they_were_read(void **state)
{
	unsigned char indexed[64] = { 0 };
	char path[64], buffer[700];
	const struct sampler_file named[] = { { "MASTER", "PAY.MASTER", path, "PS", "FB", 80 } };
	struct files *files = files_new(named, 1);
	struct engine *engine = engine_new();
	struct recordset rows, activity;
	int fd, other, sibling, index_fd, before;

	(void)state;
	snprintf(path, sizeof(path), "%s/DATA", folder);
	memset(buffer, 'x', sizeof(buffer));
	indexed[12] = 0x62, indexed[13] = 0x31, indexed[14] = 0x05;
	make("DATA", buffer, sizeof(buffer));
	make("DATA.1", buffer, 10);
	make("DATA.OTHER", buffer, 10);
	make("INDEXED", indexed, sizeof(indexed));
	before = open("DATA", O_RDWR);
	assert_int_equal(lseek(before, 0, SEEK_END), 700);
	files_adopt(files, getpid()); /* what the test has open already */
	fd = open("DATA", O_RDONLY);
	sibling = open("DATA.1", O_RDONLY);
	other = open("DATA.OTHER", O_RDONLY);
	index_fd = open("INDEXED", O_RDWR);
	recordset_init(&rows, &record_types[RECORD_FILE]);
	recordset_init(&activity, &record_types[RECORD_FILE_ACTIVITY]);
	files_look(files, getpid(), getpid());
	assert_int_equal(read(fd, buffer, 300), 300);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	files_activity(files, 5, &activity);

	check_rows(&rows, &activity, engine);
	/* Nothing more happened: no more rows. */
	recordset_clear(&activity);
	recordset_clear(&rows);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	files_activity(files, 6, &activity);
	assert_int_equal(activity.count, 0);
	assert_int_equal(rows.count, 0);
	files_forget(files, getpid());

	close(before);
	close(fd);
	close(sibling);
	close(other);
	close(index_fd);
	recordset_release(&rows);
	recordset_release(&activity);
	engine_free(engine);
	files_free(files);
}

/* Of the DDs that name a file that which names it most closely has it, in whatever order. */
static void a_file_belongs_to_the_closest_dd(void **state UNUSED)
{
	static const char *const files_of[][2] = {
		{ "/LIBRARY/MEMBER", "LIB" },
		{ "/LIBRARY/DATA", "MASTER" },
		{ "/LIBRARYS", "" },
	};
	char library[80], data[80], others[80];
	struct engine *engine = engine_new();

	snprintf(library, sizeof(library), "%s/LIBRARY", folder);
	snprintf(data, sizeof(data), "%s/LIBRARY/DATA", folder);
	snprintf(others, sizeof(others), "%s/LIBRARYS", folder);
	assert_int_equal(mkdir(library, 0700), 0);
	make(data, "x", 1);
	make("LIBRARY/MEMBER", "x", 1);
	make(others, "x", 1);
	for (unsigned first = 0; first < 2; first++) {
		struct sampler_file named[2] = { 0 };
		struct files *files = files_new(named, 2);
		struct recordset rows;
		int fds[3];

		named[first] = (struct sampler_file){ "LIB", "PAY.LIB", library, "PO", "FB", 80 };
		named[!first] =
			(struct sampler_file){ "MASTER", "PAY.MASTER", data, "PS", "FB", 80 };
		fds[0] = open("LIBRARY/MEMBER", O_RDONLY);
		fds[1] = open("LIBRARY/DATA", O_RDONLY);
		fds[2] = open("LIBRARYS", O_RDONLY);
		recordset_init(&rows, &record_types[RECORD_FILE]);
		files_look(files, getpid(), getpid());
		files_rows(files, engine, &rows);
		for (size_t i = 0; i < ARRAY_SIZE(files_of); i++)
			assert_string_equal(
				strmap_text(
					engine_strings(engine),
					(uint32_t)row_of(&rows, engine, files_of[i][0])->ddname),
				files_of[i][1]);
		for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
			close(fds[i]);
		recordset_release(&rows);
		files_free(files);
	}
	unlink(data);
	unlink("LIBRARY/MEMBER");
	rmdir(library);
	engine_free(engine);
}

/* The bytes that are said to have been moved in a file that is opened at a position. */
static uint64_t moved_at(const char *name, int flags, off_t position)
{
	struct files *files = files_new(NULL, 0);
	struct engine *engine = engine_new();
	struct recordset rows, activity;
	uint64_t bytes;
	int fd;

	recordset_init(&rows, &record_types[RECORD_FILE]);
	recordset_init(&activity, &record_types[RECORD_FILE_ACTIVITY]);
	files_look(files, getpid(), getpid());
	fd = open(name, flags);
	assert_int_equal(lseek(fd, position, SEEK_SET), position);
	files_look(files, getpid(), getpid());
	files_rows(files, engine, &rows);
	files_activity(files, 5, &activity);
	bytes = bytes_moved(&activity, row_of(&rows, engine, name)->file);
	close(fd);
	recordset_release(&rows);
	recordset_release(&activity);
	engine_free(engine);
	files_free(files);
	return bytes;
}

/* What moved before the first look is counted, unless a program went to the end to learn the size.
 */
static void what_was_read_before_the_first_look_counts(void **state UNUSED)
{
	char text[500];

	memset(text, 'x', sizeof(text));
	make("WHOLE", text, sizeof(text));
	assert_int_equal(moved_at("WHOLE", O_RDONLY, 500), 500);
	assert_int_equal(moved_at("WHOLE", O_WRONLY, 500), 500);
	assert_int_equal(moved_at("WHOLE", O_RDWR, 499), 499);
	assert_int_equal(moved_at("WHOLE", O_RDWR, 500), 0);
	assert_int_equal(moved_at("WHOLE", O_RDWR, 0), 0);
	/* A place in a folder is no number of bytes. */
	assert_int_equal(mkdir("FOLDER", 0700), 0);
	assert_int_equal(moved_at("FOLDER", O_RDONLY | O_DIRECTORY, 2), 0);
	rmdir("FOLDER");
}

/* The organization of a file by its first bytes. */
static const char *organization_of(const void *head, size_t size)
{
	make("HEAD", head, size);
	return facts_organization(FILE_REGULAR, "/HEAD", "HEAD");
}

static void the_first_bytes_tell_the_organization(void **state UNUSED)
{
	static const unsigned char magics[][4] = { { 0x62, 0x31, 5, 0 },
						   { 0, 5, 0x31, 0x62 },
						   { 0x61, 0x15, 6, 0 },
						   { 0, 6, 0x15, 0x61 } };
	unsigned char head[16] = { 0 };

	assert_string_equal(organization_of(head, 16), "PS");
	assert_string_equal(organization_of("SQLite format 3", 16), "SQLITE");
	assert_string_equal(organization_of("SQLite format 3", 15), "PS");
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		memcpy(head + 12, magics[i], 4);
		assert_string_equal(organization_of(head, 16), "VS");
		assert_string_equal(organization_of(head, 15), "PS");
	}
	assert_string_equal(facts_organization(FILE_CHARACTER, "/dev/null", ""), "DUMMY");
	assert_string_equal(facts_organization(FILE_CHARACTER, "/dev/pts/3", ""), "TERM");
	assert_string_equal(facts_organization(FILE_CHARACTER, "/dev/zero", ""), "DEVICE");
	assert_string_equal(facts_organization(FILE_DIRECTORY, "/dev", ""), "PO");
}

/* A file made anew is another one, also when it gets the number of one that was removed. */
static void a_file_made_anew_is_another(void **state UNUSED)
{
	struct files *files = files_new(NULL, 0);
	uint64_t first, second;
	struct stat old, new;
	int fd;

	make("ANEW", "x", 1);
	assert_int_equal(stat("ANEW", &old), 0);
	first = files_of_path(files, getpid(), AT_FDCWD, "ANEW");
	assert_int_not_equal(first, 0);
	assert_int_equal(files_of_path(files, getpid(), AT_FDCWD, "ANEW"), first);
	unlink("ANEW");
	usleep(20000); /* times of files are told in ticks */
	make("ANEW", "x", 1);
	assert_int_equal(stat("ANEW", &new), 0);
	second = files_of_path(files, getpid(), AT_FDCWD, "ANEW");
	assert_int_not_equal(second, first);
	if (old.st_ino != new.st_ino)
		print_message("# the number of the file was not used again\n");
	fd = open("ANEW", O_RDONLY);
	assert_int_equal(files_of_descriptor(files, getpid(), getpid(), fd), second);
	close(fd);
	files_free(files);
}

/* What can be read of memory is read up to the page that cannot. */
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

static void devices_are_named_by_the_system(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *name;
	} devices[] = { { 8, 1, "sda1" }, { 0, 27, "tmpfs" }, { 0, 7, "" } };
	char root[PROCFS_ROOT_MAX];

	(void)state;
	snprintf(root, sizeof(root), "%s/tests/procfs/linux-6.1", getenv("VIGIL_SOURCE"));
	procfs_set_root(root);
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		const struct statx status = { .stx_dev_major = devices[i].major,
					      .stx_dev_minor = devices[i].minor };
		char *device = facts_device(&status);

		assert_string_equal(device, devices[i].name);
		free(device);
	}
	procfs_set_root(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_wait_has_its_reason, stop_blocked),
		cmocka_unit_test_teardown(a_wait_that_was_stopped_keeps_its_reason, stop_blocked),
		cmocka_unit_test_teardown(a_thread_is_looked_at_when_the_first_has_ended, stop_blocked),
		cmocka_unit_test_teardown(a_task_that_is_gone_or_runs_is_told_apart, stop_blocked),
		cmocka_unit_test(files_carry_their_dd_and_how_far_they_were_read),
		cmocka_unit_test(devices_are_named_by_the_system),
		cmocka_unit_test(a_file_belongs_to_the_closest_dd),
		cmocka_unit_test(memory_is_read_up_to_what_is_not_there),
		cmocka_unit_test(what_was_read_before_the_first_look_counts),
		cmocka_unit_test(the_first_bytes_tell_the_organization),
		cmocka_unit_test(a_file_made_anew_is_another),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
