/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector that does what the words of its parameter say, separated by blanks:
 *
 *	log=FILE	append the arguments of each call
 *	programs=NAME	decline programs with other names
 *	module=NAME	name this module; with range= page (the address's own, the
 *			default), beside (does not contain the address) or forced
 *	level=N		... of this frame
 *	unknown		... only if it is not named yet
 *	place=NAME	a place of this procedure within the module, and one around it
 *	long=N		... and N more around them, with a file of 1000 bytes each
 *	transaction=N	name this transaction; with every=N by turns: N calls this one,
 *			N calls name none, N calls reset
 *	refine		add "/SUB" to the current transaction, unless it has it
 *	id=TEXT		text for SUBSYSTEM; once: at the first call only;
 *			first=N: at the first N calls
 *	count=N		at the session's end (VIGIL_LAST) report that the transaction
 *			began N times, after a hundred others that were never sampled
 *	meddle		change address and task
 *	do=WHAT		at the call after=N (default 20): crash, exit, spin, late,
 *			scribble (over what is shared with vigil); at each call: slow,
 *			leak, torn, names (modules that were never named before)
 *	late=N		sleep for 8 ms at every Nth call
 *
 * VARIANT gives the object's name (its last four letters), PROGRAMS its list,
 * FLAGS its flags.
 */
#include <vigil/collector.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef VARIANT
#define VARIANT "RULE"
#endif
#ifndef PROGRAMS
#define PROGRAMS "shares", "tasks", "waits"
#endif
#ifndef FLAGS
#define FLAGS 0
#endif
#define PAGE 4096

static unsigned long calls;

/*
 * Returns the value of a word of the parameter; NULL: not given. Valid until the
 * same word is requested again.
 */
static const char *word(const struct vigil_communication *area, const char *key)
{
	static char values[16][VIGIL_NAME_MAX + 1];
	static char keys[16][32];
	size_t length = strlen(key), i = 0;
	const char *at = area->parameter;

	while (at && (strncmp(at, key, length) != 0 ||
		      (at[length] != '=' && at[length] != ' ' && at[length] != '\0'))) {
		at = strchr(at, ' ');
		at += at != NULL;
	}
	if (!at)
		return NULL;
	while (keys[i][0] && strcmp(keys[i], key) != 0)
		i++;
	snprintf(keys[i], sizeof(keys[i]), "%s", key);
	at += length + (at[length] == '=');
	snprintf(values[i], sizeof(values[i]), "%.*s", (int)strcspn(at, " "), at);
	return values[i];
}

static int is(const struct vigil_communication *area, const char *key, const char *value)
{
	const char *found = word(area, key);

	return found && strcmp(found, value) == 0;
}

static long number(const struct vigil_communication *area, const char *key, long otherwise)
{
	const char *found = word(area, key);

	return found ? strtol(found, NULL, 0) : otherwise;
}

/* Writes one line per call. */
static void write_log(const struct vigil_communication *area)
{
	const char *path = word(area, "log");
	const unsigned char *work = area->work_area;
	const struct vigil_task *task = area->task;
	int used = 0;
	FILE *stream;

	for (size_t i = 0; i < VIGIL_WORK_AREA; i++)
		used += work[i] != 0;
	stream = path ? fopen(path, "ae") : NULL;
	if (!stream)
		return;
	fprintf(stream,
		VARIANT " tid=%d pid=%d time=%lu state=%u flags=%u address=%lx base=%lx size=%lx "
			"module=%s transaction=%s id=%s work=%d anchor=%ld frames=%zu stack=%zu "
			"known=%x rip=%lx rsp=%lx stackat=%lx generation=%lu program=%s "
			"places=%zu\n",
		task->tid, task->pid, task->time, task->state, task->flags, area->address,
		area->base, area->size, area->module ? area->module : "-",
		area->transaction ? area->transaction : "-", area->id ? area->id : "-", used,
		(long)area->anchor, task->frame_count, task->stack_size, task->known,
		task->registers[16], task->registers[7], task->stack_address, task->generation,
		task->program, area->place_count);
	fclose(stream);
}

/* Adds places with long texts around the existing ones. */
static void add_long_places(struct vigil_communication *area, struct vigil_place *places)
{
	static char files[40][1001];
	size_t count = (size_t)number(area, "long", 0);

	for (size_t i = 0; i < count && i < 40; i++) {
		memset(files[i], 'f', sizeof(files[i]) - 1);
		places[area->place_count++] =
			(struct vigil_place){ .procedure = "far", .file = files[i] };
	}
}

static void name_module(struct vigil_communication *area)
{
	static struct vigil_place places[VIGIL_PLACES_MAX];
	uint32_t level = (uint32_t)number(area, "level", 0);
	uint64_t address = level < area->task->frame_count ? area->task->frames[level] : 0;
	const char *module = word(area, "module");

	if (!module || (word(area, "unknown") && area->module))
		return;
	area->module = module;
	area->level = level;
	area->base = address / PAGE * PAGE;
	area->size = PAGE;
	if (is(area, "range", "beside"))
		area->base += PAGE;
	if (is(area, "range", "forced")) {
		area->base = 0;
		area->size = VIGIL_FORCED_SIZE;
	}
	if (!word(area, "place"))
		return;
	places[0] = (struct vigil_place){ .procedure = word(area, "place"), .line = 7 };
	places[1] = (struct vigil_place){ .module = "AROUND", .procedure = "around" };
	area->places = places;
	area->place_count = 2;
	add_long_places(area, places);
}

