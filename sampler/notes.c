/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler's facts and figures as attributes, and what is missing as notes. */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/core.h"

/* Figures are told again after this part of the time since the start, so that there are few. */
#define FIGURES_PART 200
/* Rings below this size lose records under load. */
#define RING_SMALL (256u << 10)

/* The name of a rung as ATTR_PRIVILEGE has it. */
static const char *privilege_name(enum privilege privilege)
{
	switch (privilege) {
	case PRIVILEGE_FULL:
		return "FULL";
	case PRIVILEGE_USER:
		return "USER";
	case PRIVILEGE_PROC:
		return "PROC";
	case PRIVILEGE_AUTO:
		break;
	}
	return "";
}

/* An attribute that is a number. */
static void add_number(struct snapshot *snapshot, struct engine *engine, const char *key,
		       uint64_t value)
{
	snapshot_attribute(snapshot, engine, key, "%" PRIu64, value);
}

/* The figures that change while the session lasts. */
static void add_figures(struct sampler *sampler, struct snapshot *snapshot)
{
	struct engine *engine = sampler->rows_engine;
	struct sampler_counts counts;

	sampler_counts(sampler, &counts);
	add_number(snapshot, engine, ATTR_PERIOD, counts.period);
	add_number(snapshot, engine, ATTR_TAKEN, counts.taken);
	add_number(snapshot, engine, ATTR_PROCESSED, counts.processed);
	add_number(snapshot, engine, ATTR_THINNED, counts.thinned);
	add_number(snapshot, engine, ATTR_LOST, counts.lost);
	add_number(snapshot, engine, ATTR_SWITCHES, counts.switches);
	add_number(snapshot, engine, ATTR_SWITCHES_LOST, counts.records_lost);
	add_number(snapshot, engine, ATTR_STACKS_WHOLE, counts.whole);
	add_number(snapshot, engine, ATTR_STACKS_BROKEN, counts.broken);
	add_number(snapshot, engine, ATTR_CPU_EXACT, counts.cpu_exact);
}

/* Whether the kernel hides its symbols' addresses: they all read 0. */
static bool kernel_names_hidden(void)
{
	char line[256] = "";
	FILE *stream = fopen("/proc/kallsyms", "re");
	bool hidden;

	RETURN_IF(!stream, true);
	hidden = !fgets(line, sizeof(line), stream) || strtoull(line, NULL, 16) == 0;
	fclose(stream);
	return hidden;
}

/* Why the kernel is not sampled: what it said, and its setting. */
static void describe_refusal(const struct sampler *sampler, struct strbuf *why)
{
	struct strbuf setting = STRBUF_INIT;

	strbuf_addstr(why, error_text(&sampler->refusal));
	if (why->length == 0)
		strbuf_addstr(why, "as asked for");
	else if (strbuf_read_file(&setting, "/proc/sys/kernel/perf_event_paranoid") == 0)
		strbuf_addf(why, " (kernel.perf_event_paranoid is %ld)",
			    strtol(setting.text, NULL, 10));
	strbuf_release(&setting);
}

/* What the rung of the ladder lacks. */
static void note_privilege(struct sampler *sampler, struct snapshot *snapshot)
{
	struct engine *engine = sampler->rows_engine;
	struct strbuf why = STRBUF_INIT;

	describe_refusal(sampler, &why);
	switch (sampler->privilege) {
	case PRIVILEGE_FULL:
		if (kernel_names_hidden())
			snapshot_note(snapshot, engine, SEVERITY_INFO, 3003,
				      "the kernel's procedures have no names, because "
				      "kernel.kptr_restrict hides their addresses");
		break;
	case PRIVILEGE_USER:
		snapshot_note(
			snapshot, engine, SEVERITY_INFO, 3001,
			"time in the kernel is exact as a sum, but its procedures are not seen: %s",
			why.text);
		break;
	case PRIVILEGE_PROC:
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3002,
			      "executing tasks have no call stacks and times are those seen every "
			      "%d ms, because the kernel's events cannot be used: %s",
			      PROC_TICK_MS, why.text);
		break;
	case PRIVILEGE_AUTO:
		break;
	}
	if (sampler->perf_open && sampler->perf.ring_size < RING_SMALL)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3006,
			      "the kernel grants only %zu KiB a processor for its records, so some "
			      "may be lost",
			      sampler->perf.ring_size >> 10);
	strbuf_release(&why);
}

/* What went wrong on the way; each is told once, as soon as it is known. */
static void note_losses(struct sampler *sampler, struct snapshot *snapshot, bool last)
{
	struct engine *engine = sampler->rows_engine;
	uint64_t missed;

	if (!sampler->refused_noted && prober_refused(sampler->prober)) {
		sampler->refused_noted = true;
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3005,
			      "the place of some waits could not be read: not permitted");
	}
	if (!sampler->thin_noted && sampler->thin_failed) {
		sampler->thin_noted = true;
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3007,
			      "the samples stored so far could not be thinned, so all are kept");
	}
	if (!last)
		return;
	if (sampler->records_lost)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3004,
			      "%" PRIu64 " records of the kernel were lost for want of room",
			      sampler->records_lost);
	missed = transactions_missed(sampler->transactions);
	if (missed)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3008,
			      "%" PRIu64 " changes of transactions came too fast and were lost",
			      missed);
}

void notes_add(struct sampler *sampler, struct snapshot *snapshot, bool last)
{
	uint64_t now = clock_monotonic_ns(), pause = (now - sampler->start) / FIGURES_PART;

	if (!sampler->noted) {
		sampler->noted = true;
		snapshot_attribute(snapshot, sampler->rows_engine, ATTR_PRIVILEGE, "%s",
				   privilege_name(sampler->privilege));
		add_number(snapshot, sampler->rows_engine, ATTR_PERIOD_INITIAL,
			   sampler->period_initial);
		note_privilege(sampler, snapshot);
	}
	note_losses(sampler, snapshot, last);
	collect_notes(sampler->collect, sampler->rows_engine, snapshot);
	if (pause < NSEC_PER_SEC)
		pause = NSEC_PER_SEC;
	if (!last && sampler->figures_at && now - sampler->figures_at < pause &&
	    sampler->figures_period == sampler->period)
		return;
	sampler->figures_at = now;
	sampler->figures_period = sampler->period;
	add_figures(sampler, snapshot);
}
