/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the event handler, and recovers from its failures. */
#include "agent/agent-text.h"
#include "agent/handler/handler.h"

#include <pthread.h>
#include <setjmp.h>
#include <sys/resource.h>
#include <unistd.h>

/* Two addresses further apart than this are on different stacks. */
#define STACK_REACH ((uintptr_t)8 << 20)

struct calling {
	struct vigil_caa caa;
	bool inside;
	int32_t code;	 /* of the event */
	uintptr_t frame; /* of the call: shows whether it was left by longjmp */
	sigjmp_buf *escape;
};

static __thread struct calling calling;
static struct vigil_pcb pcb;
static volatile pid_t owner; /* the process that raises events */

AGENT_VISIBLE struct vigil_caa *vigil_caa(void)
{
	if (!calling.caa.pcb) {
		for (size_t i = 0; i < VIGIL_HOOKS; i++)
			calling.caa.hooks[i] = VIGIL_HOOK_DISABLED;
		calling.caa.thread = (uint64_t)pthread_self();
		calling.caa.pcb = &pcb;
	}
	return &calling.caa;
}

void handler_start(vigil_event_handler *entry, const struct vigil_inpl *inpl)
{
	pcb.inpl = inpl;
	owner = getpid();
	pcb.event_handler = entry;
}

void handler_stop(void)
{
	pcb.event_handler = NULL;
}

/* Returns whether this thread is in the handler; not if the call was left by a jump. */
static bool is_inside(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (calling.inside && here > calling.frame && here - calling.frame < STACK_REACH)
		calling.inside = false;
	return calling.inside;
}

bool handler_ready(void)
{
	return pcb.event_handler && !is_inside();
}

bool handler_has_private_memory(void)
{
	return getpid() == owner;
}

bool handler_is_tracked_process(void)
{
	return handler_ready() && handler_has_private_memory();
}

void handler_forked(void)
{
	owner = getpid();
}

void handler_event(int32_t code, const struct handler_parameters *parameters)
{
	static const struct handler_parameters none;
	vigil_event_handler *entry = pcb.event_handler;
	void *const *parm = parameters ? parameters->parm : none.parm;
	int saved = errno;
	sigjmp_buf escape;

	if (!entry || is_inside())
		return;
	vigil_caa();
	calling.code = code;
	calling.frame = (uintptr_t)__builtin_frame_address(0);
	calling.escape = &escape;
	calling.inside = true;
	if (sigsetjmp(escape, 0) == 0)
		entry(&code, parm[0], parm[1], parm[2], parm[3], parm[4], parm[5], parm[6], parm[7],
		      parm[8]);
	calling.inside = false;
	errno = saved;
}

void handler_escape(int signal, const sigset_t *interrupted)
{
	char memory[200];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	if (!is_inside() || getpid() != owner)
		return;
	handler_stop();
	agent_text_add(&text, "VIG6605E event handler CEEEVPRF: signal ");
	agent_text_number(&text, (uint64_t)signal, 0);
	agent_text_add(&text, " in its call for event ");
	agent_text_number(&text, (uint64_t)calling.code, 0);
	agent_text_add(&text, "; it is switched off, the program continues\n");
	agent_write_error(&text);
	sigprocmask(SIG_SETMASK, interrupted, NULL);
	siglongjmp(*calling.escape, 1);
}

uint64_t handler_default_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return 0;
	return limit.rlim_cur;
}
