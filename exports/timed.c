/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the samples and waits of a profile with their times. */
#include "common/compat.h"
#include "exports/timed.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

/* A wait with its own copy of the record. */
struct kept_wait {
	struct timed_wait wait; /* row: set when it is passed on */
	struct record_wait row;
};

/* State of a reading. */
struct timed {
	struct exporting *exporting;
	uint64_t snapshots, samples; /* numbers read so far */
	uint64_t cpu;		     /* ns of all samples so far */
	uint64_t zero;		     /* start of the time axis, in ns */
	uint64_t last;		     /* end of the previous snapshot */
	/* All that are selected, in the order of the data set. */
	struct timed_sample *kept_samples;
	struct kept_wait *kept_waits;
	size_t sample_count, sample_alloc, wait_count, wait_alloc;
};

static uint64_t since(const struct timed *timed, uint64_t time)
{
	return time > timed->zero ? time - timed->zero : 0;
}

static void take_samples(struct timed *timed, const struct recordset *set)
{
	const struct stack_view *view = &timed->exporting->stacks;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);
		uint64_t cpu = sample_scale_time(&view->scale, ++timed->samples);
		const struct timed_sample sample = {
			.end = since(timed, row->time),
			.cpu = cpu - timed->cpu,
			.stack = id_table_number(&view->profile->stacks, row->stack),
			.task = row->task,
			.transaction = row->transaction,
			.kind = row->kind,
			.number = timed->sample_count,
		};

		timed->cpu = cpu;
		if (!stack_view_wants(view, row->task, row->transaction))
			continue;
		GROW(timed->kept_samples, timed->sample_count + 1, timed->sample_alloc);
		timed->kept_samples[timed->sample_count++] = sample;
	}
}

static void take_waits(struct timed *timed, const struct recordset *set, uint64_t start,
		       uint64_t end)
{
	const struct stack_view *view = &timed->exporting->stacks;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_wait *row = recordset_get(set, i);
		const struct timed_wait wait = {
			.start = since(timed, start),
			.end = since(timed, end),
			.stack = id_table_number(&view->profile->stacks, row->stack),
		};

		if (!stack_view_wants(view, row->task, row->transaction))
			continue;
		GROW(timed->kept_waits, timed->wait_count + 1, timed->wait_alloc);
		timed->kept_waits[timed->wait_count++] = (struct kept_wait){ wait, *row };
	}
}

static void take_snapshot(struct timed *timed, const struct snapshot *snapshot)
{
	const struct recordset *steps = snapshot_records(snapshot, RECORD_STEP);
	const struct record_step *step =
		steps->count ? recordset_get(steps, steps->count - 1) : NULL;
	uint64_t end = step ? step->time : snapshot->time;
	uint64_t start = timed->last && timed->last < end ? timed->last : timed->zero;

	if (step && step->interval <= step->time)
		start = step->time - step->interval;
	take_samples(timed, snapshot_records(snapshot, RECORD_SAMPLE));
	take_waits(timed, snapshot_records(snapshot, RECORD_WAIT), start < end ? start : end, end);
	timed->last = end;
}

static enum module_status timed_init(struct module *module UNUSED, struct error *err UNUSED)
{
	return MODULE_OK;
}

static enum module_status timed_call(struct module *module, enum sync_point point UNUSED,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	struct timed *timed = module->context;

	if (!snapshot_is_empty(snapshot) &&
	    timed->snapshots < timed->exporting->stacks.profile->snapshots) {
		timed->snapshots++;
		take_snapshot(timed, snapshot);
	}
	return MODULE_OK;
}

static void timed_end(struct module *module UNUSED)
{
}

static const struct module_class timed_class = {
	.name = "EXPORT",
	.summary = "samples and waits with their times",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = timed_init,
	.call = timed_call,
	.end = timed_end,
};

static int compare_samples(const void *a, const void *b)
{
	const struct timed_sample *one = a, *other = b;

	if (one->end != other->end)
		return one->end < other->end ? -1 : 1;
	return (one->number > other->number) - (one->number < other->number);
}

/*
 * Passes on what was read. The sampler writes a sample when it knows its place, which may
 * be after later ones (kernel-looks.h).
 */
static void pass_on(struct timed *timed, const struct timed_sink *taker)
{
	size_t next = 0;

	if (timed->sample_count)
		qsort(timed->kept_samples, timed->sample_count, sizeof(*timed->kept_samples), compare_samples);
	for (size_t i = 0; i < timed->wait_count; i++) {
		struct kept_wait *kept = &timed->kept_waits[i];

		for (; next < timed->sample_count && timed->kept_samples[next].end <= kept->wait.end; next++)
			taker->sample(taker->argument, &timed->kept_samples[next]);
		kept->wait.row = &kept->row;
		taker->wait(taker->argument, &kept->wait);
	}
	for (; next < timed->sample_count; next++)
		taker->sample(taker->argument, &timed->kept_samples[next]);
}

/* Selects no records of modules. */
static bool wants_none(const void *argument UNUSED, const struct record_type *type UNUSED)
{
	return false;
}

void timed_read(struct exporting *exporting, const struct timed_sink *taker)
{
	const struct profile *profile = exporting->stacks.profile;
	struct timed timed = { .exporting = exporting,
			       .zero = profile_start(profile) };
	struct dataset_extractor extractor = {
		.path = profile->path, .pass_events = true, .wants = wants_none, .silent = true
	};
	struct engine *engine = engine_new(&session_records);
	struct error err = ERROR_INIT;

	if (!engine_add(engine, &dataset_extractor_class, &extractor, &err) ||
	    !engine_add(engine, &timed_class, &timed, &err) || engine_extract(engine, &err) < 0)
		error_set(&exporting->form_error, "%s cannot be read again: %s", profile->path,
			  error_text(&err));
	else if (timed.samples != profile->samples)
		error_set(&exporting->form_error, "%s was changed while it was read", profile->path);
	error_release(&err);
	engine_free(engine);
	pass_on(&timed, taker);
	free(timed.kept_samples);
	free(timed.kept_waits);
}
