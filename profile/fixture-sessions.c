/* SPDX-License-Identifier: Apache-2.0 */
/* The synthetic sessions whose listings the tests compare. */
#include "common/compat.h"
#include "profile/fixture.h"
#include "common/clock.h"
#include "records/record-types.h"

#define MS NSEC_PER_MSEC
#define NAME_BYTES 255 /* maximum bytes of a transaction's name */

/* Adds the accounts of samples, and what every session has. */
static void add_header(struct fixture *fixture, const char *program)
{
	fixture_attribute(fixture, ATTR_VERSION, "0.1.0");
	fixture_attribute(fixture, ATTR_PROGRAM, program);
	fixture_attribute(fixture, ATTR_USER, "night");
	fixture_attribute(fixture, ATTR_HOST, "prod1");
	fixture_attribute(fixture, ATTR_KERNEL, "Linux 6.1.0");
	fixture_attribute(fixture, ATTR_CPU_MODEL, "Example Processor 3000 @ 2.50GHz");
	fixture_attribute(fixture, ATTR_CPUS, "4");
	fixture_attribute(fixture, ATTR_PRIVILEGE, "USER");
	fixture_attribute(fixture, ATTR_REQUEST_TYPE, "QUEUED");
	fixture_attribute(fixture, ATTR_REQUEST_SAMPLES, "10000");
	fixture_attribute(fixture, ATTR_REQUEST_LIMIT, "1 QUIT");
	fixture_number(fixture, ATTR_START_WALL, UINT64_C(1763674445) * NSEC_PER_SEC);
	fixture_number(fixture, ATTR_START, fixture->time - NSEC_PER_SEC);
	fixture_number(fixture, ATTR_PERIOD_INITIAL, MS);
	fixture_number(fixture, ATTR_PERIOD, MS);
}

static void add_end(struct fixture *fixture, uint64_t thinned, uint64_t lost)
{
	fixture_number(fixture, ATTR_TAKEN, fixture->taken + thinned + lost);
	fixture_number(fixture, ATTR_PROCESSED, fixture->taken);
	fixture_number(fixture, ATTR_THINNED, thinned);
	fixture_number(fixture, ATTR_LOST, lost);
	fixture_number(fixture, ATTR_STACKS_WHOLE, fixture->taken);
	fixture_number(fixture, ATTR_STACKS_BROKEN, 0);
	fixture_number(fixture, ATTR_END, fixture->time);
	fixture_number(fixture, ATTR_COMPLETE, 1);
	fixture_number(fixture, ATTR_EXIT, 0);
}

static void add_task(struct fixture *fixture, uint64_t task, const char *name)
{
	struct record_task record = { .task = task,
				      .process = 1,
				      .tid = 4000 + task,
				      .start = fixture->time - NSEC_PER_SEC,
				      .name = fixture_string(fixture, name) };

	fixture_add(fixture, RECORD_TASK, &record);
}

static void add_process(struct fixture *fixture, const char *program)
{
	struct record_process record = { .process = 1,
					 .pid = 4001,
					 .start = fixture->time - NSEC_PER_SEC,
					 .program = fixture_string(fixture, program),
					 .execs = 1 };

	fixture_add(fixture, RECORD_PROCESS, &record);
}

/* Adds the STEP row of one second, times in ms. */
static void add_step(struct fixture *fixture, uint64_t exec, uint64_t wait, uint64_t delay,
		     uint64_t pages)
{
	struct record_step record = { .time = fixture->time,
				      .interval = (exec + wait + delay) * MS,
				      .exec = exec * MS,
				      .wait = wait * MS,
				      .delay = delay * MS,
				      .tasks = 1,
				      .resident = pages,
				      .minor_faults = 120,
				      .major_faults = 1,
				      .read_bytes = 65536,
				      .write_bytes = 8192,
				      .read_calls = 80,
				      .moved_bytes = 150 * 4096,
				      .write_calls = 20 };

	fixture_add(fixture, RECORD_STEP, &record);
}

static void add_activity(struct fixture *fixture, uint64_t task, uint64_t cpu, uint64_t solo,
			 uint64_t charged)
{
	struct record_activity record = { fixture->time, task,	       cpu * MS,
					  solo * MS,	 charged * MS, charged * MS };

	fixture_add(fixture, RECORD_ACTIVITY, &record);
}

/* Adds a wait, in ms, that is fully charged to the step; file 0: none. */
static void add_wait(struct fixture *fixture, uint64_t task, uint64_t stack,
		     enum wait_reason reason, uint64_t file, uint64_t count, uint64_t charged)
{
	struct record_wait record = { .time = fixture->time,
				      .task = task,
				      .stack = stack,
				      .reason = reason,
				      .file = file,
				      .count = count,
				      .total = charged * MS,
				      .charged = charged * MS,
				      .solo = charged * MS };
	struct record_file_activity activity = { .time = fixture->time,
						 .file = file,
						 .waits = count,
						 .total = charged * MS,
						 .charged = charged * MS,
						 .charged_solo = charged * MS,
						 .busy = charged * MS,
						 .busy_solo = charged * MS,
						 .bytes = count * 80,
						 .calls = count };

	fixture_add(fixture, RECORD_WAIT, &record);
	if (file)
		fixture_add(fixture, RECORD_FILE_ACTIVITY, &activity);
}

