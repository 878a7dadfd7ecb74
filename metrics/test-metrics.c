/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the producers of system metrics on recorded trees of several machines. */
#include "common/compat.h"
#include "common/procfs.h"
#include "engine/dataset.h"
#include "metrics/test-machine.h"
#include "metrics/outputs.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const uint64_t tick = 10000000, second = 1000000000;

static void processors(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	assert_int_equal(count(&machine, "cpu"), 2);
	is(&machine, "cpu", 1, "number", 1);
	is(&machine, "cpu", 1, "user", 36654 * tick);
	is(&machine, "cpu", 0, "nice", 11595 * tick);
	is(&machine, "cpu", 0, "idle", 59899 * tick);
	is(&machine, "cpu", 1, "stolen", 30 * tick);
	is(&machine, "cpu", 1, "guest_nice", 0);
	is(&machine, "cpu", 0, "soft_high", 1);
	is(&machine, "cpu", 1, "soft_block", 1983954);
	is(&machine, "cpu", 1, "soft_rcu", 3354270);
	is(&machine, "cpu", 0, "yields", 11);
	is(&machine, "cpu", 0, "schedules", 12);
	is(&machine, "cpu", 1, "local_wakeups", 25);
	is(&machine, "cpu", 1, "run_delay", 2700);
	is(&machine, "cpu", 1, "slices", 28);
	is(&machine, "cpu", 0, "frequency", 2250000000);
	is_missing(&machine, "cpu", 1, "frequency");
	is(&machine, "cpu", 1, "package", 0);
	is(&machine, "cpu", 1, "core", 1);
	end(&machine);
}

static void memory_and_paging(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	assert_int_equal(count(&machine, "mem"), 1);
	is(&machine, "mem", 0, "total", UINT64_C(16384256) * 1024);
	is(&machine, "mem", 0, "free", UINT64_C(1203388) * 1024);
	is_missing(&machine, "mem", 0, "available");
	is(&machine, "mem", 0, "paged_in", 2000 * 1024);
	is(&machine, "mem", 0, "swapped_out", 5);
	is(&machine, "mem", 0, "faults", 123456);
	is(&machine, "mem", 0, "major_faults", 789);
	is(&machine, "mem", 0, "out_of_memory_kills", 1);
	is_missing(&machine, "mem", 0, "numa_hit");
	end(&machine);
}

static void disks(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	/* Without the loop device, which was never used; one that was only written is included. */
	assert_int_equal(count(&machine, "dsk"), 3);
	is_text(&machine, "dsk", 0, "name", "nvme0n1");
	is(&machine, "dsk", 0, "major", 259);
	is(&machine, "dsk", 0, "reads", 1000);
	is(&machine, "dsk", 0, "bytes_read", 80000 * 512);
	is(&machine, "dsk", 0, "read_time", 1500 * UINT64_C(1000000));
	is(&machine, "dsk", 0, "bytes_written", 160000 * 512);
	is(&machine, "dsk", 0, "in_flight", 2);
	is(&machine, "dsk", 0, "busy_time", 1800 * UINT64_C(1000000));
	is(&machine, "dsk", 0, "queue_time", 4000 * UINT64_C(1000000));
	is(&machine, "dsk", 0, "bytes_discarded", 800 * 512);
	is(&machine, "dsk", 0, "flushes", 55);
	is(&machine, "dsk", 0, "flush_time", 66 * UINT64_C(1000000));
	is_text(&machine, "dsk", 2, "name", "dm-0");
	end(&machine);
}

static void interfaces(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	assert_int_equal(count(&machine, "nti"), 3);
	is_text(&machine, "nti", 1, "name", "eth0");
	is(&machine, "nti", 1, "bytes_received", UINT64_C(123456789012));
	is(&machine, "nti", 1, "multicast_received", 6);
	is(&machine, "nti", 1, "bytes_sent", UINT64_C(210987654321));
	is(&machine, "nti", 1, "carrier_errors", 11);
	is(&machine, "nti", 1, "compressed_sent", 12);
	is(&machine, "nti", 1, "receive_crc_errors", 21);
	is(&machine, "nti", 1, "receive_nohandler", 25);
	is(&machine, "nti", 1, "send_window_errors", 28);
	is(&machine, "nti", 1, "speed", UINT64_C(10000000000));
	is(&machine, "nti", 1, "mtu", 9000);
	is(&machine, "nti", 1, "carrier_changes", 3);
	is_text(&machine, "nti", 1, "duplex", "full");
	is_text(&machine, "nti", 1, "state", "up");
	/* An unknown speed is not -1. */
	is_missing(&machine, "nti", 2, "speed");
	is_text(&machine, "nti", 2, "state", "down");
	is_missing(&machine, "nti", 0, "mtu");
	end(&machine);
}

