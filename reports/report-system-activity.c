/* SPDX-License-Identifier: Apache-2.0 */
/* System Activity: what the whole machine did over time, and the step's part of it. */
#include "common/compat.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "reports/report-class.h"

#include <math.h>

/* Maximum number of slices of the run. */
#define SLICES 40
/* Processors, disks and interfaces beyond this number are folded, unless all are requested. */
#define INSTANCES 40
#define COLUMNS_MAX 20

/* Common to all cells of a listing. */
struct view {
	const struct profile *profile;
	double processors;
	bool io_known;	/* reads and writes of the step's processes are known */
	double highest; /* bytes per second in the slice with the most */
};

/* Computes the value of a column in a slice, NAN if unknown. */
struct cell {
	double (*of)(const struct view *view, const struct system_slice *slice);
	bool at_least;
};

/* Returns the value of a column for a processor, disk or interface. */
typedef double instance_cell(const struct view *view, const struct system_instance *instance);

/* One of the reports. The first column is the time; a BAR, at the end, has no cell. */
struct activity {
	const struct column *columns;
	const struct cell *cells; /* for the columns from the second on */
	size_t column_count;
	enum system_kind kind;
	const char *bar_title;
	double (*bytes)(const struct view *view, const struct system_slice *slice);
};

/* The time column, which all tables begin with. */
#define FROM_COLUMN \
	{ \
		.id = "start_ns", .group = "MM.SS.HH", .heading = "FROM", .width = 9, \
		.type = COLUMN_TIME, \
		.legend = "start of the interval (mm.ss.hh from the start of the run); the last " \
			  "line is the whole run" \
	}

/* Defines a cell: a field's rate per second, or its level. */
#define RATE(name, kind, field) \
	static double name(const struct view *view UNUSED, const struct system_slice *slice) \
	{ \
		return system_rate(slice, kind, field); \
	}

/* Defines a cell: the step's amount per second. */
#define STEP_RATE(name, amount) \
	static double name(const struct view *view UNUSED, const struct system_slice *slice) \
	{ \
		return system_step_rate(slice, amount) * (double)NSEC_PER_SEC; \
	}

/* Defines a cell: percent of the time, summed over all tasks of the step. */
#define STEP_SHARE(name, amount) \
	static double name(const struct view *view UNUSED, const struct system_slice *slice) \
	{ \
		return 100 * system_step_rate(slice, amount); \
	}

/*
 * Defines a cell: percent of the time from a counter of ns. It is read slightly
 * after the time of its snapshot, so 100 % may be exceeded a little.
 */
#define TIME_SHARE(name, kind, field) \
	static double name(const struct view *view UNUSED, const struct system_slice *slice) \
	{ \
		double share = 100 * system_rate(slice, kind, field) / (double)NSEC_PER_SEC; \
\
		return share > 100 ? 100 : share; \
	}

/* Returns value, or 0 if it is NAN. */
static double or_none(double value)
{
	return isnan(value) ? 0 : value;
}

/*
 * SAC
 */

/* Returns the sum of all modes; 0: nothing is known. */
static double all_modes(const struct system_sum *sum)
{
	double all = 0;

	for (size_t mode = 0; mode < SYSTEM_MODES; mode++)
		all += sum->amount[mode];
	return all;
}

/* Returns the percentage of processor time in modes, given as bits. */
static double mode_share(const struct system_sum *sum, unsigned modes)
{
	double all = all_modes(sum), some = 0;
	bool known = false;

	for (size_t mode = 0; mode < SYSTEM_MODES; mode++)
		if (modes >> mode & 1 && sum->known[mode] > 0) {
			some += sum->amount[mode];
			known = true;
		}
	return known && all > 0 ? 100 * some / all : NAN;
}

#define MODES_USER (1u << SYSTEM_USER | 1u << SYSTEM_NICE)
#define MODES_KERNEL (1u << SYSTEM_KERNEL | 1u << SYSTEM_INTERRUPTS | 1u << SYSTEM_SOFT_INTERRUPTS)

#define MODE_SHARE(name, modes) \
	static double machine_##name(const struct view *view UNUSED, \
				     const struct system_slice *slice) \
	{ \
		return mode_share(&slice->sums[SYSTEM_MACHINE], modes); \
	} \
	static double processor_##name(const struct view *view UNUSED, \
				       const struct system_instance *instance) \
	{ \
		return mode_share(&instance->sum, modes); \
	}

MODE_SHARE(user, MODES_USER)
MODE_SHARE(kernel, MODES_KERNEL)
MODE_SHARE(io_wait, 1u << SYSTEM_IO_WAIT)
MODE_SHARE(stolen, 1u << SYSTEM_STOLEN)
MODE_SHARE(idle, 1u << SYSTEM_IDLE)
MODE_SHARE(busy, MODES_USER | MODES_KERNEL)

static double queue(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_rate(slice, SYSTEM_PROCESSOR, SYSTEM_RUN_DELAY) / (double)NSEC_PER_SEC;
}

