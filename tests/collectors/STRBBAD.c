/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector that misbehaves as its parameter (DCCPARM) says, from its 20th call
 * on (or only in that call); until then it names a transaction.
 */
#include <vigil/collector.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define WRONG_CALL 20

static char wide[1 << 20];
static struct vigil_place places[3] = {
	{ "BAD-MODULE", "SECTION", "PROCEDURE", "FILE", 1 },
	{ "BAD-MODULE", "SECTION", "OUTER", "FILE", 2 },
	{ (char *)16, (char *)24, (char *)32, (char *)40, 3 },
};

static void burn(long microseconds)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 <
	       microseconds);
}

/* Returns a text that is unterminated at the end of its memory. */
static char *unended(void)
{
	long page = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(pages, 'U', (size_t)page);
	munmap(pages + page, (size_t)page);
	return pages + page - 100;
}

/* Overwrites everything around what the host shares with the sampler. */
static void scribble(const struct vigil_communication *area, unsigned number)
{
	unsigned char *shared = (unsigned char *)area->task->program;

	srand(number);
	for (int i = -8000; i < 60000; i++)
		shared[i] = (unsigned char)rand();
}

static int overflow(const volatile char *outer)
{
	volatile char local[4096];

	local[0] = outer ? outer[0] : 0;
	return overflow(local) + local[0];
}

static void die(const char *how)
{
	if (strcmp(how, "SEGV") == 0)
		*(volatile int *)16 = 0;
	else if (strcmp(how, "STACK") == 0)
		overflow(NULL);
	else if (strcmp(how, "ABORT") == 0)
		abort();
	else if (strcmp(how, "EXIT") == 0)
		exit(3);
	else if (strcmp(how, "_EXIT") == 0)
		_exit(4);
	else if (strcmp(how, "RAISE") == 0)
		raise(SIGSEGV);
	else if (strcmp(how, "LOOP") == 0)
		for (;;)
			wide[0]++;
	else if (strcmp(how, "SLEEP") == 0)
		for (;;)
			pause();
}

static void use_up(const char *how, unsigned number)
{
	if (strcmp(how, "LEAK") == 0)
		memset(malloc(1 << 20), 1, 1 << 20);
	else if (strcmp(how, "MAP") == 0)
		memset(mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			    0),
		       1, 1 << 20);
	else if (strcmp(how, "CLOSE") == 0)
		for (int fd = 0; fd < 1024; fd++)
			close(fd);
	else if (strcmp(how, "FILES") == 0)
		open("/dev/null", O_RDONLY);
	else if (strcmp(how, "BURN") == 0)
		burn(2000);
	else if (strcmp(how, "NAP") == 0)
		usleep(2000);
	else if (strcmp(how, "ONCE") == 0 && number == WRONG_CALL)
		usleep(50000);
}

static void answer_rubbish(struct vigil_communication *area, const char *how)
{
	if (strcmp(how, "MODULE") == 0)
		area->module = (char *)16;
	else if (strcmp(how, "TRANS") == 0)
		area->transaction = (char *)0x7fffffff0000;
	else if (strcmp(how, "ID") == 0)
		area->id = (char *)16;
	else if (strcmp(how, "PLACES") == 0)
		area->place_count = 2, area->places = (struct vigil_place *)17;
	else if (strcmp(how, "COUNT") == 0)
		area->place_count = (size_t)-1, area->places = places;
	else if (strcmp(how, "LEVEL") == 0)
		area->place_count = 2, area->places = places, area->level = 4000000000U;
	else if (strcmp(how, "UNENDED") == 0)
		area->transaction = unended();
	else if (strcmp(how, "RANGE") == 0)
		area->module = "BAD-MODULE", area->base = 1000, area->size = (uint64_t)-1;
	else if (strcmp(how, "WIDE") == 0)
		area->transaction = area->id = memset(wide, 'W', sizeof(wide));
	else if (strcmp(how, "BINARY") == 0)
		area->transaction = area->id = "\001\xff\xfe\n\"<&\x80\t\033[31m";
}

static enum vigil_outcome bad(struct vigil_communication *area)
{
	static unsigned number;
	const char *how = area->parameter;

	area->transaction = "BAD";
	if (++number < WRONG_CALL)
		return VIGIL_DONE;
	die(how);
	use_up(how, number);
	answer_rubbish(area, how);
	if (strcmp(how, "SCRIBBLE") == 0)
		scribble(area, number);
	else if (strcmp(how, "AREA") == 0)
		memset(area, 0xa5, sizeof(*area));
	else if (strcmp(how, "FORK") == 0)
		fork();
	else if (strcmp(how, "OUTCOME") == 0)
		return (enum vigil_outcome)77;
	return VIGIL_DONE;
}

static const char *const programs[] = { VIGIL_ALWAYS, NULL };

VIGIL_COLLECTOR("STRBBAD", "G-00", 0, NULL, programs, bad);
