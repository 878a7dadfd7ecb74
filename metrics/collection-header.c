/* SPDX-License-Identifier: Apache-2.0 */
/* COLHDR: parameters of the collection, and the machine on which it runs. */
#include "common/compat.h"
#include "common/procfs.h"
#include "engine/timer.h"
#include "metrics/kinds.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const struct metric_file files[] = {
	{ "/proc/meminfo", METRIC_KEYS },  { "/proc/stat", METRIC_KEYS },
	{ "/proc/cpuinfo", METRIC_OTHER }, { "/etc/os-release", METRIC_OTHER },
	{ "/proc/sysinfo", METRIC_OTHER },
};

enum { MEMINFO = 1, STAT, CPUINFO, OS_RELEASE, SYSINFO };

enum {
	PROGRAM,
	STARTED,
	ZONE,
	INTERVAL,
	SNAPSHOTS,
	ALIGNED,
	USER,
	PID,
	HOST,
	DOMAIN,
	MACHINE_ID,
	BOOT_ID,
	BOOT_TIME,
	SYSTEM,
	RELEASE,
	BUILD,
	DISTRIBUTION,
	ARCHITECTURE,
	BYTE_ORDER_NAME,
	PAGE_SIZE_BYTES,
	TICK,
	CONTROL_GROUPS,
	PROCESSORS,
	PROCESSORS_POSSIBLE,
	PACKAGES,
	CORES,
	PROCESSOR_MAKER,
	PROCESSOR_MODEL,
	FREQUENCY_MAX,
	NODES,
	MEMORY,
	SWAP,
	MAKER,
	PRODUCT,
	FIRMWARE,
	HYPERVISOR,
	COUNT
};

static const struct metric_item items[] = {
	TEXT_IDENTITY("program", "name", MADE, "The collecting program, with its version."),
	IDENTITY("started", "ns", MADE, "When the first snapshot was taken, since 1970 UTC."),
	SIGNED_LEVEL("zone", "s", MADE, "Offset of local time from UTC at that time."),
	IDENTITY("interval", "ns", MADE, "Time between snapshots."),
	IDENTITY("snapshots", "count", MADE, "Snapshots requested."),
	IDENTITY("aligned", "flag", MADE,
		 "Whether snapshots are taken at multiples of the interval in the time of day."),
	IDENTITY("user_id", "id", MADE, "User ID of the collector."),
	IDENTITY("pid", "id", MADE, "Process ID of the collector."),
	TEXT_IDENTITY("host", "name", MADE, "Name of the machine."),
	TEXT_IDENTITY("domain", "name", MADE, "NIS domain of the machine."),
	TEXT_IDENTITY("machine_id", "name", MADE, "Identifier of the installed system."),
	TEXT_IDENTITY("boot_id", "name", MADE, "Identifier of this boot of the machine."),
	IDENTITY("boot_time", "s", KEY(STAT, "btime"),
		 "When the machine was started, since 1970 UTC."),
	TEXT_IDENTITY("system", "name", MADE, "The operating system."),
	TEXT_IDENTITY("release", "name", MADE, "Release of its kernel."),
	TEXT_IDENTITY("build", "name", MADE, "Build of that release."),
	TEXT_IDENTITY("distribution", "name", MADE, "The distribution, with its version."),
	TEXT_IDENTITY("architecture", "name", MADE, "The architecture."),
	TEXT_IDENTITY("byte_order", "name", MADE, "Byte order."),
	IDENTITY("page_size", "bytes", MADE, "Size of a page of memory."),
	IDENTITY("tick", "ns", MADE, "The unit in which the kernel reports processor time."),
	IDENTITY("control_groups", "id", MADE, "Version of control groups, 1 or 2."),
	LEVEL("processors", "count", MADE, "Processors that are online."),
	LEVEL("processors_possible", "count", MADE, "Maximum number of processors."),
	LEVEL("packages", "count", MADE, "Processor sockets."),
	LEVEL("cores", "count", MADE, "Cores per socket."),
	TEXT_IDENTITY("processor_maker", "name", MADE, "Vendor of the processors."),
	TEXT_IDENTITY("processor_model", "name", MADE, "Model of the processors."),
	IDENTITY("frequency_max", "Hz", MADE_SCALED(1000),
		 "The highest frequency of the first processor."),
	LEVEL("nodes", "count", MADE, "Memory nodes that are online."),
	LEVEL("memory", "bytes", KEY_SCALED(MEMINFO, "MemTotal", 1024), "Memory of the machine."),
	LEVEL("swap", "bytes", KEY_SCALED(MEMINFO, "SwapTotal", 1024), "Swap space."),
	TEXT_IDENTITY("maker", "name", MADE, "Vendor of the machine."),
	TEXT_IDENTITY("product", "name", MADE, "Model of the machine."),
	TEXT_IDENTITY("firmware", "name", MADE, "Version of its firmware."),
	TEXT_IDENTITY("hypervisor", "name", MADE,
		      "Hypervisor of which the machine is a guest; \"yes\" if only the fact is "
		      "known."),
};

