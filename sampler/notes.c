/* SPDX-License-Identifier: Apache-2.0 */
/* Writes attributes and notes. */
#include "common/compat.h"
#include "sampler/notes.h"
#include "agent/transaction-area.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/proc.h"
#include "sampler/sampler-data.h"

/* Figures are written again after 1/N of the time since the start, so that there are few. */
#define FIGURES_PART 200
/* Time without a known place is reported from 1/N of the CPU time on. */
#define UNPLACED_PART 20
/* Rings below this size lose records under load. */
#define RING_SMALL (256u << 10)

/* Returns the name of a privilege level as in ATTR_PRIVILEGE. */
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

/* Adds an attribute that is a number. */
static void add_number(struct snapshot *snapshot, struct engine *engine, const char *key,
		       uint64_t value)
{
	snapshot_attribute(snapshot, engine, key, "%" PRIu64, value);
}

/* Adds what the session costs, and what was thinned to limit it. */
static void add_costs(const struct sampler *sampler, struct engine *engine,
		      struct snapshot *snapshot)
{
	const struct windows *windows = &sampler->windows;

	if (sampler->privilege == PRIVILEGE_PROC)
		return;
	snapshot_attribute(snapshot, engine, ATTR_COST_ASKED, "%g", sampler->cost.asked * 100);
	if (!cost_watch_is_bounded(&sampler->cost))
		return;
	add_number(snapshot, engine, ATTR_COST_OWN, windows->own);
	add_number(snapshot, engine, ATTR_COST_ADDED, (uint64_t)windows->added);
	if (sampler->duty.unseen)
		add_number(snapshot, engine, ATTR_COST_UNSEEN, sampler->duty.unseen);
	if (sampler->cost.level_max)
		add_number(snapshot, engine, ATTR_COST_LOOKS,
			   UINT64_C(1) << sampler->cost.level_max);
	if (windows->halved)
		add_number(snapshot, engine, ATTR_COST_HALVED, windows->halved);
}

/* Adds the figures that change during the session. */
static void add_figures(const struct sampler *sampler, struct engine *engine,
			struct snapshot *snapshot)
{
	const struct sample_ledger *ledger = &sampler->ledger;
	/*
	 * With /proc alone CPU time is the scheduler's count, which does not contain
	 * stolen time.
	 */
	uint64_t executed = sampler->tasks.cpu -
			    (sampler->privilege == PRIVILEGE_PROC ? 0 : sampler->stolen.step);

	if (sampler->resource_usage.io_unknown)
		add_number(snapshot, engine, ATTR_IO_UNKNOWN, 1);
	/* The session knows this itself for a program that it started. */
	if (!sampler->follow && sampler->resource_usage.peak)
		add_number(snapshot, engine, ATTR_PEAK_RESIDENT, sampler->resource_usage.peak);
	add_number(snapshot, engine, ATTR_PERIOD, ledger->period);
	add_number(snapshot, engine, ATTR_TAKEN, ledger->taken);
	add_number(snapshot, engine, ATTR_PROCESSED, ledger->processed);
	add_number(snapshot, engine, ATTR_THINNED, ledger->thinned);
	add_number(snapshot, engine, ATTR_LOST, ledger->lost);
	if (ledger->lost)
		add_number(snapshot, engine, ATTR_LOST_SQUARES, (uint64_t)sampler->losses.squares);
	if (sampler->kernel_looks.squares > 0)
		add_number(snapshot, engine, ATTR_KERNEL_SQUARES,
			   (uint64_t)(sampler->kernel_looks.squares / (1000 * 1000)));
	add_number(snapshot, engine, ATTR_SWITCHES, sampler->tasks.switches);
	add_number(snapshot, engine, ATTR_SWITCHES_LOST, sampler->observe.records_lost);
	add_number(snapshot, engine, ATTR_STACKS_WHOLE, ledger->whole);
	add_number(snapshot, engine, ATTR_STACKS_BROKEN, ledger->broken);
	add_number(snapshot, engine, ATTR_CPU_EXACT, executed);
	if (sampler->stolen.machine)
		add_number(snapshot, engine, ATTR_STOLEN, sampler->stolen.step);
	add_number(snapshot, engine, ATTR_STACKS_CUT, ledger->truncated);
	if (sampler->clock.passed_paused)
		add_number(snapshot, engine, ATTR_PAUSED, sampler->clock.passed_paused);
}

/* Returns whether the kernel hides the addresses of its symbols: they all read 0. */
static bool kernel_names_hidden(void)
{
	char path[PROCFS_PATH_SIZE], text[256];

	return procfs_read(procfs_path(path, "/proc/kallsyms"), text, sizeof(text)) <= 0 ||
	       strtoull(text, NULL, 16) == 0;
}

