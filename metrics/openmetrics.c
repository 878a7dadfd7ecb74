/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a snapshot as OpenMetrics text. */
#include "common/compat.h"
#include "metrics/openmetrics.h"
#include "common/clock.h"
#include "common/idmap.h"
#include "common/utf8.h"

#include <ctype.h>
#include <math.h>
#include <unistd.h>

/* A unit of items, and its base unit. */
struct unit {
	const char *unit, *base; /* base "": a plain number */
	uint64_t divisor;
	uint64_t factor;
};

static const struct unit units[] = {
	{ "ns", "seconds", NSEC_PER_SEC, 1 },
	{ "us", "seconds", 1000000, 1 },
	{ "ms", "seconds", 1000, 1 },
	{ "s", "seconds", 1, 1 },
	{ "ticks", "ticks", 1, 1 },
	{ "bytes", "bytes", 1, 1 },
	{ "pages", "bytes", 1, 0 /* bytes in a page */ },
	{ "bits", "bits", 1, 1 },
	{ "bits/s", "bits_per_second", 1, 1 },
	{ "Hz", "hertz", 1, 1 },
	{ "percent", "ratio", 100, 1 },
};

/* The records of a type in the text. */
struct family {
	struct strbuf *sb;
	const struct recordset *set;
	const struct strmap *strings;
	size_t key; /* the field that identifies a record; SIZE_MAX: none */
};

static struct unit unit_of(const struct field *field)
{
	struct unit plain = { field->unit, "", 1, 1 };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strcmp(units[i].unit, field->unit) == 0)
			plain = units[i];
	if (!plain.factor)
		plain.factor = (uint64_t)sysconf(_SC_PAGESIZE);
	return plain;
}

/* Appends a word as a part of a name. */
static void add_word(struct strbuf *sb, const char *word)
{
	for (; *word; word++)
		strbuf_addch(sb, isalnum((unsigned char)*word) ? *word : '_');
}

