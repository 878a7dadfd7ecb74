/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An example event handler: it writes a line for each event to standard error. The
 * string of PROFILE requests more:
 *
 *	HOOKS	raise the events of execution hooks, in every thread
 *	RESUME	resume conditions behind an instruction of two bytes
 *
 * To build it:
 *
 *	cc -shared -fPIC -o CEEEVPRF.so $(vigil-config --cflags) CEEEVPRF.c
 */
#include <vigil/handler.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int hooks, resume;

/* Writes a line. It is also called in signal handlers, so it does not use stdio. */
static void say(const char *format, uint64_t first, uint64_t second, const char *text)
{
	char line[400];
	int length = snprintf(line, sizeof(line), format, (unsigned long long)first,
			      (unsigned long long)second, text ? text : "");

	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	if (length > 0 && write(2, line, (size_t)length) < 0)
		return;
}

static void enable_hooks(void)
{
	for (int i = 0; hooks && i < VIGIL_HOOKS; i++)
		vigil_caa()->hooks[i] = VIGIL_HOOK_ENABLED;
}

static void on_entry(const struct vigil_string *string, const struct vigil_inpl *inpl)
{
	hooks = strstr(string->text, "HOOKS") != NULL;
	resume = strstr(string->text, "RESUME") != NULL;
	say("EVENT 123 string %llu bytes, %llu arguments: %s\n", string->length,
	    (uint64_t)inpl->argc, string->text);
}

static void on_condition(int32_t code, struct vigil_condition *condition, int32_t *result)
{
	say("EVENT %llu signal %llu%s\n", (uint64_t)code, (uint64_t)condition->signal, "");
	if (!resume)
		return;
	condition->resume += 2;
	*result = VIGIL_RESUME;
}

static void on_hook(int32_t code, const struct vigil_dsa *dsa, int32_t offset, const uint32_t *mask)
{
	static const char *const names[VIGIL_HOOKS] = { [VIGIL_HOOK_BLOCK_ENTRY / 4] = "entry",
							[VIGIL_HOOK_LABEL / 4] = "label",
							[VIGIL_HOOK_STATEMENT / 4] = "statement",
							[VIGIL_HOOK_CALL_RETURN / 4] = "return",
							[VIGIL_HOOK_EXIT / 4] = "exit" };

	(void)code;
	if (mask)
		say("EVENT 189 hook %llu mask %08llx %s\n", (uint64_t)offset, *mask, dsa->name);
	else
		say(dsa->name ? "EVENT 133 hook %llu%.0llu %s" : "EVENT 133 hook %llu%.0llu%s",
		    (uint64_t)offset, 0, dsa->name);
	if (!mask)
		say("%.0llu%.0llu %s\n", 0, 0, names[offset / 4]);
}

void CEEEVPRF(int32_t *code, void *parm2, void *parm3, void *parm4, void *parm5, void *parm6,
	      void *parm7, void *parm8, void *parm9, void *parm10)
{
	(void)parm5, (void)parm6, (void)parm7, (void)parm8, (void)parm9;
	switch (*code) {
	case VIGIL_EXTERNAL_ENTRY:
		on_entry(parm3, parm4);
		break;
	case VIGIL_CONDITION_RAISED:
	case VIGIL_CONDITION_PROMOTE:
	case VIGIL_CONDITION_UNHANDLED:
		on_condition(*code, *(struct vigil_condition **)parm2, parm3);
		break;
	case VIGIL_HOOK:
	case VIGIL_MULTIPLE_HOOK:
		on_hook(*code, *(struct vigil_dsa **)parm2, *(int32_t *)parm3, parm10);
		break;
	case VIGIL_THREAD_INIT:
		enable_hooks();
		say("EVENT 120 creator %llu%.0llu%s\n", *(void **)parm2 != NULL, 0, "");
		break;
	case VIGIL_INITIAL_THREAD_CREATE:
	case VIGIL_PTHREAD_CREATED:
	case VIGIL_PTHREAD_CREATE:
		say("EVENT %llu stack %llu%s\n", (uint64_t)*code, *(uint64_t *)parm4, "");
		break;
	default:
		say("EVENT %llu%.0llu%s\n", (uint64_t)*code, 0, "");
	}
}
