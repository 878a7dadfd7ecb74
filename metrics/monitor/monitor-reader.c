/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a MONWRITE file: an interval becomes a snapshot, monitor records become vigil records. */
#include "common/compat.h"
#include "metrics/monitor/monitor.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "metrics/monitor/application.h"
#include "metrics/monitor/domain-detail.h"
#include "metrics/monitor/ebcdic.h"
#include "metrics/monitor/monitor-types.h"
#include "metrics/monitor/record-names.h"
#include "metrics/monitor/tod.h"

/* A snapshot with no end, of event data alone, is ended after this many records. */
#define SNAPSHOT_RECORDS 65536
/* A missing value of a field. */
#define MISSING UINT64_MAX

enum { COUNT, SYSTEM, SAMPLE_PROFILE, EVENT_PROFILE, DETAIL, ITEM, APPLICATION, TYPES };
static const struct record_type *const types[TYPES] = {
	&monitor_count_type,	     &monitor_system_type, &monitor_sample_profile_type,
	&monitor_event_profile_type, &monitor_detail_type, &monitor_item_type,
	&monitor_application_type,
};

/* The number of records of a kind in the snapshot. */
struct tally {
	unsigned domain, number;
	uint64_t records, bytes, shortest, longest;
};

struct monitor_reading {
	struct monwrite_reader *reader;
	struct domain_details details;
	struct application_reader application;
	struct tally *tallies;
	size_t tally_count, tally_alloc;
	struct idmap kinds; /* domain and record: index of the tally */
	unsigned ids[TYPES];
	struct monitor_record held; /* already read, belongs to the next snapshot */
	bool has_held;
	uint64_t lists;	   /* number of domain detail lists so far */
	uint64_t sequence; /* of the last snapshot */
	/* The snapshot in progress. */
	uint64_t records, tod;
	bool begun;   /* it was begun by application data of vigil */
	bool samples; /* there are records other than configuration */
};

static enum module_status reader_init(struct module *module, struct error *err)
{
	struct monitor_input *input = module->context;
	struct monitor_reading *reading;
	struct monwrite_reader *reader =
		monwrite_open(input->path, input->damage, input->damage_argument, err);

	if (!reader)
		return MODULE_FATAL;
	reading = xcalloc(1, sizeof(*reading));
	reading->reader = reader;
	application_reader_init(&reading->application);
	input->reading = reading;
	for (size_t i = 0; i < TYPES; i++) {
		const struct record_type *type =
			registry_add(engine_types(module->engine), types[i], err);

		if (!type) {
			module->class->end(module);
			return MODULE_FATAL;
		}
		reading->ids[i] = type->id;
	}
	return MODULE_OK;
}

/* One call of the extractor. */
struct extraction_step {
	struct monitor_input *input;
	struct monitor_reading *reading;
	struct engine *engine;
	struct snapshot *snapshot;
};

static void add(struct extraction_step *step, size_t type, const void *record)
{
	recordset_add(snapshot_set(step->snapshot, step->reading->ids[type]), record);
}

/* Returns a time of the file; MISSING: it is invalid, or not in the record. */
static uint64_t time_at(const struct extraction_step *step, const struct monitor_record *record,
			size_t at)
{
	uint64_t ns;

	if (at + 8 > record->length ||
	    !tod_to_ns(monitor_get64(record->data + at), step->input->leap, &ns))
		return MISSING;
	return ns;
}

static uint64_t number_at(const struct monitor_record *record, size_t at, size_t size)
{
	return at + size > record->length ? MISSING : monitor_get(record->data + at, size);
}

/* Returns a text of the file; MISSING: it is empty, or not in the record. */
static uint64_t text_at(const struct extraction_step *step, const struct monitor_record *record,
			size_t at, size_t size)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t string = MISSING;

	if (at + size <= record->length)
		ebcdic_get(&text, record->data + at, size);
	if (text.length)
		string = engine_string(step->engine, text.text);
	strbuf_release(&text);
	return string;
}