RATE(running, SYSTEM_MACHINE, SYSTEM_RUNNING)
RATE(blocked, SYSTEM_MACHINE, SYSTEM_BLOCKED)
RATE(load, SYSTEM_MACHINE, SYSTEM_LOAD)
RATE(switches, SYSTEM_MACHINE, SYSTEM_SWITCHES)

static double step_processors(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_step_rate(slice, SYSTEM_STEP_CPU);
}

static double step_cpu(const struct view *view, const struct system_slice *slice)
{
	return view->processors > 0 ? 100 * step_processors(view, slice) / view->processors : NAN;
}

static double step_queue(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_step_rate(slice, SYSTEM_STEP_READY);
}

static double processor_queue(const struct view *view UNUSED,
			      const struct system_instance *instance)
{
	return system_instance_rate(instance, SYSTEM_RUN_DELAY) / (double)NSEC_PER_SEC;
}

#define PERCENT(id_, group_, heading_, ...) \
	FIGURE(COLUMN_PERCENT, id_, group_, heading_, 6, __VA_ARGS__)

#define MODE_COLUMNS \
	PERCENT("user_percent", "PROCESSORS %", "USER", \
		.legend = "time in programs, including that of low priority"), \
		PERCENT("system_percent", "PROCESSORS %", "SYSTEM", \
			.legend = "time in the kernel, including that in interrupts"), \
		PERCENT("io_wait_percent", "PROCESSORS %", "IOWAIT", \
			.legend = "idle time while a task waited for a disk, as the kernel " \
				  "estimates it"), \
		PERCENT("stolen_percent", "PROCESSORS %", "STOLEN", \
			.legend = "time that a hypervisor gave to other guests"), \
		PERCENT("idle_percent", "PROCESSORS %", "IDLE", \
			.legend = "other idle time"), \
		FIGURE(COLUMN_PERCENT, "busy_percent", NULL, "BUSY", 6, .flags = COLUMN_DATA_ONLY)

static const struct column cpu_columns[] = {
	FROM_COLUMN,
	MODE_COLUMNS,
	FIGURE(COLUMN_REAL, "run_queue", "TASKS", "RUN Q", 6,
	       .legend = "tasks that executed or were ready when the record was made, vigil "
			 "included; mean of the records"),
	FIGURE(COLUMN_REAL, "waiting_tasks", "TASKS", "WAITING", 7,
	       .legend = "tasks that were ready and had no processor, mean number; available where "
			 "the kernel has /proc/schedstat"),
	FIGURE(COLUMN_REAL, "blocked", "TASKS", "BLOCKED", 7,
	       .legend = "tasks that waited for a disk, mean number"),
	FIGURE(COLUMN_REAL, "load_1", "TASKS", "LOAD", 6,
	       .legend = "load average of 1 minute, as the kernel reports it"),
	FIGURE(COLUMN_NUMBER, "switches_per_second", NULL, "SWITCH/S", 8,
	       .legend = "context switches in a second"),
	FIGURE(COLUMN_PERCENT, "step_percent", "STEP", "CPU %", 6,
	       .legend = "of the step: its CPU time, including time stolen from it, percent of all "
			 "processors"),
	FIGURE(COLUMN_REAL, "step_processors", "STEP", "CPUS", 6,
	       .legend = "of the step: the same as a number of processors"),
	FIGURE(COLUMN_REAL, "step_waiting_tasks", "STEP", "WAITING", 7,
	       .legend = "of the step: tasks that were ready and had no processor, mean number"),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "busy_percent",
	  .bar_solo = "step_percent",
	  .legend = "* is the step, + all others; percent of all processors" },
};

static const struct cell cpu_cells[] = {
	{ .of = machine_user },	   { .of = machine_kernel },
	{ .of = machine_io_wait }, { .of = machine_stolen },
	{ .of = machine_idle },	   { .of = machine_busy },
	{ .of = running },	   { .of = queue },
	{ .of = blocked },	   { .of = load },
	{ .of = switches },	   { .of = step_cpu },
	{ .of = step_processors }, { .of = step_queue },
};

static const struct column processor_columns[] = {
	{ .id = "processor",
	  .heading = "PROCESSOR",
	  .width = 9,
	  .type = COLUMN_TEXT,
	  .legend = "number of the processor" },
	MODE_COLUMNS,
	FIGURE(COLUMN_REAL, "waiting_tasks", "TASKS", "WAITING", 7,
	       .legend = "tasks that were ready and had no processor, mean number"),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "busy_percent",
	  .legend = "+ is USER and SYSTEM" },
};

static instance_cell *const processor_cells[] = {
	processor_user, processor_kernel, processor_io_wait, processor_stolen,
	processor_idle, processor_busy,	  processor_queue,
};

/*
 * SAM
 */

RATE(available, SYSTEM_MEMORY, SYSTEM_AVAILABLE)
RATE(free_memory, SYSTEM_MEMORY, SYSTEM_FREE)
RATE(faults, SYSTEM_MEMORY, SYSTEM_FAULTS)
RATE(major_faults, SYSTEM_MEMORY, SYSTEM_MAJOR_FAULTS)
RATE(swapped_in, SYSTEM_MEMORY, SYSTEM_SWAPPED_IN)
RATE(swapped_out, SYSTEM_MEMORY, SYSTEM_SWAPPED_OUT)
STEP_RATE(step_minor, SYSTEM_STEP_MINOR)
STEP_RATE(step_major, SYSTEM_STEP_MAJOR)

