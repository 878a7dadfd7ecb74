/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the collection's data on itself, of the supporters, of services that
 * create processes, and of transactions.
 */
#include "common/compat.h"
#include "metrics/task-statistics.h"
#include "metrics/test-machine.h"
#include "records/record-types.h"

#include <linux/taskstats.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64];

static int set_up(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test-collection-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	remove_tree(root);
	return 0;
}

/* Returns the number of an item. */
static uint64_t number(const struct machine *machine, const char *type, size_t record,
		       const char *item)
{
	struct field_value value;

	assert_true(get(machine, type, record, item, &value));
	return value.number;
}

/* Returns the record of a type whose text item is a name. */
static size_t record_named(const struct machine *machine, const char *type, const char *item,
			   const char *name)
{
	for (size_t i = 0; i < count(machine, type); i++) {
		struct field_value value;

		if (get(machine, type, i, item, &value) &&
		    strcmp(strmap_text(engine_strings(machine->engine), (uint32_t)value.number),
			   name) == 0)
			return i;
	}
	fail_msg("no %s whose %s is %s", type, item, name);
	return 0;
}

static void header(void **state)
{
	struct machine machine;

	(void)state;
	put(root, "proc/sys/kernel/hostname", "MVS1\n");
	put(root, "proc/sys/kernel/domainname", "(none)\n");
	put(root, "proc/sys/kernel/osrelease", "6.6.13-s390x\n");
	put(root, "proc/sys/kernel/arch", "s390x\n");
	put(root, "etc/os-release", "# what it is\nNAME=Other\nPRETTY_NAME=\"Example Linux 9\"\n");
	put(root, "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\ncpu2 1 2 3 4\nbtime 1763800000\n");
	put(root, "proc/meminfo", "MemTotal: 4096 kB\n");
	put(root, "proc/cpuinfo",
	    "vendor_id       : IBM/S390\ncpu family : 1\ncpu model : 8561\nphysical id : 0\n"
	    "cpu cores : 6\nphysical id : 3\nphysical id : 0\n");
	put(root, "proc/sysinfo",
	    "Manufacturer:         IBM\nType:                 8561\n"
	    "VM00 Control Program: KVM/Linux\n");
	put(root, "sys/devices/system/cpu/possible", "0-3,8\n");
	put(root, "sys/devices/system/node/online", "0\n");
	put(root, "sys/fs/cgroup/cgroup.controllers", "cpu\n");
	put(root, "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "5200000\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "colhdr"), 1);
	is_text(&machine, "colhdr", 0, "program", "vigil " PACKAGE_VERSION);
	is(&machine, "colhdr", 0, "started", machine.now->wall);
	is(&machine, "colhdr", 0, "user_id", geteuid());
	is_text(&machine, "colhdr", 0, "host", "MVS1");
	is_text(&machine, "colhdr", 0, "release", "6.6.13-s390x");
	is_text(&machine, "colhdr", 0, "architecture", "s390x");
	is_text(&machine, "colhdr", 0, "distribution", "Example Linux 9");
	is_text(&machine, "colhdr", 0, "processor_maker", "IBM/S390");
	is_text(&machine, "colhdr", 0, "processor_model", "8561");
	is_text(&machine, "colhdr", 0, "maker", "IBM");
	is_text(&machine, "colhdr", 0, "product", "8561");
	is_text(&machine, "colhdr", 0, "hypervisor", "KVM/Linux");
	is(&machine, "colhdr", 0, "boot_time", 1763800000);
	is(&machine, "colhdr", 0, "processors", 2);
	is(&machine, "colhdr", 0, "processors_possible", 5);
	is(&machine, "colhdr", 0, "packages", 2);
	is(&machine, "colhdr", 0, "cores", 6);
	is(&machine, "colhdr", 0, "nodes", 1);
	is(&machine, "colhdr", 0, "control_groups", 2);
	is(&machine, "colhdr", 0, "memory", 4096 * 1024);
	is(&machine, "colhdr", 0, "frequency_max", UINT64_C(5200000000));
	is_missing(&machine, "colhdr", 0, "swap");
	is_missing(&machine, "colhdr", 0, "domain");
	/* The client has no timer, so the interval is unknown. */
	is_missing(&machine, "colhdr", 0, "interval");
	snap(&machine);
	assert_int_equal(count(&machine, "colhdr"), 0);
	end(&machine);
}

