/* SPDX-License-Identifier: Apache-2.0 */
/* Writes vigil-metrics(7), the manual of all metrics, from the tables of the producers: make-manual
 * HEAD PAGE. */
#include "common/compat.h"
#include "common/strbuf.h"
#include "metrics/metrics.h"
#include "records/record-types.h"

/* Writes a sentence of a table as a line of a page, with a full stop after a fragment. */
static void write_text(FILE *stream, const char *text)
{
	size_t length = strlen(text);

	/* A leading point or apostrophe would make it a request. */
	fprintf(stream, "%s%s%s\n", *text == '.' || *text == '\'' ? "\\&" : "", text,
		length && text[length - 1] != '.' ? "." : "");
}

/* Writes the section of a producer. */
static void write_producer(FILE *stream, const struct metrics_entry *entry)
{
	fprintf(stream, ".Ss %s (%s)\n", entry->class->name, entry->type->name);
	fprintf(stream, "%c",
		entry->class->summary[0] >= 'a' && entry->class->summary[0] <= 'z'
			? entry->class->summary[0] - 'a' + 'A'
			: entry->class->summary[0]);
	write_text(stream, entry->class->summary + 1);
	fprintf(stream, "A record describes:\n");
	write_text(stream, entry->type->meaning);
	fprintf(stream, ".Bl -tag -width Ds\n");
	for (size_t i = 0; i < entry->type->field_count; i++) {
		const struct field *field = &entry->type->fields[i];

		fprintf(stream, ".It Sy %s Pq %s, %s, %s\n", field->name,
			field_type_name(field->type), field->unit, field_sense_name(field->sense));
		write_text(stream, field->meaning);
	}
	fprintf(stream, ".El\n");
}

static void write_groups(FILE *stream)
{
	fprintf(stream, ".Sh GROUPS\n.Bl -tag -width CLUSTER\n");
	for (size_t i = 0; metrics_groups[i]; i++) {
		fprintf(stream, ".It %s\n", metrics_groups[i]->name);
		for (size_t m = 0; metrics_groups[i]->members[m]; m++)
			fprintf(stream, "%s%s", m ? ", " : "", metrics_groups[i]->members[m]);
		fprintf(stream, "\n");
	}
	fprintf(stream, ".El\n");
}

static bool write_page(FILE *stream, const char *head, const struct metrics *metrics)
{
	struct strbuf text = STRBUF_INIT;
	size_t items = 0;

	if (strbuf_read_file(&text, head) < 0)
		return false;
	fprintf(stream, "%s", text.text);
	strbuf_release(&text);
	for (size_t i = 0; i < metrics_count(metrics); i++)
		items += metrics_get(metrics, i).type->field_count;
	fprintf(stream, "There are %zu items in %zu records.\n", items, metrics_count(metrics));
	write_groups(stream);
	fprintf(stream, ".Sh RECORDS\n");
	for (size_t i = 0; i < metrics_count(metrics); i++) {
		struct metrics_entry entry = metrics_get(metrics, i);

		write_producer(stream, &entry);
	}
	fprintf(stream, ".Sh SEE ALSO\n.Xr vigil-collect 1 ,\n.Xr vigil-extract 1 ,\n"
			".Xr vigil-modules 1 ,\n.Xr vigil-module 3\n");
	return !ferror(stream);
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct engine *engine = engine_new(&session_records);
	struct metrics *metrics = metrics_offer(engine, NULL, &err);
	FILE *stream = argc == 3 ? fopen(argv[2], "w") : NULL;
	bool good = stream && metrics && write_page(stream, argv[1], metrics);

	if (stream && fclose(stream) != 0)
		good = false;
	engine_free(engine);
	metrics_free(metrics);
	error_release(&err);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
