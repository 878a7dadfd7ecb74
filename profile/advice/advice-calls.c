/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small blocks: many calls that read or write a few bytes each.
 *
 * The number and size of reads and writes is known per file if its step counted
 * the calls. Otherwise only the kernel's count for the whole step is known: small
 * blocks are found there if the mean over all calls is small.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "profile/advice/advice-search.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "records/record-types.h"

#include <fcntl.h>

/* Minimum number of calls that counts as a pattern. */
#define MIN_CALLS 1000
/* Bytes: with larger blocks the cost is in the data moved, not in the call. */
#define SMALL_BLOCK_BYTES 512
/* A file represents the step if it has at least this fraction of all bytes. */
#define REPRESENTATIVE_PART 0.9

/* Direction in which a function moves data of a file. */
enum { MOVES_NOTHING = 0, READS = 1, WRITES = 2 };

/* Samples by direction. */
struct moved {
	struct sums places;	     /* enum place_key; samples */
	uint64_t samples[WRITES + 1]; /* READS, WRITES */
};
enum place_key { PLACE_WAY, PLACE_MODULE, PLACE_SECTION, PLACE_PROCEDURE, PLACE_LINE, PLACE_OTHER_FILE,
		 PLACE_KEYS };

/* Returns name without a prefix, whether it has it or not. */
static const char *without(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(name, prefix, length) ? name : name + length;
}

/* Returns what a function of the C library or the kernel moves: "__GI___libc_pread64" reads. */
static unsigned ways_of(const char *name)
{
	static const char *const forms[] = { "",      "v",    "v2", "64", "v64", "v64v2", "_nocancel",
					     "64_nocancel", "@plt" };
	unsigned way;

	name += strspn(name, "_");
	name = without(name, "GI_");
	name += strspn(name, "_");
	name = without(name, "libc_");
	name = without(name, "x64_sys_");
	name = without(name, "arm64_sys_");
	name = without(name, "ksys_");
	name += *name == 'p';
	way = strncmp(name, "read", 4) == 0 ? READS : strncmp(name, "write", 5) == 0 ? WRITES : 0;
	name += way == READS ? 4 : way == WRITES ? 5 : 0;
	for (size_t i = 0; way && i < ARRAY_SIZE(forms); i++)
		if (!strcmp(name, forms[i]))
			return way;
	return MOVES_NOTHING;
}

/* Returns by frame: what it moves. */
static unsigned char *ways_of_frames(const struct profile *profile)
{
	const struct attribution *attribution = &profile->attribution;
	unsigned char *ways = xcalloc(attribution->place_count + 1, 1);

	for (size_t i = 0; i < attribution->place_count; i++)
		if (attribution->places[i].system)
			ways[i] = (unsigned char)ways_of(
				profile_text(profile, attribution->places[i].procedure));
	return ways;
}

/* Returns what the calls on a stack move, by the innermost one that moves anything. */
static unsigned ways_of_stack(const struct attribution *attribution, const unsigned char *ways,
			      size_t stack)
{
	size_t caller = stack == ATTRIBUTION_NONE ? ATTRIBUTION_NONE : attribution->callers[stack];

	/* The program's code at and outside the caller does not count. */
	for (; stack != ATTRIBUTION_NONE && stack != caller; stack = attribution->parents[stack])
		if (ways[attribution->frames[stack]])
			return ways[attribution->frames[stack]];
	return MOVES_NOTHING;
}

/* Adds samples of one direction to the statement they are charged to. */
static void add_samples(struct moved *moved, unsigned way, const struct place *caller, uint64_t count)
{
	moved->samples[way] += count;
	if (caller)
		*sums_at(&moved->places,
			 (const uint64_t[]){ way, caller->module, caller->section, caller->procedure,
					     caller->line, caller->other_file }) += count;
}

/* Returns the direction of a statement, if any: the one with more samples. */
static unsigned way_of_statement(const struct moved *moved, const struct place *caller)
{
	uint64_t most = 0;
	unsigned way = MOVES_NOTHING;

	for (size_t i = 0; i < moved->places.keys.count; i++) {
		const uint64_t *key = sums_key(&moved->places, i);
		uint64_t samples = *sums_values(&moved->places, i);

		if (key[PLACE_MODULE] != caller->module || key[PLACE_SECTION] != caller->section ||
		    key[PLACE_PROCEDURE] != caller->procedure || key[PLACE_LINE] != caller->line ||
		    key[PLACE_OTHER_FILE] != caller->other_file || samples <= most)
			continue;
		way = (unsigned)key[PLACE_WAY];
		most = samples;
	}
	return way;
}