static void machine_as_a_whole(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	is_real(&machine, "sys", 0, "load_1", 1.25);
	is_real(&machine, "sys", 0, "load_15", 0.07);
	is(&machine, "sys", 0, "tasks_runnable", 3);
	is(&machine, "sys", 0, "tasks", 211);
	is(&machine, "sys", 0, "last_pid", 4799);
	is(&machine, "sys", 0, "uptime", 12345 * second + 670000000);
	is(&machine, "sys", 0, "user", 74342 * tick);
	is(&machine, "sys", 0, "stolen", 56 * tick);
	is(&machine, "sys", 0, "interrupts", 5093848);
	is(&machine, "sys", 0, "context_switches", 7812341);
	is(&machine, "sys", 0, "boot_time", 1763870000);
	is(&machine, "sys", 0, "forks", 91233);
	is(&machine, "sys", 0, "running", 2);
	is_missing(&machine, "sys", 0, "soft_interrupts");
	is_missing(&machine, "sys", 0, "entropy");
	end(&machine);
}

static void pressures(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	assert_int_equal(count(&machine, "psi"), 3);
	is_text(&machine, "psi", 0, "resource", "cpu");
	is_real(&machine, "psi", 0, "some_avg10", 12.34);
	is_real(&machine, "psi", 0, "some_avg300", 0.07);
	is(&machine, "psi", 0, "some_total", UINT64_C(126289545) * 1000);
	is_missing(&machine, "psi", 0, "full_total");
	is_text(&machine, "psi", 2, "resource", "io");
	is_real(&machine, "psi", 2, "full_avg60", 0.69);
	is(&machine, "psi", 2, "full_total", 7000000);
	end(&machine);
}

static void processes(void **state)
{
	struct machine machine;
	size_t at = 0;
	struct field_value value;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	while (get(&machine, "pro", at, "pid", &value) && value.number != 4711)
		at++;
	is_text(&machine, "pro", at, "name", "pay) S 1 (roll");
	is_text(&machine, "pro", at, "command", "/opt/pay/payroll --month 2026-11 final");
	is_text(&machine, "pro", at, "state", "S");
	is(&machine, "pro", at, "parent", 1);
	is(&machine, "pro", at, "minor_faults", 3001);
	is(&machine, "pro", at, "children_major_faults", 5);
	is(&machine, "pro", at, "user", 211 * tick);
	is(&machine, "pro", at, "children_system", 907 * tick);
	is(&machine, "pro", at, "threads", 3);
	is(&machine, "pro", at, "start", 5123 * tick);
	is(&machine, "pro", at, "virtual", 160392192);
	is(&machine, "pro", at, "resident", 3840 * (uint64_t)sysconf(_SC_PAGESIZE));
	is(&machine, "pro", at, "processor", 1);
	is(&machine, "pro", at, "user_id", 1000);
	is(&machine, "pro", at, "resident_peak", 15360 * 1024);
	is_missing(&machine, "pro", at, "swapped");
	is(&machine, "pro", at, "involuntary_switches", 7);
	is(&machine, "pro", at, "characters_read", 1048583);
	is(&machine, "pro", at, "bytes_written", 12288);
	is(&machine, "pro", at, "run_time", 501234);
	is(&machine, "pro", at, "slices", 157);
	end(&machine);
}

/* Writes the line of stat of process 42: its parent, its nice value and its memory. */
static void put_stat(const char *root, int parent, int nice, int pages)
{
	char text[400];

	snprintf(text, sizeof(text),
		 "42 (idler) S %d 42 42 0 -1 0 138 0 0 0 1 2 0 0 20 %d 1 0 2728060 2990080 %d 0 1 2 3 "
		 "0 0 0 0 6 0 1 0 0 17 0 0 0 0 0 0 4 5 6 7 8 9 10 0\n",
		 parent, nice, pages);
	put(root, "proc/42/stat", text);
}

