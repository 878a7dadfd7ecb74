/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes snapshots as monitor data: the measured users and devices as domain
 * detail, values as application data.
 */
#include "common/compat.h"
#include "metrics/monitor/monitor.h"
#include "common/xalloc.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "metrics/monitor/application.h"
#include "metrics/monitor/ebcdic.h"
#include "metrics/monitor/monwrite-write.h"
#include "metrics/monitor/tod.h"
#include "metrics/outputs.h"

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Domains as bits of two bytes, in control records and profiles. */
#define BIT_MONITOR 0x4000u
#define BIT_USER 0x0800u
#define BIT_IO 0x0200u
#define BIT_SEEK 0x0100u
#define BIT_APPLDATA 0x0020u
#define PROFILE_SAMPLE 0xe2 /* 'S' */
#define PROFILE_EVENT 0xc5  /* 'E' */

/* A frame with less free space for application data is ended. */
#define PART_FREE_MIN 128
/*
 * Record types are described again after this many snapshots, which limits the
 * loss from a damaged description.
 */
#define DESCRIBE_AFTER 100

struct monitor_writing {
	struct monwrite_writer writer;
	struct application_type *types; /* in the order of their numbers; owned */
	size_t type_count, type_alloc;
	struct short_names names;
	struct strbuf message;
	uint32_t serial;	    /* of the last part */
	uint64_t snapshots, before; /* number of snapshots, and time of the last one */
	size_t users, devices;	    /* numbers of those listed so far */
	bool begun, users_listed, devices_listed, paced;
};

static enum module_status writer_init(struct module *module, struct error *err)
{
	struct monitor_output *output = module->context;

	if (isatty(fileno(output->stream))) {
		error_set(err, "MONWRITE is not text: it is not written to a terminal");
		return MODULE_FATAL;
	}
	output->writing = xcalloc(1, sizeof(*output->writing));
	monwrite_writer_init(&output->writing->writer);
	strbuf_init(&output->writing->message);
	strbuf_init(&output->collided);
	output->writing->names.collided = &output->collided;
	return MODULE_OK;
}

/* Writes a message as parts, one a record, and empties it. */
static void write_message(struct monitor_writing *writing, unsigned record_number,
			  enum application_kind kind, uint64_t sequence)
{
	struct strbuf *message = &writing->message;
	const size_t head = APLSDT_SIZE - MRHDR_SIZE + PART_HEAD;
	size_t done = 0;

	do {
		size_t room = monwrite_free_bytes(&writing->writer), left = message->length - done, now;
		unsigned char *record;

		if (room < head + left && room < head + PART_FREE_MIN) {
			monwrite_end_frame(&writing->writer);
			continue;
		}
		now = room - head < left ? room - head : left;
		if (now > APLSDT_DATA_MAX - PART_HEAD)
			now = APLSDT_DATA_MAX - PART_HEAD;
		record = monwrite_add(&writing->writer, DOMAIN_APPLDATA, record_number,
				      APLSDT_SIZE + PART_HEAD + now);
		ebcdic_put(record + APLSDT_USER, 8, APPLICATION_USER);
		ebcdic_put(record + APLSDT_PRODUCT, 16, APPLICATION_PRODUCT);
		monitor_put(record + APLSDT_DATA_AT, 2, APLSDT_SIZE);
		record += APLSDT_SIZE;
		record[PART_VERSION] = 1;
		record[PART_KIND] = (unsigned char)kind;
		record[PART_FLAGS] = (unsigned char)((now < left ? PART_CONTINUED : 0) |
						     (done ? 0 : PART_FIRST));
		monitor_put(record + PART_SERIAL, 4, ++writing->serial);
		monitor_put(record + PART_SEQUENCE, 8, sequence);
		if (now)
			memcpy(record + PART_HEAD, message->text + done, now);
		done += now;
	} while (done < message->length || writing->serial == 0);
	strbuf_reset(message);
}

/* Returns a number of a record by the name of its field. Returns false when it is missing. */
static bool number_of(const struct recordset *set, size_t record, const char *name,
		      uint64_t *number)
{
	struct field_value value;

	for (size_t i = 0; i < set->type->field_count; i++) {
		if (strcmp(set->type->fields[i].name, name) != 0)
			continue;
		if (set->type->fields[i].type != FIELD_UNSIGNED ||
		    !recordset_value(set, record, i, &value))
			return false;
		*number = value.number;
		return true;
	}
	return false;
}

