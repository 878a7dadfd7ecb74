/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a producer of system metrics from its tables. */
#include "common/compat.h"
#include "metrics/metric.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "metrics/shared-texts.h"

struct record_type *metric_type(const struct metric_kind *kind)
{
	struct record_type *type = xcalloc(1, sizeof(*type));
	struct field *fields = xcalloc(kind->item_count, sizeof(*fields));

	assert(kind->item_count <= RECORD_FIELDS_MAX);
	for (size_t i = 0; i < kind->item_count; i++) {
		const struct metric_item *item = &kind->items[i];

		fields[i] = (struct field){
			.name = item->name,
			.type = item->type,
			.unit = item->unit,
			.sense = item->sense,
			.optional = true,
			.offset = i * sizeof(uint64_t),
			.meaning = item->meaning,
		};
	}
	*type = (struct record_type){
		.name = kind->record,
		.fields = fields,
		.field_count = kind->item_count,
		.size = kind->item_count * sizeof(uint64_t),
		.meaning = kind->meaning,
	};
	return type;
}

void metric_type_free(struct record_type *type)
{
	if (type)
		free((struct field *)type->fields);
	free(type);
}

/* Returns whether a file has only one line. */
static bool is_one_line(const struct metric_file *file)
{
	return file->form == METRIC_WORDS || file->form == METRIC_LINE;
}

struct metric_source *metric_source_new(const struct metric_kind *kind, struct engine *engine,
					void *argument, struct metric_support *support)
{
	struct metric_source *source = xcalloc(1, sizeof(*source));

	source->kind = kind;
	source->engine = engine;
	source->strings = engine_strings(engine);
	source->argument = argument;
	source->support = support;
	source->texts = xcalloc(kind->file_count + 1, sizeof(*source->texts));
	source->values = xcalloc(kind->item_count, sizeof(*source->values));
	source->own = kind->private_size ? xcalloc(1, kind->private_size) : NULL;
	for (unsigned i = 0; i < kind->file_count; i++) {
		strbuf_init(&source->texts[i].file.text);
		source->texts[i].file.fd = -1;
		metric_plan_init(&source->texts[i].plan, kind->items, kind->item_count, i + 1);
		source->texts[i].shared = shared_texts_want(support->texts, kind->files[i].path,
							    is_one_line(&kind->files[i]));
	}
	if (kind->begin)
		kind->begin(source);
	return source;
}

void metric_source_free(struct metric_source *source)
{
	if (!source)
		return;
	if (source->kind->release)
		source->kind->release(source);
	for (size_t i = 0; i < source->kind->file_count; i++) {
		procfs_file_close(&source->texts[i].file);
		metric_plan_release(&source->texts[i].plan);
	}
	free(source->texts);
	free(source->values);
	free(source->own);
	free(source);
}

const char *metric_text(struct metric_source *source, unsigned file)
{
	const struct metric_file *one = &source->kind->files[file - 1];
	struct metric_text *text = &source->texts[file - 1];
	struct shared_texts *shared = source->support->texts;

	if (shared_texts_has(shared, text->shared))
		text->last = shared_texts_read(shared, text->shared, source->snapshot->sequence,
					       &text->error);
	else
		text->last = shared_text_of_file(&text->file, one->path, is_one_line(one),
						 &text->error);
	return text->last;
}

bool metric_read(struct metric_source *source, unsigned file)
{
	const char *text = metric_text(source, file);

	if (text)
		metric_parse(&source->texts[file - 1].plan, source->kind->files[file - 1].form, text,
			    source->values, source->strings);
	return text;
}

void metric_begin(struct metric_source *source)
{
	metric_clear(source->kind->items, source->kind->item_count, source->values);
}

void metric_add(struct metric_source *source)
{
	recordset_add(source->set, source->values);
}

void metric_string(struct metric_source *source, size_t item, const char *text)
{
	source->values[item] = strmap_put(source->strings, text);
}

bool metric_small_file(struct metric_source *source, size_t item, const char *path)
{
	char text[256];
	ssize_t length = procfs_read(path, text, sizeof(text));

	while (length > 0 && (unsigned char)text[length - 1] <= ' ')
		length--;
	return length > 0 && metric_set(&source->kind->items[item], text, (size_t)length,
					&source->values[item], source->strings);
}

void metric_rows(struct metric_source *source)
{
	const struct metric_kind *kind = source->kind;
	const char *line = metric_text(source, 1);

	if (!line || !*line)
		return;
	while (line) {
		metric_begin(source);
		line = metric_parse_line(&source->texts[0].plan, line, source->values,
					source->strings);
		if (!kind->complete || kind->complete(source))
			metric_add(source);
	}
}

/* Makes one record from all files. */
static void read_one(struct metric_source *source)
{
	const struct metric_kind *kind = source->kind;
	bool any = false;

	metric_begin(source);
	for (unsigned i = 1; i <= kind->file_count; i++)
		if (metric_read(source, i) && (!kind->needs || kind->needs == i))
			any = any || metric_any(&source->texts[i - 1].plan, source->values);
	if (any && (!kind->complete || kind->complete(source)))
		metric_add(source);
}

void metric_source_read(struct metric_source *source, struct snapshot *snapshot, unsigned type)
{
	struct recordset *set = snapshot_set(snapshot, type);
	size_t before = set->count;

	source->snapshot = snapshot;
	source->set = set;
	if (source->kind->read)
		source->kind->read(source);
	else if (source->kind->files[0].form == METRIC_ROWS)
		metric_rows(source);
	else
		read_one(source);
	source->records = set->count - before;
}

void metric_source_why(const struct metric_source *source, struct strbuf *sb)
{
	const struct metric_kind *kind = source->kind;

	if (source->why || kind->absent) {
		strbuf_addstr(sb, source->why ? source->why : kind->absent);
		return;
	}
	for (size_t i = 0; i < kind->file_count; i++) {
		if (!source->texts[i].error)
			continue;
		strbuf_addf(sb, "%s: %s", kind->files[i].path, strerror(source->texts[i].error));
		return;
	}
	strbuf_addf(sb, "%s has no data for it",
		    kind->file_count ? kind->files[0].path : "the system");
}