/* A sleeping process is reported unchanged, except for what others can change. */
static void sleeping_process(void **state)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	char root[] = "/tmp/test-metrics-XXXXXX";
	struct machine machine;
	struct field_value nice;

	(void)state;
	assert_non_null(mkdtemp(root));
	put_stat(root, 7, 0, 412);
	put(root, "proc/42/schedstat", "1000 20 3\n");
	put(root, "proc/42/status", "Uid:\t5\t5\t5\t5\nVmHWM:\t100 kB\n");
	put(root, "proc/42/io", "rchar: 77\n");
	begin(&machine, root);
	snap(&machine);
	is(&machine, "pro", 0, "resident_peak", 100 * 1024);
	/* The same once more. */
	snap(&machine);
	is(&machine, "pro", 0, "pid", 42);
	is_text(&machine, "pro", 0, "name", "idler");
	is(&machine, "pro", 0, "parent", 7);
	is(&machine, "pro", 0, "run_time", 1000);
	is(&machine, "pro", 0, "user_id", 5);
	is(&machine, "pro", 0, "characters_read", 77);
	/* It has another parent and another nice value, and has not executed. */
	put_stat(root, 1, 5, 412);
	snap(&machine);
	is(&machine, "pro", 0, "parent", 1);
	assert_true(get(&machine, "pro", 0, "nice", &nice));
	assert_int_equal(nice.integer, 5);
	is(&machine, "pro", 0, "characters_read", 77);
	/* It has executed, but stat has not counted that yet. */
	put(root, "proc/42/schedstat", "1500 20 4\n");
	put(root, "proc/42/io", "rchar: 78\n");
	snap(&machine);
	is(&machine, "pro", 0, "run_time", 1500);
	is(&machine, "pro", 0, "parent", 1);
	is(&machine, "pro", 0, "characters_read", 78);
	/* Memory was taken from it. */
	put_stat(root, 1, 5, 300);
	put(root, "proc/42/status", "Uid:\t5\t5\t5\t5\nVmHWM:\t200 kB\n");
	snap(&machine);
	is(&machine, "pro", 0, "resident", 300 * page);
	is(&machine, "pro", 0, "resident_peak", 200 * 1024);
	/* A value that is no longer available is a gap. */
	put(root, "proc/42/schedstat", "");
	put(root, "proc/42/io", "");
	snap(&machine);
	is_missing(&machine, "pro", 0, "run_time");
	is_missing(&machine, "pro", 0, "characters_read");
	is(&machine, "pro", 0, "parent", 1);
	end(&machine);
	remove_tree(root);
}

static void protocols(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	assert_int_equal(count(&machine, "inet"), 1);
	is(&machine, "inet", 0, "ip_in_receives", 847);
	is(&machine, "inet", 0, "ip_frag_creates", 14);
	is(&machine, "inet", 0, "ip_in_octets", 123456);
	/* ICMP has no lines here, and IcmpMsg is not mistaken for it. */
	is_missing(&machine, "inet", 0, "icmp_in_msgs");
	is(&machine, "inet", 0, "tcp_established", 5);
	is(&machine, "inet", 0, "tcp_timeout_max", UINT64_C(120000000000));
	is(&machine, "inet", 0, "tcp_segments_retransmitted", 9);
	is(&machine, "inet", 0, "tcp_listen_overflows", 3);
	is(&machine, "inet", 0, "tcp_memory_pressures_chrono", 5);
	is(&machine, "inet", 0, "udp_mem_errors", 1);
	is(&machine, "inet", 0, "ip6_out_octets", 4242);
	is(&machine, "inet", 0, "icmp6_in_msgs", 7);
	is(&machine, "inet", 0, "sockets", 160);
	is(&machine, "inet", 0, "tcp_waiting", 3);
	is(&machine, "inet", 0, "tcp_memory", 5 * (uint64_t)sysconf(_SC_PAGESIZE));
	is_missing(&machine, "inet", 0, "tcp6_sockets");
	is(&machine, "inet", 0, "backlog_packets", 0x1f + 0x321);
	is(&machine, "inet", 0, "backlog_squeezes", 2 + 0xff);
	end(&machine);
	begin_tree(&machine, "container");
	snap(&machine);
	assert_int_equal(count(&machine, "inet"), 0);
	end(&machine);
}

static void file_locks(void **state)
{
	char root[] = "/tmp/test-metrics-XXXXXX";
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	is(&machine, "dlm", 0, "posix", 3);
	is(&machine, "dlm", 0, "flock", 1);
	is(&machine, "dlm", 0, "open_file", 1);
	is(&machine, "dlm", 0, "leases", 0);
	is(&machine, "dlm", 0, "writing", 3);
	is(&machine, "dlm", 0, "reading", 2);
	is(&machine, "dlm", 0, "waiting", 5);
	is(&machine, "dlm", 0, "waiting_write", 5);
	is(&machine, "dlm", 0, "most_waiting", 2);
	is(&machine, "dlm", 0, "holders", 3);
	is(&machine, "dlm", 0, "waiters", 4);
	is(&machine, "dlm", 0, "files", 5);
	end(&machine);
	assert_non_null(mkdtemp(root));
	put(root, "proc/locks",
	    "1: POSIX  ADVISORY  WRITE 3841 fe:00:10969198 0 EOF\n"
	    "1: -> POSIX  ADVISORY  READ 3901 fe:00:10969198 0 10\n"
	    "2: LEASE  BREAKING  READ 500 fe:00:77 0 EOF\n"
	    "2: -> LEASE  BREAKER WRITE 3900 fe:00:77 0 EOF\n3: POSIX  ADVISORY\n");
	begin(&machine, root);
	snap(&machine);
	is(&machine, "dlm", 0, "posix", 1);
	is(&machine, "dlm", 0, "leases", 1);
	is(&machine, "dlm", 0, "breaking", 1);
	is(&machine, "dlm", 0, "waiting_read", 1);
	is(&machine, "dlm", 0, "waiting", 2);
	put(root, "proc/locks", "");
	snap(&machine);
	is(&machine, "dlm", 0, "posix", 0);
	is(&machine, "dlm", 0, "files", 0);
	end(&machine);
	remove_tree(root);
	begin_tree(&machine, "container");
	snap(&machine);
	assert_int_equal(count(&machine, "dlm"), 0);
	end(&machine);
}