static void add_file(struct fixture *fixture, uint64_t id, const char *path, const char *ddname,
		     const char *dsn, const char *organization)
{
	struct record_file record = { .file = id,
				      .kind = FILE_REGULAR,
				      .path = fixture_string(fixture, path),
				      .ddname = fixture_string(fixture, ddname),
				      .dsn = fixture_string(fixture, dsn),
				      .organization = fixture_string(fixture, organization),
				      .recfm = fixture_string(fixture, *ddname ? "FB" : ""),
				      .lrecl = *ddname ? 80 : 0,
				      .device = fixture_string(fixture, "ext4"),
				      .open_flags = 1,
				      .opens = 1,
				      .size_first = 8000000,
				      .size_last = 8000000,
				      .block_size = 4096,
				      .bytes_known = 1,
				      .calls_known = strcmp(organization, "VS") == 0 };

	fixture_add(fixture, RECORD_FILE, &record);
}

/* The frames and stacks of the payroll. */
struct payroll {
	uint64_t pension_gmp, pension_cob, pension_own, tax_gmp, tax_own, print_own, stub,
		find_wait, read_wait, kernel;
};

static void add_payroll_code(struct fixture *f, struct payroll *p)
{
	uint64_t program = fixture_object(f, OBJECT_FILE, "/jobs/load/PAYCALC", "");
	uint64_t cob =
		fixture_object(f, OBJECT_FILE, "/usr/lib/x86_64-linux-gnu/libcob.so.4.1.0", "");
	uint64_t gmp = fixture_object(f, OBJECT_FILE, "/usr/lib/x86_64-linux-gnu/libgmp.so.10.4.1",
				      "no call-frame information");
	uint64_t libc = fixture_object(f, OBJECT_FILE, "/lib/x86_64-linux-gnu/libc.so.6", "");
	uint64_t kernel = fixture_object(f, OBJECT_KERNEL, "[kernel]", "");
	uint64_t start =
		fixture_stack(f, 0, fixture_frame(f, program, 0x1010, "", "_start", 0, ""));
	uint64_t init = fixture_stack(
		f, start, fixture_frame(f, libc, 0x27000, "", "__libc_start_main", 0, ""));
	uint64_t main = fixture_stack(
		f, init, fixture_frame(f, program, 0x1180, "paycalc.c", "main", 12, ""));
	uint64_t pension =
		fixture_stack(f, main,
			      fixture_frame(f, program, 0x3420, "paycalc.cob", "PROJECT-PENSION",
					    164, "               COMPUTE FUND ROUNDED ="));
	uint64_t tax =
		fixture_stack(f, main,
			      fixture_frame(f, program, 0x3180, "paycalc.cob", "COMPUTE-TAX", 148,
					    "                   COMPUTE TAX ROUNDED = TAX +"));
	uint64_t tax_if = fixture_frame(f, program, 0x3110, "paycalc.cob", "COMPUTE-TAX", 146,
					"               IF GROSS > BRACKET-FLOOR(K)");
	uint64_t find =
		fixture_stack(f, main,
			      fixture_frame(f, program, 0x2f30, "paycalc.cob", "FIND-EMPLOYEE", 130,
					    "           READ MASTER-FILE"));
	uint64_t read =
		fixture_stack(f, main,
			      fixture_frame(f, program, 0x2e10, "paycalc.cob", "READ-TRANSACTION",
					    124, "           READ TRANS-FILE"));
	uint64_t multiply = fixture_frame(f, cob, 0x14100, "numeric.c", "cob_decimal_mul", 0, "");
	uint64_t divide = fixture_frame(f, cob, 0x15200, "numeric.c", "cob_decimal_div", 0, "");
	uint64_t mul = fixture_frame(f, gmp, 0x9040, "", "__gmpn_mul_basecase", 0, "");
	uint64_t nameless = fixture_frame(f, gmp, 0xb13c, "", NULL, 0, "");
	uint64_t cob_read = fixture_frame(f, cob, 0x22100, "fileio.c", "cob_read", 0, "");
	uint64_t libc_read = fixture_frame(f, libc, 0xf8120, "", "read", 0, "");

	p->pension_own = pension;
	p->pension_cob = fixture_stack(f, pension, multiply);
	p->pension_gmp = fixture_stack(f, p->pension_cob, mul);
	p->tax_gmp = fixture_stack(f, fixture_stack(f, tax, divide), nameless);
	p->tax_own = fixture_stack(f, main, tax_if);
	p->print_own = fixture_stack(f, main,
				     fixture_frame(f, program, 0x4510, "paycalc.cob", "PRINT-LINE",
						   207, "           WRITE REGISTER-LINE"));
	p->stub = main;
	p->find_wait = fixture_stack(f, fixture_stack(f, find, cob_read), libc_read);
	p->read_wait = fixture_stack(f, fixture_stack(f, read, cob_read), libc_read);
	p->kernel =
		fixture_stack(f, p->read_wait, fixture_frame(f, kernel, 0x810000, "", NULL, 0, ""));
}

