/* SPDX-License-Identifier: Apache-2.0 */
/* A synthetic session with events: a COBOL program that calls two others and a database. */
#include "common/compat.h"
#include "profile/fixture.h"
#include "common/clock.h"
#include "records/record-types.h"

#define US NSEC_PER_USEC

/* The session under construction: two tasks, each with its clocks. */
struct maker {
	struct fixture *fixture;
	uint64_t sites, transaction;
	uint64_t level[3], cpu[3], elapsed[3]; /* by task; ns since the start */
	uint64_t start;
};

/* Adds a site of events. */
static uint64_t add_site(struct maker *maker, enum event_type type, const char *program,
			 const char *procedure, uint64_t line, const char *statement)
{
	struct fixture *f = maker->fixture;
	bool function = strcmp(program, "qsort") == 0;
	struct record_event_site site = {
		.site = ++maker->sites,
		.type = type,
		.kind = !*program  ? EVENT_KIND_NONE
			: function ? EVENT_KIND_FUNCTION
				   : EVENT_KIND_PROGRAM,
		.library = fixture_string(f, !*program	? ""
					     : function ? "/usr/lib"
							: "/opt/pay/bin"),
		.program = fixture_string(f, program),
		.object = fixture_string(f, function   ? "libc.so.6"
					    : *program ? "PAYROLL"
						       : ""),
		.procedure = fixture_string(f, procedure),
		.line = line,
		.file = fixture_string(f, line ? "/opt/pay/src/payroll.cob" : ""),
		.statement = fixture_string(f, statement),
	};

	fixture_add(f, RECORD_EVENT_SITE, &site);
	return site.site;
}

/* Adds an event of a task, which then continues for cpu and elapsed ns. */
static void add_event(struct maker *maker, uint64_t task, uint64_t site, uint64_t cpu,
		      uint64_t elapsed)
{
	uint64_t time = maker->start + maker->elapsed[task];
	struct record_event event = { .time = time,
				      .idle = (int64_t)(time - maker->cpu[task]),
				      .task = task,
				      .site = site,
				      .level = maker->level[task],
				      .code = INT64_MIN,
				      .transaction = task ? maker->transaction : 0 };

	fixture_add(maker->fixture, RECORD_EVENT, &event);
	maker->cpu[task] += cpu;
	maker->elapsed[task] += elapsed;
}

/* The same with a code and a text. */
static void add_data(struct maker *maker, uint64_t site, int64_t code, const char *text,
		     uint64_t cpu, uint64_t elapsed)
{
	const struct recordset *set;
	struct record_event *event;

	add_event(maker, 1, site, cpu, elapsed);
	set = snapshot_records(&maker->fixture->snapshot, RECORD_EVENT);
	event = recordset_at(snapshot_set(&maker->fixture->snapshot, RECORD_EVENT), set->count - 1);
	event->code = code;
	event->data = fixture_string(maker->fixture, text);
}

