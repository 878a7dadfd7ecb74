/* SPDX-License-Identifier: Apache-2.0 */
/* Raises the events of a process's end: by return from main, exit, _exit, or an unhandled
 * condition. */
#include "agent/handler/handler.h"
#include "agent/agent-next.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

AGENT_VISIBLE void _exit(int status);
AGENT_VISIBLE void _Exit(int status);

void handler_end(void)
{
	uint64_t thread;

	if (!handler_is_tracked_process())
		return;
	thread = vigil_caa()->thread;
	handler_event(VIGIL_CLEAN_UP_IMMINENT, NULL);
	handler_event(VIGIL_INITIAL_THREAD_EXIT, &(struct handler_parameters){ { &thread } });
	handler_event(VIGIL_THREAD_TERM, NULL);
	handler_event(VIGIL_ENCLAVE_TERM, NULL);
	handler_event(VIGIL_TOOL_TERM, NULL);
	handler_stop();
}

void _exit(int status)
{
	static void (*next)(int status) NORETURN;

	handler_end();
	agent_next(&next, "_exit");
	if (next)
		next(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status)
{
	_exit(status);
}