_Static_assert(ARRAY_SIZE(items) == COUNT, "the items are where they are said to be");

/* Items that are the first line of a small file; the first existing file of an item is used. */
static const struct {
	size_t item;
	const char *path;
} small_files[] = {
	{ HOST, "/proc/sys/kernel/hostname" },
	{ DOMAIN, "/proc/sys/kernel/domainname" },
	{ MACHINE_ID, "/etc/machine-id" },
	{ BOOT_ID, "/proc/sys/kernel/random/boot_id" },
	{ SYSTEM, "/proc/sys/kernel/ostype" },
	{ RELEASE, "/proc/sys/kernel/osrelease" },
	{ BUILD, "/proc/sys/kernel/version" },
	{ ARCHITECTURE, "/proc/sys/kernel/arch" },
	{ FREQUENCY_MAX, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq" },
	{ MAKER, "/sys/class/dmi/id/sys_vendor" },
	{ PRODUCT, "/sys/class/dmi/id/product_name" },
	{ PRODUCT, "/proc/device-tree/model" },
	{ FIRMWARE, "/sys/class/dmi/id/bios_version" },
	{ HYPERVISOR, "/sys/hypervisor/type" },
};

/* Items that follow a key and a colon, or "=", in the text of a file. */
static const struct {
	size_t item;
	unsigned file;
	const char *key;
} keys[] = {
	{ PROCESSOR_MAKER, CPUINFO, "vendor_id" },
	{ PROCESSOR_MAKER, CPUINFO, "CPU implementer" },
	{ PROCESSOR_MODEL, CPUINFO, "model name" },
	{ PROCESSOR_MODEL, CPUINFO, "cpu model" },
	{ PROCESSOR_MODEL, CPUINFO, "cpu" },
	{ PROCESSOR_MODEL, CPUINFO, "Processor" },
	{ PROCESSOR_MODEL, CPUINFO, "CPU part" },
	{ PROCESSOR_MODEL, CPUINFO, "processor 0" },
	{ PROCESSOR_MODEL, CPUINFO, "uarch" },
	{ CORES, CPUINFO, "cpu cores" },
	{ DISTRIBUTION, OS_RELEASE, "PRETTY_NAME" },
	{ DISTRIBUTION, OS_RELEASE, "NAME" },
	{ MAKER, SYSINFO, "Manufacturer" },
	{ PRODUCT, SYSINFO, "Type" },
	{ PRODUCT, CPUINFO, "machine" },
	{ HYPERVISOR, SYSINFO, "VM00 Control Program" },
};

static bool is_set(const struct metric_source *source, size_t item)
{
	return source->values[item] != UINT64_MAX;
}

/* Finds the value in the first line with a key. Returns its length, 0: none. */
static size_t find_key(const char *text, const char *key, const char **value)
{
	size_t length = strlen(key);

	for (const char *line = text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		const char *at = line + length;

		if (strncmp(line, key, length) != 0)
			continue;
		at += strspn(at, " \t");
		if (*at != ':' && *at != '=')
			continue;
		at++;
		at += strspn(at, " \t\"'");
		*value = at;
		length = strcspn(at, "\n");
		while (length && strchr(" \t\"'", at[length - 1]))
			length--;
		return length;
	}
	return 0;
}

static void take_keys(struct metric_source *source)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *text = source->texts[keys[i].file - 1].last, *value;
		size_t length = text && !is_set(source, keys[i].item)
					? find_key(text, keys[i].key, &value)
					: 0;

		if (length)
			metric_set(&items[keys[i].item], value, length,
				   &source->values[keys[i].item], source->strings);
	}
}

static void take_small_files(struct metric_source *source)
{
	char path[PROCFS_PATH_SIZE];
	struct utsname name;

	for (size_t i = 0; i < ARRAY_SIZE(small_files); i++)
		if (!is_set(source, small_files[i].item))
			metric_small_file(source, small_files[i].item,
					  procfs_path(path, "%s", small_files[i].path));
	/* The kernel writes this when there is none. */
	if (is_set(source, DOMAIN) &&
	    strcmp(strmap_text(source->strings, (uint32_t)source->values[DOMAIN]), "(none)") == 0)
		source->values[DOMAIN] = UINT64_MAX;
	/* Kernels before 6.1 do not have it in /proc. */
	if (!is_set(source, ARCHITECTURE) && strcmp(procfs_path(path, "/proc"), "/proc") == 0 &&
	    uname(&name) == 0)
		metric_string(source, ARCHITECTURE, name.machine);
}

