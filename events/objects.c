/* SPDX-License-Identifier: Apache-2.0 */
/* Answers the requests of processes for their objects. */
#include "common/compat.h"
#include "events/objects.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Alignment of plans in the file, so that they can be mapped. */
#define PAGE UINT64_C(4096)

void event_objects_init(struct event_objects *objects, struct event_pool *pool)
{
	*objects = (struct event_objects){ .pool = pool, .file = -1, .bell = { -1, -1 } };
}

void event_objects_stop(struct event_objects *objects)
{
	if (objects->engine)
		engine_unwatch(objects->engine, objects->bell[0]);
	objects->engine = NULL;
}

void event_objects_release(struct event_objects *objects)
{
	event_objects_stop(objects);
	if (objects->table)
		munmap(objects->table, sizeof(*objects->table));
	if (objects->file >= 0)
		close(objects->file);
	for (int i = 0; i < 2; i++)
		if (objects->bell[i] >= 0)
			close(objects->bell[i]);
	event_objects_init(objects, objects->pool);
}

void event_objects_plan(struct event_objects *objects, enum event_plan_kind kind,
			event_planner *plan, void *argument)
{
	objects->planners[kind].plan = plan;
	objects->planners[kind].argument = argument;
}

static bool has_planner(const struct event_objects *objects)
{
	for (int kind = 0; kind < EVENT_PLAN_COUNT; kind++)
		if (objects->planners[kind].plan)
			return true;
	return false;
}

int event_objects_open(struct event_objects *objects, struct error *err)
{
	void *memory;

	if (!has_planner(objects))
		return 0;
	objects->end = (sizeof(*objects->table) + PAGE - 1) & ~(PAGE - 1);
	objects->file = memfd_create("vigil-objects", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (objects->file < 0 || ftruncate(objects->file, (off_t)objects->end) < 0 ||
	    fcntl(objects->file, F_ADD_SEALS, F_SEAL_SHRINK) < 0 ||
	    pipe2(objects->bell, O_CLOEXEC | O_NONBLOCK) < 0)
		return error_errno(err, "cannot create the table of objects");
	memory = mmap(NULL, sizeof(*objects->table), PROT_READ | PROT_WRITE, MAP_SHARED,
		      objects->file, 0);
	if (memory == MAP_FAILED)
		return error_errno(err, "cannot map the table of objects");
	objects->table = memory;
	objects->table->magic = EVENT_OBJECTS_MAGIC;
	objects->pool->area->objects = (uint32_t)objects->file;
	objects->pool->area->bell = (uint32_t)objects->bell[1];
	return 0;
}

/* Writes a plan to the file; returns its offset, 0 on failure. */
static uint64_t put_plan(struct event_objects *objects, struct strbuf *plan)
{
	uint64_t place = objects->end, size = plan->length;
	size_t done = 0;

	memcpy(plan->text, &size, sizeof(size));
	while (done < size) {
		ssize_t put = pwrite(objects->file, plan->text + done, size - done,
				     (off_t)(place + done));

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return 0;
		done += (size_t)put;
	}
	objects->end = (place + size + PAGE - 1) & ~(PAGE - 1);
	return place;
}

/* Answers one entry. */
static void answer(struct event_objects *objects, struct event_object *entry)
{
	struct strbuf path = STRBUF_INIT;
	struct object *object = NULL;

	if (event_pool_name(objects->pool, entry->path, &path))
		object = object_for_file(objects->list, path.text, entry->device, entry->inode,
					 (pid_t)entry->pid, entry->start);
	for (int kind = 0; object && kind < EVENT_PLAN_COUNT; kind++) {
		struct strbuf plan = STRBUF_INIT;
		uint64_t size = 0;

		strbuf_add(&plan, &size, sizeof(size));
		if (objects->planners[kind].plan &&
		    objects->planners[kind].plan(objects->planners[kind].argument, object, &plan))
			entry->plans[kind] = put_plan(objects, &plan);
		strbuf_release(&plan);
	}
	strbuf_release(&path);
	__atomic_store_n(&entry->state, EVENT_OBJECT_KNOWN, __ATOMIC_RELEASE);
}

void event_objects_answer(struct event_objects *objects)
{
	uint64_t next = __atomic_load_n(&objects->table->next, __ATOMIC_ACQUIRE);
	bool any = false;

	for (uint64_t i = objects->answered; i < next && i < EVENT_OBJECTS; i++) {
		struct event_object *entry = &objects->table->objects[i];
		uint32_t state = __atomic_load_n(&entry->state, __ATOMIC_ACQUIRE);

		if (state == EVENT_OBJECT_ASKED) {
			answer(objects, entry);
			any = true;
		}
		/* An entry that is taken but not filled in is checked again. */
		if (state != EVENT_OBJECT_FREE && i == objects->answered)
			objects->answered++;
	}
	if (!any)
		return;
	__atomic_fetch_add(&objects->table->answers, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &objects->table->answers, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Called when the bell has rung. */
static void on_bell(void *argument, int fd, short revents UNUSED)
{
	struct event_objects *objects = argument;
	char bytes[256];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		;
	event_objects_answer(objects);
	if (objects->heard)
		objects->heard(objects->argument);
}

void event_objects_watch(struct event_objects *objects, struct engine *engine,
			 struct object_list *list, void (*heard)(void *argument), void *argument)
{
	if (!objects->table)
		return;
	objects->list = list;
	objects->engine = engine;
	objects->heard = heard;
	objects->argument = argument;
	engine_watch(engine, objects->bell[0], POLLIN, on_bell, objects);
}
