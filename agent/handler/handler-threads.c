/* SPDX-License-Identifier: Apache-2.0 */
/* Raises the events of threads created by pthread_create. */
#include "agent/handler/handler.h"
#include "agent/agent-next.h"
#include "agent/agent-wait.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

AGENT_VISIBLE int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
				 void *(*start)(void *), void *argument);

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* Start data of a new thread, which frees it. */
struct birth {
	void *(*start)(void *argument);
	void *argument;
	struct vigil_caa creator; /* a copy: the creator may end first */
	uint64_t stack;
	uint32_t released; /* 1: the creator's event is over, so the thread may continue */
};

static void wait_for_creator(struct birth *birth)
{
	while (__atomic_load_n(&birth->released, __ATOMIC_ACQUIRE) == 0)
		agent_wait(&birth->released, 0, NULL);
}

static void release_thread(struct birth *birth)
{
	__atomic_store_n(&birth->released, 1, __ATOMIC_RELEASE);
	/* The thread may have freed it by now: only the address is used. */
	syscall(SYS_futex, &birth->released, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Raises the end of a thread: by return, pthread_exit or cancellation. */
static void at_thread_exit(void *argument UNUSED)
{
	uint64_t thread = vigil_caa()->thread;

	if (!handler_ready())
		return;
	handler_event(VIGIL_PTHREAD_EXIT, &(struct handler_parameters){ { &thread } });
	handler_event(VIGIL_THREAD_TERM, NULL);
}

static void *run(void *argument)
{
	struct birth *shared = argument, birth;
	struct vigil_caa *creator = &birth.creator;
	uint64_t thread = vigil_caa()->thread;
	void *result;

	wait_for_creator(shared);
	birth = *shared;
	free(shared);
	handler_event(VIGIL_PTHREAD_CREATED,
		      &(struct handler_parameters){ { &thread, NULL, &birth.stack } });
	handler_event(VIGIL_THREAD_INIT, &(struct handler_parameters){ { &creator } });
	pthread_cleanup_push(at_thread_exit, NULL);
	result = birth.start(birth.argument);
	pthread_cleanup_pop(1);
	return result;
}

static uint64_t stack_size(const pthread_attr_t *attributes)
{
	size_t size = 0;

	if (attributes && pthread_attr_getstacksize(attributes, &size) == 0)
		return size;
	return handler_default_stack();
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
		   void *argument)
{
	static create_function *next;
	struct birth *birth;
	uint64_t creating, created;
	int result;

	agent_next(&next, "pthread_create");
	birth = handler_is_tracked_process() ? malloc(sizeof(*birth)) : NULL;
	if (!birth)
		return next(thread, attributes, start, argument);
	*birth = (struct birth){ start, argument, *vigil_caa(), stack_size(attributes), 0 };
	result = next(thread, attributes, run, birth);
	if (result) {
		free(birth);
		return result;
	}
	creating = vigil_caa()->thread;
	created = (uint64_t)*thread;
	handler_event(VIGIL_PTHREAD_CREATE,
		      &(struct handler_parameters){ { &creating, &created, &birth->stack } });
	release_thread(birth);
	return 0;
}