/* Returns a text of the first record by the name of its field; "": missing. */
static const char *text_of(const struct recordset *set, const char *name,
			   const struct strmap *strings)
{
	struct field_value value;

	for (size_t i = 0; i < set->type->field_count; i++)
		if (strcmp(set->type->fields[i].name, name) == 0 &&
		    set->type->fields[i].type == FIELD_STRING && recordset_value(set, 0, i, &value))
			return strmap_text(strings, (uint32_t)value.number);
	return "";
}

/* Returns the records of a type by its name, if they are written; NULL: none. */
static const struct recordset *find_set(const struct monitor_output *output,
					const struct snapshot *snapshot, const char *name)
{
	const struct record_type *type = registry_find(snapshot->types, name);
	const struct recordset *set = type ? snapshot_records(snapshot, type->id) : NULL;

	return set && output_takes(output->selection, set) ? set : NULL;
}

/* Registers the present users and devices; new ones are appended to the names. */
static void see_users(struct monitor_output *output, const struct recordset *processes)
{
	struct short_names *names = &output->writing->names;

	for (size_t i = 0; processes && i < processes->count; i++) {
		const struct passwd *user = NULL;
		uint64_t number;
		size_t known = 0;

		if (!number_of(processes, i, "user_id", &number) || number > UINT32_MAX)
			continue;
		while (known < names->user_count && names->users[known].number != number)
			known++;
		if (known < names->user_count)
			continue;
		if (output->live)
			user = getpwuid((uid_t)number);
		short_names_user(names, (uint32_t)number, user ? user->pw_name : "");
	}
}

static void see_devices(struct monitor_output *output, const struct recordset *disks,
			const struct strmap *strings)
{
	for (size_t i = 0; disks && i < disks->count; i++) {
		struct strbuf name = STRBUF_INIT;
		uint64_t major, minor;

		output_value(&name, disks, i, 0, strings);
		if (number_of(disks, i, "major", &major) && number_of(disks, i, "minor", &minor) &&
		    major <= UINT32_MAX && minor <= UINT32_MAX)
			short_names_device(&output->writing->names, (uint32_t)major,
					   (uint32_t)minor, name.text);
		strbuf_release(&name);
	}
}

/* Writes the list of the measured users, and their names. */
static void list_users(struct monitor_writing *writing, uint64_t sequence)
{
	const struct short_names *names = &writing->names;
	unsigned char *items = xcalloc(names->user_count + 1, 8);

	for (size_t i = 0; i < names->user_count; i++)
		ebcdic_put(items + i * 8, 8, names->users[i].id);
	monwrite_add_detail(&writing->writer, PROFILE_SAMPLE, DOMAIN_USER, MTRDDR_ONLY, items, 8,
			    names->user_count);
	free(items);
	for (size_t i = writing->users; i < names->user_count; i++) {
		application_add_number(&writing->message, 4, names->users[i].number);
		application_add_text(&writing->message, names->users[i].id,
				     strlen(names->users[i].id));
		application_add_text(&writing->message, names->users[i].name,
				     strlen(names->users[i].name));
	}
	write_message(writing, RECORD_APPLICATION_SAMPLE, APPLICATION_USERS, sequence);
	writing->users = names->user_count;
	writing->users_listed = true;
}

static void list_devices(struct monitor_writing *writing, uint64_t sequence)
{
	const struct short_names *names = &writing->names;
	unsigned char *items = xcalloc(names->device_count + 1, 2);

	for (size_t i = 0; i < names->device_count; i++)
		monitor_put(items + i * 2, 2, names->devices[i].id);
	monwrite_add_detail(&writing->writer, PROFILE_SAMPLE, DOMAIN_IO, MTRDDR_ONLY, items, 2,
			    names->device_count);
	free(items);
	for (size_t i = writing->devices; i < names->device_count; i++) {
		application_add_number(&writing->message, 2, names->devices[i].id);
		application_add_number(&writing->message, 4, names->devices[i].major);
		application_add_number(&writing->message, 4, names->devices[i].minor);
		application_add_text(&writing->message, names->devices[i].name,
				     strlen(names->devices[i].name));
	}
	write_message(writing, RECORD_APPLICATION_SAMPLE, APPLICATION_DEVICES, sequence);
	writing->devices = names->device_count;
	writing->devices_listed = true;
}

/* Adds the system record, from COLHDR, or from this machine if the data are its. */
static void add_system(struct monitor_output *output, const struct recordset *header,
		       const struct strmap *strings)
{
	unsigned char *record =
		monwrite_add(&output->writing->writer, 1, RECORD_CONFIGURATION, MTRSYS_SIZE);
	struct utsname system;
	uint64_t number, tod;

	ebcdic_put(record + MTRSYS_LEVEL, 8, "VIGIL");
	if (header) {
		ebcdic_put(record + MTRSYS_SYSTEM, 8, text_of(header, "host", strings));
		ebcdic_put(record + MTRSYS_MODEL, 16, text_of(header, "architecture", strings));
		if (number_of(header, 0, "boot_time", &number) &&
		    tod_from_ns(number * NSEC_PER_SEC, 0, &tod))
			monitor_put(record + MTRSYS_IPL, 8, tod);
	} else if (output->live && uname(&system) == 0) {
		ebcdic_put(record + MTRSYS_SYSTEM, 8, system.nodename);
		ebcdic_put(record + MTRSYS_MODEL, 16, system.machine);
	}
}