static void add_payroll_second(struct fixture *f, const struct payroll *p, uint64_t second)
{
	bool reading = second % 3 == 0;

	fixture_samples(f, 203, p->pension_gmp, 1, SAMPLE_SOLO, 0);
	fixture_samples(f, 101, p->pension_cob, 1, SAMPLE_SOLO, 0);
	fixture_samples(f, 13, p->pension_own, 1, SAMPLE_SOLO, 0);
	fixture_samples(f, 67, p->tax_gmp, 1, 0, 0);
	fixture_samples(f, 29, p->tax_own, 1, SAMPLE_SOLO, 0);
	fixture_samples(f, 1, p->print_own, 1, SAMPLE_SOLO, 0);
	fixture_samples(f, 5, p->kernel, 1, 0, 0);
	add_wait(f, 1, p->find_wait, WAIT_FILE_READ, 1, 400, reading ? 296 : 436);
	add_wait(f, 1, p->read_wait, WAIT_FILE_READ, 2, 40, reading ? 260 : 120);
	add_wait(f, 1, p->tax_gmp, WAIT_DISPATCH, 0, 10, 21);
	add_wait(f, 1, p->pension_own, WAIT_PAGE, 0, 3, 4);
	add_activity(f, 1, 419, 400, 581);
	add_step(f, 419, 560, 21, 1500 + second * 10);
}

/* Builds a payroll in COBOL: 12 seconds, arithmetic and two files. */
static void build_payroll(struct fixture *f)
{
	struct record_note note = { SEVERITY_INFO, 3001,
				    fixture_string(f, "the kernel is not sampled: its time is the "
						      "CPU time minus the samples of the program, "
						      "and its procedures are not seen") };
	struct payroll p;

	add_header(f, "PAYCALC");
	fixture_attribute(f, ATTR_JOB, "PAYROLL");
	fixture_attribute(f, ATTR_JOB_NUMBER, "JOB00012");
	fixture_attribute(f, ATTR_STEP, "CALC");
	fixture_attribute(f, ATTR_COMMAND, "/jobs/load/PAYCALC");
	fixture_attribute(f, ATTR_DATA_SET, "/spool/JOB00012/CALC.vprf");
	fixture_add(f, RECORD_NOTE, &note);
	add_process(f, "PAYCALC");
	add_task(f, 1, "PAYCALC");
	add_file(f, 1, "/data/PAY.MASTER", "MASTER", "PAY.MASTER", "VS");
	add_file(f, 2, "/data/PAY.TRANS", "TRANS", "PAY.TRANS", "PS");
	add_file(f, 3, "/usr/share/locale/locale.alias", "", "", "");
	add_payroll_code(f, &p);
	for (uint64_t second = 0; second < 12; second++) {
		add_payroll_second(f, &p, second);
		if (second == 11) {
			fixture_number(f, ATTR_CPU_EXACT, 12 * 419 * MS);
			fixture_number(f, ATTR_CPU_USER, 12 * 402 * MS);
			fixture_number(f, ATTR_CPU_SYSTEM, 12 * 18 * MS);
			fixture_number(f, ATTR_SWITCHES, 5436);
			fixture_number(f, ATTR_PEAK_RESIDENT, 6602752);
			fixture_number(f, ATTR_OVERHEAD_CPU, 71 * MS);
			fixture_number(f, ATTR_OVERHEAD_AFTER, 20 * MS);
			fixture_number(f, ATTR_OVERHEAD_NAMES, 24 * MS);
			fixture_number(f, ATTR_OVERHEAD_COLLECTORS, 11 * MS);
			add_end(f, 0, 0);
		}
		fixture_end_snapshot(f);
	}
}

/*
 * Adds waits for a lock that another task held, and the holder's stack (0: no
 * holder was seen); most of them while other work ran.
 */
static void add_lock_wait(struct fixture *fixture, uint64_t task, uint64_t stack, uint64_t holder,
			  uint64_t holder_stack)
{
	struct record_wait record = { .time = fixture->time,
				      .task = task,
				      .stack = stack,
				      .reason = WAIT_LOCK,
				      .count = 50,
				      .total = 400 * MS,
				      .charged = 25 * MS,
				      .solo = 25 * MS };

	if (holder_stack) {
		record.holder = holder;
		record.holder_pid = 1000 + holder;
		record.holder_stack = holder_stack;
	}
	fixture_add(fixture, RECORD_WAIT, &record);
}

/*
 * Builds eight workers that take a lock, under transactions; half of the samples
 * are thinned out.
 */