static void file_systems_and_cache(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-6.1");
	snap(&machine);
	is(&machine, "fcp", 0, "files_open", 817);
	is(&machine, "fcp", 0, "files_max", 2466170);
	is(&machine, "fcp", 0, "inodes_free", 13);
	is(&machine, "fcp", 0, "names_negative", 258946);
	is_missing(&machine, "fcp", 0, "mounts_max");
	is(&machine, "fcp", 0, "xfs_blocks_freed", 4);
	is(&machine, "fcp", 0, "xfs_read_calls", 18);
	is(&machine, "fcp", 0, "xfs_bytes_read", 25);
	is(&machine, "xfc", 0, "dirty", 12 * (uint64_t)sysconf(_SC_PAGESIZE));
	is_missing(&machine, "xfc", 0, "refaults_file");
	end(&machine);
}

/* Rarely changing data are reported once, again when they change, and once when they are gone. */
static void told_when_changed(void **state)
{
	char root[] = "/tmp/test-metrics-XXXXXX";
	char block[PROCFS_PATH_SIZE];
	struct machine machine;
	size_t reported = 0, devices_reported = 0, gone = 0;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "sys/block/sda/size", "1000\n");
	put(root, "sys/block/sda/device/vendor", "ATA     \n");
	put(root, "sys/block/sda/queue/rotational", "1\n");
	put(root, "proc/sys/kernel/pid_max", "4194304\n");
	put(root, "proc/sys/kernel/threads-max", "1000\n");
	put(root, "proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
	put(root, "proc/sys/net/ipv4/conf/all/forwarding", "0\n");
	put(root, "proc/sys/net/ipv4/conf/eth0/forwarding", "0\n");
	put(root, "sys/module/loop/parameters/max_loop", "8\n");
	put(root, "proc/cmdline", "quiet ro\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "dev"), 1);
	is_text(&machine, "dev", 0, "name", "sda");
	is(&machine, "dev", 0, "present", 1);
	is(&machine, "dev", 0, "size", 512000);
	is(&machine, "dev", 0, "rotational", 1);
	is_text(&machine, "dev", 0, "vendor", "ATA");
	is_missing(&machine, "dev", 0, "model");
	/* Not that of eth0: cmdline, four of /proc/sys, one of a module. */
	assert_int_equal(count(&machine, "par"), 6);
	is_text(&machine, "par", 0, "value", "quiet ro");
	put(root, "sys/block/sda/size", "2000\n");
	put(root, "proc/sys/kernel/pid_max", "99999\n");
	/* Everything has been examined again after twice the snapshots of a round. */
	for (int i = 0; i < 120; i++) {
		snap(&machine);
		devices_reported += count(&machine, "dev");
		if (count(&machine, "dev"))
			is(&machine, "dev", 0, "size", 1024000);
		reported += count(&machine, "par");
		if (count(&machine, "par")) {
			is_text(&machine, "par", 0, "name", "kernel/pid_max");
			is_text(&machine, "par", 0, "value", "99999");
		}
	}
	assert_int_equal(devices_reported, 1);
	assert_int_equal(reported, 1);
	snprintf(block, sizeof(block), "%s/sys/block/sda", root);
	remove_tree(block);
	for (int i = 0; i < 120; i++) {
		snap(&machine);
		gone += count(&machine, "dev");
		if (!count(&machine, "dev"))
			continue;
		is_text(&machine, "dev", 0, "name", "sda");
		is(&machine, "dev", 0, "present", 0);
		is_missing(&machine, "dev", 0, "size");
	}
	assert_int_equal(gone, 1);
	end(&machine);
	remove_tree(root);
}

/* Entries of folders in folders: the ports of the devices of a cluster. */
static void cluster_links(void **state)
{
	char root[] = "/tmp/test-metrics-XXXXXX";
	struct machine machine;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
	put(root, "sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "1000\n");
	put(root, "sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "3\n");
	put(root, "sys/kernel/config/dlm/cluster/comms/2/nodeid", "2\n");
	put(root, "sys/kernel/config/dlm/cluster/comms/2/local", "1\n");
	put(root, "sys/bus/pci/devices/0000:00:05.0/class", "0x010802\n");
	put(root, "sys/bus/pci/devices/0000:00:05.0/numa_node", "-1\n");
	put(root, "sys/class/nvme/nvme0/model", "FAST 3000  \n");
	begin(&machine, root);
	for (int i = 0; i < 2; i++) {
		snap(&machine);
		assert_int_equal(count(&machine, "cvc"), 1);
		is_text(&machine, "cvc", 0, "name", "mlx5_0/1");
		is_text(&machine, "cvc", 0, "state", "4: ACTIVE");
		is(&machine, "cvc", 0, "bytes_received", 4000);
		is(&machine, "cvc", 0, "downs", 3);
		is_missing(&machine, "cvc", 0, "bytes_sent");
		assert_int_equal(count(&machine, "clu"), i ? 0 : 1);
		assert_int_equal(count(&machine, "adp"), i ? 0 : 1);
		assert_int_equal(count(&machine, "ctl"), i ? 0 : 1);
		if (i)
			continue;
		is(&machine, "clu", 0, "node", 2);
		is(&machine, "clu", 0, "local", 1);
		is_text(&machine, "adp", 0, "name", "0000:00:05.0");
		is_text(&machine, "adp", 0, "class", "0x010802");
		/* No node is not reported as node -1. */
		is_missing(&machine, "adp", 0, "node");
		is_text(&machine, "ctl", 0, "nvme_model", "FAST 3000");
	}
	end(&machine);
	remove_tree(root);
}

/* Values that an old kernel does not have are missing, and its formats are parsed. */
static void old_kernel(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-3.10");
	snap(&machine);
	is(&machine, "mem", 0, "free", 123456 * 1024);
	is(&machine, "mem", 0, "huge_pages_total", 4);
	is_missing(&machine, "mem", 0, "available");
	is_missing(&machine, "mem", 0, "faults");
	/* A line with only four counts, of a partition in a still older kernel, is left out. */
	assert_int_equal(count(&machine, "dsk"), 1);
	is(&machine, "dsk", 0, "queue_time", 21 * UINT64_C(1000000));
	is_missing(&machine, "dsk", 0, "discards");
	is_missing(&machine, "dsk", 0, "flush_time");
	is_text(&machine, "nti", 0, "name", "eth0");
	is(&machine, "nti", 0, "bytes_received", UINT64_C(4294967295));
	is(&machine, "nti", 0, "bytes_sent", UINT64_C(210987654321));
	assert_int_equal(count(&machine, "psi"), 0);
	assert_int_equal(count(&machine, "pro"), 1);
	is_missing(&machine, "pro", 0, "characters_read");
	is_missing(&machine, "pro", 0, "resident_peak");
	end(&machine);
}

/* Offline processors have no record, and the columns of the others are assigned correctly. */
static void mainframe(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "linux-5.14-s390x");
	snap(&machine);
	assert_int_equal(count(&machine, "cpu"), 2);
	is(&machine, "cpu", 1, "number", 2);
	is(&machine, "cpu", 1, "stolen", 2500 * tick);
	is(&machine, "cpu", 1, "soft_timer", 300);
	is(&machine, "cpu", 0, "soft_timer", 100);
	is_missing(&machine, "cpu", 0, "soft_rcu");
	is_missing(&machine, "cpu", 0, "core");
	is(&machine, "sys", 0, "soft_interrupts", 55);
	is(&machine, "sys", 0, "soft_rcu", 10);
	is(&machine, "sys", 0, "blocked", 2);
	is_text(&machine, "dsk", 0, "name", "dasda");
	end(&machine);
}

/* Checks the reason why a producer has no records. */
static void why(const struct machine *machine, const char *name, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < metrics_count(machine->metrics); i++)
		if (strcmp(metrics_get(machine->metrics, i).class->name, name) == 0)
			metrics_why(machine->metrics, i, &text);
	assert_string_equal(text.text, expected);
	strbuf_release(&text);
}

/* A container that shows little: sets are empty, with a reason. */
static void container(void **state)
{
	struct machine machine;
	struct error err = ERROR_INIT;

	(void)state;
	begin_tree(&machine, "container");
	snap(&machine);
	assert_int_equal(count(&machine, "cpu"), 1);
	is_missing(&machine, "cpu", 0, "soft_timer");
	assert_int_equal(count(&machine, "sys"), 1);
	is_missing(&machine, "sys", 0, "load_1");
	is_missing(&machine, "sys", 0, "tasks");
	assert_int_equal(count(&machine, "dsk"), 0);
	assert_int_equal(count(&machine, "nti"), 0);
	assert_int_equal(count(&machine, "psi"), 0);
	assert_int_equal(count(&machine, "pro"), 0);
	assert_int_equal(engine_finish(machine.engine, &err), 0);
	why(&machine, "PSI", "/proc/pressure/cpu: No such file or directory");
	why(&machine, "CGR", "no hierarchy of control groups is mounted");
	why(&machine, "NTI", "/proc/net/dev: No such file or directory");
	why(&machine, "DSK", "no block device has been used, or /proc/diskstats cannot be read");
	end(&machine);
}

/* From malformed texts only intact values are taken. */
static void damaged_texts(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "damaged");
	snap(&machine);
	/* Of five processes, only one has a line that reaches its start time. */
	assert_int_equal(count(&machine, "pro"), 1);
	is(&machine, "pro", 0, "pid", 14);
	is(&machine, "sys", 0, "idle", 4000 * tick);
	is_missing(&machine, "sys", 0, "io_wait");
	assert_int_equal(count(&machine, "cpu"), 0);
	end(&machine);
}

