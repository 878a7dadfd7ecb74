/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine did while the step ran, and the step's part of it. */
#include "common/compat.h"
#include "profile/system-activity.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/profile.h"
#include "records/record-types.h"

#include <math.h>

#define PAGE_BYTES 4096.0
/* Minimum known fraction of a slice; below it the slice counts as unknown. */
#define KNOWN_MIN 0.01

enum sense { COUNTER, LEVEL };

struct item {
	const char *name, *unit;
	enum sense sense;
};

/* Which records belong to a kind. */
static const struct kind {
	const char *record;
	const char *identity; /* item that distinguishes its records; NULL: there is one */
	const char *only;     /* the only value that belongs to the kind; NULL: all others */
	struct item items[SYSTEM_FIELDS];
} kinds[SYSTEM_KINDS] = {
	[SYSTEM_MACHINE] = { .record = "sys",
			     .items = { [SYSTEM_USER] = { "user", "ns", COUNTER },
					[SYSTEM_NICE] = { "nice", "ns", COUNTER },
					[SYSTEM_KERNEL] = { "system", "ns", COUNTER },
					[SYSTEM_IDLE] = { "idle", "ns", COUNTER },
					[SYSTEM_IO_WAIT] = { "io_wait", "ns", COUNTER },
					[SYSTEM_INTERRUPTS] = { "interrupts_time", "ns", COUNTER },
					[SYSTEM_SOFT_INTERRUPTS] = { "soft_interrupts_time", "ns",
								     COUNTER },
					[SYSTEM_STOLEN] = { "stolen", "ns", COUNTER },
					[SYSTEM_SWITCHES] = { "context_switches", "count",
							      COUNTER },
					[SYSTEM_LOAD] = { "load_1", "tasks", LEVEL },
					[SYSTEM_RUNNING] = { "running", "tasks", LEVEL },
					[SYSTEM_BLOCKED] = { "blocked", "tasks", LEVEL } } },
	[SYSTEM_PROCESSOR] = { .record = "cpu",
			       .identity = "number",
			       .items = { [SYSTEM_USER] = { "user", "ns", COUNTER },
					  [SYSTEM_NICE] = { "nice", "ns", COUNTER },
					  [SYSTEM_KERNEL] = { "system", "ns", COUNTER },
					  [SYSTEM_IDLE] = { "idle", "ns", COUNTER },
					  [SYSTEM_IO_WAIT] = { "io_wait", "ns", COUNTER },
					  [SYSTEM_INTERRUPTS] = { "interrupts", "ns", COUNTER },
					  [SYSTEM_SOFT_INTERRUPTS] = { "soft_interrupts", "ns",
								       COUNTER },
					  [SYSTEM_STOLEN] = { "stolen", "ns", COUNTER },
					  [SYSTEM_RUN_DELAY] = { "run_delay", "ns", COUNTER } } },
	[SYSTEM_MEMORY] = { .record = "mem",
			    .items = { [SYSTEM_TOTAL] = { "total", "bytes", LEVEL },
				       [SYSTEM_AVAILABLE] = { "available", "bytes", LEVEL },
				       [SYSTEM_FREE] = { "free", "bytes", LEVEL },
				       [SYSTEM_CACHED] = { "cached", "bytes", LEVEL },
				       [SYSTEM_BUFFERS] = { "buffers", "bytes", LEVEL },
				       [SYSTEM_SWAP_TOTAL] = { "swap_total", "bytes", LEVEL },
				       [SYSTEM_SWAP_FREE] = { "swap_free", "bytes", LEVEL },
				       [SYSTEM_FAULTS] = { "faults", "count", COUNTER },
				       [SYSTEM_MAJOR_FAULTS] = { "major_faults", "count", COUNTER },
				       [SYSTEM_SWAPPED_IN] = { "swapped_in", "pages", COUNTER },
				       [SYSTEM_SWAPPED_OUT] = { "swapped_out", "pages",
								COUNTER } } },
	[SYSTEM_DISK] = { .record = "dsk",
			  .identity = "name",
			  .items = { [SYSTEM_READS] = { "reads", "count", COUNTER },
				     [SYSTEM_WRITES] = { "writes", "count", COUNTER },
				     [SYSTEM_BYTES_READ] = { "bytes_read", "bytes", COUNTER },
				     [SYSTEM_BYTES_WRITTEN] = { "bytes_written", "bytes", COUNTER },
				     [SYSTEM_READ_TIME] = { "read_time", "ns", COUNTER },
				     [SYSTEM_WRITE_TIME] = { "write_time", "ns", COUNTER },
				     [SYSTEM_BUSY_TIME] = { "busy_time", "ns", COUNTER },
				     [SYSTEM_QUEUE_TIME] = { "queue_time", "ns", COUNTER } } },
#define INTERFACE_ITEMS \
	{ \
		[SYSTEM_BYTES_RECEIVED] = { "bytes_received", "bytes", COUNTER }, \
		[SYSTEM_PACKETS_RECEIVED] = { "packets_received", "count", COUNTER }, \
		[SYSTEM_BYTES_SENT] = { "bytes_sent", "bytes", COUNTER }, \
		[SYSTEM_PACKETS_SENT] = { "packets_sent", "count", COUNTER }, \
		[SYSTEM_RECEIVE_ERRORS] = { "receive_errors", "count", COUNTER }, \
		[SYSTEM_SEND_ERRORS] = { "send_errors", "count", COUNTER }, \
		[SYSTEM_RECEIVE_DROPS] = { "receive_drops", "count", COUNTER }, \
		[SYSTEM_SEND_DROPS] = { \
			"send_drops", \
			"count", \
			COUNTER \
		} \
	}
	[SYSTEM_INTERFACE] = { .record = "nti", .identity = "name", .items = INTERFACE_ITEMS },
	[SYSTEM_LOOPBACK] = { .record = "nti",
			      .identity = "name",
			      .only = "lo",
			      .items = INTERFACE_ITEMS },
#define PRESSURE(resource) \
	{ \
		.record = "psi", .identity = "resource", .only = (resource), .items = { \
			[SYSTEM_SOME] = { "some_total", "ns", COUNTER }, \
			[SYSTEM_FULL] = { "full_total", "ns", COUNTER } \
		} \
	}
	[SYSTEM_PRESSURE_CPU] = PRESSURE("cpu"),
	[SYSTEM_PRESSURE_MEMORY] = PRESSURE("memory"),
	[SYSTEM_PRESSURE_IO] = PRESSURE("io"),
	[SYSTEM_PRESSURE_IRQ] = PRESSURE("irq"),
};