static void build_threads(struct fixture *f)
{
	static const char *const names[] = { "", "ORDER", "QUERY", ".IDLE" };
	uint64_t object, worker, lock, stack, own, system;

	add_header(f, "server");
	add_process(f, "server");
	object = fixture_object(f, OBJECT_FILE, "/opt/pay/server", "");
	worker = fixture_stack(f, 0,
			       fixture_frame(f, object, 0x2010, "worker.c", "worker_main", 40, ""));
	own = fixture_stack(f, worker,
			    fixture_frame(f, object, 0x2110, "worker.c", "handle", 88,
					  "\ttotal += price(order);"));
	lock = fixture_stack(f, worker,
			     fixture_frame(f, object, 0x2210, "queue.c", "queue_take", 17,
					   "\tpthread_mutex_lock(&queue->lock);"));
	system = fixture_object(f, OBJECT_FILE, "/lib/x86_64-linux-gnu/libc.so.6", "");
	stack = fixture_stack(f, lock,
			      fixture_frame(f, system, 0x98010, "", "pthread_mutex_lock", 0, ""));
	for (uint64_t id = 1; id < 4; id++) {
		struct record_transaction record = {
			id, fixture_string(f, names[id]), id * 100, id * 1500 * MS, 0, 0, 0
		};

		fixture_add(f, RECORD_TRANSACTION, &record);
	}
	for (uint64_t task = 1; task <= 8; task++)
		add_task(f, task, task == 1 ? "server" : "worker");
	for (uint64_t second = 0; second < 4; second++) {
		for (uint64_t task = 1; task <= 8; task++) {
			fixture_samples(f, 20 * task, own, task, task == 8 ? SAMPLE_SOLO : 0,
					task % 4);
			fixture_samples(f, task, stack, task, 0, task % 4);
			add_lock_wait(f, task, stack, task == 8 ? 7 : 8, task == 4 ? 0 : own);
			add_activity(f, task, 42 * task, task == 8 ? 100 : 0, 25);
		}
		add_step(f, 700, 200, 0, 9000 - second * 1000);
		/* The intervals are 900 ms: the session was paused for a tenth of each second. */
		fixture_number(f, ATTR_PERIOD, 2 * MS);
		add_end(f, f->taken, 12);
		fixture_end_snapshot(f);
	}
}