static double used_memory(const struct view *view, const struct system_slice *slice)
{
	double total = system_rate(slice, SYSTEM_MEMORY, SYSTEM_TOTAL);

	return total > 0 ? 100 * (total - available(view, slice)) / total : NAN;
}

static double cached(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_rate(slice, SYSTEM_MEMORY, SYSTEM_CACHED) +
	       system_rate(slice, SYSTEM_MEMORY, SYSTEM_BUFFERS);
}

static double swap_used(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_rate(slice, SYSTEM_MEMORY, SYSTEM_SWAP_TOTAL) -
	       system_rate(slice, SYSTEM_MEMORY, SYSTEM_SWAP_FREE);
}

static double step_memory(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_step_rate(slice, SYSTEM_STEP_RESIDENT);
}

static double step_memory_share(const struct view *view, const struct system_slice *slice)
{
	return 100 * step_memory(view, slice) / system_rate(slice, SYSTEM_MEMORY, SYSTEM_TOTAL);
}

static const struct column memory_columns[] = {
	FROM_COLUMN,
	PERCENT("used_percent", "MEMORY", "USED %",
		.legend = "memory that is not available, percent of all"),
	FIGURE(COLUMN_BYTES, "available_bytes", "MEMORY, BYTES", "AVAILABLE", 9,
	       .legend = "memory available to programs without swapping, as the kernel estimates "
		"it"),
	FIGURE(COLUMN_BYTES, "free_bytes", "MEMORY, BYTES", "FREE", 7,
	       .legend = "unused"),
	FIGURE(COLUMN_BYTES, "cached_bytes", "MEMORY, BYTES", "CACHED", 7,
	       .legend = "pages of files and of disks"),
	FIGURE(COLUMN_BYTES, "swap_used_bytes", "MEMORY, BYTES", "SWAPPED", 7,
	       .legend = "swap space in use"),
	FIGURE(COLUMN_NUMBER, "swapped_in_pages_per_second", "SWAP, PAGES", "IN/S", 6,
	       .legend = "pages read from swap in a second"),
	FIGURE(COLUMN_NUMBER, "swapped_out_pages_per_second", "SWAP, PAGES", "OUT/S", 6,
	       .legend = "pages written to swap in a second"),
	FIGURE(COLUMN_NUMBER, "faults_per_second", "PAGE FAULTS", "ALL/S", 8,
	       .legend = "page faults in a second"),
	FIGURE(COLUMN_NUMBER, "major_faults_per_second", "PAGE FAULTS", "MAJOR/S", 7,
	       .legend = "those that waited for a disk"),
	FIGURE(COLUMN_BYTES, "step_bytes", "STEP", "BYTES", 7,
	       .legend = "of the step: in memory, the sum over all processes of the step; shared "
			 "memory counts in each"),
	PERCENT("step_percent", "STEP", "%",
		.legend = "of the step: the same, percent of all memory"),
	FIGURE(COLUMN_NUMBER, "step_minor_faults_per_second", "STEP", "MINOR/S", 8,
	       .legend = "of the step: page faults in a second resolved from memory"),
	FIGURE(COLUMN_NUMBER, "step_major_faults_per_second", "STEP", "MAJOR/S", 7,
	       .legend = "of the step: those that waited for a disk"),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "used_percent",
	  .bar_solo = "step_percent",
	  .legend = "* is the step, + all others; percent of all memory" },
};

static const struct cell memory_cells[] = {
	{ .of = used_memory },	     { .of = available },
	{ .of = free_memory },	     { .of = cached },
	{ .of = swap_used },	     { .of = swapped_in },
	{ .of = swapped_out },	     { .of = faults },
	{ .of = major_faults },	     { .of = step_memory },
	{ .of = step_memory_share }, { .of = step_minor },
	{ .of = step_major },
};

/*
 * SAD
 */

RATE(reads, SYSTEM_DISK, SYSTEM_READS)
RATE(writes, SYSTEM_DISK, SYSTEM_WRITES)
RATE(bytes_read, SYSTEM_DISK, SYSTEM_BYTES_READ)
RATE(bytes_written, SYSTEM_DISK, SYSTEM_BYTES_WRITTEN)

/* Returns the mean milliseconds per request; NAN without requests. */
static double milliseconds(double requests, double time)
{
	return requests > 0 ? time / requests / (double)NSEC_PER_MSEC : NAN;
}

static double request_time(const struct view *view UNUSED, const struct system_slice *slice)
{
	const double *amount = slice->sums[SYSTEM_DISK].amount;

	return milliseconds(amount[SYSTEM_READS] + amount[SYSTEM_WRITES],
			    amount[SYSTEM_READ_TIME] + amount[SYSTEM_WRITE_TIME]);
}

static double disk_queue(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_rate(slice, SYSTEM_DISK, SYSTEM_QUEUE_TIME) / (double)NSEC_PER_SEC;
}

