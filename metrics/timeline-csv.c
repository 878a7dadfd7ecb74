/* SPDX-License-Identifier: Apache-2.0 */
/* CSV: metrics over time with a row an interval and a column a metric. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "metrics/outputs.h"

/* The columns of one record that is in every snapshot. */
struct timeline_group {
	unsigned type;	   /* id of the record type */
	uint64_t instance; /* value of the field that identifies it within its type */
	bool single;	   /* the type has no such field */
	double *before;	   /* counters in the last row, NaN: unknown, by field; owned */
};

/* Returns whether records of a type come and go, or come only on change: they get no columns. */
static bool is_passing(const struct record_type *type)
{
	return strcmp(type->fields[0].unit, "process") == 0 ||
	       (type->field_count > 1 && strcmp(type->fields[1].name, "present") == 0);
}

/* Returns what identifies a record within its type: its first field, if that is no measurement. */
static bool instance_of(const struct recordset *set, size_t record, uint64_t *instance)
{
	struct field_value value;

	if (set->type->fields[0].sense != SENSE_NONE || !recordset_value(set, record, 0, &value) ||
	    value.type > FIELD_STRING)
		return false;
	*instance = value.number;
	return true;
}

/* Returns whether a field has a column. */
static bool has_column(const struct timeline *timeline, const struct record_type *type,
		       size_t number)
{
	const struct field *field = &type->fields[number];

	return field->sense != SENSE_NONE && field->type != FIELD_STRING &&
	       field->type != FIELD_BYTES && selection_has_item(timeline->selection, type, number);
}

/*
 * Returns whether a set has selected metrics: records of a module (not of a
 * session) with a column.
 */
static bool has_metrics(const struct timeline *timeline, const struct recordset *set)
{
	if (!output_takes(timeline->selection, set) || set->type->id < RECORD_RUNTIME_FIRST)
		return false;
	for (size_t i = 0; i < set->type->field_count; i++)
		if (has_column(timeline, set->type, i))
			return true;
	return false;
}

/* Appends a name for a heading, quoted as CSV requires. */
static void add_quoted(struct strbuf *sb, const char *text)
{
	for (; *text; text++) {
		if (*text == '"')
			strbuf_addch(sb, '"');
		strbuf_addch(sb, (unsigned char)*text < ' ' ? '.' : *text);
	}
}

/* Appends the headings of a record's columns: "dsk.sda.reads (count/s)". */
static void add_heads(struct timeline *timeline, const struct recordset *set, size_t record,
		      bool single, const struct strmap *strings)
{
	struct strbuf *sb = &timeline->row, instance = STRBUF_INIT;

	if (!single) {
		strbuf_addch(&instance, '.');
		output_value(&instance, set, record, 0, strings);
	}
	for (size_t i = 0; i < set->type->field_count; i++) {
		const struct field *field = &set->type->fields[i];

		if (!has_column(timeline, set->type, i))
			continue;
		strbuf_addf(sb, ",\"%s", set->type->name);
		add_quoted(sb, instance.text);
		strbuf_addf(sb, ".%s (%s%s)\"", field->name, field->unit,
			    field->sense == SENSE_COUNTER ? "/s" : "");
	}
	strbuf_release(&instance);
}

/* Determines the columns from the first snapshot with records. */
static void settle(struct timeline *timeline, const struct snapshot *snapshot,
		   const struct strmap *strings)
{
	strbuf_addstr(&timeline->row, "time");
	for (size_t id = 0; id < snapshot->set_count; id++) {
		const struct recordset *set = snapshot->sets[id];

		if (!has_metrics(timeline, set) || is_passing(set->type))
			continue;
		for (size_t i = 0; i < set->count; i++) {
			struct timeline_group group = { .type = set->type->id };

			group.single = !instance_of(set, i, &group.instance);
			group.before = xcalloc(set->type->field_count, sizeof(*group.before));
			for (size_t f = 0; f < set->type->field_count; f++)
				group.before[f] = __builtin_nan("");
			add_heads(timeline, set, i, group.single, strings);
			GROW(timeline->groups, timeline->group_count + 1, timeline->group_alloc);
			timeline->groups[timeline->group_count++] = group;
		}
	}
	strbuf_addch(&timeline->row, '\n');
}