/* A source that disappears leaves a gap, never a zero; when it is back, it counts again. */
static void sources_that_go(void **state)
{
	char root[] = "/tmp/test-metrics-XXXXXX";
	struct machine machine;

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "proc/meminfo", "MemTotal: 100 kB\nMemFree: 50 kB\nCached: 7 kB\n");
	put(root, "proc/diskstats",
	    "8 0 sda 1 0 8 1 1 0 8 1 0 1 1\n8 16 sdb 2 0 8 1 1 0 8 1 0 1 1\n");
	begin(&machine, root);
	snap(&machine);
	is(&machine, "mem", 0, "free", 50 * 1024);
	assert_int_equal(count(&machine, "dsk"), 2);
	assert_int_equal(count(&machine, "psi"), 0);
	put(root, "proc/meminfo", "");
	put(root, "proc/diskstats", "8 16 sdb 3 0 8 1 1 0 8 1 0 1 1\n");
	put(root, "proc/pressure/io", "some avg10=1.00 avg60=0.00 avg300=0.00 total=5\n");
	snap(&machine);
	assert_int_equal(count(&machine, "mem"), 0);
	assert_int_equal(count(&machine, "dsk"), 1);
	is_text(&machine, "dsk", 0, "name", "sdb");
	is(&machine, "dsk", 0, "reads", 3);
	assert_int_equal(count(&machine, "psi"), 1);
	/* The lines are in another order now, and one is missing. */
	put(root, "proc/meminfo", "MemFree: 60 kB\nCached: 8 kB\nMemTotal: 100 kB\n");
	snap(&machine);
	is(&machine, "mem", 0, "free", 60 * 1024);
	is(&machine, "mem", 0, "cached", 8 * 1024);
	is(&machine, "mem", 0, "total", 100 * 1024);
	put(root, "proc/meminfo", "MemTotal: 100 kB\nMemFree: many kB\n");
	snap(&machine);
	is(&machine, "mem", 0, "total", 100 * 1024);
	is_missing(&machine, "mem", 0, "free");
	is_missing(&machine, "mem", 0, "cached");
	end(&machine);
	remove_tree(root);
}

