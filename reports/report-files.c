/* SPDX-License-Identifier: Apache-2.0 */
/* Data Set Characteristics, and I/O Facility Utilization. */
#include "common/compat.h"
#include "records/record-types.h"
#include "reports/report-class.h"
#include "profile/label.h"

#include <fcntl.h>

static const struct column characteristics[] = {
	{ .id = "ddname", .heading = "DDNAME OR FILE", .width = 16, .type = COLUMN_NAME },
	{ .id = "organization",
	  .heading = "ORG",
	  .width = 6,
	  .type = COLUMN_TEXT,
	  .legend = "PS sequential, PO library, VS indexed, RR relative" },
	{ .id = "recfm", .heading = "RECFM", .width = 5, .type = COLUMN_TEXT },
	{ .id = "lrecl_bytes",
	  .group = "BYTES",
	  .heading = "LRECL",
	  .width = 6,
	  .type = COLUMN_NUMBER },
	{ .id = "block_bytes",
	  .group = "BYTES",
	  .heading = "BLOCK",
	  .width = 6,
	  .type = COLUMN_BYTES,
	  .legend = "block size of the file system" },
	{ .id = "device", .heading = "DEVICE", .width = 8, .type = COLUMN_TEXT },
	{ .id = "mode",
	  .heading = "MODE",
	  .width = 6,
	  .type = COLUMN_TEXT,
	  .legend = "how the file was first opened" },
	{ .id = "opens",
	  .heading = "OPENS",
	  .width = 6,
	  .type = COLUMN_NUMBER,
	  .legend = "number of times the file was seen to be opened" },
	{ .id = "size_first_bytes",
	  .group = "SIZE, BYTES",
	  .heading = "FIRST",
	  .width = 7,
	  .type = COLUMN_BYTES,
	  .legend = "size in bytes when the file was first and last seen" },
	{ .id = "size_last_bytes",
	  .group = "SIZE, BYTES",
	  .heading = "LAST",
	  .width = 7,
	  .type = COLUMN_BYTES },
	{ .id = "moved_bytes",
	  .group = "BYTES",
	  .heading = "MOVED",
	  .width = 7,
	  .type = COLUMN_BYTES,
	  .flags = COLUMN_ADDITIVE,
	  .legend =
		  "bytes read and written, accurate to one per cent; - where that is not known: "
		  "the file is mapped into memory, or the step's activity cannot be assigned to "
		  "files; totals are of the known files" },
	{ .id = "calls",
	  .heading = "CALLS",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "calls that read or wrote (EXCPs); - where they are not known, as those of stdio" },
	{ .id = "waits",
	  .heading = "WAITS",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE },
	{ .id = "data_set", .heading = "DATA SET OR PATH", .width = 22, .type = COLUMN_PATH },
	{ .id = "path", .heading = "PATH", .type = COLUMN_PATH, .flags = COLUMN_DATA_ONLY },
};

static const struct column utilization[] = {
	{ .id = "device",
	  .heading = "DEVICE",
	  .width = 10,
	  .type = COLUMN_TEXT,
	  .legend = "block device, file system type or kind of file" },
	{ .id = "ddname", .heading = "DDNAME OR FILE", .width = 20, .type = COLUMN_NAME },
	{ .id = "waits",
	  .heading = "WAITS",
	  .width = 10,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE },
	{ .id = "mean_ns",
	  .heading = "MEAN MS",
	  .width = 9,
	  .type = COLUMN_AVERAGE,
	  .legend = "mean length of a wait in milliseconds" },
	{ .id = "moved_bytes",
	  .group = "BYTES",
	  .heading = "MOVED",
	  .width = 7,
	  .type = COLUMN_BYTES,
	  .flags = COLUMN_ADDITIVE },
	{ .id = "calls",
	  .heading = "CALLS",
	  .width = 8,
	  .type = COLUMN_NUMBER,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "calls that read or wrote; - where they are not known" },
	{ .id = "busy_ns",
	  .heading = "BUSY",
	  .width = 9,
	  .type = COLUMN_TIME,
	  .flags = COLUMN_ADDITIVE | COLUMN_DATA_ONLY },
	{ .id = "run_solo_percent",
	  .group = "RUN TIME %",
	  .heading = "SOLO",
	  .width = 6,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "the part of TOTAL during which nothing else of the step was active" },
	{ .id = "run_total_percent",
	  .group = "RUN TIME %",
	  .heading = "TOTAL",
	  .width = 6,
	  .type = COLUMN_PERCENT,
	  .flags = COLUMN_ADDITIVE,
	  .legend = "share of the run time in which at least one task waited for the file; waits "
		    "for several files can overlap, so totals can exceed 100; so can .PIPE and "
		    ".SOCKET, which are all pipes and sockets without a name" },
	BAR_COLUMN("run_total_percent", "run_solo_percent"),
};