static double disk_bytes(const struct view *view, const struct system_slice *slice)
{
	return bytes_read(view, slice) + bytes_written(view, slice);
}

static double of_highest(const struct view *view, double bytes)
{
	return view->highest > 0 ? 100 * bytes / view->highest : isnan(bytes) ? NAN : 0;
}

static double disk_of_highest(const struct view *view, const struct system_slice *slice)
{
	return of_highest(view, disk_bytes(view, slice));
}

static double step_read(const struct view *view, const struct system_slice *slice)
{
	return view->io_known ? system_step_rate(slice, SYSTEM_STEP_READ) * (double)NSEC_PER_SEC
			      : NAN;
}

static double step_written(const struct view *view, const struct system_slice *slice)
{
	return view->io_known ? system_step_rate(slice, SYSTEM_STEP_WRITTEN) * (double)NSEC_PER_SEC
			      : NAN;
}

#define INSTANCE_RATE(name, field) \
	static double name(const struct view *view UNUSED, const struct system_instance *instance) \
	{ \
		return system_instance_rate(instance, field); \
	}

INSTANCE_RATE(one_reads, SYSTEM_READS)
INSTANCE_RATE(one_writes, SYSTEM_WRITES)
INSTANCE_RATE(one_bytes_read, SYSTEM_BYTES_READ)
INSTANCE_RATE(one_bytes_written, SYSTEM_BYTES_WRITTEN)

static double one_request_time(const struct view *view UNUSED,
			       const struct system_instance *instance)
{
	const double *amount = instance->sum.amount;

	return milliseconds(amount[SYSTEM_READS] + amount[SYSTEM_WRITES],
			    amount[SYSTEM_READ_TIME] + amount[SYSTEM_WRITE_TIME]);
}

static double one_disk_queue(const struct view *view UNUSED, const struct system_instance *instance)
{
	return system_instance_rate(instance, SYSTEM_QUEUE_TIME) / (double)NSEC_PER_SEC;
}

static double one_busy(const struct view *view UNUSED, const struct system_instance *instance)
{
	return 100 * system_instance_rate(instance, SYSTEM_BUSY_TIME) / (double)NSEC_PER_SEC;
}

#define DISK_COLUMNS(of_) \
	FIGURE(COLUMN_NUMBER, "reads_per_second", "PER SECOND", "READS", 8, \
	       .legend = "reads completed" of_), \
		FIGURE(COLUMN_NUMBER, "writes_per_second", "PER SECOND", "WRITES", 8, \
		       .legend = "writes completed"), \
		FIGURE(COLUMN_BYTES, "read_bytes_per_second", "BYTES/S", "READ", 7, \
		       .legend = "bytes read"), \
		FIGURE(COLUMN_BYTES, "written_bytes_per_second", "BYTES/S", "WRITTEN", 7, \
		       .legend = "bytes written"), \
		FIGURE(COLUMN_REAL, "request_ms", "REQUESTS", "MEAN MS", 8, \
		       .legend = "milliseconds from a request to its end, mean of reads and " \
				 "writes; none where there was no request"), \
		FIGURE(COLUMN_REAL, "queue", "REQUESTS", "QUEUE", 7, \
		       .legend = "requests that were at the device or waited for it, mean number")

static const struct column disk_columns[] = {
	FROM_COLUMN,
	DISK_COLUMNS(", all disks; a device that is based on others (a partition, dm-, md, loop) "
		     "is in BY DEVICE only"),
	FIGURE(COLUMN_BYTES, "step_read_bytes_per_second", "STEP, BYTES/S", "READ", 7,
	       .legend =
		       "of the step: bytes read from devices, as the kernel counts them for its "
		       "processes; a lower bound, because what a process reads just before its end "
		       "may be missed"),
	FIGURE(COLUMN_BYTES, "step_written_bytes_per_second", "STEP, BYTES/S", "WRITTEN", 7,
	       .legend = "of the step: bytes to be written to devices; the kernel counts them for "
			 "the process that changes a page, and writes the page later"),
	PERCENT("of_highest_percent", NULL, "% HIGH",
		.legend = "bytes read and written, percent of the highest interval"),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "of_highest_percent",
	  .legend = "+ is % HIGH" },
};

static const struct cell disk_cells[] = {
	{ .of = reads },
	{ .of = writes },
	{ .of = bytes_read },
	{ .of = bytes_written },
	{ .of = request_time },
	{ .of = disk_queue },
	{ .of = step_read, .at_least = true },
	{ .of = step_written, .at_least = true },
	{ .of = disk_of_highest },
};

static const struct column device_columns[] = {
	{ .id = "device", .heading = "DEVICE", .width = 16, .type = COLUMN_TEXT },
	DISK_COLUMNS(""),
	PERCENT("busy_percent", NULL, "BUSY %",
		.legend = "the time in which the device had at least one request"),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "busy_percent",
	  .legend = "+ is BUSY %" },
};

static instance_cell *const device_cells[] = {
	one_reads,	  one_writes,	  one_bytes_read, one_bytes_written,
	one_request_time, one_disk_queue, one_busy,
};

/*
 * SAN
 */