#define MISSING UINT64_MAX
/* Limit of instances: a damaged data set may have any number of names. */
#define INSTANCES_MAX 8192

void system_activity_release(struct system_activity *system)
{
	for (size_t kind = 0; kind < SYSTEM_KINDS; kind++) {
		struct system_series *series = &system->series[kind];

		for (size_t i = 0; i < series->count; i++)
			free(series->items[i].name);
		free(series->items);
		for (size_t i = 0; i < ARRAY_SIZE(series->courses); i++)
			timeline_release(&series->courses[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(system->step); i++)
		timeline_release(&system->step[i]);
}

/* Returns the number of a field by name and unit, SIZE_MAX if the type has none. */
static size_t find_field(const struct record_type *type, const char *name, const char *unit)
{
	for (size_t i = 0; i < type->field_count; i++)
		if (strcmp(type->fields[i].name, name) == 0)
			return unit && strcmp(type->fields[i].unit, unit) != 0 ? SIZE_MAX : i;
	return SIZE_MAX;
}

/*
 * Returns a value as a number, at least 0; MISSING if it has none. *real: the same
 * with its fraction.
 */
static uint64_t value_of(const struct recordset *set, size_t record, size_t field, double *real)
{
	struct field_value value;

	*real = NAN;
	if (field == SIZE_MAX || !recordset_value(set, record, field, &value))
		return MISSING;
	switch (value.type) {
	case FIELD_UNSIGNED:
	case FIELD_U8:
	case FIELD_U16:
	case FIELD_U32:
		*real = (double)value.number;
		return value.number;
	case FIELD_SIGNED:
	case FIELD_I8:
	case FIELD_I16:
	case FIELD_I32:
		*real = (double)value.integer;
		return value.integer < 0 ? MISSING : (uint64_t)value.integer;
	case FIELD_DOUBLE:
		*real = value.real;
		return value.real >= 0 && value.real < 0x1p63 ? (uint64_t)value.real : MISSING;
	default:
		return MISSING;
	}
}

/* Gets the name of a record: its text, or its number. */
static void name_of(const struct recordset *set, size_t record, size_t field,
		    const struct strmap *strings, struct strbuf *name)
{
	struct field_value value;

	strbuf_reset(name);
	if (field == SIZE_MAX || !recordset_value(set, record, field, &value))
		return;
	if (value.type == FIELD_STRING)
		strbuf_addstr(name, value.number < UINT32_MAX
					    ? strmap_text(strings, (uint32_t)value.number)
					    : "");
	else if (value.type == FIELD_UNSIGNED)
		strbuf_addf(name, "%" PRIu64, value.number);
}

/* Returns whether name begins with one of the words. */
static bool begins(const char *name, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* Returns whether a disk is a partition of another: "sda1" of "sda", "nvme0n1p2" of "nvme0n1". */
static bool is_part(const char *name, const char *whole)
{
	size_t length = strlen(whole);

	if (strncmp(name, whole, length) != 0 || !name[length])
		return false;
	name += length;
	if (whole[length - 1] >= '0' && whole[length - 1] <= '9' && *name++ != 'p')
		return false;
	return *name && !name[strspn(name, "0123456789")];
}

/* Returns whether no other counted instance covers this one's activity. */
static bool is_counted(const struct system_series *series, enum system_kind kind, const char *name)
{
	static const char *const stacked[] = {
		"dm-", "md", "loop", "ram", "zram", "drbd", "bcache"
	};
	static const char *const shared[] = { "bond",	"team", "br-",	 "br0",	  "bridge",
					      "docker", "veth", "virbr", "vnet",  "tun",
					      "tap",	"wg",	"vxlan", "dummy", "ifb" };

	if (kind == SYSTEM_INTERFACE)
		return !begins(name, shared, ARRAY_SIZE(shared)) && !strchr(name, '.');
	if (kind != SYSTEM_DISK)
		return true;
	for (size_t i = 0; i < series->count; i++)
		if (is_part(name, series->items[i].name))
			return false;
	return !begins(name, stacked, ARRAY_SIZE(stacked));
}

/*
 * Returns the instance of a name, adding it if it is new; NULL: there are too
 * many. guess: its probable position.
 */
static struct system_instance *find_instance(struct system_series *series, enum system_kind kind,
					     const char *name, size_t guess)
{
	struct system_instance *made;

	for (size_t i = 0; i < series->count; i++) {
		size_t at = (guess + i) % series->count;

		if (strcmp(series->items[at].name, name) == 0)
			return &series->items[at];
	}
	RETURN_IF(series->count >= INSTANCES_MAX, NULL);
	GROW(series->items, series->count + 1, series->alloc);
	made = &series->items[series->count];
	*made = (struct system_instance){ .name = xstrdup(name),
					  .counted = is_counted(series, kind, name) };
	series->count++;
	return made;
}

/* Adds to a sum the change of an instance's field since its last record. */
static void add_value(struct system_instance *instance, size_t field, enum sense sense,
		      uint64_t value, double real, uint64_t since, double length,
		      struct system_sum *all)
{
	uint64_t before = instance->last[field];
	double amount = NAN;

	instance->last[field] = value;
	if (!since || instance->seen != since)
		return;
	if (sense == LEVEL)
		amount = real * length;
	else if (value != MISSING && before != MISSING && value >= before)
		amount = (double)(value - before);
	if (isnan(amount))
		return;
	instance->sum.amount[field] += amount;
	instance->sum.known[field] += length;
	if (!instance->counted)
		return;
	all->amount[field] += amount;
	all->known[field] = length;
}

/* Stores the sums of a stretch. */
static void keep(struct system_series *series, const struct system_sum *all, uint64_t start,
		 uint64_t end, uint64_t resolution)
{
	for (size_t i = 0; i < ARRAY_SIZE(series->courses); i++) {
		struct stretch stretch = { .start = start, .end = end };

		for (size_t j = 0; j < 3; j++) {
			stretch.amount[2 * j] = all->amount[3 * i + j];
			stretch.amount[2 * j + 1] = all->known[3 * i + j];
		}
		timeline_add(&series->courses[i], &stretch, resolution);
	}
}

/* Returns whether a record belongs to a kind that covers only part of its type. */
static bool belongs_to_kind(const struct kind *kind, enum system_kind number, const char *name)
{
	if (kind->only)
		return strcmp(name, kind->only) == 0;
	return number != SYSTEM_INTERFACE || strcmp(name, kinds[SYSTEM_LOOPBACK].only) != 0;
}

/* Takes the records of a kind; returns whether there were any. */
static bool take_kind(struct system_series *series, enum system_kind number,
		      const struct snapshot *snapshot, const struct strmap *strings,
		      uint64_t resolution)
{
	const struct kind *kind = &kinds[number];
	const struct record_type *type = registry_find(snapshot->types, kind->record);
	const struct recordset *set = type ? snapshot_records(snapshot, type->id) : NULL;
	double length = (double)(snapshot->time - series->last);
	size_t fields[SYSTEM_FIELDS], identity, found = 0;
	struct system_sum all = { 0 };
	struct strbuf name = STRBUF_INIT;

	if (!set || !set->count || snapshot->time <= series->last)
		return false;
	for (size_t i = 0; i < SYSTEM_FIELDS; i++)
		fields[i] = kind->items[i].name ? find_field(set->type, kind->items[i].name,
							     kind->items[i].unit)
						: SIZE_MAX;
	identity = kind->identity ? find_field(set->type, kind->identity, NULL) : SIZE_MAX;
	for (size_t i = 0; i < set->count; i++) {
		struct system_instance *instance;

		name_of(set, i, identity, strings, &name);
		if (!belongs_to_kind(kind, number, name.text))
			continue;
		instance = find_instance(series, number, name.text, found);
		if (!instance)
			continue;
		found++;
		for (size_t j = 0; j < SYSTEM_FIELDS; j++) {
			double real;
			uint64_t value = value_of(set, i, fields[j], &real);

			add_value(instance, j, kind->items[j].sense, value, real, series->last,
				  length, &all);
		}
		instance->seen = snapshot->time;
	}
	strbuf_release(&name);
	if (!found)
		return false;
	if (series->last)
		keep(series, &all, series->last, snapshot->time, resolution);
	series->last = snapshot->time;
	series->present = found;
	series->records++;
	return true;
}

/* Returns whether a file is a network socket: its name is an address and a port. */
static bool is_network(const struct profile *profile, uint64_t id)
{
	const struct record_file *file = id_table_get(&profile->files, id);
	const char *path =
		file && file->kind == FILE_SOCKET ? profile_text(profile, file->path) : "";
	const char *port = strrchr(path, ':');

	return port && *path != '/' && *path != '@' && port[1] &&
	       !port[1 + strspn(port + 1, "0123456789")];
}

/* Adds the waits of a snapshot. */
static void add_waits(const struct recordset *set, double *amount)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct record_wait *wait = recordset_get(set, i);
		double total = (double)wait->total;

		switch (wait->reason) {
		case WAIT_DISPATCH:
			amount[SYSTEM_STEP_READY] += total;
			break;
		case WAIT_FILE_READ:
		case WAIT_FILE_WRITE:
		case WAIT_FILE_SYNC:
		case WAIT_FILE_OTHER:
			amount[SYSTEM_STEP_IO] += total;
			break;
		case WAIT_PAGE:
			amount[SYSTEM_STEP_PAGE] += total;
			break;
		case WAIT_SOCKET:
			amount[SYSTEM_STEP_SOCKET] += total;
			break;
		default:
			break;
		}
	}
}

/* Adds what the step used. */
static void take_step(struct profile *profile, const struct snapshot *snapshot,
		      const struct system_span *span)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_STEP);
	double amount[SYSTEM_STEP_AMOUNTS] = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct record_step *step = recordset_get(set, i);

		amount[SYSTEM_STEP_TIME] += (double)step->interval;
		amount[SYSTEM_STEP_READ] += (double)step->read_bytes;
		amount[SYSTEM_STEP_WRITTEN] += (double)step->write_bytes;
		amount[SYSTEM_STEP_RESIDENT] +=
			(double)step->resident * PAGE_BYTES * (double)step->interval;
		amount[SYSTEM_STEP_MINOR] += (double)step->minor_faults;
		amount[SYSTEM_STEP_MAJOR] += (double)step->major_faults;
	}
	set = snapshot_records(snapshot, RECORD_ACTIVITY);
	for (size_t i = 0; i < set->count; i++)
		amount[SYSTEM_STEP_CPU] +=
			(double)((const struct record_activity *)recordset_get(set, i))->cpu;
	add_waits(snapshot_records(snapshot, RECORD_WAIT), amount);
	set = snapshot_records(snapshot, RECORD_FILE_ACTIVITY);
	for (size_t i = 0; i < set->count; i++) {
		const struct record_file_activity *row = recordset_get(set, i);

		if (row->bytes && is_network(profile, row->file))
			amount[SYSTEM_STEP_NETWORK] += (double)row->bytes;
	}
	for (size_t i = 0; i < ARRAY_SIZE(profile->system.step); i++) {
		struct stretch stretch = { .start = span->start, .end = span->end };

		memcpy(stretch.amount, amount + i * TIMELINE_AMOUNTS, sizeof(stretch.amount));
		timeline_add(&profile->system.step[i], &stretch, span->resolution);
	}
}