/* Every item of every participating producer is described as in its type. */
static void descriptions_of_all(void **state)
{
	const struct module *const *modules;
	struct machine machine;
	size_t total = 0, known;

	(void)state;
	begin(&machine, root);
	snap(&machine);
	known = engine_modules(machine.engine, &modules);
	for (size_t i = 0; i < known; i++) {
		const struct record_type *type = modules[i]->types ? modules[i]->types[0] : NULL;

		for (size_t f = 0; type && f < type->field_count; f++, total++) {
			is_text(&machine, "ddsc", total, "record", type->name);
			is_text(&machine, "ddsc", total, "item", type->fields[f].name);
			is(&machine, "ddsc", total, "number", f + 1);
			is_text(&machine, "ddsc", total, "unit", type->fields[f].unit);
			is_text(&machine, "ddsc", total, "meaning", type->fields[f].meaning);
		}
	}
	assert_int_equal(count(&machine, "ddsc"), total);
	for (size_t i = 0; i < metrics_count(machine.metrics); i++)
		record_named(&machine, "ddsc", "module",
			     metrics_get(machine.metrics, i).class->name);
	assert_true(total > 1000);
	total = record_named(&machine, "ddsc", "item", "bytes_read");
	is_text(&machine, "ddsc", total, "kind", "counter");
	is_text(&machine, "ddsc", total, "type", "unsigned");
	total = record_named(&machine, "ddsc", "item", "load_1");
	is_text(&machine, "ddsc", total, "kind", "level");
	is_text(&machine, "ddsc", total, "type", "real");
	snap(&machine);
	assert_int_equal(count(&machine, "ddsc"), 0);
	end(&machine);
}

/* Modules are in order; one that is disabled is reported again, with the reason. */
static void module_list(void **state)
{
	const struct module *const *modules;
	struct machine machine;
	size_t known, at;

	(void)state;
	begin(&machine, root);
	snap(&machine);
	known = engine_modules(machine.engine, &modules);
	assert_int_equal(count(&machine, "pdsc"), known);
	for (size_t i = 0; i < known; i++) {
		is_text(&machine, "pdsc", i, "name", modules[i]->class->name);
		is(&machine, "pdsc", i, "place", i + 1);
		is(&machine, "pdsc", i, "active", 1);
		is_missing(&machine, "pdsc", i, "reason");
	}
	at = record_named(&machine, "pdsc", "name", "LWS");
	is_text(&machine, "pdsc", at, "capabilities", "producer supporter");
	at = record_named(&machine, "pdsc", "name", "TAKER");
	is_text(&machine, "pdsc", at, "capabilities", "consumer");
	is_text(&machine, "pdsc", at, "points", "snapshot-end");
	is_missing(&machine, "pdsc", at, "record");
	at = record_named(&machine, "pdsc", "name", "PRO");
	is_text(&machine, "pdsc", at, "record", "pro");
	is_text(&machine, "pdsc", at, "after", "?EXEC");
	snap(&machine);
	assert_int_equal(count(&machine, "pdsc"), 0);
	engine_disable(engine_module(machine.engine, "DLM"), "nobody locks");
	snap(&machine);
	assert_int_equal(count(&machine, "pdsc"), 1);
	is_text(&machine, "pdsc", 0, "name", "DLM");
	is(&machine, "pdsc", 0, "active", 0);
	is_text(&machine, "pdsc", 0, "reason", "nobody locks");
	end(&machine);
}