/* Builds a wait for each existing reason and for two that do not exist, without a known file. */
static void build_reasons(struct fixture *f)
{
	uint64_t object, stack;

	add_header(f, "waiter");
	add_process(f, "waiter");
	add_task(f, 1, "waiter");
	object = fixture_object(f, OBJECT_FILE, "/opt/pay/waiter", "");
	stack = fixture_stack(f, 0,
			      fixture_frame(f, object, 0x2010, "waiter.c", "wait_for", 40, ""));
	for (unsigned reason = 0; reason <= WAIT_REASON_COUNT; reason++)
		add_wait(f, 1, stack, (enum wait_reason)reason, 0, 1, 10 + reason);
	add_step(f, 110, 365, 25, 1000);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Builds a step in which nothing was seen. */
static void build_empty(struct fixture *f)
{
	add_header(f, "true");
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Builds a session without even attributes. */
static void build_nothing(struct fixture *f)
{
	fixture_end_snapshot(f);
}

/* Builds a session with unusual names. */
static void build_names(struct fixture *f)
{
	char huge[600];
	uint64_t object, stack;

	memset(huge, 'x', sizeof(huge) - 1);
	memcpy(huge, "namespace_of_the_payroll::", 26);
	huge[sizeof(huge) - 1] = '\0';
	add_header(f, "a program \033[31m with \"quotes\", commas\nand lines");
	fixture_attribute(f, ATTR_JOB, "JOB,1");
	fixture_attribute(f, ATTR_COMMAND, huge);
	fixture_attribute(f, ATTR_CPU_MODEL, huge);
	add_process(f, "names");
	add_task(f, 1, "\xff\xfe not UTF-8");
	add_file(f, 1, huge, "", "", "");
	object = fixture_object(f, OBJECT_FILE, "/opt/\xe4\xb8\xad\xe6\x96\x87/libcobalt.so.1",
				huge);
	stack = fixture_stack(f, 0, fixture_frame(f, object, 0x100, "a.cc", huge, 1, huge));
	fixture_samples(f, 500, stack, 1, 0, 0);
	huge[590] = 'y';
	stack = fixture_stack(f, stack,
			      fixture_frame(f, object, 0x200, "\xc3\xa4\xc3\xb6\xc3\xbc.cob",
					    "\xc3\x84NDERUNG-DER-ANSCHRIFT-DES-MITARBEITERS", 2,
					    "MOVE \"\xc3\x84\" TO X\x01\x7f"));
	fixture_samples(f, 400, stack, 1, 0, 0);
	stack = fixture_stack(f, stack, fixture_frame(f, object, 0x300, "b.cc", huge, 3, "\r\n\t"));
	fixture_samples(f, 124, stack, 1, SAMPLE_SOLO, 7);
	add_wait(f, 1, stack, WAIT_FILE_WRITE, 1, 3, 100);
	add_wait(f, 1, stack, 99, 77, 3, 100);
	add_step(f, 800, 200, 0, 100);
	add_activity(f, 1, 800, 124, 200);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Builds a session with names that are harmful in a format that does not escape them. */
static void build_hostile(struct fixture *f)
{
	static const char *const names[] = {
		"<script>window.hacked=1</script>",
		"\"><img src=x onerror=window.hacked=2>",
		"</script><script>window.hacked=3</script>",
		"<!--<script>window.hacked=4",
		"' onload='window.hacked=5' x='",
		"javascript:window.hacked=6",
		"${window.hacked=7}\\\"};window.hacked=8;//",
		"=cmd|'/C calc'!A0",
		"\x1b[31mred\x07\x01\x7f\xc2\x85",
		"\xff\xfe\xc3(",
		"\xe2\x80\xae"
		"txt.exe",
		"__proto__",
		"</style><svg/onload=window.hacked=9>",
		"]]>&lt;b&gt;",
	};
	uint64_t object, stack = 0;

	add_header(f, names[0]);
	fixture_attribute(f, ATTR_JOB, names[1]);
	fixture_attribute(f, ATTR_STEP, names[4]);
	fixture_attribute(f, ATTR_COMMAND, names[2]);
	add_process(f, names[2]);
	object = fixture_object(f, OBJECT_FILE, "/opt/<script>window.hacked=10</script>", names[3]);
	for (uint64_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct record_transaction transaction = { .transaction = i + 1,
							  .name = fixture_string(f, names[i]),
							  .count = 1 };

		fixture_add(f, RECORD_TRANSACTION, &transaction);
		add_task(f, i + 1, names[i]);
		add_file(f, i + 1, names[i], names[i], names[i], names[i]);
		stack = fixture_stack(f, i % 4 ? stack : 0,
				      fixture_frame(f, object, 0x100 * (i + 1), names[i],
						    names[(i + 3) % ARRAY_SIZE(names)], i + 1,
						    names[(i + 5) % ARRAY_SIZE(names)]));
		fixture_samples(f, 100, stack, i + 1, 0, i + 1);
		add_wait(f, i + 1, stack, WAIT_FILE_READ, i + 1, 1, 10);
		add_activity(f, i + 1, 60, 10, 10);
	}
	add_step(f, 860, 140, 0, 100);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Builds more of everything than fits on a page, so that rows are folded. */
static void build_many(struct fixture *f)
{
	uint64_t object, root, library, stub;
	char name[40];

	add_header(f, "many");
	add_process(f, "many");
	object = fixture_object(f, OBJECT_FILE, "/opt/pay/many", "");
	library = fixture_object(f, OBJECT_FILE, "/usr/lib/libfuzzy.so.2", "stripped");
	root = fixture_stack(f, 0, fixture_frame(f, object, 0x1000, "many.c", "main", 7, ""));
	stub = fixture_frame(f, object, 0x900, "", "fuzzy_match@plt", 0, "");
	for (uint64_t i = 0; i < 300; i++) {
		uint64_t stack, system;

		/* Three pieces of each procedure: inlined code has its own address. */
		snprintf(name, sizeof(name), "procedure_%03u", (unsigned)(i / 3));
		stack = fixture_stack(f, root,
				      fixture_frame(f, object, 0x10000 + i * 0x100, "many.c", name,
						    100 + i / 3, ""));
		system = fixture_stack(
			f, stack, fixture_frame(f, library, 0x2000 + i * 0x40, "", NULL, 0, ""));
		fixture_samples(f, 1 + i % 7, stack, 1 + i % 150, i % 2 ? SAMPLE_SOLO : 0, 0);
		fixture_samples(f, 1 + i % 3, system, 1 + i % 150, 0, 0);
		fixture_samples(f, i % 5 == 0, fixture_stack(f, stack, stub), 1, 0, 0);
		snprintf(name, sizeof(name), "/data/part-%03u", (unsigned)i);
		add_file(f, i + 1, name, i < 2 ? name + 6 : "", "", "PS");
		add_wait(f, 1 + i % 150, system, i % 2 ? WAIT_FILE_READ : WAIT_FILE_WRITE, i + 1, i,
			 1);
		if (i < 150) {
			add_task(f, i + 1, i % 2 ? "reader" : "writer");
			add_activity(f, i + 1, 4 + i % 3, i % 3, 2);
		}
	}
	add_step(f, 700, 300, 0, 100);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Builds a truncated file: records refer to missing ones, and there is no end. */
static void build_truncated(struct fixture *f)
{
	uint64_t object, stack;

	add_header(f, "PAYCALC");
	object = fixture_object(f, OBJECT_FILE, "/jobs/load/PAYCALC", "");
	stack = fixture_stack(f, 0,
			      fixture_frame(f, object, 0x10, "paycalc.cob", "MAIN-LINE", 9, ""));
	fixture_samples(f, 40, stack, 1, 0, 0);
	fixture_samples(f, 30, 4711, 3, 0, 9); /* a missing stack */
	stack = fixture_stack(f, 4712, 9999);  /* a missing parent and a missing frame */
	fixture_samples(f, 20, stack, 1, 0, 0);
	stack = fixture_stack(f, f->stacks + 1, 1); /* its parent is itself */
	fixture_samples(f, 5, stack, 1, 0, 0);
	add_wait(f, 1, 4711, WAIT_SLEEP, 0, 1, 300);
	add_wait(f, 1, 4711, WAIT_FILE_READ, 88, 1, 100);
	add_step(f, 95, 500, 0, 10);
	fixture_number(f, ATTR_TAKEN, 5000);
	fixture_number(f, ATTR_PROCESSED, 4000);
	fixture_end_snapshot(f);
}

/* Adds a data collector; figures of its calls are derived from their number. */
static void add_collector(struct fixture *f, uint64_t id, const char *name, const char *generation,
			  uint64_t origin, uint64_t calls, const char *problem)
{
	struct record_collector record = {
		.collector = id,
		.name = fixture_string(f, name),
		.generation = fixture_string(f, generation),
		.origin = origin,
		.problem = fixture_string(f, problem),
		.calls = calls,
		.answers = calls - calls / 10,
		.torn = calls / 100,
		.cost = calls * 2300,
		.delay = calls == 870 ? 7200000
			 : calls      ? 11500
				      : 0,
		.delay_most = calls == 870 ? 19400000
			      : calls	   ? 87300
					   : 0,
	};
	char path[80] = "";

	snprintf(path, sizeof(path), "/usr/lib/vigil/collectors/%s.so", name);
	record.path = fixture_string(f, *generation ? path : "");
	fixture_add(f, RECORD_COLLECTOR, &record);
}

/*
 * Builds a program in Python: named places, libraries and an extension below them,
 * a wait, start-up.
 */
static void build_python(struct fixture *f)
{
	uint64_t python, lib, app, json, read, main, load, parse, compress, inner, start;

	add_header(f, "python3.11");
	fixture_attribute(f, ATTR_COMMAND, "python3 /jobs/load/nightly.py --date 2025-11-20");
	fixture_attribute(f, ATTR_SUBSYSTEM, "CPYTHON 3.11.7");
	add_process(f, "python3.11");
	add_task(f, 1, "python3");
	add_file(f, 1, "/data/orders.json", "ORDERS", "PAY.ORDERS", "PS");
	add_collector(f, 1, "STRBPYTH", "G-00", 1, 4000, "");
	python = fixture_object(f, OBJECT_FILE, "/usr/bin/python3.11", "");
	lib = fixture_object(f, OBJECT_FILE, "/lib/x86_64-linux-gnu/libz.so.1.2.13", "");
	app = fixture_object(f, OBJECT_NAMED, "nightly.py", "");
	json = fixture_object(f, OBJECT_NAMED, "json.decoder", "");
	main = fixture_stack(f, 0, fixture_place(f, app, "", "<module>", 60, "Python", "main()"));
	main = fixture_stack(
		f, main,
		fixture_place(f, app, "", "main", 48, "Python", "for order in load(path):"));
	load = fixture_stack(
		f, main,
		fixture_place(f, app, "", "load", 17, "Python", "orders = json.loads(text)"));
	parse = fixture_stack(f, load,
			      fixture_place(f, json, "JSONDecoder", "raw_decode", 353, "Python",
					    "obj, end = self.scan_once(s, idx)"));
	compress = fixture_stack(f, main,
				 fixture_place(f, app, "Archive", "compress", 31, "Python",
					       "return zlib.compress(data, 9)"));
	inner = fixture_frame(f, python, 0x1a2b40, "", "zlib_compress", 0, "");
	inner = fixture_stack(f, compress, inner);
	read = fixture_stack(f, load,
			     fixture_frame(f, python, 0x2b3c40, "", "_io_FileIO_readall", 0, ""));
	start = fixture_stack(
		f, 0, fixture_frame(f, python, 0x9000, "", "Py_InitializeFromConfig", 0, ""));
	for (uint64_t second = 0; second < 4; second++) {
		fixture_samples(f, 420,
				fixture_stack(f, inner,
					      fixture_frame(f, lib, 0x7a10, "", "deflate", 0, "")),
				1, SAMPLE_SOLO, 0);
		fixture_samples(f, 30, inner, 1, SAMPLE_SOLO, 0);
		fixture_samples(f, 250, parse, 1, SAMPLE_SOLO, 0);
		fixture_samples(f, 40, main, 1, SAMPLE_SOLO, 0);
		fixture_samples(f, second ? 60 : 0, load, 1, SAMPLE_SOLO, 0);
		fixture_samples(f, second ? 0 : 60, start, 1, SAMPLE_SOLO, 0);
		add_wait(f, 1, read, WAIT_FILE_READ, 1, 20, 200);
		add_activity(f, 1, 800, 800, 200);
		add_step(f, 800, 200, 0, 4000);
		add_end(f, 0, 0);
		fixture_end_snapshot(f);
	}
}

/* Text of a query that is as long as a name can be. */
static const char long_query[] =
	"SELECT O.ORDER_ID, O.CUSTOMER_ID, SUM(L.QUANTITY * L.PRICE) AS TOTAL FROM ORDERS O JOIN "
	"ORDER_LINES L ON L.ORDER_ID = O.ORDER_ID WHERE O.PLACED >= $1 AND O.PLACED < $2 AND "
	"O.STATE IN ($3, $4, $5) GROUP BY O.ORDER_ID, O.CUSTOMER_ID ORDER BY TOTAL DESC LIMIT $6";

/* Builds a database server: transactions are queries, names of overhead begin with a period. */
static void build_database(struct fixture *f)
{
	char query[NAME_BYTES + 1];
	uint64_t object, exec, sort, plan, idle;

	add_header(f, "postgres");
	fixture_attribute(f, ATTR_SUBSYSTEM, "POSTGRESQL 15.6");
	add_process(f, "postgres");
	add_task(f, 1, "postgres");
	add_collector(f, 1, "STRBPOST", "G-00", 1, 4096, "");
	object = fixture_object(f, OBJECT_FILE, "/usr/lib/postgresql/15/bin/postgres", "");
	exec = fixture_stack(f, 0,
			     fixture_frame(f, object, 0x3000, "execMain.c", "ExecutorRun", 0, ""));
	sort = fixture_stack(
		f, exec,
		fixture_frame(f, object, 0x4000, "tuplesort.c", "tuplesort_performsort", 0, ""));
	plan = fixture_stack(
		f, 0, fixture_frame(f, object, 0x5000, "planner.c", "standard_planner", 0, ""));
	idle = fixture_stack(
		f, 0, fixture_frame(f, object, 0x6000, "postgres.c", "SocketBackend", 0, ""));
	for (uint64_t id = 1; id <= 14; id++) {
		struct record_transaction record = { id, 0, id * 10, id * 40 * MS, id * 10, 0, 0 };

		/*
		 * The server counts queries; for one of them its counts do not reach back to the
		 * start.
		 */
		record.told = id > 10 ? id * 1000 : 0;
		record.told_exact = id > 11;
		/* The last one was never seen to begin. */
		if (id == 14)
			record.count = record.seen = 0;
		/* Queries that are equal at both ends get tokens with numbers. */
		snprintf(query, sizeof(query), "%.*s", NAME_BYTES, long_query);
		query[70] = (char)('A' + id);
		record.name = fixture_string(f, id == 1	  ? ".PLAN"
						: id == 2 ? ".IDLE"
						: id == 3 ? "COMMIT"
							  : query);
		fixture_add(f, RECORD_TRANSACTION, &record);
		fixture_samples(f, 10 * id,
				id == 1	 ? plan
				: id % 2 ? exec
					 : sort,
				1, SAMPLE_SOLO, id);
	}
	fixture_samples(f, 20, exec, 1, 0, 0);
	add_wait(f, 1, idle, WAIT_SOCKET, 0, 30, 100);
	add_activity(f, 1, 900, 900, 100);
	add_step(f, 900, 100, 0, 9000);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Builds collectors with problems; pseudo-sections; unidentified code. */
static void build_loaded(struct fixture *f)
{
	static const struct {
		enum object_kind kind;
		const char *path;
		unsigned samples;
	} modules[] = {
		{ OBJECT_NAMED, "ABCSORT", 200 },
		{ OBJECT_NAMED, "ABCMERGE", 100 },
		{ OBJECT_FILE, "/opt/pay/DEFIO.so", 80 },
		{ OBJECT_NAMED, "SEGMENT-OF-THE-NIGHTLY-SETTLEMENT-RUN", 120 },
		{ OBJECT_NAMED, "SEGMENT-OF-THE-NIGHTLY-PAYMENTS-RUN", 60 },
		{ OBJECT_ANONYMOUS, "[anonymous]", 150 },
		{ OBJECT_ANONYMOUS, "[heap]", 90 },
		{ OBJECT_ANONYMOUS, "[stack]", 50 },
		{ OBJECT_VDSO, "[vdso]", 30 },
		{ OBJECT_KERNEL, "[kernel]", 20 },
	};
	/* Without a generation, which its author has to supply. */
	const struct record_collector unnumbered = {
		.collector = 4,
		.name = fixture_string(f, "STRBLOAF"),
		.path = fixture_string(f, "/usr/lib/vigil/collectors/STRBLOAF.so"),
		.origin = 2,
		.problem = fixture_string(f, "no program of the step is in its list of programs"),
		.loaded = 1,
	};
	uint64_t program, main;

	add_header(f, "loader");
	add_process(f, "loader");
	add_task(f, 1, "loader");
	add_collector(f, 1, "STRBLOAD", "G-01", 2, 870, "it crashed (SIGSEGV)");
	add_collector(f, 2, "STRBSETL", "", 3, 0, "there is no STRBSETL.so in /opt/pay/collectors");
	add_collector(f, 3, "STRBLOAN", "G-07", 2, 0,
		      "no program of the step is in its list of programs");
	fixture_add(f, RECORD_COLLECTOR, &unnumbered);
	fixture_pseudo_section(f, 1, "ABC", ".SORTING");
	fixture_pseudo_section(f, 1, "DEF", ".SORTING");
	program = fixture_object(f, OBJECT_FILE, "/opt/pay/loader", "");
	main = fixture_stack(
		f, 0,
		fixture_frame(f, program, 0x1000, "loader.c", "main", 77, "segment->entry(data);"));
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		fixture_samples(f, modules[i].samples,
				fixture_stack(f, main,
					      fixture_frame(f,
							    fixture_object(f, modules[i].kind,
									   modules[i].path, ""),
							    0x140 + i * 0x1000, "", NULL, 0, "")),
				1, 0, 0);
	fixture_samples(f, 100, main, 1, 0, 0);
	add_activity(f, 1, 1000, 1000, 0);
	add_step(f, 1000, 0, 0, 900);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

/* Adds samples at a line of a file that is not the section's main source; file NULL: it is. */
static void add_line_samples(struct fixture *f, uint64_t parent, uint64_t object, uint64_t offset,
			     const char *procedure, const char *file, uint64_t line, uint64_t count)
{
	const char *text = line % 2 ? "value = value * 31 + other;" : "sum += step(value);";
	uint64_t stack;

	f->line_file = file;
	stack = fixture_stack(f, parent,
			      fixture_frame(f, object, offset, "main.cpp", procedure, line, text));
	f->line_file = NULL;
	fixture_samples(f, count, stack, 1, 0, 0);
}

/* Builds a program in C++: headers, lambdas, templates. */
static void build_headers(struct fixture *f)
{
	static const char util[] = "/src/include/util.hpp",
			  algorithms[] = "/usr/include/c++/12/bits/stl_algorithm.h";
	uint64_t shop, libc, main, sleep;

	add_header(f, "shop");
	fixture_attribute(f, ATTR_COMMAND, "./shop");
	add_process(f, "shop");
	add_task(f, 1, "shop");
	shop = fixture_object(f, OBJECT_FILE, "/opt/shop/bin/shop", "");
	libc = fixture_object(f, OBJECT_FILE, "/lib/x86_64-linux-gnu/libc.so.6", "");
	main = fixture_stack(
		f, 0,
		fixture_frame(f, shop, 0x1000, "main.cpp", "main", 12, "return run(argc, argv);"));
	add_line_samples(f, main, shop, 0x2000, "int mix<int>(int, int)", util, 5, 100);
	add_line_samples(f, main, shop, 0x2008, "int mix<int>(int, int)", NULL, 40, 20);
	add_line_samples(f, main, shop, 0x2010, "int mix<int>(int, int)", algorithms, 4025, 30);
	add_line_samples(f, main, shop, 0x2100, "long mix<long>(long, long)", util, 5, 200);
	add_line_samples(f, main, shop, 0x2200,
			 "run(int, char**)::{lambda(long)#1}::operator()(long) const", NULL, 15,
			 150);
	add_line_samples(f, main, shop, 0x2300,
			 "run(int, char**)::{lambda(long)#2}::operator()(long) const", NULL, 16,
			 250);
	add_line_samples(f, main, shop, 0x2400,
			 "long apply<run(int, char**)::{lambda(long)#1}>(run(int, "
			 "char**)::{lambda(long)#1}, long)",
			 util, 10, 50);
	add_line_samples(f, main, shop, 0x2500,
			 "long apply<run(int, char**)::{lambda(long)#2}>(run(int, "
			 "char**)::{lambda(long)#2}, long)",
			 util, 10, 60);
	add_line_samples(f, main, shop, 0x2600,
			 "(anonymous namespace)::of_the_night_shift::helper(long)", NULL, 5, 140);
	f->line_file = util;
	sleep = fixture_stack(f, main,
			      fixture_frame(f, shop, 0x2700, "main.cpp",
					    "shop::price::wait_for_it(long) const", 33,
					    "nanosleep(&pause, NULL);"));
	f->line_file = NULL;
	sleep = fixture_stack(f, sleep, fixture_frame(f, libc, 0x9000, "", "nanosleep", 0, ""));
	add_wait(f, 1, sleep, WAIT_SLEEP, 0, 20, 300);
	add_activity(f, 1, 1000, 1000, 300);
	add_step(f, 1000, 300, 0, 300);
	add_end(f, 0, 0);
	fixture_end_snapshot(f);
}

static const struct {
	const char *name;
	void (*build)(struct fixture *fixture);
	const char *damage;
} sessions[] = {
	{ .name = "payroll", .build = build_payroll },
	{ .name = "threads", .build = build_threads },
	{ .name = "reasons", .build = build_reasons },
	{ .name = "empty", .build = build_empty },
	{ .name = "nothing", .build = build_nothing },
	{ .name = "names", .build = build_names },
	{ .name = "hostile", .build = build_hostile },
	{ .name = "truncated",
	  .build = build_truncated,
	  .damage = "2 blocks are damaged, and the end is missing" },
	{ .name = "many", .build = build_many },
	{ .name = "python", .build = build_python },
	{ .name = "database", .build = build_database },
	{ .name = "loaded", .build = build_loaded },
	{ .name = "events", .build = fixture_events },
	{ .name = "coverage", .build = fixture_coverage },
	{ .name = "odd-paths", .build = fixture_coverage_odd_paths },
	{ .name = "headers", .build = build_headers },
	{ .name = "activity", .build = fixture_system },
};

const char *const fixture_names[] = { "payroll",  "threads",  "reasons",   "empty",    "nothing",
				      "names",	  "hostile",  "truncated", "many",     "python",
				      "database", "loaded",   "events",	   "coverage", "odd-paths",
				      "headers",  "activity", NULL };

int fixture_write(const char *name, const char *path, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(sessions); i++) {
		struct fixture fixture;
		int result = -1;

		if (strcmp(sessions[i].name, name) != 0)
			continue;
		fixture_init(&fixture);
		fixture.writer = dataset_create(path, &fixture.strings, err);
		fixture.writer_error = err;
		if (fixture.writer) {
			sessions[i].build(&fixture);
			result = dataset_finish(fixture.writer, err);
		}
		fixture_release(&fixture);
		return result;
	}
	return error_set(err, "there is no session %s", name);
}

struct profile *fixture_profile(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(sessions); i++) {
		struct profile *profile;
		struct fixture fixture;

		if (strcmp(sessions[i].name, name) != 0)
			continue;
		fixture_init(&fixture);
		sessions[i].build(&fixture);
		profile = fixture_end(&fixture);
		if (sessions[i].damage)
			strbuf_addstr(&profile->damage, sessions[i].damage);
		return profile;
	}
	return NULL;
}