RATE(received, SYSTEM_INTERFACE, SYSTEM_BYTES_RECEIVED)
RATE(packets_received, SYSTEM_INTERFACE, SYSTEM_PACKETS_RECEIVED)
RATE(sent, SYSTEM_INTERFACE, SYSTEM_BYTES_SENT)
RATE(packets_sent, SYSTEM_INTERFACE, SYSTEM_PACKETS_SENT)
RATE(loopback, SYSTEM_LOOPBACK, SYSTEM_BYTES_SENT)

static double packet_errors(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_rate(slice, SYSTEM_INTERFACE, SYSTEM_RECEIVE_ERRORS) +
	       system_rate(slice, SYSTEM_INTERFACE, SYSTEM_SEND_ERRORS);
}

static double packet_drops(const struct view *view UNUSED, const struct system_slice *slice)
{
	return system_rate(slice, SYSTEM_INTERFACE, SYSTEM_RECEIVE_DROPS) +
	       system_rate(slice, SYSTEM_INTERFACE, SYSTEM_SEND_DROPS);
}

static double network_bytes(const struct view *view, const struct system_slice *slice)
{
	double outside = received(view, slice) + sent(view, slice), inside = loopback(view, slice);

	return isnan(outside) ? inside : outside + or_none(inside);
}

static double network_of_highest(const struct view *view, const struct system_slice *slice)
{
	return of_highest(view, network_bytes(view, slice));
}

/* Only traffic that was seen is known: none seen does not mean none. */
static double step_network(const struct view *view UNUSED, const struct system_slice *slice)
{
	double bytes = system_step_rate(slice, SYSTEM_STEP_NETWORK) * (double)NSEC_PER_SEC;

	return bytes > 0 ? bytes : NAN;
}

STEP_SHARE(step_socket, SYSTEM_STEP_SOCKET)

INSTANCE_RATE(one_received, SYSTEM_BYTES_RECEIVED)
INSTANCE_RATE(one_packets_received, SYSTEM_PACKETS_RECEIVED)
INSTANCE_RATE(one_sent, SYSTEM_BYTES_SENT)
INSTANCE_RATE(one_packets_sent, SYSTEM_PACKETS_SENT)

static double one_errors(const struct view *view UNUSED, const struct system_instance *instance)
{
	return system_instance_rate(instance, SYSTEM_RECEIVE_ERRORS) +
	       system_instance_rate(instance, SYSTEM_SEND_ERRORS);
}

static double one_drops(const struct view *view UNUSED, const struct system_instance *instance)
{
	return system_instance_rate(instance, SYSTEM_RECEIVE_DROPS) +
	       system_instance_rate(instance, SYSTEM_SEND_DROPS);
}

#define NETWORK_COLUMNS(of_) \
	FIGURE(COLUMN_BYTES, "received_bytes_per_second", "RECEIVED, /S", "BYTES", 8, \
	       .legend = "in a second" of_), \
		FIGURE(COLUMN_NUMBER, "received_packets_per_second", "RECEIVED, /S", "PACKETS", \
		       8), \
		FIGURE(COLUMN_BYTES, "sent_bytes_per_second", "SENT, /S", "BYTES", 8), \
		FIGURE(COLUMN_NUMBER, "sent_packets_per_second", "SENT, /S", "PACKETS", 8), \
		FIGURE(COLUMN_NUMBER, "errors_per_second", "PER SECOND", "ERRORS", 7, \
		       .legend = "packets received or sent with an error"), \
		FIGURE(COLUMN_NUMBER, "drops_per_second", "PER SECOND", "DROPPED", 7, \
		       .legend = "packets dropped")

static const struct column network_columns[] = {
	FROM_COLUMN,
	NETWORK_COLUMNS(", all interfaces; loopback and interfaces that are based on others (a "
			"bridge, a bond, a tunnel) are in BY INTERFACE only"),
	FIGURE(COLUMN_BYTES, "loopback_bytes_per_second", "LOOPBACK", "BYTES/S", 8,
	       .legend = "bytes in a second between programs of this machine"),
	FIGURE(COLUMN_BYTES, "step_bytes_per_second", "STEP", "BYTES/S", 9,
	       .legend = "of the step: bytes in a second that it is known to have sent and "
			 "received through network sockets; a lower bound"),
	PERCENT("step_socket_wait_percent", "STEP", "WAIT %",
		.legend = "of the step: time that its tasks waited for sockets, of all tasks "
			  "together"),
	PERCENT("of_highest_percent", NULL, "% HIGH",
		.legend = "bytes received, sent and over LOOPBACK, percent of the highest "
			  "interval"),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "of_highest_percent",
	  .legend = "+ is % HIGH" },
};

static const struct cell network_cells[] = {
	{ .of = received },	 { .of = packets_received },
	{ .of = sent },		 { .of = packets_sent },
	{ .of = packet_errors }, { .of = packet_drops },
	{ .of = loopback },	 { .of = step_network, .at_least = true },
	{ .of = step_socket },	 { .of = network_of_highest },
};

static const struct column interface_columns[] = {
	{ .id = "interface", .heading = "INTERFACE", .width = 16, .type = COLUMN_TEXT },
	NETWORK_COLUMNS(""),
};