/* Returns the record of a group, which is usually at guess; SIZE_MAX: none. */
static size_t find_record(const struct timeline_group *group, const struct recordset *set,
			  size_t guess)
{
	for (size_t i = 0; i < set->count; i++) {
		size_t at = (guess + i) % set->count;
		uint64_t instance;

		if (group->single ||
		    (instance_of(set, at, &instance) && instance == group->instance))
			return at;
	}
	return SIZE_MAX;
}

/* Returns a value as a number; NaN: missing. */
static double number_of(const struct recordset *set, size_t record, size_t field)
{
	struct field_value value;

	if (!recordset_value(set, record, field, &value))
		return __builtin_nan("");
	if (value.type == FIELD_DOUBLE)
		return value.real;
	if (value.type == FIELD_SIGNED || (value.type >= FIELD_I8 && value.type <= FIELD_I32))
		return (double)value.integer;
	return (double)value.number;
}

/* Appends a counter's growth per second; nothing when it is unknown, or the counter went back. */
static void add_rate(struct strbuf *sb, double now, double before, double seconds)
{
	size_t end;

	if (!(now >= before) || !(seconds > 0))
		return;
	strbuf_addf(sb, "%.3f", (now - before) / seconds);
	for (end = sb->length; sb->text[end - 1] == '0';)
		end--;
	strbuf_setlen(sb, sb->text[end - 1] == '.' ? end - 1 : end);
}

/* Appends the values of one group; record SIZE_MAX: it is missing. */
static void add_values(struct timeline *timeline, struct timeline_group *group,
		       const struct record_type *type, const struct recordset *set, size_t record,
		       double seconds)
{
	for (size_t i = 0; i < type->field_count; i++) {
		double number = __builtin_nan("");

		if (!has_column(timeline, type, i))
			continue;
		strbuf_addch(&timeline->row, ',');
		if (record != SIZE_MAX)
			number = number_of(set, record, i);
		if (type->fields[i].sense == SENSE_COUNTER)
			add_rate(&timeline->row, number, group->before[i], seconds);
		else if (number == number)
			output_value(&timeline->row, set, record, i, NULL);
		group->before[i] = number;
	}
}

/* Appends one row. */
static void add_row(struct timeline *timeline, const struct snapshot *snapshot)
{
	double seconds = timeline->before ? (double)(snapshot->time - timeline->before) /
						    (double)NSEC_PER_SEC
					  : 0;
	uint64_t found = 0, records = 0;
	unsigned type = 0;
	size_t guess = 0;

	output_time(&timeline->row, snapshot->wall);
	for (size_t i = 0; i < timeline->group_count; i++) {
		struct timeline_group *group = &timeline->groups[i];
		const struct recordset *set = snapshot_records(snapshot, group->type);
		size_t record;

		guess = group->type == type ? guess + 1 : 0;
		type = group->type;
		record = find_record(group, set, guess);
		found += record != SIZE_MAX;
		add_values(timeline, group, registry_type(snapshot->types, group->type), set,
			   record, seconds);
	}
	strbuf_addch(&timeline->row, '\n');
	for (size_t id = 0; id < snapshot->set_count; id++)
		if (has_metrics(timeline, snapshot->sets[id]) &&
		    !is_passing(snapshot->sets[id]->type))
			records += snapshot->sets[id]->count;
	timeline->late += records - found;
	timeline->before = snapshot->time;
}

static enum module_status timeline_init(struct module *module, struct error *err UNUSED)
{
	struct timeline *timeline = module->context;

	strbuf_init(&timeline->row);
	return MODULE_OK;
}

static enum module_status timeline_call(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err)
{
	struct timeline *timeline = module->context;
	bool any = false;

	for (size_t id = 0; id < snapshot->set_count && !any; id++)
		any = has_metrics(timeline, snapshot->sets[id]);
	if (!any)
		return MODULE_OK;
	if (!timeline->groups)
		settle(timeline, snapshot, engine_strings(module->engine));
	add_row(timeline, snapshot);
	return output_write(timeline->stream, &timeline->row, err);
}

static void timeline_end(struct module *module)
{
	struct timeline *timeline = module->context;

	for (size_t i = 0; i < timeline->group_count; i++)
		free(timeline->groups[i].before);
	free(timeline->groups);
	timeline->groups = NULL;
	timeline->group_count = timeline->group_alloc = 0;
	strbuf_release(&timeline->row);
}

const struct module_class timeline_class = {
	.name = "TEXT.CSV",
	.summary = "writes a row per interval and a column per metric",
	.capabilities = MODULE_CONSUMER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.init = timeline_init,
	.call = timeline_call,
	.end = timeline_end,
};