/* Returns how many numbers a list like "0-3,8" has; UINT64_MAX: it cannot be read. */
static uint64_t count_list(const char *file)
{
	char path[PROCFS_PATH_SIZE], text[4096], *at = text;
	uint64_t count = 0;

	if (procfs_read(procfs_path(path, "%s", file), text, sizeof(text)) < 1)
		return UINT64_MAX;
	while (*at >= '0' && *at <= '9') {
		unsigned long first = strtoul(at, &at, 10), last = first;

		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		count += last >= first ? last - first + 1 : 0;
		at += *at == ',';
	}
	return count ? count : UINT64_MAX;
}

/* Returns how many different values a key has in cpuinfo, at most 256; UINT64_MAX: none. */
static uint64_t count_values(const char *text, const char *key)
{
	bool seen[256] = { false };
	uint64_t count = 0;

	while (text && (text = strstr(text, key))) {
		size_t value;

		text += strlen(key);
		text += strspn(text, " \t:");
		value = strtoul(text, NULL, 10) % ARRAY_SIZE(seen);
		count += !seen[value];
		seen[value] = true;
	}
	return count ? count : UINT64_MAX;
}

/* Returns the number of processors with a line in /proc/stat. */
static uint64_t count_processors(const char *text)
{
	uint64_t count = 0;

	for (; text && (text = strstr(text, "\ncpu")); text += 4)
		count += text[4] >= '0' && text[4] <= '9';
	return count ? count : UINT64_MAX;
}

static void take_hardware(struct metric_source *source)
{
	const char *cpuinfo = source->texts[CPUINFO - 1].last, *flags;
	char path[PROCFS_PATH_SIZE];
	uint64_t *values = source->values;

	values[PROCESSORS] = count_processors(source->texts[STAT - 1].last);
	values[PROCESSORS_POSSIBLE] = count_list("/sys/devices/system/cpu/possible");
	values[NODES] = count_list("/sys/devices/system/node/online");
	values[PACKAGES] = count_values(cpuinfo, "\nphysical id");
	if (access(procfs_path(path, "/sys/fs/cgroup/cgroup.controllers"), F_OK) == 0)
		values[CONTROL_GROUPS] = 2;
	else if (access(procfs_path(path, "/sys/fs/cgroup/cpu"), F_OK) == 0 ||
		 access(procfs_path(path, "/sys/fs/cgroup/memory"), F_OK) == 0)
		values[CONTROL_GROUPS] = 1;
	flags = cpuinfo ? strstr(cpuinfo, "\nflags") : NULL;
	flags = flags ? strstr(flags, " hypervisor") : NULL;
	if (!is_set(source, HYPERVISOR) && flags)
		metric_string(source, HYPERVISOR, "yes");
}

static void take_parameters(struct metric_source *source)
{
	const struct interval_timer *timer = source->argument;
	time_t seconds = (time_t)(source->snapshot->wall / UINT64_C(1000000000));
	const uint16_t order = 1;
	uint64_t *values = source->values;
	struct tm local;

	metric_string(source, PROGRAM, "vigil " PACKAGE_VERSION);
	values[STARTED] = source->snapshot->wall;
	if (localtime_r(&seconds, &local))
		values[ZONE] = (uint64_t)local.tm_gmtoff;
	if (timer) {
		values[INTERVAL] = timer->longest;
		values[ALIGNED] = timer->aligned;
		values[SNAPSHOTS] = timer->limit ? timer->limit : UINT64_MAX;
	}
	values[USER] = geteuid();
	values[PID] = (uint64_t)getpid();
	metric_string(source, BYTE_ORDER_NAME,
		      *(const unsigned char *)&order ? "little endian" : "big endian");
	values[PAGE_SIZE_BYTES] = (uint64_t)sysconf(_SC_PAGESIZE);
	values[TICK] = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
}

static void read_all(struct metric_source *source)
{
	bool *told = source->own;

	if (*told)
		return;
	*told = true;
	metric_begin(source);
	for (unsigned file = MEMINFO; file <= SYSINFO; file++)
		metric_read(source, file);
	take_parameters(source);
	take_small_files(source);
	take_keys(source);
	take_hardware(source);
	metric_add(source);
}

const struct metric_kind header_kind = {
	.name = "COLHDR",
	.record = "colhdr",
	.summary = "how the collection is made, and on what machine; recorded once",
	.meaning = "The collection, recorded with its first snapshot.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.private_size = sizeof(bool),
	.read = read_all,
};