static instance_cell *const interface_cells[] = {
	one_received, one_packets_received, one_sent, one_packets_sent, one_errors, one_drops,
};

/*
 * SAP
 */

TIME_SHARE(cpu_some, SYSTEM_PRESSURE_CPU, SYSTEM_SOME)
TIME_SHARE(memory_some, SYSTEM_PRESSURE_MEMORY, SYSTEM_SOME)
TIME_SHARE(memory_full, SYSTEM_PRESSURE_MEMORY, SYSTEM_FULL)
TIME_SHARE(io_some, SYSTEM_PRESSURE_IO, SYSTEM_SOME)
TIME_SHARE(io_full, SYSTEM_PRESSURE_IO, SYSTEM_FULL)
TIME_SHARE(irq_full, SYSTEM_PRESSURE_IRQ, SYSTEM_FULL)
STEP_SHARE(step_ready, SYSTEM_STEP_READY)
STEP_SHARE(step_page, SYSTEM_STEP_PAGE)
STEP_SHARE(step_io, SYSTEM_STEP_IO)

static double highest_pressure(const struct view *view, const struct system_slice *slice)
{
	return fmax(cpu_some(view, slice), fmax(memory_some(view, slice), io_some(view, slice)));
}

#define SOME "time in which at least one task of the machine waited"
#define FULL "time in which all non-idle tasks waited"

static const struct column pressure_columns[] = {
	FROM_COLUMN,
	FIGURE(COLUMN_PERCENT, "cpu_some_percent", "CPU %", "SOME", 7, .legend = SOME),
	FIGURE(COLUMN_PERCENT, "memory_some_percent", "MEMORY %", "SOME", 7, .legend = SOME),
	FIGURE(COLUMN_PERCENT, "memory_full_percent", "MEMORY %", "FULL", 7, .legend = FULL),
	FIGURE(COLUMN_PERCENT, "io_some_percent", "I/O %", "SOME", 7, .legend = SOME),
	FIGURE(COLUMN_PERCENT, "io_full_percent", "I/O %", "FULL", 7, .legend = FULL),
	FIGURE(COLUMN_PERCENT, "interrupts_full_percent", "IRQ %", "FULL", 7,
	       .legend = "time in which interrupts kept tasks from executing"),
	FIGURE(COLUMN_PERCENT, "step_cpu_wait_percent", "STEP WAITED %", "CPU", 8,
	       .legend = "time in which tasks of the step were ready and had no processor, all "
			 "tasks together: above 100 when several waited"),
	FIGURE(COLUMN_PERCENT, "step_page_wait_percent", "STEP WAITED %", "PAGE", 8,
	       .legend = "the same for page faults"),
	FIGURE(COLUMN_PERCENT, "step_io_wait_percent", "STEP WAITED %", "I/O", 8,
	       .legend = "the same for files"),
	FIGURE(COLUMN_PERCENT, "highest_percent", NULL, "HIGHEST", 7, .flags = COLUMN_DATA_ONLY),
	{ .id = "bar",
	  .heading = "",
	  .type = COLUMN_BAR,
	  .bar = "highest_percent",
	  .legend = "+ is the highest of CPU, MEMORY and I/O SOME" },
};

static const struct cell pressure_cells[] = {
	{ .of = cpu_some }, { .of = memory_some },	{ .of = memory_full }, { .of = io_some },
	{ .of = io_full },  { .of = irq_full },		{ .of = step_ready },  { .of = step_page },
	{ .of = step_io },  { .of = highest_pressure },
};

#define ACTIVITY(name) \
	.columns = name##_columns, .cells = name##_cells, .column_count = ARRAY_SIZE(name##_columns)