/*
 * If there are more files than this without a DD name, the rest is folded, unless
 * all are requested.
 */
#define FILE_ROWS 60

static const char *open_mode(uint64_t open_flags)
{
	static const char *const modes[] = { "READ", "WRITE", "UPDATE", "" };

	if (!open_flags)
		return "";
	if ((open_flags - 1) & O_APPEND)
		return "APPEND";
	return modes[(open_flags - 1) & O_ACCMODE];
}

/* Returns whether the step opened a regular file for writing, even if its position did not move. */
static bool is_written(const struct record_file *file)
{
	return file->kind == FILE_REGULAR && file->opens && file->open_flags &&
	       ((file->open_flags - 1) & O_ACCMODE) != O_RDONLY;
}

/* Returns whether a file is listed: it has a DD name, was opened for writing or showed activity. */
static bool is_listed(const struct context *context, const struct record_file *file)
{
	const struct profile *profile = context->profile;
	const struct activity_sum *sum = activity_find(&profile->file_activity, file->file);

	return context->options->all || *profile_text(profile, file->ddname) || is_written(file) ||
	       (sum && (sum->waits || sum->bytes || sum->total));
}

/* Puts a number, or blank if it is unknown. */
static void row_known(struct table *table, struct row *row, uint64_t number)
{
	if (number)
		row_number(table, row, number);
	else
		row_skip(table, row, 1);
}

/* Puts a number, or that it is unknown. */
static void put_if(struct table *table, struct row *row, bool known, uint64_t number)
{
	if (known)
		row_number(table, row, number);
	else
		row_unknown(table, row);
}

/* Returns whether the bytes of a file are known. */
static bool is_known(const struct profile *profile, uint64_t id)
{
	const struct record_file *file = id_table_get(&profile->files, id);

	return file && file->bytes_known;
}

/* Returns whether the calls of a file are known. */
static bool has_calls(const struct profile *profile, uint64_t id)
{
	const struct record_file *file = id_table_get(&profile->files, id);

	return file && file->calls_known;
}

static void put_file(struct context *context, struct table *table, const struct record_file *file)
{
	const struct profile *profile = context->profile;
	const struct activity_sum *sum = activity_find(&profile->file_activity, file->file);
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf label = STRBUF_INIT;

	label_file(profile, file->file, &label);
	row_text(table, row, label.text);
	context_put_string(context, table, row, file->organization);
	context_put_string(context, table, row, file->recfm);
	row_known(table, row, file->lrecl);
	row_known(table, row, file->block_size);
	row_text(table, row, label_device(profile, file->file));
	row_text(table, row, open_mode(file->open_flags));
	row_number(table, row, file->opens);
	row_number(table, row, file->size_first);
	row_number(table, row, file->size_last);
	put_if(table, row, file->bytes_known, sum ? sum->bytes : 0);
	put_if(table, row, file->calls_known, sum ? sum->calls : 0);
	row_number(table, row, sum ? sum->waits : 0);
	row_text(table, row, label_data_set(profile, file->file));
	context_put_string(context, table, row, file->path);
	strbuf_release(&label);
}

/* Compares files by label, those with a DD first; argument is the profile. */
static int compare_files(const uint64_t *first, const uint64_t *second, void *argument)
{
	const struct profile *profile = argument;
	const struct record_file *a = id_table_get(&profile->files, first[0]);
	const struct record_file *b = id_table_get(&profile->files, second[0]);
	struct strbuf label_a = STRBUF_INIT, label_b = STRBUF_INIT;
	bool dd_a = a && *profile_text(profile, a->ddname);
	bool dd_b = b && *profile_text(profile, b->ddname);
	int order;

	if (dd_a != dd_b)
		return dd_a ? -1 : 1;
	label_file(profile, first[0], &label_a);
	label_file(profile, second[0], &label_b);
	order = strcmp(label_a.text, label_b.text);
	strbuf_release(&label_a);
	strbuf_release(&label_b);
	return order;
}

