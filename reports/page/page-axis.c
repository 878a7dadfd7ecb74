/* SPDX-License-Identifier: Apache-2.0 */
/* The run over time: the step, its tasks, its files, its memory, the machine. */
#include "common/compat.h"
#include "reports/page/page-axis.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/label.h"
#include "reports/page/page-text.h"

#include <math.h>

/* Maximum number of tasks and of files that get a series. */
#define SERIES_MAX 12
/* Slices of a session without a course. */
#define SLICES_ELSE 200
#define PAGE_BYTES 4096

void page_axis_init(struct page_axis *axis, const struct profile *profile)
{
	uint64_t end = profile_end(profile);

	axis->origin = profile_start(profile);
	axis->start = axis->origin;
	axis->width = end > axis->start ? (end - axis->start + SLICES_ELSE - 1) / SLICES_ELSE : 1;
	axis->count = end > axis->start ? (size_t)((end - axis->start - 1) / axis->width + 1) : 1;
	if (!profile->course || !profile->course->slices)
		return;
	axis->start = profile->course->start;
	axis->width = profile->course->width;
	axis->count = profile->course->slices;
	if (profile->last_time > axis->start &&
	    (profile->last_time - axis->start) / axis->width < COURSE_SLICES)
		axis->count = (size_t)((profile->last_time - axis->start - 1) / axis->width + 1);
	if (axis->count < profile->course->slices)
		axis->count = profile->course->slices;
}

/* State while the groups are written. */
struct writer {
	struct strbuf *out;
	const struct page_axis *axis;
	bool any_group, any_series;
};

static void open_group(struct writer *writer, const char *id, const char *title, const char *unit,
		       const struct page_axis *axis)
{
	strbuf_addf(writer->out, "%s\n{\"id\":\"%s\",\"title\":\"%s\",\"unit\":\"%s\",\"start\":%.0f,"
				 "\"width\":%.0f,\"series\":[",
		    writer->any_group ? "," : "", id, title, unit,
		    (double)axis->start - (double)axis->origin, (double)axis->width);
	writer->any_group = true;
	writer->any_series = false;
}

static void close_group(struct writer *writer)
{
	strbuf_addstr(writer->out, "]}");
}

/* Appends a series; unknown values are NAN. */
static void put_series(struct writer *writer, const char *name, const double *values, size_t count)
{
	strbuf_addstr(writer->out, writer->any_series ? ",\n{\"name\":" : "\n{\"name\":");
	writer->any_series = true;
	page_text_json(writer->out, name);
	strbuf_addstr(writer->out, ",\"values\":[");
	for (size_t i = 0; i < count; i++) {
		strbuf_addstr(writer->out, i ? "," : "");
		if (isfinite(values[i]))
			strbuf_addf(writer->out, "%.4g", values[i]);
		else
			strbuf_addstr(writer->out, "null");
	}
	strbuf_addstr(writer->out, "]}");
}

/*
 * Appends a series from one amount of a timeline: amounts per slice, times scale,
 * limited to limit. A wait is recorded when it ends, so a slice may have more wait
 * time than its length.
 */
static void put_timeline(struct writer *writer, const char *name, const struct timeline *timeline,
			 size_t amount, double scale, double limit)
{
	const struct page_axis *axis = writer->axis;
	double *cells = xcalloc(axis->count, sizeof(*cells));

	timeline_spread(timeline, amount, axis->start, axis->start + axis->width * axis->count, cells,
			axis->count);
	for (size_t i = 0; i < axis->count; i++)
		cells[i] = cells[i] * scale < limit ? cells[i] * scale : limit;
	put_series(writer, name, cells, axis->count);
	free(cells);
}

/* Appends the busiest tasks or files, percent of each slice. */
static void put_activities(struct writer *writer, const struct profile *profile,
			   const struct activity_table *table, bool tasks)
{
	const struct activity_sum *order[SERIES_MAX];
	size_t count = activity_busiest(table, order, SERIES_MAX);
	struct strbuf label = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		strbuf_reset(&label);
		if (tasks)
			label_task(profile, order[i]->id, &label);
		else
			label_file(profile, order[i]->id, &label);
		put_timeline(writer, label.text, &order[i]->timeline, ACTIVITY_BUSY,
			     100 / (double)writer->axis->width, 100);
	}
	strbuf_release(&label);
}