/* A text with several readers is read once; one with a single reader has a private file. */
static void shared_texts(void **state)
{
	struct machine machine;
	uint64_t reads;

	(void)state;
	put(root, "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\nprocesses 7\n");
	put(root, "proc/loadavg", "1.00 2.00 3.00 4/5 6\n");
	put(root, "proc/meminfo", "MemTotal: 10 kB\nCached: 5 kB\n");
	begin(&machine, root);
	snap(&machine);
	/* It is called first, so it reports the state before this snapshot. */
	is(&machine, "lws", 0, "open", 0);
	snap(&machine);
	is(&machine, "lws", 0, "open", 3);
	/* CPU, SYS, CPS, GLX and COLHDR read stat, SYS and CPS loadavg, MEM, XFC, GLX and COLHDR
	 * meminfo. */
	assert_true(number(&machine, "lws", 0, "reads_saved") >= 4 + 1 + 3);
	reads = number(&machine, "lws", 0, "reads");
	is(&machine, "mem", 0, "cached", 5 * 1024);
	is(&machine, "xfc", 0, "cached", 5 * 1024);
	is(&machine, "cps", 0, "tasks", 5);
	is(&machine, "sys", 0, "tasks", 5);
	/* The next snapshot has the new text, for all readers. */
	put(root, "proc/meminfo", "MemTotal: 10 kB\nCached: 6 kB\n");
	put(root, "proc/loadavg", "");
	snap(&machine);
	is(&machine, "mem", 0, "cached", 6 * 1024);
	is(&machine, "xfc", 0, "cached", 6 * 1024);
	is_missing(&machine, "cps", 0, "tasks");
	is_missing(&machine, "sys", 0, "tasks");
	snap(&machine);
	assert_true(number(&machine, "lws", 0, "reads") > reads);
	end(&machine);
}

/* Starts an engine with some modules, on this machine. */
static void begin_here(struct machine *machine, const char *first, const char *second)
{
	struct error err = ERROR_INIT;

	memset(machine, 0, sizeof(*machine));
	machine->engine = engine_new(&session_records);
	machine->metrics = metrics_offer(machine->engine, NULL, &err);
	assert_non_null(machine->metrics);
	assert_int_equal(engine_enable(machine->engine, first, &err), 0);
	if (second)
		assert_int_equal(engine_enable(machine->engine, second, &err), 0);
	add_taker(machine);
	assert_int_equal(engine_start(machine->engine, &err), 0);
}

/* The delays of taskstats for a process with one thread match its schedstat. */
static void delays(void **state)
{
	struct machine machine;
	size_t compared = 0, compared_now;

	(void)state;
	begin_here(&machine, "PRO", "EXEC");
	snap(&machine);
	if (!count(&machine, "exec")) {
		end(&machine);
		print_message("only root may ask by taskstats, or the kernel has none\n");
		skip();
	}
	compared_now = count(&machine, "pro");
	for (size_t i = 0; i < count(&machine, "pro"); i++) {
		struct field_value delay, slices;

		if (number(&machine, "pro", i, "threads") != 1 ||
		    !get(&machine, "pro", i, "processor_delays", &delay) ||
		    !get(&machine, "pro", i, "slices", &slices))
			continue;
		/*
		 * It may have got a processor between the two reads; an ended process has no
		 * delays.
		 */
		assert_true(delay.number >= slices.number);
		compared += delay.number == slices.number &&
			    number(&machine, "pro", i, "processor_delay") ==
				    number(&machine, "pro", i, "run_delay");
	}
	assert_true(compared > 0);
	snap(&machine);
	assert_true(number(&machine, "exec", 0, "requests") >= compared_now);
	assert_int_equal(number(&machine, "exec", 0, "answers") +
				 number(&machine, "exec", 0, "gone"),
			 number(&machine, "exec", 0, "requests"));
	end(&machine);
}