/* A machine of 256 processors, 2000 disks and many processes. */
static void big_machine(void **state)
{
	char root[] = "/tmp/test-metrics-XXXXXX";
	struct strbuf command = STRBUF_INIT;
	struct machine machine;

	(void)state;
	if (!getenv("VIGIL_SOURCE") || system("python3 -c ''") != 0) {
		print_message("python3 is not there\n");
		skip();
	}
	assert_non_null(mkdtemp(root));
	strbuf_addf(&command, "python3 '%s/tests/procfs-machine.py' '%s' --processes 500",
		    getenv("VIGIL_SOURCE"), root);
	assert_int_equal(system(command.text), 0);
	strbuf_release(&command);
	begin(&machine, root);
	for (int i = 0; i < 2; i++) {
		snap(&machine);
		assert_int_equal(count(&machine, "cpu"), 256);
		is(&machine, "cpu", 255, "user", 1255 * tick);
		is(&machine, "cpu", 255, "core", 127);
		/* Disk 0 of the tree was never used. */
		assert_int_equal(count(&machine, "dsk"), 1999);
		is_text(&machine, "dsk", 1998, "name", "sd1999");
		is(&machine, "dsk", 1998, "reads", 19990);
		assert_int_equal(count(&machine, "pro"), 500);
	}
	is(&machine, "mem", 0, "total", UINT64_C(256) * 8388608 * 1024);
	end(&machine);
	remove_tree(root);
}

/* Counts of a snapshot's data while a file is read. */
struct stored {
	unsigned snapshots, with_metrics;
	bool last_is_empty;
};

static int each_stored(void *argument, const struct snapshot *snapshot,
		       const struct strmap *strings)
{
	const struct record_type *type = registry_find(snapshot->types, "nti");
	struct stored *stored = argument;
	const struct recordset *set;
	struct field_value value;

	stored->snapshots++;
	assert_non_null(type);
	set = snapshot_records(snapshot, type->id);
	stored->last_is_empty = !set->count;
	if (!set->count)
		return 0;
	stored->with_metrics++;
	assert_int_equal(set->count, 3);
	assert_true(recordset_value(set, 1, 0, &value));
	assert_string_equal(strmap_text(strings, (uint32_t)value.number), "eth0");
	assert_true(recordset_value(set, 1, 1, &value));
	assert_int_equal(value.number, UINT64_C(123456789012));
	/* The speed of wlan0 is unknown in the file too. */
	for (size_t i = 0; i < set->type->field_count; i++)
		if (strcmp(set->type->fields[i].name, "speed") == 0) {
			assert_false(recordset_value(set, 2, i, &value));
			assert_true(recordset_value(set, 1, i, &value));
			assert_string_equal(set->type->fields[i].unit, "bits/s");
			assert_string_equal(set->type->fields[i].meaning, "Speed of the line.");
		}
	return 0;
}