/* Totals over several files. */
struct file_sum {
	uint64_t bytes, calls, waits;
	size_t files, known, calls_known;
};

static void file_sum_add(struct file_sum *sum, const struct profile *profile,
			 const struct activity_sum *activity)
{
	bool known = activity && is_known(profile, activity->id);
	bool calls_known = activity && has_calls(profile, activity->id);

	sum->bytes += known ? activity->bytes : 0;
	sum->calls += calls_known ? activity->calls : 0;
	sum->waits += activity ? activity->waits : 0;
	sum->files++;
	sum->known += known;
	sum->calls_known += calls_known;
}

static void put_file_sum(struct table *table, enum row_kind kind, const char *label,
			 const struct file_sum *sum)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, label);
	row_skip(table, row, 9);
	put_if(table, row, sum->known > 0, sum->bytes);
	put_if(table, row, sum->calls_known > 0, sum->calls);
	row_number(table, row, sum->waits);
}

/* Chooses the files to list, those with most waits and bytes first; the others are summed up. */
static void choose_files(struct context *context, struct sums *chosen, struct file_sum *other,
			 size_t *quiet)
{
	const struct profile *profile = context->profile;
	struct sums files;

	sums_init(&files, 1, 2);
	for (size_t i = 0; i < profile->files.count; i++) {
		const struct record_file *file = id_table_at(&profile->files, i);
		const struct activity_sum *sum = activity_find(&profile->file_activity, file->file);
		uint64_t *values;

		if (!is_listed(context, file)) {
			++*quiet;
			continue;
		}
		values = sums_at(&files, &file->file);
		values[0] = *profile_text(profile, file->ddname) ? UINT64_MAX : 0;
		values[0] += values[0] || !sum ? 0 : 4096 * sum->waits + sum->bytes;
	}
	sums_sort_falling(&files, 0, NULL, NULL);
	for (size_t i = 0; i < files.keys.count; i++) {
		const uint64_t *key = sums_key(&files, files.order[i]);
		uint64_t weight = sums_values(&files, files.order[i])[0];

		if (i < FILE_ROWS || weight == UINT64_MAX || context->options->all)
			sums_at(chosen, key);
		else
			file_sum_add(other, profile, activity_find(&profile->file_activity, key[0]));
	}
	sums_release(&files);
}

static void build_characteristics(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct table *table = document_table(document, "files", NULL, characteristics,
					     ARRAY_SIZE(characteristics));
	struct file_sum other = { 0 }, total;
	struct strbuf label = STRBUF_INIT;
	struct sums files;
	size_t quiet = 0;

	sums_init(&files, 1, 1);
	choose_files(context, &files, &other, &quiet);
	sums_sort(&files, compare_files, (void *)profile);
	total = other;
	for (size_t i = 0; i < files.keys.count; i++) {
		uint64_t file = sums_key(&files, files.order[i])[0];

		file_sum_add(&total, profile, activity_find(&profile->file_activity, file));
		put_file(context, table, id_table_get(&profile->files, file));
	}
	strbuf_addf(&label, ".OTHER (%zu)", other.files);
	if (other.files)
		put_file_sum(table, ROW_OTHER, label.text, &other);
	if (files.keys.count)
		put_file_sum(table, ROW_TOTAL, "TOTALS", &total);
	strbuf_release(&label);
	if (quiet)
		document_note(document, SEVERITY_INFO, 6006,
			      "%zu more file%s had no DD name and no activity", quiet,
			      quiet == 1 ? "" : "s");
	sums_release(&files);
}

enum amount { WAITS, TIME, BYTES, KNOWN, CALLS, CALLS_KNOWN, BUSY, SOLO, AMOUNTS };

static void put_utilization(struct context *context, struct table *table, struct row *row,
			    const uint64_t *sums)
{
	row_number(table, row, sums[WAITS]);
	row_number(table, row, sums[WAITS] ? sums[TIME] / sums[WAITS] : 0);
	put_if(table, row, sums[KNOWN] > 0, sums[BYTES]);
	put_if(table, row, sums[CALLS_KNOWN] > 0, sums[CALLS]);
	row_number(table, row, sums[BUSY]);
	row_real(table, row, profile_run_percent(context->profile, sums[SOLO]));
	row_real(table, row, profile_run_percent(context->profile, sums[BUSY]));
}