/* Returns whether a stack has no library function that the statement called. */
static bool is_bare(const struct profile *profile, size_t stack)
{
	const struct place *via = attribution_via(&profile->attribution, stack);
	const char *section = via ? profile_text(profile, via->section) : "";

	return !via || !strcmp(section, ".KERNEL") || !strcmp(section, ".PLT") ||
	       !strcmp(section, ".VIGIL");
}

/*
 * Adds kernel time whose place was estimated from neighbours: that place is near a
 * call, not always in it, as the program's code does not execute in the kernel.
 */
static void add_estimated(struct moved *moved, const struct profile *profile, const unsigned char *ways)
{
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct place *caller = attribution_caller(&profile->attribution, cpu->stack);
		unsigned way;

		if (cpu->kind != SAMPLE_KERNEL_ESTIMATED || !caller ||
		    !is_bare(profile, cpu->stack) ||
		    ways_of_stack(&profile->attribution, ways, cpu->stack))
			continue;
		way = way_of_statement(moved, caller);
		if (way)
			add_samples(moved, way, caller, cpu->count);
	}
}

/* Sums up the samples of reading and writing by the statement they are charged to. */
static void moved_init(struct moved *moved, const struct profile *profile)
{
	const struct attribution *attribution = &profile->attribution;
	unsigned char *ways = ways_of_frames(profile);

	memset(moved, 0, sizeof(*moved));
	sums_init(&moved->places, PLACE_KEYS, 1);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		unsigned way = ways_of_stack(attribution, ways, cpu->stack);

		if (way)
			add_samples(moved, way, attribution_caller(attribution, cpu->stack),
				    cpu->count);
	}
	add_estimated(moved, profile, ways);
	sums_sort_falling(&moved->places, 0, NULL, NULL);
	free(ways);
}

/*
 * Returns the directions for which a file was opened: both if unknown, for example
 * if it was opened again.
 */
static unsigned ways_of_file(const struct record_file *file)
{
	uint64_t flags = file->open_flags && file->opens < 2 ? (file->open_flags - 1) & O_ACCMODE
							     : O_RDWR;

	return flags == O_RDONLY ? READS : flags == O_WRONLY ? WRITES : READS | WRITES;
}

static uint64_t samples_of(const struct moved *moved, unsigned ways)
{
	return (ways & READS ? moved->samples[READS] : 0) + (ways & WRITES ? moved->samples[WRITES] : 0);
}

/* Sets where to the statement with most of the samples. */
static void describe_place(const struct advice_search *search, struct advice *advice,
		       const struct moved *moved, unsigned ways)
{
	for (size_t i = 0; i < moved->places.keys.count; i++) {
		size_t row = moved->places.order[i];
		const uint64_t *key = sums_key(&moved->places, row);
		const uint64_t place[ADVICE_WAIT_KEYS] = {
			[ADVICE_MODULE] = key[PLACE_MODULE],
			[ADVICE_SECTION] = key[PLACE_SECTION],
			[ADVICE_PROCEDURE] = key[PLACE_PROCEDURE],
			[ADVICE_LINE] = key[PLACE_LINE],
			[ADVICE_OTHER_FILE] = key[PLACE_OTHER_FILE],
		};

		if (!(key[PLACE_WAY] & ways))
			continue;
		advice_where_wait(search, advice, place);
		advice_evidence(advice, "ACE", "%" PRIu64 " CPU samples of %s there",
				sums_values(&moved->places, row)[0],
				key[PLACE_WAY] == READS ? "reading" : "writing");
		return;
	}
}

/* Adds advice on calls with this many samples; returns NULL if it is not worth reporting. */
static struct advice *add(struct advice_search *search, const struct moved *moved, unsigned ways,
			  double samples)
{
	const struct profile *profile = search->profile;
	double all = (double)profile->samples;
	double percent = all > 0 ? 100 * samples / all : 0;
	double used = (double)session_facts_sampled(profile, profile->samples);
	double saves = used * percent / 100;
	double most = (double)(profile->step.exec ? profile->step.exec : search->run);
	struct advice *advice = advice_add(
		search, "SMALL-BLOCKS", saves > most ? most : saves,
		used * profile_share_margin(profile, percent) / 100,
		"Read and write blocks of 32768 bytes or more, and extract the records from them "
		"in the program; or leave that to stdio (setvbuf).");

	if (advice)
		describe_place(search, advice, moved, ways);
	return advice;
}

static bool is_small(uint64_t calls, uint64_t bytes)
{
	return calls >= MIN_CALLS && bytes / calls <= SMALL_BLOCK_BYTES;
}

/* Appends the mean bytes per call, with one decimal if below ten. */
static void add_mean(struct strbuf *sb, uint64_t calls, uint64_t bytes)
{
	double mean = (double)bytes / (double)calls;

	strbuf_addf(sb, "%.*f byte%s", mean < 9.95 ? 1 : 0, mean, mean > 0.95 && mean < 1.05 ? "" : "s");
}