static void add_facts(struct fixture *f, uint64_t start)
{
	static const char *const texts[][2] = {
		{ ATTR_VERSION, "0.1.0" },
		{ ATTR_PROGRAM, "PAYROLL" },
		{ ATTR_JOB, "PAYJOB" },
		{ ATTR_JOB_NUMBER, "JOB00012" },
		{ ATTR_STEP, "CALC" },
		{ ATTR_HOST, "prod1" },
		{ ATTR_EXIT, "0" },
		{ ATTR_COMPLETE, "1" },
		{ ATTR_EVENTS_SOURCES, "COBOL, functions, SQLite" },
		{ ATTR_EVENTS_FILTERS, "FILTER=PROGRAM PROGRAM=PAY* FILTER=EVENT EVENT=ALL "
				       "STATEMENT=ON" },
		{ ATTR_EVENTS_INTERVAL, "0" },
		{ ATTR_EVENTS_OFFERED, "130129" },
		{ ATTR_EVENTS_FILTERED, "129000" },
		{ ATTR_EVENTS_PAUSES, "1" },
		{ ATTR_EVENTS_OWN_CPU, "1835000" },
		{ ATTR_POOL_SIZE, "512000" },
		{ ATTR_POOL_MAX, "512000" },
		{ ATTR_POOL_READ, "2097152" },
		{ ATTR_POOL_FULL, "3" },
		{ ATTR_POOL_FULL_TIME, "2250000" },
		{ ATTR_POOL_EMPTY_AFTER_FULL, "2" },
		{ ATTR_OVERHEAD_CPU, "9000000" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		fixture_attribute(f, texts[i][0], texts[i][1]);
	fixture_number(f, ATTR_START_WALL, UINT64_C(1763674445) * NSEC_PER_SEC);
	fixture_number(f, ATTR_START, start);
	fixture_number(f, ATTR_END, start + 2 * NSEC_PER_SEC);
}

static void add_names(struct fixture *f, uint64_t start)
{
	struct record_process process = {
		.process = 1, .pid = 4001, .start = start, .program = fixture_string(f, "PAYROLL")
	};
	struct record_transaction transaction = { .transaction = 1,
						  .name = fixture_string(f, "PAYSLIP"),
						  .count = 40,
						  .elapsed = 64 * NSEC_PER_MSEC };

	fixture_add(f, RECORD_PROCESS, &process);
	for (uint64_t task = 1; task <= 2; task++) {
		struct record_task row = { .task = task,
					   .process = 1,
					   .tid = 4000 + task,
					   .start = start,
					   .name = fixture_string(f, task == 1 ? "PAYROLL"
									       : "sorter") };

		fixture_add(f, RECORD_TASK, &row);
	}
	fixture_add(f, RECORD_TRANSACTION, &transaction);
}

/* Adds one payslip: statements, a call of PAYTAX, a query. */
static void add_payslip(struct maker *maker, const uint64_t *sites, uint64_t number)
{
	maker->transaction = 1;
	add_event(maker, 1, sites[1], 12 * US, 12 * US);
	add_event(maker, 1, sites[2], 30 * US, 30 * US);
	maker->level[1]++;
	add_event(maker, 1, sites[3], 5 * US, 5 * US);
	for (uint64_t i = 0; i < 10; i++) {
		add_event(maker, 1, sites[4], 40 * US, 44 * US);
		add_event(maker, 1, sites[5], 8 * US + i, 8 * US + i);
	}
	add_event(maker, 1, sites[6], 2 * US, 2 * US);
	maker->level[1]--;
	add_event(maker, 1, sites[7], 4 * US, 4 * US);
	add_data(maker, sites[8], INT64_MIN, "SELECT RATE FROM TAX WHERE GRADE = ?", 90 * US,
		 900 * US);
	add_data(maker, sites[9], number % 20 ? 0 : 5, "", 3 * US, 3 * US);
	maker->transaction = 0;
	add_event(maker, 1, sites[10], 10 * US, 10 * US);
}

void fixture_events(struct fixture *f)
{
	struct maker maker = { .fixture = f, .start = f->time - NSEC_PER_SEC };
	uint64_t sites[16], session[4];

	add_facts(f, maker.start);
	add_names(f, maker.start);
	session[0] = add_site(&maker, EVENT_SI, "", "", 0, "");
	session[1] = add_site(&maker, EVENT_MP, "", "", 0, "");
	session[2] = add_site(&maker, EVENT_ST, "", "", 0, "");
	session[3] = add_site(&maker, EVENT_KE, "PAYROLL", "", 0, "");
	sites[0] = add_site(&maker, EVENT_PS, "PAYROLL", "", 0, "");
	sites[1] = add_site(&maker, EVENT_NS, "PAYROLL", "MAIN-LOOP", 120, "READ");
	sites[2] = add_site(&maker, EVENT_NS, "PAYROLL", "MAIN-LOOP", 124, "CALL");
	sites[3] = add_site(&maker, EVENT_PS, "PAYTAX", "", 0, "");
	sites[4] = add_site(&maker, EVENT_NS, "PAYTAX", "RATES", 310, "COMPUTE");
	sites[5] = add_site(&maker, EVENT_NS, "PAYTAX", "RATES", 312, "ADD");
	sites[6] = add_site(&maker, EVENT_PT, "PAYTAX", "", 0, "");
	sites[7] = add_site(&maker, EVENT_PR, "PAYROLL", "", 0, "");
	sites[8] = add_site(&maker, EVENT_DB, "PAYROLL", "MAIN-LOOP", 128, "");
	sites[9] = add_site(&maker, EVENT_DA, "PAYROLL", "MAIN-LOOP", 128, "");
	sites[10] = add_site(&maker, EVENT_NS, "PAYROLL", "MAIN-LOOP", 131, "WRITE");
	sites[11] = add_site(&maker, EVENT_PS, "qsort", "", 0, "");
	sites[12] = add_site(&maker, EVENT_PT, "qsort", "", 0, "");
	sites[13] = add_site(&maker, EVENT_PT, "PAYROLL", "", 0, "");
	add_event(&maker, 0, session[0], 0, 0);
	maker.level[1] = maker.level[2] = 1;
	add_event(&maker, 1, sites[0], 55 * US, 80 * US);
	for (uint64_t i = 1; i <= 20; i++)
		add_payslip(&maker, sites, i);
	add_event(&maker, 2, sites[11], 7000 * US, 7400 * US);
	add_event(&maker, 2, sites[12], 20 * US, 20 * US);
	add_event(&maker, 2, session[3], 0, 0);
	maker.elapsed[0] = maker.elapsed[1];
	add_event(&maker, 0, session[1], 0, 0);
	fixture_end_snapshot(f);
	maker.elapsed[1] += 500 * NSEC_PER_MSEC;
	maker.cpu[1] += 400 * NSEC_PER_MSEC;
	for (uint64_t i = 21; i <= 40; i++)
		add_payslip(&maker, sites, i);
	add_event(&maker, 1, sites[13], 15 * US, 15 * US);
	add_event(&maker, 1, session[3], 0, 0);
	maker.elapsed[0] = 2 * NSEC_PER_SEC;
	add_event(&maker, 0, session[2], 0, 0);
	fixture_end_snapshot(f);
}