/* The offsets match the kernel's header; delays that were not counted are missing, not 0. */
static void delays_that_are_counted(void **state)
{
	struct taskstats kernel = { .cpu_count = 3, .cpu_delay_total = 30 };
	const unsigned char *bytes = (const unsigned char *)&kernel;
	struct task_delays delays;

	(void)state;
	task_delays_take(bytes, sizeof(kernel), false, &delays);
	assert_int_equal(delays.count[DELAY_CPU], 3);
	assert_int_equal(delays.total[DELAY_CPU], 30);
	assert_true(delays.count[DELAY_BLOCK] == UINT64_MAX);
	assert_true(delays.total[DELAY_RECLAIM] == UINT64_MAX);
	task_delays_take(bytes, sizeof(kernel), true, &delays);
	assert_int_equal(delays.count[DELAY_BLOCK], 0);
	assert_int_equal(delays.total[DELAY_RECLAIM], 0);
	kernel.blkio_count = 4;
	kernel.swapin_delay_total = 50;
	kernel.freepages_count = 6;
	kernel.freepages_delay_total = 60;
	task_delays_take(bytes, sizeof(kernel), false, &delays);
	assert_int_equal(delays.count[DELAY_BLOCK], 4);
	assert_int_equal(delays.total[DELAY_BLOCK], 0);
	assert_int_equal(delays.total[DELAY_SWAP], 50);
	assert_int_equal(delays.count[DELAY_RECLAIM], 6);
	assert_int_equal(delays.total[DELAY_RECLAIM], 60);
#if TASKSTATS_VERSION >= 13
	kernel.thrashing_count = 7;
	kernel.compact_delay_total = 80;
	kernel.wpcopy_count = 9;
	kernel.wpcopy_delay_total = 90;
	task_delays_take(bytes, sizeof(kernel), false, &delays);
	assert_int_equal(delays.count[DELAY_THRASHING], 7);
	assert_int_equal(delays.total[DELAY_COMPACTION], 80);
	assert_int_equal(delays.count[DELAY_WRITE_COPY], 9);
	assert_int_equal(delays.total[DELAY_WRITE_COPY], 90);
#endif
	/* Members that an older kernel does not have are missing. */
	task_delays_take(bytes, offsetof(struct taskstats, freepages_count) + 8, true, &delays);
	assert_int_equal(delays.count[DELAY_BLOCK], 4);
	assert_true(delays.count[DELAY_RECLAIM] == UINT64_MAX);
	assert_true(delays.count[DELAY_WRITE_COPY] == UINT64_MAX);
}

/*
 * Without the supporter, and for recorded data, the delays are missing and
 * everything else is present.
 */
static void no_delays(void **state)
{
	struct machine machine;

	(void)state;
	begin_here(&machine, "PRO", NULL);
	snap(&machine);
	assert_true(count(&machine, "pro") > 0);
	for (size_t i = 0; i < count(&machine, "pro"); i++) {
		is_missing(&machine, "pro", i, "processor_delay");
		is_missing(&machine, "pro", i, "disk_delays");
	}
	end(&machine);
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	assert_int_equal(count(&machine, "exec"), 0);
	assert_true(count(&machine, "pro") > 0);
	is_missing(&machine, "pro", 0, "processor_delay");
	end(&machine);
}

static void process_services(void **state)
{
	struct machine machine;

	(void)state;
	put(root, "proc/stat", "cpu  1 2 3 4\nprocesses 4711\nprocs_running 3\nprocs_blocked 2\n");
	put(root, "proc/loadavg", "0.00 0.01 0.05 3/120 4000\n");
	put(root, "proc/sys/kernel/pid_max", "32768\n");
	put(root, "proc/net/rpc/nfs", "net 0 0 0 0\nrpc 500 7 2\nproc3 22 0\n");
	put(root, "sys/fs/cgroup/pids.current", "17\n");
	put(root, "sys/fs/cgroup/pids.max", "max\n");
	put(root, "sys/fs/cgroup/pids.events", "max 4\n");
	begin(&machine, root);
	snap(&machine);
	is(&machine, "cps", 0, "created", 4711);
	is(&machine, "cps", 0, "running", 3);
	is(&machine, "cps", 0, "blocked", 2);
	is(&machine, "cps", 0, "tasks", 120);
	is(&machine, "cps", 0, "last_pid", 4000);
	is(&machine, "cps", 0, "pid_max", 32768);
	is(&machine, "cps", 0, "remote_calls", 500);
	is(&machine, "cps", 0, "remote_retries", 7);
	is(&machine, "cps", 0, "remote_credentials", 2);
	is(&machine, "cps", 0, "group_tasks", 17);
	is(&machine, "cps", 0, "group_refusals", 4);
	is_missing(&machine, "cps", 0, "group_tasks_max");
	end(&machine);
	/* The same from control groups of version 1; and no record without the main source. */
	remove_tree(root);
	assert_int_equal(mkdir(root, 0700), 0);
	put(root, "proc/stat", "cpu  1 2 3 4\nprocesses 4712\n");
	put(root, "sys/fs/cgroup/pids/pids.current", "18\n");
	put(root, "sys/fs/cgroup/pids/pids.max", "100\n");
	put(root, "sys/fs/cgroup/pids/pids.events", "max 5\n");
	begin(&machine, root);
	snap(&machine);
	is(&machine, "cps", 0, "group_tasks", 18);
	is(&machine, "cps", 0, "group_tasks_max", 100);
	is(&machine, "cps", 0, "group_refusals", 5);
	is_missing(&machine, "cps", 0, "running");
	put(root, "proc/stat", "");
	snap(&machine);
	assert_int_equal(count(&machine, "cps"), 0);
	end(&machine);
}