void system_activity_take(struct profile *profile, const struct snapshot *snapshot,
			  const struct strmap *strings, const struct system_span *span)
{
	struct system_activity *system = &profile->system;
	bool taken[SYSTEM_KINDS], any = false;

	take_step(profile, snapshot, span);
	for (size_t kind = 0; kind < SYSTEM_KINDS; kind++) {
		taken[kind] =
			take_kind(&system->series[kind], kind, snapshot, strings, span->resolution);
		any = any || taken[kind];
	}
	if (!any)
		return;
	system->snapshots++;
	/* Records that other kinds have but this one lacks are a gap. */
	for (size_t kind = 0; kind < SYSTEM_KINDS; kind++)
		if (!taken[kind])
			system->series[kind].last = 0;
}

bool system_activity_any(const struct profile *profile)
{
	return profile->system.snapshots > 0;
}

size_t system_activity_resolution(const struct profile *profile, size_t most)
{
	size_t count = 0;

	for (size_t kind = 0; kind < SYSTEM_KINDS; kind++)
		if (profile->system.series[kind].courses[0].count > count)
			count = profile->system.series[kind].courses[0].count;
	return count < most ? count : most;
}

/* Spreads one amount of a timeline over the slices; it is at offset in each. */
static void spread(const struct timeline *timeline, size_t amount, struct system_slice *slices,
		   size_t count, size_t offset)
{
	double *cells = xcalloc(count, sizeof(*cells));

	timeline_spread(timeline, amount, slices[0].start, slices[count - 1].end, cells, count);
	for (size_t i = 0; i < count; i++)
		*(double *)(void *)((char *)&slices[i] + offset) = cells[i];
	free(cells);
}

