/* SPDX-License-Identifier: Apache-2.0 */
/* PSI: how long tasks waited for scarce resources. */
#include "common/compat.h"
#include "metrics/kinds.h"

static const struct metric_file files[] = {
	{ "/proc/pressure/cpu", METRIC_LABELS },
	{ "/proc/pressure/memory", METRIC_LABELS },
	{ "/proc/pressure/io", METRIC_LABELS },
	{ "/proc/pressure/irq", METRIC_LABELS },
};

static const char *const resources[ARRAY_SIZE(files)] = { "cpu", "memory", "io", "irq" };

static const struct metric_item items[] = {
	TEXT_IDENTITY("resource", "name", MADE,
		      "The resource: cpu, memory, io, or irq (interrupts)."),
	REAL_LEVEL("some_avg10", "percent", KEY(1, "some avg10"),
		   "Share of the time in which at least one task waited, mean of the last 10 "
		   "seconds."),
	REAL_LEVEL("some_avg60", "percent", KEY(1, "some avg60"),
		   "Share of the time in which at least one task waited, mean of the last 60 "
		   "seconds."),
	REAL_LEVEL("some_avg300", "percent", KEY(1, "some avg300"),
		   "Share of the time in which at least one task waited, mean of the last 300 "
		   "seconds."),
	COUNTER("some_total", "ns", KEY_SCALED(1, "some total", 1000),
		"Time in which at least one task waited."),
	REAL_LEVEL("full_avg10", "percent", KEY(1, "full avg10"),
		   "Share of the time in which all tasks that were not idle waited, mean of the "
		   "last 10 seconds."),
	REAL_LEVEL("full_avg60", "percent", KEY(1, "full avg60"),
		   "Share of the time in which all tasks that were not idle waited, mean of the "
		   "last 60 seconds."),
	REAL_LEVEL("full_avg300", "percent", KEY(1, "full avg300"),
		   "Share of the time in which all tasks that were not idle waited, mean of the "
		   "last 300 seconds."),
	COUNTER("full_total", "ns", KEY_SCALED(1, "full total", 1000),
		"Time in which all tasks that were not idle waited."),
};

/* Makes a record for each resource; all files have the form, and so the plan, of the first. */
static void read_all(struct metric_source *source)
{
	for (unsigned file = 1; file <= ARRAY_SIZE(files); file++) {
		const char *text = metric_text(source, file);

		if (!text)
			continue;
		metric_begin(source);
		metric_parse(&source->texts[0].plan, METRIC_LABELS, text, source->values,
			    source->strings);
		if (!metric_any(&source->texts[0].plan, source->values))
			continue;
		metric_string(source, 0, resources[file - 1]);
		metric_add(source);
	}
}

const struct metric_kind pressure_kind = {
	.name = "PSI",
	.record = "psi",
	.summary = "pressure: time in which tasks waited for processors, memory, disks",
	.meaning = "A resource for which tasks wait.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.read = read_all,
};