/* Returns the names of the domains of a two-byte vector. */
static uint64_t domains_at(const struct extraction_step *step, const struct monitor_record *record,
			   size_t at)
{
	static const unsigned char by_bit[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
	struct strbuf text = STRBUF_INIT;
	uint64_t bits = number_at(record, at, 2), string;

	if (bits == MISSING)
		return MISSING;
	for (unsigned i = 0; i < 16; i++) {
		if (!(bits & 0x8000u >> i))
			continue;
		strbuf_addstr(&text, text.length ? "," : "");
		if (i < ARRAY_SIZE(by_bit))
			strbuf_addstr(&text, monitor_domain_name(by_bit[i]));
		else
			strbuf_addf(&text, "bit %u", i);
	}
	string = engine_string(step->engine, text.text);
	strbuf_release(&text);
	return string;
}

static void take_system(struct extraction_step *step, const struct monitor_record *record)
{
	struct monitor_system system = {
		.time = time_at(step, record, MRHDR_TOD),
		.system = text_at(step, record, MTRSYS_SYSTEM, 8),
		.level = text_at(step, record, MTRSYS_LEVEL, 8),
		.ipl = time_at(step, record, MTRSYS_IPL),
		.termination = time_at(step, record, MTRSYS_TERMINATION),
		.machine = text_at(step, record, MTRSYS_MACHINE, 4),
		.model = text_at(step, record, MTRSYS_MODEL, 16),
		.serial = text_at(step, record, MTRSYS_SERIAL, 16),
		.partition = text_at(step, record, MTRSYS_PARTITION, 8),
		.length = record->length,
	};

	add(step, SYSTEM, &system);
}

static void take_sample_profile(struct extraction_step *step, const struct monitor_record *record)
{
	struct monitor_sample_profile profile = {
		.time = time_at(step, record, MRHDR_TOD),
		.interval = number_at(record, MTRSPR_INTERVAL, 4),
		.rate = number_at(record, MTRSPR_RATE, 4),
		.domains = domains_at(step, record, MTRSPR_DOMAINS),
		.rate_domains = domains_at(step, record, MTRSPR_RATE_DOMAINS),
		.pages = number_at(record, MTRSPR_PAGES, 2),
		.length = record->length,
	};

	add(step, SAMPLE_PROFILE, &profile);
}

static void take_event_profile(struct extraction_step *step, const struct monitor_record *record)
{
	struct monitor_event_profile profile = {
		.time = time_at(step, record, MRHDR_TOD),
		.domains = domains_at(step, record, MTREPR_DOMAINS),
		.pages = number_at(record, MTREPR_PAGES, 2),
		.length = record->length,
	};

	add(step, EVENT_PROFILE, &profile);
}

/* Returns the profile of a list as text, or the byte if it is unknown. */
static uint64_t profile_name(const struct extraction_step *step, unsigned char profile)
{
	char text[8];

	if (profile == MWTBK_SAMPLE)
		return engine_string(step->engine, "sample");
	if (profile == MWTBK_EVENT)
		return engine_string(step->engine, "event");
	snprintf(text, sizeof(text), "X'%02X'", profile);
	return engine_string(step->engine, text);
}

static uint64_t covers_name(const struct extraction_step *step, unsigned char status)
{
	switch (status) {
	case MTRDDR_ALL:
		return engine_string(step->engine, "all");
	case MTRDDR_ONLY:
		return engine_string(step->engine, "only");
	case MTRDDR_EXCEPT:
		return engine_string(step->engine, "except");
	default:
		return MISSING;
	}
}

/* Makes records from a list that is complete, or that will not be completed. */
static void add_detail(struct extraction_step *step, struct domain_detail *detail)
{
	struct monitor_detail record = {
		.list = ++step->reading->lists,
		.profile = profile_name(step, detail->profile),
		.domain = detail->domain,
		.domain_name = engine_string(step->engine, monitor_domain_name(detail->domain)),
		.status = detail->status,
		.covers = covers_name(step, detail->status),
		.flags = detail->flags,
		.items = domain_detail_count(detail),
		.counted = detail->counted,
		.records = detail->records,
		.complete = !detail->broken,
	};
	struct strbuf text = STRBUF_INIT;

	if (!tod_to_ns(detail->tod, step->input->leap, &record.time))
		record.time = MISSING;
	add(step, DETAIL, &record);
	for (size_t i = 0; i < record.items; i++) {
		strbuf_reset(&text);
		domain_detail_item(detail, i, &text);
		add(step, ITEM,
		    &(struct monitor_item){ .list = record.list,
					    .number = i + 1,
					    .item = engine_string(step->engine, text.text) });
	}
	step->reading->records += record.items;
	strbuf_release(&text);
	domain_detail_release(detail);
}

/* Makes records from the lists that are still open when an interval ends. */
static void add_incomplete_details(struct extraction_step *step)
{
	struct domain_detail detail;

	while (domain_details_take_incomplete(&step->reading->details, &detail)) {
		monwrite_report_damage(step->reading->reader, &step->reading->held,
			      "domain detail: the list of domain %u is not "
			      "continued", detail.domain);
		add_detail(step, &detail);
	}
}

/* Returns the offset of application data in a record; 0: none. */
static size_t data_at(const struct monitor_record *record)
{
	uint64_t at = number_at(record, APLSDT_DATA_AT, 2);

	return at == MISSING || at < APLSDT_DATA_AT + 2 || at > record->length ? 0 : at;
}

static bool is_vigil_data(const struct monitor_record *record)
{
	unsigned char product[16];

	ebcdic_put(product, sizeof(product), APPLICATION_PRODUCT);
	return record->domain == DOMAIN_APPLDATA &&
	       (record->number == RECORD_APPLICATION_END ||
		record->number == RECORD_APPLICATION_SAMPLE) &&
	       data_at(record) &&
	       memcmp(record->data + APLSDT_PRODUCT, product, sizeof(product)) == 0;
}

/* Passes on application data of other products unchanged. */
static void add_application(struct extraction_step *step, const struct monitor_record *record)
{
	size_t at = data_at(record);
	struct recordset *set = snapshot_set(step->snapshot, step->reading->ids[APPLICATION]);
	struct strbuf product = STRBUF_INIT;
	struct monitor_application application = {
		.user = text_at(step, record, APLSDT_USER, 8),
		.time = time_at(step, record, MRHDR_TOD),
		.product = text_at(step, record, APLSDT_PRODUCT, 16),
		.product_bytes = MISSING,
		.event = record->number == RECORD_APPLICATION_END,
		.offset = at ? at : MISSING,
		.length = at ? record->length - at : MISSING,
		.data = { .length = RECORD_BYTES_MISSING },
	};

	for (size_t i = 0; record->length >= APLSDT_DATA_AT && i < 16; i++)
		strbuf_addf(&product, "%02X", record->data[APLSDT_PRODUCT + i]);
	if (product.length)
		application.product_bytes = engine_string(step->engine, product.text);
	if (at)
		application.data = recordset_put_bytes(set, record->data + at, record->length - at);
	recordset_add(set, &application);
	strbuf_release(&product);
}

static void take_own(struct extraction_step *step, const struct monitor_record *record)
{
	struct monitor_reading *reading = step->reading;
	size_t at = data_at(record);
	struct strbuf why = STRBUF_INIT;
	bool begins = application_take(&reading->application, record->data + at,
				       record->length - at, step->engine, step->snapshot, &why);

	step->input->application = true;
	if (why.length)
		monwrite_report_damage(reading->reader, record, "%s", why.text);
	reading->begun |= begins;
	strbuf_release(&why);
}

static void count(struct monitor_reading *reading, const struct monitor_record *record)
{
	uint64_t kind = (uint64_t)record->domain << 16 | record->number;
	uint64_t at = reading->tally_count;
	struct tally *tally;

	if (!idmap_get(&reading->kinds, kind, &at)) {
		idmap_put(&reading->kinds, kind, at);
		GROW(reading->tallies, reading->tally_count + 1, reading->tally_alloc);
		reading->tallies[reading->tally_count++] = (struct tally){ .domain = record->domain,
									   .number = record->number,
									   .shortest = MISSING };
	}
	tally = &reading->tallies[at];
	tally->records++;
	tally->bytes += record->length;
	if (record->length < tally->shortest)
		tally->shortest = record->length;
	if (record->length > tally->longest)
		tally->longest = record->length;
}

static void take_detail(struct extraction_step *step, const struct monitor_record *record)
{
	struct domain_detail detail;

	if (domain_details_take(&step->reading->details, step->reading->reader, record, &detail))
		add_detail(step, &detail);
}

/* Adds a record to the snapshot. */
static void take(struct extraction_step *step, const struct monitor_record *record)
{
	struct monitor_reading *reading = step->reading;
	unsigned number = record->domain == 1 ? record->number : 0;

	count(reading, record);
	reading->records++;
	reading->tod = record->tod;
	if (is_vigil_data(record))
		take_own(step, record);
	else if (record->domain == DOMAIN_APPLDATA)
		add_application(step, record);
	else if (number == RECORD_CONFIGURATION)
		take_system(step, record);
	else if (number == RECORD_SAMPLE_PROFILE)
		take_sample_profile(step, record);
	else if (number == RECORD_EVENT_PROFILE)
		take_event_profile(step, record);
	else if (number == RECORD_DOMAIN_DETAIL)
		take_detail(step, record);
	if (record->domain != 1 && !(is_vigil_data(record) && !reading->begun))
		reading->samples = true;
}

static int by_kind(const void *a, const void *b)
{
	const struct tally *one = a, *other = b;

	if (one->domain != other->domain)
		return one->domain < other->domain ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

/* Adds the number of records of each kind. */
static void add_counts(struct extraction_step *step)
{
	struct monitor_reading *reading = step->reading;

	if (reading->tally_count)
		qsort(reading->tallies, reading->tally_count, sizeof(*reading->tallies), by_kind);
	for (size_t i = 0; i < reading->tally_count; i++) {
		const struct tally *tally = &reading->tallies[i];
		const char *name = monitor_record_name(tally->domain, tally->number);
		char id[32];

		snprintf(id, sizeof(id), "D%uR%u", tally->domain, tally->number);
		add(step, COUNT,
		    &(struct monitor_count){
			    .id = engine_string(step->engine, id),
			    .domain = tally->domain,
			    .number = tally->number,
			    .name = name ? engine_string(step->engine, name) : MISSING,
			    .known = name != NULL,
			    .records = tally->records,
			    .bytes = tally->bytes,
			    .shortest = tally->shortest,
			    .longest = tally->longest,
		    });
	}
	reading->tally_count = 0;
	idmap_release(&reading->kinds);
}

/* Completes a snapshot: its number and times. */
static void finish(struct extraction_step *step)
{
	struct monitor_reading *reading = step->reading;
	const struct application_reader *application = &reading->application;
	struct snapshot *snapshot = step->snapshot;
	uint64_t wall = 0;

	add_counts(step);
	if (reading->begun) {
		snapshot->sequence = application->sequence;
		snapshot->time = application->time;
		snapshot->wall = application->wall;
	} else {
		snapshot->sequence = reading->sequence + 1;
		if (tod_to_ns(reading->tod, step->input->leap, &wall))
			snapshot->wall = wall;
		snapshot->time = snapshot->wall;
	}
	reading->sequence = snapshot->sequence;
	reading->records = 0;
	reading->begun = reading->samples = false;
}

/* Returns whether a record that was added ends its snapshot: configuration alone is no snapshot. */
static bool ends_snapshot(const struct monitor_reading *reading,
			  const struct monitor_record *record)
{
	if (record->domain == 1 && record->number == RECORD_INTERVAL_END)
		return reading->samples;
	return reading->records >= SNAPSHOT_RECORDS && !reading->begun;
}

/* Reads until a snapshot is complete. Returns 1, 0 at the end, -1 with err. */
static int read_snapshot(struct extraction_step *step, struct error *err)
{
	struct monitor_reading *reading = step->reading;
	struct monitor_record *record = &reading->held;
	int more = 1;

	for (;;) {
		if (!reading->has_held)
			more = monwrite_next(reading->reader, record, err);
		RETURN_IF(more < 0, -1);
		if (!more)
			break;
		/* The end of the previous snapshot was lost. */
		reading->has_held = reading->begun && is_vigil_data(record) &&
				    application_begins(record->data + data_at(record),
						       record->length - data_at(record));
		if (reading->has_held)
			return 1;
		take(step, record);
		if (record->domain == 1 && record->number == RECORD_INTERVAL_END)
			add_incomplete_details(step);
		if (ends_snapshot(reading, record))
			return 1;
	}
	add_incomplete_details(step);
	return reading->records > 0;
}

static enum module_status reader_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err)
{
	struct monitor_input *input = module->context;
	struct extraction_step step = { input, input->reading, module->engine, snapshot };
	int found = read_snapshot(&step, err);

	input->status = *monwrite_status(input->reading->reader);
	input->application_complete = input->reading->application.complete;
	RETURN_IF(found < 0, MODULE_FATAL);
	if (!found)
		return MODULE_END_OF_DATA;
	finish(&step);
	return MODULE_OK;
}

static void reader_end(struct module *module)
{
	struct monitor_input *input = module->context;
	struct monitor_reading *reading = input->reading;

	if (!reading)
		return;
	monwrite_close(reading->reader);
	domain_details_release(&reading->details);
	application_release(&reading->application);
	free(reading->tallies);
	idmap_release(&reading->kinds);
	free(reading);
	input->reading = NULL;
}

const struct module_class monitor_input_class = {
	.name = "MONWRITE.READER",
	.summary = "reads a MONWRITE file: monitor records of z/VM",
	.capabilities = MODULE_EXTRACTOR,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.init = reader_init,
	.call = reader_call,
	.end = reader_end,
};