static void transactions(void **state)
{
	static const struct timeval times[2] = { { 1763800000, 250000 }, { 1763800000, 250000 } };
	char path[128];
	struct machine machine;
	size_t at;

	(void)state;
	put(root, "run/vigil/transactions/postgres",
	    "started 100\ncommitted 90\naborted 7\nin_doubt 1\nunknown 5\nwaiting many\n");
	put(root, "run/vigil/transactions/.draft", "started 1\n");
	put(root, "run/vigil/transactions/empty", "nothing\n");
	put(root, "run/vigil/transactions/xa", "below_1s 4\nfrom_5s 6\n");
	snprintf(path, sizeof(path), "%s/run/vigil/transactions/postgres", root);
	assert_int_equal(utimes(path, times), 0);
	snprintf(path, sizeof(path), "%s/run/vigil/transactions/pipe", root);
	assert_int_equal(mkfifo(path, 0600), 0);
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "dtm"), 2);
	at = record_named(&machine, "dtm", "name", "postgres");
	is(&machine, "dtm", at, "started", 100);
	is(&machine, "dtm", at, "committed", 90);
	is(&machine, "dtm", at, "aborted", 7);
	is(&machine, "dtm", at, "in_doubt", 1);
	is(&machine, "dtm", at, "written", UINT64_C(1763800000250000000));
	is_missing(&machine, "dtm", at, "waiting");
	is_missing(&machine, "dtm", at, "prepared");
	at = record_named(&machine, "dtm", "name", "xa");
	is(&machine, "dtm", at, "below_1s", 4);
	is(&machine, "dtm", at, "from_5s", 6);
	/* The record of a manager that is gone disappears. */
	snprintf(path, sizeof(path), "%s/run/vigil/transactions/xa", root);
	assert_int_equal(unlink(path), 0);
	snap(&machine);
	assert_int_equal(count(&machine, "dtm"), 1);
	end(&machine);
}

/* Checks the members of a group, in order. */
static void has_members(const char *name, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; metrics_groups[i]; i++)
		for (size_t m = 0;
		     strcmp(metrics_groups[i]->name, name) == 0 && metrics_groups[i]->members[m];
		     m++)
			strbuf_addf(&text, "%s%s", m ? " " : "", metrics_groups[i]->members[m]);
	assert_string_equal(text.text, expected);
	strbuf_release(&text);
}

/* As in the overview of seed 003; ALL also has those that it puts in no group. */
static void groups(void **state)
{
	(void)state;
	has_members("DEFAULT", "ADP CPU CTL DEV DSK FCP MEM NTI PAR PRO SYS");
	has_members("CLUSTER", "CLU CPS CVC DLM DTM GLX PAR SRV");
	has_members("ALL", "DEFAULT CLU CVC CPS DLM DTM GLX INET SRV XFC XVC "
			   "CGR PSI IRQ NFS NFSOP OWN EXEC LWS PDSC DDSC COLHDR");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(header, set_up, tear_down),
		cmocka_unit_test_setup_teardown(descriptions_of_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(module_list, set_up, tear_down),
		cmocka_unit_test_setup_teardown(shared_texts, set_up, tear_down),
		cmocka_unit_test(delays),
		cmocka_unit_test(delays_that_are_counted),
		cmocka_unit_test(no_delays),
		cmocka_unit_test_setup_teardown(process_services, set_up, tear_down),
		cmocka_unit_test_setup_teardown(transactions, set_up, tear_down),
		cmocka_unit_test(groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