/* Returns whether the data are from this machine since its last boot, according to COLHDR. */
static bool is_of_this_start(const struct recordset *header, const struct strmap *strings)
{
	char path[PROCFS_PATH_SIZE], text[64] = "";
	ssize_t length = procfs_read(procfs_path(path, "/proc/sys/kernel/random/boot_id"), text,
				     sizeof(text));

	while (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	return length > 0 && strcmp(text, text_of(header, "boot_id", strings)) == 0;
}

/* Adds the sample profile, once COLHDR or two snapshots determine the interval. */
static void add_pace(struct monitor_writing *writing, uint64_t interval)
{
	unsigned char *record =
		monwrite_add(&writing->writer, 1, RECORD_SAMPLE_PROFILE, MTRSPR_SIZE);

	monitor_put(record + MTRSPR_INTERVAL, 4, (interval + NSEC_PER_SEC / 2) / NSEC_PER_SEC);
	monitor_put(record + MTRSPR_RATE, 4, (interval + 5 * NSEC_PER_MSEC) / (10 * NSEC_PER_MSEC));
	monitor_put(record + MTRSPR_DOMAINS, 2,
		    BIT_MONITOR | BIT_APPLDATA | (writing->users_listed ? BIT_USER : 0) |
			    (writing->devices_listed ? BIT_IO : 0));
	writing->paced = true;
}

/* Writes the configuration: no event data, and what the sample data have. */
static void begin(struct monitor_output *output, const struct recordset *header,
		  const struct strmap *strings, bool users, bool devices)
{
	struct monitor_writing *writing = output->writing;
	unsigned char own[8], *record;
	uint64_t interval;

	record = monwrite_add(&writing->writer, 1, RECORD_EVENT_PROFILE, MTREPR_SIZE);
	monitor_put(record + MTREPR_DOMAINS, 2, BIT_MONITOR | BIT_APPLDATA);
	/* vigil traces no single seeks: they are traced for the devices listed, and none are. */
	if (devices)
		monwrite_add_detail(&writing->writer, PROFILE_EVENT, DOMAIN_SEEK, MTRDDR_ONLY, NULL,
				    2, 0);
	monwrite_flush(&writing->writer, true, BIT_MONITOR | (devices ? BIT_SEEK : 0));
	add_system(output, header, strings);
	ebcdic_put(own, sizeof(own), APPLICATION_USER);
	monwrite_add_detail(&writing->writer, PROFILE_SAMPLE, DOMAIN_APPLDATA, MTRDDR_ONLY, own,
			    sizeof(own), 1);
	if (users)
		list_users(writing, 0);
	if (devices)
		list_devices(writing, 0);
	if (header && number_of(header, 0, "interval", &interval) && interval)
		add_pace(writing, interval);
	monwrite_add(&writing->writer, 1, RECORD_INTERVAL_END, MRHDR_SIZE);
	monwrite_flush(&writing->writer, false,
		       BIT_MONITOR | BIT_APPLDATA | (users ? BIT_USER : 0) |
			       (devices ? BIT_IO : 0));
	writing->begun = true;
}

/* Marks all types as not described. */
static void forget_types(struct monitor_writing *writing)
{
	for (size_t i = 0; i < writing->type_count; i++)
		application_type_release(&writing->types[i]);
	writing->type_count = 0;
}

/* Returns how a set's type is written; describes it in the file when it is new. */
static const struct application_type *find_type(struct monitor_output *output,
						const struct record_type *type, uint64_t sequence)
{
	struct monitor_writing *writing = output->writing;
	struct application_type *made;

	for (size_t i = 0; i < writing->type_count; i++)
		if (writing->types[i].type == type)
			return &writing->types[i];
	GROW(writing->types, writing->type_count + 1, writing->type_alloc);
	made = &writing->types[writing->type_count++];
	application_type_init(made, type, (unsigned)writing->type_count,
			      type->id == RECORD_NOTE ? NULL : output->selection);
	application_add_type(&writing->message, made);
	write_message(writing, RECORD_APPLICATION_SAMPLE, APPLICATION_TYPE, sequence);
	return made;
}

/* Writes the values of a set. */
static void add_set(struct monitor_output *output, const struct recordset *set,
		    const struct strmap *strings, uint64_t sequence)
{
	struct monitor_writing *writing = output->writing;
	const struct application_type *type = find_type(output, set->type, sequence);

	for (size_t next = 0; next < set->count;) {
		next = application_add_values(&writing->message, type, set, next, strings);
		write_message(writing, RECORD_APPLICATION_SAMPLE, APPLICATION_VALUES, sequence);
	}
}

/* Writes one snapshot. */
static void add_snapshot(struct monitor_output *output, const struct snapshot *snapshot,
			 const struct strmap *strings)
{
	struct monitor_writing *writing = output->writing;
	const struct recordset *processes = find_set(output, snapshot, "pro");
	const struct recordset *disks = find_set(output, snapshot, "dsk");
	const struct record_type *type = registry_find(snapshot->types, "colhdr");
	const struct recordset *header = type ? snapshot_records(snapshot, type->id) : NULL;

	if (!tod_from_ns(snapshot->wall, 0, &writing->writer.tod))
		writing->writer.tod = TOD_UNIX_EPOCH;
	if (writing->snapshots % DESCRIBE_AFTER == 0)
		forget_types(writing);
	if (header && !header->count)
		header = NULL;
	if (header && is_of_this_start(header, strings))
		output->live = true;
	see_users(output, processes);
	see_devices(output, disks, strings);
	if (!writing->begun)
		begin(output, header, strings, processes, disks);
	if (!writing->paced && writing->before && snapshot->time > writing->before)
		add_pace(writing, snapshot->time - writing->before);
	application_add_number(&writing->message, 8, snapshot->time);
	application_add_number(&writing->message, 8, snapshot->wall);
	write_message(writing, RECORD_APPLICATION_SAMPLE, APPLICATION_SNAPSHOT, snapshot->sequence);
	if (writing->users < writing->names.user_count || (processes && !writing->users_listed))
		list_users(writing, snapshot->sequence);
	if (writing->devices < writing->names.device_count || (disks && !writing->devices_listed))
		list_devices(writing, snapshot->sequence);
	/* Notes on the snapshot itself are written regardless of the selection. */
	if (snapshot_records(snapshot, RECORD_NOTE)->count)
		add_set(output, snapshot_records(snapshot, RECORD_NOTE), strings, snapshot->sequence);
	for (size_t id = 0; id < snapshot->set_count; id++)
		if (id != RECORD_NOTE && output_takes(output->selection, snapshot->sets[id]))
			add_set(output, snapshot->sets[id], strings, snapshot->sequence);
	monwrite_add(&writing->writer, 1, RECORD_INTERVAL_END, MRHDR_SIZE);
	monwrite_flush(&writing->writer, false,
		       BIT_MONITOR | BIT_APPLDATA | (writing->users_listed ? BIT_USER : 0) |
			       (writing->devices_listed ? BIT_IO : 0));
	writing->before = snapshot->time;
	writing->snapshots++;
}

/* Ends the application data, and the file. */
static void end_data(struct monitor_writing *writing, uint64_t sequence)
{
	application_add_number(&writing->message, 8, writing->snapshots);
	write_message(writing, RECORD_APPLICATION_END, APPLICATION_END, sequence);
	monwrite_flush(&writing->writer, true, BIT_APPLDATA);
	monwrite_end(&writing->writer);
}

static enum module_status writer_call(struct module *module, enum sync_point point UNUSED,
				      struct snapshot *snapshot, struct error *err)
{
	struct monitor_output *output = module->context;
	struct monitor_writing *writing = output->writing;
	bool any = false;

	for (size_t id = 0; id < snapshot->set_count && !any; id++)
		any = output_takes(output->selection, snapshot->sets[id]);
	if (any)
		add_snapshot(output, snapshot, engine_strings(module->engine));
	if (snapshot->last)
		end_data(writing, snapshot->sequence);
	output->collisions = writing->names.collisions;
	output->left_out = writing->names.left_out;
	return output_write(output->stream, &writing->writer.file, err);
}

static void writer_end(struct module *module)
{
	struct monitor_output *output = module->context;
	struct monitor_writing *writing = output->writing;

	if (!writing)
		return;
	forget_types(writing);
	free(writing->types);
	monwrite_writer_release(&writing->writer);
	short_names_release(&writing->names);
	strbuf_release(&writing->message);
	free(writing);
	output->writing = NULL;
}

const struct module_class monitor_output_class = {
	.name = "MONWRITE",
	.summary = "writes a MONWRITE file: monitor records of z/VM",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = writer_init,
	.call = writer_call,
	.end = writer_end,
};