static void put_sum(struct context *context, struct table *table, enum row_kind kind,
		    const char *device, const char *label, const uint64_t *sums)
{
	struct row *row = table_row(table, kind);

	row_text(table, row, device);
	row_text(table, row, label);
	put_utilization(context, table, row, sums);
}

/* Compares files by device, then by falling busy time. */
static int compare_devices(const uint64_t *first, const uint64_t *second, void *argument)
{
	const struct profile *profile = argument;
	const struct activity_sum *a = activity_find(&profile->file_activity, first[0]);
	const struct activity_sum *b = activity_find(&profile->file_activity, second[0]);
	int order = strcmp(label_device(profile, first[0]), label_device(profile, second[0]));

	if (order || !a || !b || a->busy == b->busy)
		return order;
	return a->busy > b->busy ? -1 : 1;
}

/* Puts the rows of one device from a position on; returns the position after them. */
static size_t put_device(struct context *context, struct table *table, const struct sums *files,
			 size_t at, uint64_t *total)
{
	const struct profile *profile = context->profile;
	const char *device = label_device(profile, sums_key(files, files->order[at])[0]);
	uint64_t sum[AMOUNTS] = { 0 }, other[AMOUNTS] = { 0 };
	struct strbuf label = STRBUF_INIT;
	size_t folded = 0, start = table->row_count, first = at;

	table_begin_group(table);
	for (; at < files->keys.count; at++) {
		uint64_t file = sums_key(files, files->order[at])[0];
		const uint64_t *values = sums_values(files, files->order[at]);
		bool shown =
			at - first < FILE_ROWS / 2 ||
			context_shows(context, profile_run_percent(context->profile, values[BUSY]));

		if (strcmp(label_device(profile, file), device) != 0)
			break;
		for (size_t i = 0; i < AMOUNTS; i++) {
			sum[i] += values[i];
			total[i] += values[i];
			other[i] += shown ? 0 : values[i];
		}
		folded += !shown;
		strbuf_reset(&label);
		label_file(profile, file, &label);
		if (shown)
			put_sum(context, table, ROW_DETAIL, device, label.text, values);
	}
	strbuf_reset(&label);
	strbuf_addf(&label, ".OTHER (%zu)", folded);
	if (folded)
		put_sum(context, table, ROW_OTHER, device, label.text, other);
	if (table->row_count - start > 1)
		put_sum(context, table, ROW_SUBTOTAL, device, "DEVICE TOTALS", sum);
	strbuf_release(&label);
	return at;
}

static void build_utilization(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;
	struct table *table =
		document_table(document, "devices", NULL, utilization, ARRAY_SIZE(utilization));
	uint64_t total[AMOUNTS] = { 0 };
	struct sums files;

	table->bar_title = "RUN TIME HISTOGRAM";
	sums_init(&files, 1, AMOUNTS);
	for (size_t i = 0; i < profile->file_activity.count; i++) {
		const struct activity_sum *file = &profile->file_activity.items[i];
		uint64_t *values = sums_at(&files, &file->id);

		values[WAITS] = file->waits;
		values[TIME] = file->total;
		values[KNOWN] = is_known(profile, file->id);
		values[BYTES] = values[KNOWN] ? file->bytes : 0;
		values[CALLS_KNOWN] = has_calls(profile, file->id);
		values[CALLS] = values[CALLS_KNOWN] ? file->calls : 0;
		values[BUSY] = file->busy;
		values[SOLO] = file->busy_solo;
	}
	sums_sort(&files, compare_devices, (void *)profile);
	for (size_t i = 0; i < files.keys.count;)
		i = put_device(context, table, &files, i, total);
	if (files.keys.count)
		put_sum(context, table, ROW_TOTAL, "TOTALS", "", total);
	sums_release(&files);
}

/* Builds the report, for sessions with files. */
static void build_dsc(struct context *context, struct document *document)
{
	if (!context_without_files(context, document))
		build_characteristics(context, document);
}

static void build_iof(struct context *context, struct document *document)
{
	if (!context_without_files(context, document))
		build_utilization(context, document);
}

const struct report_class report_dsc = { "DSC", "Data Set Characteristics", build_dsc, REPORT_OF_SAMPLES };
const struct report_class report_iof = { "IOF", "I/O Facility Utilization", build_iof, REPORT_OF_SAMPLES };