/* A data set has all snapshots, the types with their descriptions, and the missing values. */
static void data_set(void **state)
{
	char path[] = "/tmp/test-metrics-XXXXXX";
	int fd = mkstemp(path);
	struct dataset_consumer consumer = { .path = path };
	struct dataset_status status;
	struct stored stored = { 0 };
	struct error err = ERROR_INIT;
	struct strmap strings;
	char root[PROCFS_ROOT_MAX];
	struct engine *engine = engine_new(&session_records);
	struct metrics *metrics = metrics_offer(engine, NULL, &err);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	snprintf(root, sizeof(root), "%s/tests/procfs/linux-6.1", getenv("VIGIL_SOURCE"));
	procfs_set_root(root);
	assert_int_equal(engine_enable(engine, "ALL", &err), 0);
	assert_non_null(engine_add(engine, &dataset_consumer_class, &consumer, &err));
	assert_int_equal(engine_start(engine, &err), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(engine_snapshot(engine, &err), 0);
	assert_int_equal(engine_finish(engine, &err), 0);
	engine_free(engine);
	metrics_free(metrics);
	procfs_set_root(NULL);
	strmap_init(&strings);
	assert_int_equal(dataset_read(path, &session_records, &strings, each_stored, &stored, &status, &err), 0);
	assert_true(status.complete);
	assert_int_equal(stored.with_metrics, 3);
	strmap_release(&strings);
	unlink(path);
}

/* Returns the field of a heading in a CSV, counted from 0. */
static size_t column_of(const char *text, const char *head)
{
	const char *at = strstr(text, head), *end = strchr(text, '\n');
	size_t column = 0;

	assert_true(at && at < end);
	for (; text < at; text++)
		column += *text == ',';
	return column;
}

/* Returns a field of a row of a CSV without quoted commas; the caller frees it. */
static char *field_of(const char *text, size_t row, size_t column)
{
	while (row--)
		text = strchr(text, '\n') + 1;
	while (column--)
		text = strchr(text, ',') + 1;
	return strndup(text, strcspn(text, ",\n"));
}

static void expect_field(const char *text, size_t row, const char *head, const char *expected)
{
	char *field = field_of(text, row, column_of(text, head));

	assert_string_equal(field, expected);
	free(field);
}

/* Rows match the values: rates by the time between snapshots, gaps, late devices. */
static void timeline(void **state)
{
	char root[] = "/tmp/test-metrics-XXXXXX", *text = NULL;
	size_t length;
	struct error err = ERROR_INIT;
	struct timeline timeline = { .stream = open_memstream(&text, &length) };
	struct engine *engine = engine_new(&session_records);
	struct module *module = engine_add(engine, &timeline_class, &timeline, &err);
	struct machine machine;
	struct snapshot *now;
	static const char *const disks_of[] = {
		"8 0 sda 100 0 8 1 1 0 8 1 3 1 1\n8 16 sdb 7 0 8 1 1 0 8 1 0 1 1\n",
		"8 0 sda 105 0 8 1 1 0 8 1 4 1 1\n8 32 sdc 9 0 8 1 1 0 8 1 0 1 1\n",
		"8 16 sdb 1 0 8 1 1 0 8 1 0 1 1\n8 0 sda 101 0 8 1 1 0 8 1 5 1 1\n",
	};

	(void)state;
	assert_non_null(mkdtemp(root));
	put(root, "proc/diskstats", disks_of[0]);
	begin(&machine, root);
	module->engine = machine.engine;
	timeline_class.init(module, &err);
	for (uint64_t i = 0; i < 3; i++) {
		put(root, "proc/diskstats", disks_of[i]);
		snap(&machine);
		now = (struct snapshot *)(uintptr_t)machine.now;
		now->time = 1000000000 + i * 2000000000;
		now->wall = UINT64_C(1763800000250000000) + i * 2000000000;
		assert_int_equal(timeline_class.call(module, SYNC_SNAPSHOT_END, now, &err),
				 MODULE_OK);
	}
	assert_int_equal(timeline.late, 1);
	fflush(timeline.stream);
	expect_field(text, 1, "time", "2025-11-22T08:26:40.250Z");
	expect_field(text, 1, "dsk.sda.reads (count/s)", "");
	expect_field(text, 2, "dsk.sda.reads (count/s)", "2.5");
	expect_field(text, 2, "dsk.sda.bytes_read (bytes/s)", "0");
	expect_field(text, 1, "dsk.sda.in_flight (count)", "3");
	expect_field(text, 2, "dsk.sda.in_flight (count)", "4");
	/* A device that is gone leaves a gap, and its first rate afterwards is unknown. */
	expect_field(text, 1, "dsk.sdb.in_flight (count)", "0");
	expect_field(text, 2, "dsk.sdb.in_flight (count)", "");
	expect_field(text, 3, "dsk.sdb.in_flight (count)", "0");
	expect_field(text, 3, "dsk.sdb.reads (count/s)", "");
	/* A counter that went back has no rate; in another order it is still matched. */
	expect_field(text, 3, "dsk.sda.reads (count/s)", "");
	expect_field(text, 3, "dsk.sda.in_flight (count)", "5");
	assert_null(strstr(text, "dsk.sdc"));
	assert_null(strstr(text, "pro."));
	timeline_class.end(module);
	fclose(timeline.stream);
	free(text);
	module->engine = engine;
	engine_free(engine);
	end(&machine);
	remove_tree(root);
}

/* Every field is described in a sentence; names have one form. */
static void descriptions(void **state)
{
	struct machine machine;

	(void)state;
	begin_tree(&machine, "container");
	for (size_t i = 0; i < metrics_count(machine.metrics); i++) {
		const struct record_type *type = metrics_get(machine.metrics, i).type;

		for (size_t f = 0; f < type->field_count; f++) {
			const struct field *field = &type->fields[f];
			size_t length = strlen(field->meaning);

			if (length < 10 || field->meaning[length - 1] != '.' || !*field->unit ||
			    strspn(field->name, "abcdefghijklmnopqrstuvwxyz0123456789_") !=
				    strlen(field->name))
				print_message("%s.%s\n", type->name, field->name);
			assert_true(length >= 10 && field->meaning[length - 1] == '.');
			assert_true(*field->unit);
			assert_int_equal(
				strspn(field->name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
				strlen(field->name));
			assert_true(field->optional);
		}
	}
	end(&machine);
}

/* Takes a snapshot a moment later, of a session's engine. */
static size_t later(struct machine *machine, unsigned milliseconds)
{
	usleep(milliseconds * 1000);
	snap(machine);
	return count(machine, "mem");
}

/* Returns how many of a thousand equidistant snapshots have records. */
static unsigned records_of_thousand(uint64_t apart, uint64_t parts)
{
	struct machine machine;
	unsigned found = 0;

	begin_tree(&machine, "container");
	metrics_pace(machine.metrics, apart, parts);
	for (unsigned i = 0; i < 1000; i++)
		found += later(&machine, 0) > 0;
	end(&machine);
	return found;
}

/* The longer the collection, the larger the distance between records, which limits their number. */
static void paced_by_parts(void **state UNUSED)
{
	unsigned found = records_of_thousand(0, 10);

	assert_int_equal(records_of_thousand(0, 0), 1000);
	/* 33 if all take the same time; after a slow one there are fewer. */
	assert_true(found > 1 && found < 500);
}

/* Records are no closer than requested, and come at the end. */
static void paced(void **state UNUSED)
{
	struct machine machine;

	begin_tree(&machine, "linux-6.1");
	metrics_pace(machine.metrics, 60 * second, 0);
	assert_int_equal(later(&machine, 0), 1);
	assert_int_equal(later(&machine, 1), 0);
	assert_int_equal(count(&machine, "cpu"), 0);
	metrics_pace(machine.metrics, 1, 0);
	assert_int_equal(later(&machine, 1), 1);
	assert_int_equal(count(&machine, "cpu"), 2);
	assert_true(metrics_cost(machine.metrics) > 0);
	metrics_pace(machine.metrics, 60 * second, 0);
	assert_int_equal(engine_finish(machine.engine, NULL), 0);
	assert_true(machine.ended_with > 0);
	engine_free(machine.engine);
	metrics_free(machine.metrics);
	procfs_set_root(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processors),
		cmocka_unit_test(memory_and_paging),
		cmocka_unit_test(disks),
		cmocka_unit_test(interfaces),
		cmocka_unit_test(machine_as_a_whole),
		cmocka_unit_test(pressures),
		cmocka_unit_test(processes),
		cmocka_unit_test(sleeping_process),
		cmocka_unit_test(old_kernel),
		cmocka_unit_test(protocols),
		cmocka_unit_test(told_when_changed),
		cmocka_unit_test(cluster_links),
		cmocka_unit_test(file_locks),
		cmocka_unit_test(file_systems_and_cache),
		cmocka_unit_test(mainframe),
		cmocka_unit_test(container),
		cmocka_unit_test(damaged_texts),
		cmocka_unit_test(sources_that_go),
		cmocka_unit_test(big_machine),
		cmocka_unit_test(descriptions),
		cmocka_unit_test(data_set),
		cmocka_unit_test(timeline),
		cmocka_unit_test(paced),
		cmocka_unit_test(paced_by_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