/* Returns the calls of all files that are read, or written, like this one. */
static uint64_t calls_alike(const struct profile *profile, unsigned ways)
{
	uint64_t calls = 0;

	for (size_t i = 0; i < profile->file_activity.count; i++) {
		const struct activity_sum *sum = &profile->file_activity.items[i];
		const struct record_file *file = id_table_get(&profile->files, sum->id);

		if (file && (ways_of_file(file) & ways))
			calls += sum->calls;
	}
	return calls;
}

static bool add_file(struct advice_search *search, const struct moved *moved,
		     const struct record_file *file, const struct activity_sum *sum)
{
	unsigned ways = ways_of_file(file);
	uint64_t calls = calls_alike(search->profile, ways);
	struct strbuf name = STRBUF_INIT, mean = STRBUF_INIT;
	struct advice *advice = add(search, moved, ways,
				    (double)samples_of(moved, ways) * (double)sum->calls / (double)calls);

	label_file(search->profile, sum->id, &name);
	add_mean(&mean, sum->calls, sum->bytes);
	if (advice) {
		advice_what(advice, "%s is %s %" PRIu64 " times, %s each", name.text,
			    ways == READS    ? "read"
			    : ways == WRITES ? "written"
					     : "read and written",
			    sum->calls, mean.text);
		advice_evidence(advice, "DSC", "%s %" PRIu64 " bytes moved in %" PRIu64 " calls",
				name.text, sum->bytes, sum->calls);
	}
	strbuf_release(&name);
	strbuf_release(&mean);
	return advice != NULL;
}

/* Facts about the files of the step. */
struct whole {
	uint64_t others;		    /* waits for anything but regular files */
	const struct activity_sum *largest; /* the file that moved the most; NULL: none */
	bool is_reported;			    /* advice on a single file was already added */
};

static void add_to_whole(struct whole *whole, const struct record_file *file,
			 const struct activity_sum *sum)
{
	if (file->kind != FILE_REGULAR)
		whole->others += sum->waits;
	if (!whole->largest || sum->bytes > whole->largest->bytes)
		whole->largest = sum;
}

/* Sets what is read and written: the file with most of it, if there is one. */
static void describe_whole_step(const struct profile *profile, struct advice *advice, const struct whole *whole,
		       uint64_t calls)
{
	uint64_t moved = profile->step.moved_bytes;
	bool most = whole->largest && (double)whole->largest->bytes >= REPRESENTATIVE_PART * (double)moved;
	struct strbuf mean = STRBUF_INIT, name = STRBUF_INIT;

	add_mean(&mean, calls, moved);
	if (most)
		label_file(profile, whole->largest->id, &name);
	else
		strbuf_addstr(&name, "the step reads or writes");
	advice_what(advice, "%s%s %" PRIu64 " times, %s each", name.text,
		    most ? " is read or written" : "", calls, mean.text);
	advice_evidence(advice, "MSD", "%" PRIu64 " read and write calls moved %" PRIu64 " bytes", calls,
			moved);
	strbuf_release(&mean);
	strbuf_release(&name);
}

/* The same if calls are known for the whole step only. */
static void add_whole(struct advice_search *search, const struct moved *moved,
		      const struct whole *whole)
{
	const struct profile *profile = search->profile;
	uint64_t calls = profile->step.read_calls + profile->step.write_calls;
	uint64_t bytes = profile->step.moved_bytes;
	struct advice *advice;

	/*
	 * Calls that find nothing are not small blocks; and a program that exchanges short
	 * messages waits each time.
	 */
	if (profile_attribute_number(profile, ATTR_IO_UNKNOWN) || bytes < calls / 2 ||
	    !is_small(calls, bytes) || whole->others > calls / 10)
		return;
	advice = add(search, moved, READS | WRITES,
		     (double)(moved->samples[READS] + moved->samples[WRITES]));
	if (advice)
		describe_whole_step(profile, advice, whole, calls);
}

void advice_calls(struct advice_search *search)
{
	const struct activity_table *table = &search->profile->file_activity;
	struct whole whole = { 0 };
	struct moved moved;

	moved_init(&moved, search->profile);
	for (size_t i = 0; i < table->count; i++) {
		const struct activity_sum *sum = &table->items[i];
		const struct record_file *file = id_table_get(&search->profile->files, sum->id);

		if (!file)
			continue;
		add_to_whole(&whole, file, sum);
		if (file->calls_known && file->bytes_known && is_small(sum->calls, sum->bytes))
			whole.is_reported |= add_file(search, &moved, file, sum);
	}
	if (!whole.is_reported)
		add_whole(search, &moved, &whole);
	sums_release(&moved.places);
}