/* Appends the step: what it did, its memory, its faults. */
static void put_step(struct writer *writer, const struct profile *profile)
{
	const struct timeline *timeline = &profile->step.timeline;
	double width = (double)writer->axis->width, second = (double)NSEC_PER_SEC / width;

	open_group(writer, "step", "The step", "%", writer->axis);
	put_timeline(writer, "Executing", timeline, PROFILE_STEP_EXEC, 100 / width, 100);
	put_timeline(writer, "Waiting", timeline, PROFILE_STEP_WAIT, 100 / width, 100);
	put_timeline(writer, "Ready, not running", timeline, PROFILE_STEP_DELAY, 100 / width, 100);
	close_group(writer);
	open_group(writer, "threads", "CPU by thread", "%", writer->axis);
	put_activities(writer, profile, &profile->task_activity, true);
	close_group(writer);
	open_group(writer, "files", "Files waited for", "%", writer->axis);
	put_activities(writer, profile, &profile->file_activity, false);
	close_group(writer);
	open_group(writer, "memory", "Memory of the step", "B", writer->axis);
	put_timeline(writer, "Resident", timeline, PROFILE_STEP_PAGES, PAGE_BYTES / width, INFINITY);
	close_group(writer);
	open_group(writer, "faults", "Page faults a second", "", writer->axis);
	put_timeline(writer, "Minor", timeline, PROFILE_STEP_MINOR, second, INFINITY);
	put_timeline(writer, "Major", timeline, PROFILE_STEP_MAJOR, second, INFINITY);
	close_group(writer);
}

/* Returns the percentage of the machine's processor time that was not idle. */
static double machine_busy(const struct system_slice *slice)
{
	const double *amount = slice->sums[SYSTEM_MACHINE].amount;
	double all = 0;

	for (size_t mode = 0; mode < SYSTEM_MODES; mode++)
		all += amount[mode];
	return all > 0 ? 100 * (all - amount[SYSTEM_IDLE] - amount[SYSTEM_IO_WAIT]) / all : NAN;
}

static double machine_io_wait(const struct system_slice *slice)
{
	const double *amount = slice->sums[SYSTEM_MACHINE].amount;
	double all = 0;

	for (size_t mode = 0; mode < SYSTEM_MODES; mode++)
		all += amount[mode];
	return all > 0 ? 100 * amount[SYSTEM_IO_WAIT] / all : NAN;
}

#define RATE(name_, kind_, field_, scale_) \
	static double name_(const struct system_slice *slice) \
	{ \
		return system_rate(slice, kind_, field_) * (scale_); \
	}
RATE(memory_available, SYSTEM_MEMORY, SYSTEM_AVAILABLE, 1)
RATE(disk_read, SYSTEM_DISK, SYSTEM_BYTES_READ, 1)
RATE(disk_written, SYSTEM_DISK, SYSTEM_BYTES_WRITTEN, 1)
RATE(received, SYSTEM_INTERFACE, SYSTEM_BYTES_RECEIVED, 1)
RATE(sent, SYSTEM_INTERFACE, SYSTEM_BYTES_SENT, 1)
RATE(pressure_cpu, SYSTEM_PRESSURE_CPU, SYSTEM_SOME, 100 / (double)NSEC_PER_SEC)
RATE(pressure_memory, SYSTEM_PRESSURE_MEMORY, SYSTEM_SOME, 100 / (double)NSEC_PER_SEC)
RATE(pressure_io, SYSTEM_PRESSURE_IO, SYSTEM_SOME, 100 / (double)NSEC_PER_SEC)

/* Series of the machine by group; the first of a group has its title. */
static const struct {
	const char *id, *title, *unit, *name;
	double (*of)(const struct system_slice *slice);
} machine[] = {
	{ "cpu", "The machine's processors", "%", "Busy", machine_busy },
	{ "cpu", NULL, NULL, "Idle while a disk is waited for", machine_io_wait },
	{ "available", "The machine's memory", "B", "Available", memory_available },
	{ "disks", "The machine's disks", "B/s", "Read", disk_read },
	{ "disks", NULL, NULL, "Written", disk_written },
	{ "network", "The machine's network", "B/s", "Received", received },
	{ "network", NULL, NULL, "Sent", sent },
	{ "pressure", "Pressure: some task waits", "%", "for a processor", pressure_cpu },
	{ "pressure", NULL, NULL, "for memory", pressure_memory },
	{ "pressure", NULL, NULL, "for a device", pressure_io },
};

/* Appends the machine, in as many slices as its records can resolve. */
static void put_machine(struct writer *writer, const struct profile *profile)
{
	size_t count = system_activity_any(profile) ? system_activity_resolution(profile, COURSE_SLICES) : 0;
	struct page_axis axis = *writer->axis;
	struct system_slice *slices;
	double *values;

	if (!count)
		return;
	axis.start = axis.origin;
	axis.width = (profile_end(profile) - axis.start) / count;
	slices = system_activity_slices(profile, axis.start, profile_end(profile), count);
	values = xcalloc(count, sizeof(*values));
	for (size_t i = 0; i < ARRAY_SIZE(machine); i++) {
		if (machine[i].title && i)
			close_group(writer);
		if (machine[i].title)
			open_group(writer, machine[i].id, machine[i].title, machine[i].unit, &axis);
		for (size_t slice = 0; slice < count; slice++)
			values[slice] = machine[i].of(&slices[slice]);
		put_series(writer, machine[i].name, values, count);
	}
	close_group(writer);
	free(values);
	free(slices);
}

void page_axis_json(const struct page_axis *axis, const struct profile *profile, struct strbuf *out)
{
	struct writer writer = { .out = out, .axis = axis };

	strbuf_addch(out, '[');
	if (profile->snapshots)
		put_step(&writer, profile);
	put_machine(&writer, profile);
	strbuf_addch(out, ']');
}