/* Describes why the kernel is not sampled: the error, and its setting. */
static void describe_refusal(const struct sampler *sampler, struct strbuf *why)
{
	char path[PROCFS_PATH_SIZE], setting[32];

	strbuf_addstr(why, error_text(&sampler->refusal));
	procfs_path(path, "/proc/sys/kernel/perf_event_paranoid");
	if (why->length == 0)
		strbuf_addstr(why, "as requested");
	else if (procfs_read(path, setting, sizeof(setting)) >= 0)
		strbuf_addf(why, " (kernel.perf_event_paranoid is %ld)", strtol(setting, NULL, 10));
}

/* Adds notes on what the privilege level lacks. */
static void note_privilege(struct sampler *sampler, struct engine *engine,
			   struct snapshot *snapshot)
{
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
			"the kernel is not sampled: its time is the CPU time minus the samples of "
			"the program, and its procedures are not seen: %s",
			why.text);
		break;
	case PRIVILEGE_PROC:
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3002,
			      "executing tasks have no call stacks and times are observed every %d "
			      "ms, because the kernel's events cannot be used: %s",
			      PROC_TICK_MS, why.text);
		break;
	case PRIVILEGE_AUTO:
		break;
	}
	if (sampler->perf.open && sampler->perf.ring_size < RING_SMALL)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3006,
			      "the kernel grants only %zu KiB per processor for its records, so "
			      "some may be lost",
			      sampler->perf.ring_size >> 10);
	strbuf_release(&why);
}

/* Adds notes on problems, each once and as soon as it is known. */
static void note_losses(struct sampler *sampler, struct engine *engine, struct snapshot *snapshot,
			bool last)
{
	if (!sampler->notes.refused && prober_refused(sampler->prober)) {
		sampler->notes.refused = true;
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3005,
			      "the places of some waits could not be read: not permitted");
	}
	if (!sampler->notes.thin && sampler->thin.failed) {
		sampler->notes.thin = true;
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3007,
			      "the samples stored so far could not be thinned, so all are kept");
	}
	if (!last)
		return;
	if (sampler->duty.unseen)
		snapshot_note(snapshot, engine, SEVERITY_INFO, 3017,
			      "the step switched so often that full observation would have cost "
			      "more than COST=%g: %.1f %% of the time was observed, in windows at "
			      "random moments, and represents the rest",
			      sampler->cost.asked * 100,
			      100 * (1 - (double)sampler->duty.unseen /
						 (double)(sampler->clock.active + 1)));
	if (sampler->observe.records_lost)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3004,
			      "%" PRIu64 " records of the kernel were lost because their buffer "
			      "was full",
			      sampler->observe.records_lost);
	if (sampler->estimate.unplaced * UNPLACED_PART > sampler->tasks.cpu)
		snapshot_note(snapshot, engine, SEVERITY_WARNING, 3011,
			      "%.3f s of %.3f s of CPU time were used by tasks that ended before a "
			      "sample: their places are unknown and assumed to be those of other "
			      "tasks of their program",
			      (double)sampler->estimate.unplaced / 1e9,
			      (double)sampler->tasks.cpu / 1e9);
	transactions_notes(sampler->transactions, engine, snapshot);
}

/* Returns whether the figures are due: rarely, except for a new period. */
static bool figures_due(const struct sampler *sampler, uint64_t now)
{
	const struct notes *notes = &sampler->notes;
	uint64_t pause = (now - sampler->start) / FIGURES_PART;

	if (pause < NSEC_PER_SEC)
		pause = NSEC_PER_SEC;
	return !notes->figures_at || now - notes->figures_at >= pause ||
	       notes->figures_period != sampler->ledger.period;
}

void notes_add(struct sampler *sampler, struct engine *engine, struct snapshot *snapshot, bool last)
{
	struct notes *notes = &sampler->notes;
	uint64_t now = clock_monotonic_ns();

	if (!notes->begun) {
		notes->begun = true;
		snapshot_attribute(snapshot, engine, ATTR_PRIVILEGE, "%s",
				   privilege_name(sampler->privilege));
		add_number(snapshot, engine, ATTR_PERIOD_INITIAL, sampler->ledger.period_initial);
		note_privilege(sampler, engine, snapshot);
	}
	note_losses(sampler, engine, snapshot, last);
	collect_notes(sampler->collect, engine, snapshot);
	if (!last && !figures_due(sampler, now))
		return;
	add_costs(sampler, engine, snapshot);
	notes->figures_at = now;
	notes->figures_period = sampler->ledger.period;
	add_figures(sampler, engine, snapshot);
}