/* Names as many modules as an answer holds, with names of maximum length. */
static void name_without_end(struct vigil_communication *area)
{
	static char names[VIGIL_PLACES_MAX - 1][VIGIL_NAME_MAX];
	static struct vigil_place places[VIGIL_PLACES_MAX - 1];

	for (size_t i = 0; i < VIGIL_PLACES_MAX - 1; i++) {
		memset(names[i], 'x', VIGIL_NAME_MAX - 1);
		names[i][snprintf(names[i], VIGIL_NAME_MAX, "%lu-%zu", calls, i)] = '-';
		places[i].module = names[i];
	}
	area->places = places;
	area->place_count = VIGIL_PLACES_MAX - 1;
}

static void name_transaction(struct vigil_communication *area)
{
	unsigned long every = (unsigned long)number(area, "every", 0);

	if (!word(area, "transaction"))
		return;
	if (!every || calls / every % 3 == 0)
		area->transaction = word(area, "transaction");
	else if (calls / every % 3 == 2)
		area->transaction = "";
}

/* Refines the current transaction. */
static void refine_transaction(struct vigil_communication *area)
{
	static char refined[VIGIL_NAME_MAX + 1];

	if (!word(area, "refine") || !area->transaction || strstr(area->transaction, "/SUB"))
		return;
	snprintf(refined, sizeof(refined), "%.*s/SUB", VIGIL_NAME_MAX - 4, area->transaction);
	area->transaction = refined;
}

static void wait_seconds(double seconds)
{
	struct timespec pause = { (time_t)seconds, (long)((seconds - (long)seconds) * 1e9) };

	nanosleep(&pause, NULL);
}

/* Uses this much CPU time, or all there is. */
static void spin(double seconds)
{
	struct timespec from, now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (seconds == 0 || (double)(now.tv_sec - from.tv_sec) +
					       (double)(now.tv_nsec - from.tv_nsec) / 1e9 <
				       seconds);
}

/* Overwrites the whole area that is shared with vigil. */
static void scribble(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	unsigned long start, end;

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "memfd:") && sscanf(line, "%lx-%lx", &start, &end) == 2)
			memset((char *)start, 0xa5, end - start);
	_exit(9);
}

static void misbehave(const struct vigil_communication *area)
{
	unsigned long late = (unsigned long)number(area, "late", 0);

	if (late && calls % late == 0)
		wait_seconds(0.008);
	if (is(area, "do", "slow"))
		spin(0.002);
	if (is(area, "do", "leak"))
		memset(malloc(100000), 1, 100000);
	if (calls != (unsigned long)number(area, "after", 20))
		return;
	if (is(area, "do", "crash"))
		*(volatile int *)(uintptr_t)calls = 0;
	if (is(area, "do", "exit"))
		_exit(3);
	if (is(area, "do", "spin"))
		spin(0);
	if (is(area, "do", "late"))
		wait_seconds(0.05);
	if (is(area, "do", "scribble"))
		scribble();
}

/* Reports counts of transactions, as many as fit in one call. */
static enum vigil_outcome report_counts(struct vigil_communication *area)
{
	static unsigned told;
	char name[32];

	for (; told < 100; told++) {
		snprintf(name, sizeof(name), "UNSEEN %u", told);
		if (vigil_count(area, name, told, 1) < 0)
			return VIGIL_DONE;
	}
	vigil_count(area, word(area, "transaction"), (uint64_t)number(area, "count", 0),
		    !word(area, "inexact"));
	return VIGIL_DONE;
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	const char *programs = word(area, "programs");

	if (area->task->flags & VIGIL_ENDING)
		return report_counts(area);
	/* allowed only at the end */
	if (vigil_count(area, "WORK", 1, 1) == 0)
		abort();

	if (programs && strcmp(programs, area->task->program) != 0)
		return VIGIL_NOT_MINE;
	write_log(area);
	calls++;
	misbehave(area);
	memset(area->work_area, 0xff, VIGIL_WORK_AREA);
	area->anchor = (char *)area->anchor + 1;
	name_module(area);
	name_transaction(area);
	refine_transaction(area);
	if (is(area, "do", "names"))
		name_without_end(area);
	if (word(area, "id") && (!word(area, "once") || calls == 1) &&
	    (!word(area, "first") || calls <= (unsigned long)number(area, "first", 0)))
		area->id = word(area, "id");
	if (word(area, "meddle")) {
		area->address = 1;
		area->task = NULL;
	}
	return is(area, "do", "torn") ? VIGIL_TORN : VIGIL_DONE;
}

static const struct vigil_pseudo_section sections[] = {
	{ "GROUP", "ABC" },
	{ ".OTHER", "DEF" },
	{ "GROUP", "GHI" },
	{ NULL, NULL },
};
static const char *const programs[] = { PROGRAMS, NULL };

VIGIL_COLLECTOR("STRB" VARIANT, "G-01", FLAGS, sections, programs, entry);