/* Appends an escaped text, with the replacement character for invalid UTF-8. */
static void add_escaped(struct strbuf *sb, const char *text)
{
	while (*text) {
		size_t length = 1;

		if (*text == '\\' || *text == '"')
			strbuf_addf(sb, "\\%c", *text);
		else if (*text == '\n')
			strbuf_addstr(sb, "\\n");
		else if (utf8_decode(text, &length) == UINT32_MAX)
			strbuf_addstr(sb, "\357\277\275");
		else
			strbuf_add(sb, text, length);
		text += length;
	}
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Returns whether the engine adds the field before the items of external modules. */
static bool is_prefix(const struct field *field)
{
	return strcmp(field->name, "record_flags") == 0 || strcmp(field->name, "record_time") == 0;
}

/* Returns whether a field has samples; otherwise it is a label. */
static bool has_samples(const struct family *family, size_t number)
{
	const struct field *field = &family->set->type->fields[number];
	bool time = strcmp(unit_of(field).base, "seconds") == 0;

	return number != family->key && !is_prefix(field) && field->type != FIELD_STRING &&
	       field->type != FIELD_BYTES && (field->sense != SENSE_NONE || time);
}

/* Appends the name of a field's family. */
static void add_name(struct strbuf *sb, const struct record_type *type, const struct field *field)
{
	static const char *const reserved[] = { "_total",  "_count",   "_sum",
						"_bucket", "_created", "_info" };
	const char *base = unit_of(field).base;
	size_t from = sb->length;

	strbuf_addstr(sb, "vigil_");
	add_word(sb, type->name);
	strbuf_addch(sb, '_');
	add_word(sb, field->name);
	if (field->sense == SENSE_COUNTER && !*base && ends_with(sb->text + from, "_total"))
		strbuf_setlen(sb, sb->length - strlen("_total"));
	if (*base && !ends_with(sb->text + from, base))
		strbuf_addf(sb, "_%s", base);
	for (size_t i = 0; i < ARRAY_SIZE(reserved); i++)
		if (ends_with(sb->text + from, reserved[i])) {
			strbuf_addstr(sb, "_value");
			break;
		}
}

/* Appends name="value" of a field. Returns whether it has a value. */
static bool add_label(const struct family *family, size_t record, size_t number)
{
	const struct field *field = &family->set->type->fields[number];
	struct field_value value;

	if (!recordset_value(family->set, record, number, &value) || value.type == FIELD_BYTES ||
	    value.type == FIELD_DOUBLE)
		return false;
	add_word(family->sb, field->name);
	strbuf_addstr(family->sb, "=\"");
	if (value.type == FIELD_STRING)
		add_escaped(family->sb, strmap_text(family->strings, (uint32_t)value.number));
	else if (value.type == FIELD_SIGNED || (value.type >= FIELD_I8 && value.type <= FIELD_I32))
		strbuf_addf(family->sb, "%" PRId64, value.integer);
	else
		strbuf_addf(family->sb, "%" PRIu64, value.number);
	strbuf_addch(family->sb, '"');
	return true;
}

/* Appends the label that identifies a record, without braces. Returns whether there is one. */
static bool add_key(const struct family *family, size_t record)
{
	if (family->key != SIZE_MAX)
		return add_label(family, record, family->key);
	if (family->set->count < 2)
		return false;
	strbuf_addf(family->sb, "record=\"%zu\"", record + 1);
	return true;
}

/* Appends a number in base units, exactly. */
static void add_number(struct strbuf *sb, uint64_t number, const struct unit *unit)
{
	uint64_t rest;

	number *= unit->factor;
	rest = number % unit->divisor;
	strbuf_addf(sb, "%" PRIu64, number / unit->divisor);
	if (!rest)
		return;
	strbuf_addch(sb, '.');
	for (uint64_t place = unit->divisor / 10; rest; place /= 10) {
		strbuf_addch(sb, (char)('0' + rest / place));
		rest %= place;
	}
}

static void add_value(struct strbuf *sb, const struct field_value *value, const struct unit *unit)
{
	if (value->type == FIELD_DOUBLE) {
		strbuf_addf(sb, "%.15g",
			    value->real * (double)unit->factor / (double)unit->divisor);
	} else if ((value->type == FIELD_SIGNED ||
		    (value->type >= FIELD_I8 && value->type <= FIELD_I32)) &&
		   value->integer < 0) {
		strbuf_addch(sb, '-');
		add_number(sb, -(uint64_t)value->integer, unit);
	} else {
		add_number(sb, value->number, unit);
	}
}

/* Appends the head of a field's samples. */
static void add_head(const struct family *family, const struct field *field, const char *name)
{
	const char *base = unit_of(field).base;

	strbuf_addf(family->sb, "# HELP %s ", name);
	add_escaped(family->sb, field->meaning);
	strbuf_addf(family->sb, "\n# TYPE %s %s\n", name,
		    field->sense == SENSE_COUNTER ? "counter" : "gauge");
	if (*base && ends_with(name, base))
		strbuf_addf(family->sb, "# UNIT %s %s\n", name, base);
}

/* Appends the samples of a field. */
static void add_field(const struct family *family, size_t number)
{
	const struct field *field = &family->set->type->fields[number];
	const struct unit unit = unit_of(field);
	struct strbuf name = STRBUF_INIT;
	bool begun = false;

	add_name(&name, family->set->type, field);
	for (size_t i = 0; i < family->set->count; i++) {
		struct field_value value;
		size_t key;

		if (!recordset_value(family->set, i, number, &value) ||
		    (value.type == FIELD_DOUBLE && !isfinite(value.real)))
			continue;
		if (!begun)
			add_head(family, field, name.text);
		begun = true;
		strbuf_addf(family->sb, "%s%s", name.text,
			    field->sense == SENSE_COUNTER ? "_total" : "");
		key = family->sb->length;
		strbuf_addch(family->sb, '{');
		if (add_key(family, i))
			strbuf_addch(family->sb, '}');
		else
			strbuf_setlen(family->sb, key);
		strbuf_addch(family->sb, ' ');
		add_value(family->sb, &value, &unit);
		strbuf_addch(family->sb, '\n');
	}
	strbuf_release(&name);
}

/* Appends the info metric of identifying items: a sample a record, with labels. */
static void add_info(const struct family *family)
{
	const struct record_type *type = family->set->type;
	struct strbuf *sb = family->sb, name = STRBUF_INIT;
	bool any = false;

	for (size_t i = 0; i < type->field_count; i++)
		any = any || (i != family->key && !is_prefix(&type->fields[i]) &&
			      type->fields[i].type != FIELD_BYTES && !has_samples(family, i));
	if (!any)
		return;
	strbuf_addstr(&name, "vigil_");
	add_word(&name, type->name);
	strbuf_addstr(&name, "_info");
	strbuf_addf(sb, "# HELP %s ", name.text);
	add_escaped(sb, type->meaning);
	strbuf_addf(sb, "\n# TYPE %s gauge\n", name.text);
	for (size_t record = 0; record < family->set->count; record++) {
		strbuf_addf(sb, "%s{", name.text);
		if (add_key(family, record))
			strbuf_addch(sb, ',');
		for (size_t i = 0; i < type->field_count; i++)
			if (i != family->key && !is_prefix(&type->fields[i]) &&
			    !has_samples(family, i) && add_label(family, record, i))
				strbuf_addch(sb, ',');
		if (sb->text[sb->length - 1] == ',')
			strbuf_setlen(sb, sb->length - 1);
		strbuf_addstr(sb, "} 1\n");
	}
	strbuf_release(&name);
}

/* Returns whether every record has a value of a field, and no two the same. */
static bool distinguishes(const struct recordset *set, size_t number)
{
	struct field_value value;
	struct idmap seen;
	uint64_t before;
	bool apart = true;

	idmap_init(&seen);
	for (size_t i = 0; apart && i < set->count; i++) {
		apart = recordset_value(set, i, number, &value) && value.type <= FIELD_I32 &&
			!idmap_get(&seen, value.number, &before);
		if (apart)
			idmap_put(&seen, value.number, i);
	}
	idmap_release(&seen);
	return apart;
}

/* Returns the field that identifies the records of a set: the first that is no measurement. */
static size_t key_of(const struct recordset *set)
{
	size_t number = 0;

	while (number < set->type->field_count && is_prefix(&set->type->fields[number]))
		number++;
	return number < set->type->field_count && set->type->fields[number].sense == SENSE_NONE &&
			       distinguishes(set, number)
		       ? number
		       : SIZE_MAX;
}

/* Appends the metrics on the snapshot itself. */
static void add_snapshot(struct strbuf *sb, const struct snapshot *snapshot)
{
	strbuf_addf(sb,
		    "# HELP vigil_snapshots Snapshots that the collection has taken.\n"
		    "# TYPE vigil_snapshots counter\nvigil_snapshots_total %" PRIu64 "\n",
		    snapshot->sequence);
	if (!snapshot->wall)
		return;
	strbuf_addf(
		sb,
		"# HELP vigil_snapshot_time_seconds When the newest was taken, since 1970 UTC.\n"
		"# TYPE vigil_snapshot_time_seconds gauge\n"
		"# UNIT vigil_snapshot_time_seconds seconds\n"
		"vigil_snapshot_time_seconds %" PRIu64 ".%09" PRIu64 "\n",
		snapshot->wall / NSEC_PER_SEC, snapshot->wall % NSEC_PER_SEC);
}

void openmetrics_add(struct strbuf *sb, const struct snapshot *snapshot,
		     const struct present_records *present, const struct strmap *strings)
{
	add_snapshot(sb, snapshot);
	for (size_t id = RECORD_RUNTIME_FIRST; id < snapshot->set_count; id++) {
		const struct recordset *set = present_get(present, (unsigned)id);
		struct family family = { .sb = sb, .strings = strings };

		if (!set)
			set = snapshot->sets[id];
		if (!set || !set->count)
			continue;
		family.set = set;
		family.key = key_of(set);
		add_info(&family);
		for (size_t i = 0; i < set->type->field_count; i++)
			if (has_samples(&family, i))
				add_field(&family, i);
	}
	strbuf_addstr(sb, "# EOF\n");
}