#define CELLS_FIT(name) \
	_Static_assert(ARRAY_SIZE(name##_columns) == ARRAY_SIZE(name##_cells) + 2, \
		       "a cell a column, but for the time and the bar")
CELLS_FIT(cpu);
CELLS_FIT(memory);
CELLS_FIT(disk);
CELLS_FIT(network);
CELLS_FIT(pressure);

static const struct activity cpu_activity = { ACTIVITY(cpu), .kind = SYSTEM_MACHINE,
					      .bar_title = "BUSY PROCESSORS" };
static const struct activity memory_activity = { ACTIVITY(memory), .kind = SYSTEM_MEMORY,
						 .bar_title = "MEMORY IN USE" };
static const struct activity disk_activity = { ACTIVITY(disk), .kind = SYSTEM_DISK,
					       .bar_title = "BYTES READ AND WRITTEN",
					       .bytes = disk_bytes };
static const struct activity network_activity = { ACTIVITY(network), .kind = SYSTEM_INTERFACE,
						  .bar_title = "BYTES", .bytes = network_bytes };
static const struct activity pressure_activity = { ACTIVITY(pressure), .kind = SYSTEM_PRESSURE_CPU,
						   .bar_title = "PRESSURE" };

/* Fills the next column with a value that may be unknown. */
static void put_value(struct table *table, struct row *row, const struct column *column,
		      double value, bool at_least)
{
	uint64_t number = value >= 0 ? value < 0x1p63 ? (uint64_t)(value + 0.5) : UINT64_MAX : 0;

	if (isnan(value))
		row_unknown(table, row);
	else if (column->type == COLUMN_PERCENT || column->type == COLUMN_REAL)
		row_real(table, row, value > 0 ? value : 0);
	else if (at_least)
		row_at_least(table, row, number);
	else
		row_number(table, row, number);
}

static void put_slice(const struct view *view, const struct activity *activity, struct table *table,
		      const struct system_slice *slice, enum row_kind kind)
{
	struct row *row = table_row(table, kind);

	if (kind == ROW_DETAIL)
		row_number(table, row, slice->start - profile_start(view->profile));
	else
		row_skip(table, row, 1);
	for (size_t i = 0; i + 2 < activity->column_count; i++)
		put_value(table, row, &activity->columns[i + 1], activity->cells[i].of(view, slice),
			  activity->cells[i].at_least);
}

/* If there is nothing to show, puts the reason and returns true. */
static bool say_nothing(const struct profile *profile, struct document *document)
{
	if (!system_activity_any(profile)) {
		document_note(document, SEVERITY_INFO, 6610,
			      "NOT COLLECTED: the session has no records of the whole system");
		return true;
	}
	if (system_activity_resolution(profile, SLICES))
		return false;
	document_note(document, SEVERITY_INFO, 6611,
		      "the session has records of the whole system at one moment only: the step "
		      "was too short");
	return true;
}

/* Puts how the records were collected, and their cost. */
static void put_collection(const struct view *view, const struct activity *activity,
			   struct document *document)
{
	const struct profile *profile = view->profile;
	const struct system_series *series = &profile->system.series[activity->kind];
	const char *cost = profile_attribute(profile, ATTR_OVERHEAD_METRICS);
	struct pair_group *group = document_pairs(document, 2);

	group[0].id = "records";
	group[0].title = "RECORDS";
	pair_number(&group[0], "snapshots", "SNAPSHOTS WITH RECORDS", COLUMN_NUMBER,
		    series->records);
	pair_number(&group[0], "processors", "PROCESSORS", COLUMN_NUMBER,
		    system_processors(profile));
	group[1].id = "cost";
	group[1].title = "COST OF ALL SYSTEM METRICS";
	if (*cost)
		pair_number(&group[1], "own_cpu_ns", "OWN CPU TIME, MS", COLUMN_AVERAGE,
			    profile_attribute_number(profile, ATTR_OVERHEAD_METRICS));
	else
		pair_text(&group[1], "own_cpu_ns", "OWN CPU TIME, MS", "");
}

/* Adds notes on limits of the columns. */
static void put_notes(const struct view *view, const struct activity *activity,
		      struct document *document)
{
	const struct system_series *series = view->profile->system.series;
	bool loopback = activity == &network_activity && series[SYSTEM_LOOPBACK].records;

	if (!series[activity->kind].records && !loopback)
		document_note(document, SEVERITY_INFO, 6612,
			      "the machine does not report this data: its columns have no values");
	if (activity == &disk_activity && !view->io_known)
		document_note(document, SEVERITY_INFO, 6613,
			      "what the step read from devices and wrote to them is not known: "
			      "/proc/PID/io of a process could not be read");
	if (activity == &network_activity)
		document_note(document, SEVERITY_INFO, 6614,
			      "Linux counts network bytes by interface, not by process: for the "
			      "step, only the bytes reported by its programs' calls are known");
}

static void begin_view(struct view *view, const struct profile *profile)
{
	*view = (struct view){ .profile = profile,
			       .processors = (double)system_processors(profile),
			       .io_known = !profile_attribute_number(profile, ATTR_IO_UNKNOWN) };
}

/* Builds the table over time; returns false if there is none. */
static bool build_course(struct context *context, struct document *document,
			 const struct activity *activity)
{
	const struct profile *profile = context->profile;
	size_t count = system_activity_resolution(profile, SLICES);
	uint64_t start = profile_start(profile);
	struct system_slice *slices, *all;
	struct table *table;
	struct view view;

	if (say_nothing(profile, document))
		return false;
	begin_view(&view, profile);
	slices = system_activity_slices(profile, start, profile_end(profile), count);
	all = system_activity_slices(profile, start, profile_end(profile), 1);
	for (size_t i = 0; activity->bytes && i < count; i++)
		view.highest = fmax(view.highest, activity->bytes(&view, &slices[i]));
	put_collection(&view, activity, document);
	put_notes(&view, activity, document);
	table = document_table(document, "intervals", NULL, activity->columns,
			       activity->column_count);
	table->bar_title = activity->bar_title;
	for (size_t i = 0; i < count; i++)
		put_slice(&view, activity, table, &slices[i], ROW_DETAIL);
	put_slice(&view, activity, table, all, ROW_TOTAL);
	free(slices);
	free(all);
	return true;
}

/* Instances sorted by a value, highest first; ties by name. */
struct ranked {
	const struct system_instance *instance;
	double value;
};

static int compare_ranked(const void *first, const void *second)
{
	const struct ranked *a = first, *b = second;
	double x = or_none(a->value), y = or_none(b->value);

	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->instance->name, b->instance->name);
}