struct system_slice *system_activity_slices(const struct profile *profile, uint64_t start,
					    uint64_t end, size_t count)
{
	const struct system_activity *system = &profile->system;
	struct system_slice *slices = xcalloc(count, sizeof(*slices));
	double width = (double)(end - start) / (double)count;

	for (size_t i = 0; i < count; i++) {
		slices[i].start = start + (uint64_t)(width * (double)i);
		slices[i].end = i + 1 < count ? start + (uint64_t)(width * (double)(i + 1)) : end;
	}
	for (size_t kind = 0; kind < SYSTEM_KINDS; kind++)
		for (size_t field = 0; field < SYSTEM_FIELDS; field++) {
			const struct timeline *course = &system->series[kind].courses[field / 3];
			size_t amount = field % 3 * 2;

			spread(course, amount, slices, count,
			       offsetof(struct system_slice, sums[kind].amount[field]));
			spread(course, amount + 1, slices, count,
			       offsetof(struct system_slice, sums[kind].known[field]));
		}
	for (size_t i = 0; i < SYSTEM_STEP_AMOUNTS; i++)
		spread(&system->step[i / TIMELINE_AMOUNTS], i % TIMELINE_AMOUNTS, slices, count,
		       offsetof(struct system_slice, step[i]));
	return slices;
}

double system_rate(const struct system_slice *slice, enum system_kind kind, size_t field)
{
	const struct system_sum *sum = &slice->sums[kind];
	double length = (double)(slice->end - slice->start);

	if (sum->known[field] <= KNOWN_MIN * length)
		return NAN;
	return sum->amount[field] / sum->known[field] *
	       (kinds[kind].items[field].sense == LEVEL ? 1 : (double)NSEC_PER_SEC);
}

double system_instance_rate(const struct system_instance *instance, size_t field)
{
	if (!(instance->sum.known[field] > 0))
		return NAN;
	return instance->sum.amount[field] / instance->sum.known[field] * (double)NSEC_PER_SEC;
}

double system_step_rate(const struct system_slice *slice, enum system_step amount)
{
	double length = (double)(slice->end - slice->start);

	if (slice->step[SYSTEM_STEP_TIME] <= KNOWN_MIN * length)
		return NAN;
	return slice->step[amount] / slice->step[SYSTEM_STEP_TIME];
}

uint64_t system_processors(const struct profile *profile)
{
	uint64_t present = profile->system.series[SYSTEM_PROCESSOR].present;

	return present ? present : session_attributes_number(&profile->attributes, ATTR_CPUS);
}
