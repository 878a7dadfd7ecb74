/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event handler for tests: it checks all parameters, and writes what is wrong
 * with them. The string of PROFILE says what it does at which event: CRASH-code,
 * ABORT-code, ERRNO, RESUME-code, LOOP (resumes in vain), REGISTER, RETURN, NAMES
 * (of hooks).
 */
#include <vigil/handler.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition) \
	do { \
		if (!(condition)) \
			dprintf(2, "WRONG at event %d: %s\n", (int)*code, #condition); \
	} while (0)

static char what[256];
static const struct vigil_inpl *inpl;

static int asked(const char *word, int code)
{
	char text[40];

	snprintf(text, sizeof(text), "%s-%d", word, code);
	return strstr(what, text) != NULL;
}

static void check_hook(int32_t *code, void **parm)
{
	uint64_t clock = *(uint64_t *)parm[8], *registers = parm[5], *back = parm[6];
	struct vigil_dsa *dsa = *(struct vigil_dsa **)parm[2];
	int32_t offset = *(int32_t *)parm[3];
	extern uint64_t other_place __attribute__((weak));

	CHECK(offset % 4 == 0 && offset >= 0 && offset <= 52);
	CHECK(*(int32_t *)parm[4] == 0);
	CHECK(registers[7] == dsa->stack);
	CHECK((clock >> 12) / 1000000 - 2208988800u - (uint64_t)time(NULL) + 2 < 4);
	CHECK(*(uint64_t *)parm[9] < 60000000);
	CHECK((*code == 189) == (parm[10] != NULL));
	/* sections and paragraphs may have no name */
	CHECK(*code != 133 || dsa->name || offset == VIGIL_HOOK_LABEL);
	CHECK(*(uint64_t *)parm[7]);
	if (strstr(what, "NAMES") && (offset == VIGIL_HOOK_BLOCK_ENTRY || offset == VIGIL_HOOK_EXIT))
		dprintf(2, "NAME %d %s %d\n", (int)offset, dsa->name, *(uint64_t *)parm[7] == registers[5]);
	if (strstr(what, "REGISTER") && offset == VIGIL_HOOK_BLOCK_ENTRY)
		registers[12] = 4711;
	if (strstr(what, "RETURN") && offset == VIGIL_HOOK_BLOCK_ENTRY && &other_place)
		*back = other_place;
}

static void check_condition(int32_t *code, void **parm)
{
	struct vigil_condition *condition = *(struct vigil_condition **)parm[2];
	int32_t *result = parm[3];

	CHECK(*result == VIGIL_PERCOLATE);
	CHECK(condition->signal != SIGSEGV || condition->code <= 0 || condition->address == 16);
	CHECK(condition->resume && condition->registers[7]);
	if (asked("RESUME", *code)) {
		if (condition->code > 0)
			condition->resume += 2;
		*result = VIGIL_RESUME;
	}
	if (strstr(what, "LOOP"))
		*result = VIGIL_RESUME;
}

static void check_thread(int32_t *code, void **parm)
{
	static uint64_t created, stack; /* set by the last event 162; the new thread waits for
					 * the end of its creator */
	uint64_t thread = *(uint64_t *)parm[2];

	CHECK(thread == vigil_caa()->thread);
	CHECK(thread == (uint64_t)pthread_self());
	if (*code == 160 || *code == 162 || *code == 163)
		CHECK(*(uint64_t *)parm[4] >= 16384);
	if (*code == 162)
		CHECK(*(uint64_t *)parm[3] != thread);
	else
		CHECK(!parm[3]);
	if (*code == 162) {
		created = *(uint64_t *)parm[3];
		stack = *(uint64_t *)parm[4];
	}
	CHECK(*code != 163 || thread == created);
	CHECK(*code != 163 || *(uint64_t *)parm[4] == stack);
}

static void check_entry(int32_t *code, void **parm)
{
	const struct vigil_string *string = parm[3];

	inpl = parm[4];
	CHECK(string->length == strlen(string->text));
	CHECK(inpl->argv[inpl->argc] == NULL && inpl->entry);
	CHECK(*(int32_t *)parm[5] == 0 && *(struct vigil_dsa **)parm[2]);
	strcpy(what, string->text);
}

static void check_creator(int32_t *code, const struct vigil_edb *creator)
{
	CHECK(!creator || creator->process == getppid());
	CHECK(!creator || (creator->program && creator->program[0] == '/'));
	dprintf(2, "CREATOR %s\n", creator ? strrchr(creator->program, '/') + 1 : "nobody");
}

static void check_others(int32_t *code, void **parm)
{
	CHECK(vigil_caa()->pcb->event_handler == CEEEVPRF);
	CHECK(vigil_caa()->pcb->inpl == inpl);
	if (*code == 118)
		check_creator(code, *(struct vigil_edb **)parm[2]);
	else if (*code == 120)
		CHECK(*(struct vigil_caa **)parm[2] != vigil_caa());
	else
		CHECK(!parm[2]);
	for (int i = 0; *code == 120 && i < VIGIL_HOOKS; i++)
		vigil_caa()->hooks[i] = VIGIL_HOOK_ENABLED;
}

void CEEEVPRF(int32_t *code, void *parm2, void *parm3, void *parm4, void *parm5, void *parm6,
	      void *parm7, void *parm8, void *parm9, void *parm10)
{
	void *parm[] = {
		NULL, code, parm2, parm3, parm4, parm5, parm6, parm7, parm8, parm9, parm10
	};

	if (*code == 123)
		check_entry(code, parm);
	else if (*code == 133 || *code == 189)
		check_hook(code, parm);
	else if (*code == 101 || *code == 103 || *code == 127)
		check_condition(code, parm);
	else if ((*code >= 160 && *code <= 164) || *code == 171)
		check_thread(code, parm);
	else
		check_others(code, parm);
	dprintf(2, "EVENT %d\n", (int)*code);
	if (asked("CRASH", *code))
		*(volatile int *)24 = 1;
	if (asked("ABORT", *code))
		abort();
	errno = EXDEV;
}
