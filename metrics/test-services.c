/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of producers for things that few machines have: servers, partitions,
 * caches of volumes, control groups.
 */
#include "common/compat.h"
#include "metrics/queue-statistics.h"
#include "metrics/test-machine.h"

#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <utmp.h>

#include <cmocka.h>

static char root[64];

static void put_utmp(const struct utmp *entries, size_t size)
{
	char path[128];
	FILE *file;

	put(root, "run/utmp", "");
	snprintf(path, sizeof(path), "%s/run/utmp", root);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(entries, 1, size, file), size);
	fclose(file);
}

static int set_up(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test-services-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	remove_tree(root);
	return 0;
}

static void file_server(void **state)
{
	struct machine machine;

	(void)state;
	put(root, "proc/net/rpc/nfsd",
	    "rc 1 2 3\nfh 4 0 0 0 0\nio 5000 6000\nth 8 0 0.000 0.000\nra 32 0 0\n"
	    "net 10 11 12 13\nrpc 20 21 22 23 24\n"
	    "proc3 22 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114 115 116 117 118 "
	    "119 120 121\nproc4 2 5 77\n"
	    "proc4ops 72 0 0 0 203 204 205 206 207 208 209 210 211 212 213 214 215 216 217 218 219 "
	    "220 221 222 223 224 225 226 227 228 229 230 231 232 233 234 235 236 237 238 239\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "srv"), 1);
	is(&machine, "srv", 0, "cache_not_kept", 3);
	is(&machine, "srv", 0, "stale", 4);
	is(&machine, "srv", 0, "bytes_written", 6000);
	is(&machine, "srv", 0, "threads", 8);
	is(&machine, "srv", 0, "connections", 13);
	is(&machine, "srv", 0, "bad_client", 24);
	is(&machine, "srv", 0, "nfs3_null", 100);
	is(&machine, "srv", 0, "nfs3_read", 106);
	is(&machine, "srv", 0, "nfs3_commit", 121);
	is(&machine, "srv", 0, "nfs4_compound", 77);
	is(&machine, "srv", 0, "nfs4_access", 203);
	is(&machine, "srv", 0, "nfs4_read", 225);
	is(&machine, "srv", 0, "nfs4_write", 238);
	end(&machine);
}

static void partition(void **state)
{
	struct machine machine;

	(void)state;
	put(root, "sys/class/dmi/id/sys_vendor", "Example Machines Inc.\n");
	put(root, "sys/devices/system/cpu/online", "0-3,8\n");
	put(root, "sys/devices/system/cpu/offline", "\n");
	put(root, "proc/stat", "cpu  1 2 3 4 5 6 7 80 90 100\n");
	put(root, "proc/meminfo", "MemTotal: 1000 kB\nBalloon: 24 kB\n");
	begin(&machine, root);
	snap(&machine);
	is_text(&machine, "glx", 0, "maker", "Example Machines Inc.");
	is_text(&machine, "glx", 0, "processors_online", "0-3,8");
	is_missing(&machine, "glx", 0, "processors_offline");
	is_missing(&machine, "glx", 0, "hypervisor");
	is(&machine, "glx", 0, "stolen", 800000000);
	is(&machine, "glx", 0, "guest_nice", 1000000000);
	is(&machine, "glx", 0, "memory_returned", 24 * 1024);
	end(&machine);
}

static void caches(void **state)
{
	struct machine machine;

	(void)state;
	put(root, "sys/fs/bcache/register", "");
	put(root, "sys/fs/bcache/0a-1b/bdev0/stats_total/cache_hits", "123\n");
	put(root, "sys/fs/bcache/0a-1b/bdev0/stats_total/cache_misses", "4\n");
	put(root, "sys/fs/bcache/0a-1b/bdev0/state", "clean\n");
	put(root, "sys/fs/bcache/0a-1b/congested", "0\n");
	put(root, "proc/spl/kstat/zfs/arcstats",
	    "13 1 0x01 147 39984 5000 6000\nname                            type data\n"
	    "hits                            4    1000\nsize                            4    8192\n"
	    "c_max                           4    65536\n");
	begin(&machine, root);
	for (int i = 0; i < 2; i++) {
		snap(&machine);
		assert_int_equal(count(&machine, "xvc"), 2);
		is_text(&machine, "xvc", 0, "name", "0a-1b/bdev0");
		is(&machine, "xvc", 0, "hits", 123);
		is_text(&machine, "xvc", 0, "state", "clean");
		is_missing(&machine, "xvc", 0, "arc_hits");
		is_text(&machine, "xvc", 1, "name", "zfs");
		is(&machine, "xvc", 1, "arc_hits", 1000);
		is(&machine, "xvc", 1, "arc_size", 8192);
		is_missing(&machine, "xvc", 1, "hits");
	}
	end(&machine);
}

/* Returns the record of a group, which must have one. */
static size_t group_of(const struct machine *machine, const char *path)
{
	struct field_value value;
	size_t at = 0;

	for (;; at++) {
		assert_true(get(machine, "cgr", at, "path", &value));
		if (strcmp(strmap_text(engine_strings(machine->engine), (uint32_t)value.number),
			   path) == 0)
			return at;
	}
}

static void control_groups(void **state)
{
	struct machine machine;
	char gone[128];
	size_t at;

	(void)state;
	put(root, "proc/self/mountinfo",
	    "22 27 0:21 / /proc rw - proc proc rw\n"
	    "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
	put(root, "sys/fs/cgroup/cpu.stat", "usage_usec 1000\nuser_usec 600\nsystem_usec 400\n");
	put(root, "sys/fs/cgroup/batch.slice/cpu.stat",
	    "usage_usec 500\nuser_usec 300\nsystem_usec 200\nnr_periods 9\nnr_throttled 3\n"
	    "throttled_usec 77\n");
	put(root, "sys/fs/cgroup/batch.slice/memory.current", "4096000\n");
	put(root, "sys/fs/cgroup/batch.slice/memory.max", "max\n");
	put(root, "sys/fs/cgroup/batch.slice/memory.high", "8192000\n");
	put(root, "sys/fs/cgroup/batch.slice/memory.stat", "anon 100\nfile 200\npgfault 33\n");
	put(root, "sys/fs/cgroup/batch.slice/memory.events",
	    "low 0\nhigh 4\nmax 5\noom 6\noom_kill 7\n");
	put(root, "sys/fs/cgroup/batch.slice/cpu.max", "max 100000\n");
	put(root, "sys/fs/cgroup/batch.slice/pids.current", "12\n");
	put(root, "sys/fs/cgroup/batch.slice/io.stat",
	    "8:0 rbytes=1000 wbytes=2000 rios=3 wios=4 dbytes=0 dios=0\n"
	    "8:16 rbytes=10 wbytes=20 rios=30 wios=40 dbytes=5 dios=1\n");
	put(root, "sys/fs/cgroup/batch.slice/io.pressure",
	    "some avg10=0.00 avg60=0.00 avg300=0.00 total=88\nfull avg10=0.00 avg60=0.00 "
	    "avg300=0.00 total=44\n");
	put(root, "sys/fs/cgroup/batch.slice/job 7/cpu.stat", "usage_usec 50\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "cgr"), 3);
	is_text(&machine, "cgr", 0, "path", "/");
	is(&machine, "cgr", 0, "cpu", 1000000);
	is_missing(&machine, "cgr", 0, "memory");
	is_missing(&machine, "cgr", 0, "bytes_read");
	at = group_of(&machine, "/batch.slice");
	is(&machine, "cgr", at, "periods_throttled", 3);
	is(&machine, "cgr", at, "throttled", 77000);
	is(&machine, "cgr", at, "memory", 4096000);
	is_missing(&machine, "cgr", at, "memory_max");
	is(&machine, "cgr", at, "memory_high", 8192000);
	is(&machine, "cgr", at, "file", 200);
	is(&machine, "cgr", at, "faults", 33);
	is(&machine, "cgr", at, "out_of_memory_kills", 7);
	is_missing(&machine, "cgr", at, "cpu_max");
	is(&machine, "cgr", at, "cpu_period", 100000000);
	is(&machine, "cgr", at, "tasks", 12);
	is(&machine, "cgr", at, "bytes_read", 1010);
	is(&machine, "cgr", at, "writes", 44);
	is(&machine, "cgr", at, "discards", 1);
	is(&machine, "cgr", at, "io_full", 44000);
	is(&machine, "cgr", group_of(&machine, "/batch.slice/job 7"), "cpu", 50000);
	/* A group that ends has no record; a new one has a new one. */
	snprintf(gone, sizeof(gone), "%s/sys/fs/cgroup/batch.slice/job 7", root);
	remove_tree(gone);
	put(root, "sys/fs/cgroup/late/cpu.stat", "usage_usec 1\n");
	snap(&machine);
	assert_int_equal(count(&machine, "cgr"), 3);
	is(&machine, "cgr", group_of(&machine, "/late"), "cpu", 1000);
	end(&machine);
}

/* The items of a group of version 1. */
static const struct {
	const char *item;
	uint64_t value;
} of_version_1[] = {
	{ "cpu", UINT64_C(70000000003) },
	{ "user", UINT64_C(40000000001) },
	{ "system", UINT64_C(30000000002) },
	{ "periods", 90 },
	{ "periods_throttled", 13 },
	{ "throttled", UINT64_C(7700000001) },
	{ "burst", 51 },
	{ "cpu_max", 150000000 },
	{ "cpu_period", 50000000 },
	{ "memory", 4096000 },
	{ "memory_peak", 5120000 },
	{ "memory_max", 6144000 },
	{ "memory_max_events", 23 },
	{ "kernel", 81920 },
	{ "sockets", 4096 },
	{ "out_of_memory_kills", 3 },
	{ "file", 1100 },
	{ "anonymous", 1200 },
	{ "huge_anonymous", 1300 },
	{ "shared", 1400 },
	{ "file_mapped", 1500 },
	{ "file_dirty", 1600 },
	{ "file_writeback", 1700 },
	{ "refaults_anonymous", 1750 },
	{ "refaults_file", 1760 },
	{ "swap", 1780 },
	{ "swap_cached", 1790 },
	{ "faults", 2000 },
	{ "major_faults", 2100 },
	{ "inactive_anonymous", 2200 },
	{ "active_anonymous", 2300 },
	{ "inactive_file", 2400 },
	{ "active_file", 2500 },
	{ "unevictable", 2600 },
	{ "bytes_read", 1010 },
	{ "bytes_written", 2020 },
	{ "bytes_discarded", 7 },
	{ "reads", 33 },
	{ "writes", 44 },
	{ "discards", 1 },
	{ "tasks", 12 },
};

/* The groups of version 1 with one path in all hierarchies make one record. */
static void control_groups_of_version_1(void **state)
{
	struct machine machine;
	size_t at;

	(void)state;
	begin_tree(&machine, "cgroup-v1");
	for (int i = 0; i < 2; i++) {
		snap(&machine);
		assert_int_equal(count(&machine, "cgr"), 4);
		at = group_of(&machine, "/batch.slice");
		for (size_t j = 0; j < ARRAY_SIZE(of_version_1); j++)
			is(&machine, "cgr", at, of_version_1[j].item, of_version_1[j].value);
		is_missing(&machine, "cgr", at, "tasks_max");
		at = group_of(&machine, "/");
		is(&machine, "cgr", at, "cpu", UINT64_C(900000000017));
		is(&machine, "cgr", at, "user", 51234 * UINT64_C(1000000000) /
							(uint64_t)sysconf(_SC_CLK_TCK));
		is_missing(&machine, "cgr", at, "cpu_max");
		is_missing(&machine, "cgr", at, "memory_max");
		is_missing(&machine, "cgr", at, "tasks");
		is(&machine, "cgr", at, "bytes_read", 0);
		at = group_of(&machine, "/only-memory");
		is(&machine, "cgr", at, "memory", 77);
		is_missing(&machine, "cgr", at, "cpu");
		is(&machine, "cgr", group_of(&machine, "/other"), "tasks_max", 100);
	}
	end(&machine);
}

/* Returns whether the reason why a producer has no records contains part. */
static bool is_reason(const struct machine *machine, const char *name, const char *part)
{
	struct strbuf text = STRBUF_INIT;
	bool found;

	for (size_t i = 0; i < metrics_count(machine->metrics); i++)
		if (strcmp(metrics_get(machine->metrics, i).class->name, name) == 0)
			metrics_why(machine->metrics, i, &text);
	found = strstr(text.text, part);
	strbuf_release(&text);
	return found;
}

/* Makes the tree of a container: its own processes, some of them hidden, and no devices. */
static void put_container(void)
{
	put(root, "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\nprocesses 9\n");
	put(root, "proc/meminfo", "MemTotal: 1000 kB\n");
	put(root, "proc/1/stat",
	    "1 (init) S 0 1 1 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 77 4096 1 1\n");
	put(root, "proc/1/cgroup", "0::/\n");
	/* Another user's process, where they are hidden: only its number is visible. */
	put(root, "proc/7/hidden", "");
}

static void containers(void **state)
{
	struct machine machine;
	struct error err = ERROR_INIT;

	(void)state;
	put_container();
	put(root, "proc/self/mountinfo",
	    "30 23 0:26 / /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n");
	put(root, "sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n");
	put(root, "sys/fs/cgroup/memory.current", "500000\n");
	put(root, "sys/fs/cgroup/memory.max", "800000\n");
	put(root, "sys/fs/cgroup/cpu.stat", "usage_usec 1000\nnr_throttled 2\n");
	put(root, "sys/fs/cgroup/pids.current", "2\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "pro"), 1);
	is_text(&machine, "pro", 0, "control_group", "/");
	is_missing(&machine, "pro", 0, "run_time");
	is_missing(&machine, "pro", 0, "user_id");
	is(&machine, "cgr", 0, "memory", 500000);
	is(&machine, "cgr", 0, "memory_max", 800000);
	is(&machine, "cgr", 0, "periods_throttled", 2);
	is(&machine, "cps", 0, "group_tasks", 2);
	is(&machine, "colhdr", 0, "control_groups", 2);
	is_missing(&machine, "colhdr", 0, "maker");
	is_missing(&machine, "cpu", 0, "package");
	assert_int_equal(engine_finish(machine.engine, &err), 0);
	assert_true(is_reason(&machine, "DEV", "/sys/block"));
	assert_true(is_reason(&machine, "ADP", "PCI"));
	end(&machine);
	/* The same with control groups of version 1. */
	remove_tree(root);
	assert_int_equal(mkdir(root, 0700), 0);
	put_container();
	put(root, "proc/self/mountinfo",
	    "30 23 0:26 /docker/1 /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n");
	put(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "500000\n");
	put(root, "sys/fs/cgroup/pids/pids.current", "3\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "cgr"), 1);
	is_text(&machine, "cgr", 0, "path", "/");
	is(&machine, "cgr", 0, "memory", 500000);
	is_missing(&machine, "cgr", 0, "cpu");
	assert_int_equal(count(&machine, "pro"), 1);
	is(&machine, "cps", 0, "group_tasks", 3);
	is(&machine, "colhdr", 0, "control_groups", 1);
	assert_int_equal(engine_finish(machine.engine, &err), 0);
	end(&machine);
}

/* Members, lock spaces and shared file systems, each with its kind of folder. */
static void shared_things(void **state)
{
	struct machine machine;

	(void)state;
	put(root, "sys/kernel/config/cluster/ocfs2/node/alpha/num", "3\n");
	put(root, "sys/kernel/config/cluster/ocfs2/node/alpha/local", "1\n");
	put(root, "sys/kernel/config/cluster/ocfs2/node/alpha/ipv4_address", "192.0.2.7\n");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(count(&machine, "clu"), 1);
	is_text(&machine, "clu", 0, "name", "ocfs2/alpha");
	is(&machine, "clu", 0, "o2cb_node", 3);
	is(&machine, "clu", 0, "o2cb_local", 1);
	is_text(&machine, "clu", 0, "o2cb_address", "192.0.2.7");
	is_missing(&machine, "clu", 0, "space");
	end(&machine);
	remove_tree(root);
	assert_int_equal(mkdir(root, 0700), 0);
	put(root, "sys/kernel/dlm/clvmd/id", "1234\n");
	put(root, "sys/kernel/dlm/clvmd/recover_status", "1f\n");
	begin(&machine, root);
	snap(&machine);
	is_text(&machine, "clu", 0, "name", "clvmd");
	is(&machine, "clu", 0, "space", 1234);
	is(&machine, "clu", 0, "space_recovery", 0x1f);
	end(&machine);
	remove_tree(root);
	assert_int_equal(mkdir(root, 0700), 0);
	put(root, "sys/fs/gfs2/c:data/fsname", "c:data\n");
	put(root, "sys/fs/gfs2/c:data/lock_module/jid", "2\n");
	begin(&machine, root);
	snap(&machine);
	is_text(&machine, "clu", 0, "shared_name", "c:data");
	is(&machine, "clu", 0, "shared_journal", 2);
	end(&machine);
}

/* Items from additional files on processors, interfaces, disks, processes, users. */
static void beside(void **state)
{
	const struct utmp sessions[3] = { { .ut_type = USER_PROCESS },
					  { .ut_type = LOGIN_PROCESS },
					  { .ut_type = USER_PROCESS } };
	struct machine machine;

	(void)state;
	put_utmp(sessions, sizeof(sessions));
	put(root, "proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\n");
	put(root, "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "41\n");
	put(root, "proc/net/dev", "h\nh\n eth9: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
	put(root, "sys/class/net/eth9/address", "02:00:00:00:00:01\n");
	put(root, "sys/class/net/eth9/ifindex", "9\n");
	put(root, "proc/diskstats",
	    "8 1 sda1 9 0 8 1 1 0 8 1 0 1 1\n8 2 sda2 9 0 8 1 1 0 8 1 0 1 1\n");
	put(root, "proc/self/mountinfo",
	    "1 0 0:5 / /dev rw - devtmpfs dev rw\n2 0 8:1 /part /bind rw - ext4 /dev/sda1 rw\n"
	    "3 0 8:1 / /with\\040blank rw shared:1 master:2 - ext4 /dev/sda1 rw\n");
	put(root, "with blank/file", "");
	put(root, "proc/5/stat",
	    "5 (a) S 1 5 5 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 1 0 77 4096 1 18446744073709551615 1 "
	    "1 "
	    "0 0 0 0 0 0 0 0 0 0 17 3 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	put(root, "proc/5/status",
	    "Uid:\t10\t11\t12\t13\nGid:\t20\t21\t22\t23\nCapEff:\t00000000a80425fb\n"
	    "NoNewPrivs:\t1\nCpus_allowed_list:\t0-3,7\n");
	put(root, "proc/5/cgroup",
	    "4:memory:/old\n1:name=systemd:/older\n0::/user.slice/a.scope\n");
	begin(&machine, root);
	snap(&machine);
	is(&machine, "sys", 0, "users", 2);
	is(&machine, "cpu", 0, "core_throttles", 41);
	is_missing(&machine, "cpu", 0, "package_throttles");
	is_text(&machine, "nti", 0, "address", "02:00:00:00:00:01");
	is(&machine, "nti", 0, "index", 9);
	is_missing(&machine, "nti", 0, "type");
	is_text(&machine, "dsk", 0, "mount", "/with blank");
	is_text(&machine, "dsk", 0, "file_system", "ext4");
	is_missing(&machine, "dsk", 1, "mount");
	is_missing(&machine, "dsk", 1, "file_system_size");
	is(&machine, "pro", 0, "saved_user_id", 12);
	is(&machine, "pro", 0, "file_group_id", 23);
	is(&machine, "pro", 0, "no_new_privileges", 1);
	is(&machine, "pro", 0, "ending_signal", 17);
	is_text(&machine, "pro", 0, "privileges", "00000000a80425fb");
	is_text(&machine, "pro", 0, "processors_allowed", "0-3,7");
	is_text(&machine, "pro", 0, "control_group", "/user.slice/a.scope");
	snap(&machine);
	is_text(&machine, "pro", 0, "control_group", "/user.slice/a.scope");
	is_text(&machine, "nti", 0, "address", "02:00:00:00:00:01");
	end(&machine);
}

/* The size of a file system is that of statvfs for its mount point. */
static void space_of_file_systems(void **state)
{
	struct statvfs expected;
	struct field_value value;
	struct machine machine;

	(void)state;
	put(root, "proc/diskstats", "8 1 sda1 9 0 8 1 1 0 8 1 0 1 1\n");
	put(root, "proc/self/mountinfo", "3 0 8:1 / /here rw - ext4 /dev/sda1 rw\n");
	put(root, "here/file", "");
	begin(&machine, root);
	snap(&machine);
	assert_int_equal(statvfs(root, &expected), 0);
	is(&machine, "dsk", 0, "file_system_size", (uint64_t)expected.f_blocks * expected.f_frsize);
	is(&machine, "dsk", 0, "inodes", expected.f_files);
	assert_true(get(&machine, "dsk", 0, "file_system_available", &value));
	assert_true(value.number <= (uint64_t)expected.f_blocks * expected.f_frsize);
	end(&machine);
}

/* A queue as reported by the kernel. */
struct queue_answer_of {
	struct nlmsghdr head;
	struct tcmsg message;
	struct rtattr kind;
	char name[8];
	struct rtattr statistics, basic;
	struct {
		uint64_t bytes;
		uint32_t packets, spare;
	} __attribute__((packed)) counts;
	struct rtattr queue;
	struct gnet_stats_queue queued;
};

static void fill_queue_answer(struct queue_answer_of *queue_answer, int interface, uint32_t parent)
{
	*queue_answer = (struct queue_answer_of){
		.head = { sizeof(*queue_answer), RTM_NEWQDISC, NLM_F_MULTI, 5, 0 },
		.message = { .tcm_ifindex = interface, .tcm_parent = parent },
		.kind = { sizeof(queue_answer->kind) + sizeof(queue_answer->name), TCA_KIND },
		.name = "fq_fast",
		.statistics = { sizeof(*queue_answer) - offsetof(struct queue_answer_of, statistics),
				TCA_STATS2 },
		.basic = { sizeof(queue_answer->basic) + sizeof(queue_answer->counts), TCA_STATS_BASIC },
		.counts = { UINT64_C(5000000000), 77, 0 },
		.queue = { sizeof(queue_answer->queue) + sizeof(queue_answer->queued), TCA_STATS_QUEUE },
		.queued = { .qlen = 1, .backlog = 2, .drops = 3, .requeues = 4, .overlimits = 5 },
	};
}

/*
 * The root queue of an interface is used; truncated messages and those of another
 * request are ignored.
 */
static void queues_of_interfaces(void **state)
{
	struct queue_answer_of queue_answer[3];
	struct queues queues = { .kernel.sequence = 5 };
	const unsigned char *bytes = (const unsigned char *)queue_answer;
	const struct queue_statistics *counts;

	(void)state;
	fill_queue_answer(&queue_answer[0], 2, 0x10000);
	fill_queue_answer(&queue_answer[1], 2, TC_H_ROOT);
	fill_queue_answer(&queue_answer[2], 3, TC_H_ROOT);
	queue_answer[2].head.nlmsg_seq = 4;
	assert_true(queues_take(&queues, bytes, sizeof(queue_answer)));
	assert_int_equal(queues.count, 1);
	assert_null(queues_find(&queues, 3));
	counts = queues_find(&queues, 2);
	assert_non_null(counts);
	assert_true(counts->bytes == UINT64_C(5000000000));
	assert_int_equal(counts->packets, 77);
	assert_int_equal(counts->length, 1);
	assert_int_equal(counts->backlog, 2);
	assert_int_equal(counts->drops, 3);
	assert_int_equal(counts->requeues, 4);
	assert_int_equal(counts->overlimits, 5);
	/* A device without a queue has no counters, which is not 0. */
	memcpy(queue_answer[1].name, "noqueue", sizeof(queue_answer[1].name));
	queues.count = 0;
	queues_take(&queues, bytes, sizeof(queue_answer));
	assert_null(queues_find(&queues, 2));
	queue_answer[1].name[0] = 'f';
	/* However it is truncated, nothing is read after the end. */
	for (size_t length = 0; length < sizeof(queue_answer); length++) {
		unsigned char *copy = malloc(length ? length : 1);

		memcpy(copy, bytes, length);
		queues.count = 0;
		queues_take(&queues, copy, length);
		assert_true(queues.count <= 1);
		free(copy);
	}
	/* An attribute that claims to be longer than the message has no values. */
	queue_answer[1].queue.rta_len = 400;
	queues.count = 0;
	queues_take(&queues, bytes, sizeof(queue_answer));
	assert_true(queues_find(&queues, 2)->drops == UINT64_MAX);
	assert_int_equal(queues_find(&queues, 2)->packets, 77);
	queue_answer[0].head.nlmsg_type = NLMSG_DONE;
	queues.count = 0;
	assert_false(queues_take(&queues, bytes, sizeof(queue_answer)));
	queues_release(&queues);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(file_server, set_up, tear_down),
		cmocka_unit_test_setup_teardown(partition, set_up, tear_down),
		cmocka_unit_test_setup_teardown(caches, set_up, tear_down),
		cmocka_unit_test_setup_teardown(control_groups, set_up, tear_down),
		cmocka_unit_test(control_groups_of_version_1),
		cmocka_unit_test_setup_teardown(containers, set_up, tear_down),
		cmocka_unit_test(queues_of_interfaces),
		cmocka_unit_test_setup_teardown(shared_things, set_up, tear_down),
		cmocka_unit_test_setup_teardown(beside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(space_of_file_systems, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