/* A table with one row per instance. first: the number of the column by which they are sorted. */
struct instances {
	const char *id, *title;
	const struct column *columns;
	size_t column_count;
	instance_cell *const *cells;
	size_t cell_count;
	double (*rank)(const struct view *view, const struct system_instance *instance);
	bool used_only;
};

static void put_instance(const struct view *view, const struct instances *instances,
			 struct table *table, const struct system_instance *instance,
			 const char *name, enum row_kind kind)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, name);
	for (size_t i = 0; i < instances->cell_count; i++)
		put_value(table, row, &instances->columns[i + 1],
			  instances->cells[i](view, instance), false);
}

/* Ranks the instances of a kind, and of another. */
static size_t rank_instances(const struct view *view, const struct instances *instances,
			     enum system_kind kind, struct ranked *ranked)
{
	const struct system_series *series = &view->profile->system.series[kind];
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++) {
		struct ranked one = { .instance = &series->items[i] };

		one.value = instances->rank(view, one.instance);
		if (!instances->used_only || one.value > 0)
			ranked[count++] = one;
	}
	return count;
}

static void build_instances(struct context *context, struct document *document,
			    const struct instances *instances, enum system_kind kind,
			    enum system_kind more)
{
	const struct system_series *series = context->profile->system.series;
	struct ranked *ranked =
		calloc(series[kind].count + series[more].count + 1, sizeof(*ranked));
	size_t count, shown;
	struct strbuf title = STRBUF_INIT;
	struct table *table;
	struct view view;

	begin_view(&view, context->profile);
	count = rank_instances(&view, instances, kind, ranked);
	if (more != kind)
		count += rank_instances(&view, instances, more, ranked + count);
	qsort(ranked, count, sizeof(*ranked), compare_ranked);
	shown = count > INSTANCES && !context->options->all ? INSTANCES : count;
	strbuf_addstr(&title, instances->title);
	if (shown < count)
		strbuf_addf(&title, ", THE FIRST %zu OF %zu", shown, count);
	table = document_table(document, instances->id, title.text, instances->columns,
			       instances->column_count);
	table->bar_title = "BUSY";
	for (size_t i = 0; i < shown; i++)
		put_instance(&view, instances, table, ranked[i].instance, ranked[i].instance->name,
			     ROW_DETAIL);
	strbuf_release(&title);
	free(ranked);
}

static double rank_disk(const struct view *view, const struct system_instance *instance)
{
	return or_none(one_bytes_read(view, instance)) + or_none(one_bytes_written(view, instance));
}

static double rank_interface(const struct view *view, const struct system_instance *instance)
{
	return or_none(one_received(view, instance)) + or_none(one_sent(view, instance));
}

#define INSTANCE_TABLE(name) \
	.columns = name##_columns, .column_count = ARRAY_SIZE(name##_columns), \
	.cells = name##_cells, .cell_count = ARRAY_SIZE(name##_cells)

static void build_cpu(struct context *context, struct document *document)
{
	static const struct instances processors = { .id = "processors",
						     .title = "BY PROCESSOR, THE WHOLE RUN",
						     INSTANCE_TABLE(processor),
						     .rank = processor_busy };

	if (build_course(context, document, &cpu_activity))
		build_instances(context, document, &processors, SYSTEM_PROCESSOR, SYSTEM_PROCESSOR);
}

static void build_memory(struct context *context, struct document *document)
{
	build_course(context, document, &memory_activity);
}

static void build_disks(struct context *context, struct document *document)
{
	static const struct instances devices = { .id = "devices",
						  .title = "BY DEVICE, THE WHOLE RUN",
						  INSTANCE_TABLE(device),
						  .rank = rank_disk,
						  .used_only = true };

	if (build_course(context, document, &disk_activity))
		build_instances(context, document, &devices, SYSTEM_DISK, SYSTEM_DISK);
}

static void build_network(struct context *context, struct document *document)
{
	static const struct instances interfaces = { .id = "interfaces",
						     .title = "BY INTERFACE, THE WHOLE RUN",
						     INSTANCE_TABLE(interface),
						     .rank = rank_interface,
						     .used_only = true };

	if (build_course(context, document, &network_activity))
		build_instances(context, document, &interfaces, SYSTEM_INTERFACE, SYSTEM_LOOPBACK);
}

static void build_pressure(struct context *context, struct document *document)
{
	build_course(context, document, &pressure_activity);
}

const struct report_class report_sac = { "SAC", "System Activity: CPU and Run Queue", build_cpu,
					 REPORT_OF_SYSTEM };
const struct report_class report_sam = { "SAM", "System Activity: Memory", build_memory,
					 REPORT_OF_SYSTEM };
const struct report_class report_sad = { "SAD", "System Activity: Disks", build_disks,
					 REPORT_OF_SYSTEM };
const struct report_class report_san = { "SAN", "System Activity: Network", build_network,
					 REPORT_OF_SYSTEM };
const struct report_class report_sap = { "SAP", "System Activity: Pressure", build_pressure,
					 REPORT_OF_SYSTEM };
