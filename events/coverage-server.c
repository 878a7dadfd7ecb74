/* SPDX-License-Identifier: Apache-2.0 */
/* Reads statements for the processes of a step, in a separate thread. */
#include "common/compat.h"
#include "events/coverage-server.h"
#include "agent/transaction-area.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "events/coverage-plant.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ns the thread sleeps while there are no requests. */
#define SLEEP_NS (5 * NSEC_PER_MSEC)

struct coverage_server {
	const struct event_request *request;
	struct coverage_area *area;
	int fd; /* of the area; -1 none */
	char *path;
	const struct changes *changes; /* NULL: none */
	uint64_t starts;			     /* starts seen so far */
	struct object_list objects;		     /* of the thread */
	struct names *names;			     /* of the thread; its texts are used by all */
	pthread_t thread;
	bool running;
	_Atomic bool stop;
	pthread_mutex_t lock; /* protects the list below */
	struct coverage_served **served;
	size_t count, alloc;
};

/* Returns the object of a file requested before; NULL: it was not. */
static struct coverage_served *find_served(const struct coverage_server *server,
					   const struct coverage_entry *entry)
{
	for (size_t i = 0; i < server->count; i++) {
		struct coverage_served *one = server->served[i];

		if (one->device == entry->device && one->inode == entry->inode &&
		    one->size == entry->size && one->time == entry->time)
			return one;
	}
	return NULL;
}

/* Reads the statements of the file that an entry names. */
static struct coverage_served *serve_new(struct coverage_server *server,
					 const struct coverage_entry *entry)
{
	struct coverage_served *served = xcalloc(1, sizeof(*served));
	struct object *object =
		object_for_file(&server->objects, entry->path, (dev_t)entry->device,
				(ino_t)entry->inode, (pid_t)entry->pid, entry->start);

	served->fd = -1;
	served->file = object;
	served->device = entry->device;
	served->inode = entry->inode;
	served->size = entry->size;
	served->time = entry->time;
	coverage_plan_read(&served->plan, server->names, object, server->request);
	if (served->plan.address_count && !coverage_served_make(served))
		served->plan.reason = "memory for its places is not available";
	pthread_mutex_lock(&server->lock);
	GROW(server->served, server->count + 1, server->alloc);
	server->served[server->count++] = served;
	pthread_mutex_unlock(&server->lock);
	return served;
}

/* Answers an entry. */
static void answer(struct coverage_server *server, size_t number)
{
	struct coverage_entry *shared = &server->area->entries[number];
	struct coverage_entry entry = *shared;
	const struct coverage_served *served;

	entry.path[sizeof(entry.path) - 1] = '\0';
	served = find_served(server, &entry);
	if (!served)
		served = serve_new(server, &entry);
	if (served->places)
		memcpy(shared->places, served->path, sizeof(served->path));
	__atomic_store_n(&server->area->states[number],
			 served->places ? COVERAGE_ENTRY_PLACES : COVERAGE_ENTRY_NOTHING,
			 __ATOMIC_RELEASE);
	syscall(SYS_futex, &server->area->states[number], FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Answers all entries that wait. */
static void answer_all(struct coverage_server *server)
{
	for (size_t i = 0; i < COVERAGE_OBJECTS; i++)
		if (__atomic_load_n(&server->area->states[i], __ATOMIC_ACQUIRE) ==
		    COVERAGE_ENTRY_ASKED)
			answer(server, i);
}

/*
 * If collecting was started since the last call, plants into running processes,
 * which have no breakpoints.
 */
static void look_for_start(struct coverage_server *server)
{
	uint64_t starts = server->changes ? changes_starts(server->changes) : server->starts;

	if (starts == server->starts)
		return;
	server->starts = starts;
	for (size_t i = 0; i < server->count; i++)
		if (server->served[i]->places)
			coverage_plant(server->fd, server->served[i]);
}

static void *serve(void *argument)
{
	const struct timespec longest = { 0, SLEEP_NS };
	struct coverage_server *server = argument;
	uint32_t *bell = &server->area->bell;

	pthread_setname_np(pthread_self(), "vigil-coverage");
	while (!server->stop) {
		uint32_t heard = __atomic_load_n(bell, __ATOMIC_ACQUIRE);

		answer_all(server);
		look_for_start(server);
		syscall(SYS_futex, bell, FUTEX_WAIT, heard, &longest, NULL, 0);
	}
	return NULL;
}

static int start_thread(struct coverage_server *server, struct error *err)
{
	sigset_t all, before;
	int result;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	result = pthread_create(&server->thread, NULL, serve, server);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	server->running = result == 0;
	return result ? error_set(err, "cannot start the thread of coverage: %s", strerror(result))
		      : 0;
}

/* Makes the area; returns -1 with err set on failure. */
static int make_area(struct coverage_server *server, struct error *err)
{
	char path[PROCFS_PATH_SIZE];

	server->fd = coverage_make_file("vigil-coverage", sizeof(*server->area));
	server->area = coverage_map_file(server->fd, sizeof(*server->area));
	if (!server->area)
		return error_errno(err, "cannot create the coverage area");
	server->area->magic = COVERAGE_AREA_MAGIC;
	server->area->version = COVERAGE_AREA_VERSION;
	server->area->size = sizeof(*server->area);
	server->area->state = COVERAGE_AREA_ON;
	server->area->monitor = (uint64_t)getpid();
	server->path = xstrdup(procfs_descriptor(path, getpid(), "fd", server->fd));
	return 0;
}

struct coverage_server *coverage_server_new(const struct event_request *request,
					    const struct changes *changes, struct error *err)
{
	struct coverage_server *server = xcalloc(1, sizeof(*server));

	server->request = request;
	server->fd = -1;
	object_list_init(&server->objects);
	server->names = names_new();
	pthread_mutex_init(&server->lock, NULL);
	server->changes = changes;
	if (changes)
		server->starts = changes_starts(changes);
	if (make_area(server, err) < 0 || start_thread(server, err) < 0) {
		coverage_server_free(server);
		return NULL;
	}
	coverage_server_pause(server, !request->started);
	return server;
}

void coverage_server_pause(struct coverage_server *server, bool pause)
{
	__atomic_store_n(&server->area->active, pause ? 0 : 1, __ATOMIC_SEQ_CST);
}

/* Ends all waits of processes, and the thread. */
static void stop(struct coverage_server *server)
{
	__atomic_store_n(&server->area->state, COVERAGE_AREA_OFF, __ATOMIC_SEQ_CST);
	server->stop = true;
	__atomic_fetch_add(&server->area->bell, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &server->area->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
	if (server->running)
		pthread_join(server->thread, NULL);
	server->running = false;
}

void coverage_server_free(struct coverage_server *server)
{
	if (!server)
		return;
	if (server->area) {
		stop(server);
		munmap(server->area, sizeof(*server->area));
	}
	for (size_t i = 0; i < server->count; i++)
		coverage_served_free(server->served[i]);
	free(server->served);
	if (server->fd >= 0)
		close(server->fd);
	names_free(server->names);
	object_list_release(&server->objects);
	pthread_mutex_destroy(&server->lock);
	free(server->path);
	free(server);
}

const char *coverage_server_path(const struct coverage_server *server)
{
	return server->path;
}

struct coverage_served *coverage_server_object(struct coverage_server *server, size_t index)
{
	struct coverage_served *served = NULL;

	pthread_mutex_lock(&server->lock);
	if (index < server->count)
		served = server->served[index];
	pthread_mutex_unlock(&server->lock);
	return served;
}

const struct coverage_area *coverage_server_area(const struct coverage_server *server)
{
	return server->area;
}
