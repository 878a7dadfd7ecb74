/* SPDX-License-Identifier: Apache-2.0 */
/* PRINT: lists records as characters, as hexadecimal digits, or both. */
#include "common/compat.h"
#include "utilities/idcams/listing.h"
#include "utilities/idcams/set.h"
#include "utilities/idcams/verbs.h"

#define LINE_CHARACTERS 120
#define DUMP_BYTES 32
#define GROUP_BYTES 4

enum layout { LAYOUT_DUMP, LAYOUT_HEX, LAYOUT_CHARACTER };

/* State of a PRINT. */
struct print {
	struct idcams_listing listing;
	struct idcams_input input;
	enum layout layout;
	uint64_t address; /* of the next record: number of bytes before it */
};

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '.';
}

static void add_characters(struct strbuf *sb, const char *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		strbuf_addch(sb, printable(data[i]));
}

static void add_hex(struct strbuf *sb, const char *data, size_t length)
{
	for (size_t i = 0; i < length; i++)
		strbuf_addf(sb, "%02X", (unsigned char)data[i]);
}

/* Prints one line of a dump: offset, digits in groups, characters. */
static void print_dump_line(struct print *print, const struct record *record, size_t start)
{
	struct strbuf line = STRBUF_INIT;
	size_t count = record->length - start < DUMP_BYTES ? record->length - start : DUMP_BYTES;

	strbuf_addf(&line, " %06zX  ", start);
	for (size_t i = 0; i < count; i++) {
		if (i % GROUP_BYTES == 0)
			strbuf_addstr(&line, i == DUMP_BYTES / 2 ? "   " : " ");
		add_hex(&line, record->data + start + i, 1);
	}
	strbuf_pad_to(&line, 86);
	strbuf_addch(&line, '*');
	add_characters(&line, record->data + start, count);
	strbuf_addchars(&line, ' ', DUMP_BYTES - count);
	strbuf_addch(&line, '*');
	idcams_listing_line(&print->listing, "%s", line.text);
	strbuf_release(&line);
}

/* Prints lines of characters or of digits. */
static void print_lines(struct print *print, const struct record *record)
{
	bool hex = print->layout == LAYOUT_HEX;
	size_t step = hex ? LINE_CHARACTERS / 2 : LINE_CHARACTERS;

	for (size_t start = 0; start < record->length; start += step) {
		size_t count = record->length - start < step ? record->length - start : step;
		struct strbuf line = STRBUF_INIT;

		if (hex)
			add_hex(&line, record->data + start, count);
		else
			add_characters(&line, record->data + start, count);
		idcams_listing_line(&print->listing, " %s", line.text);
		strbuf_release(&line);
	}
}

/* Prints what identifies a record: its key, number or address. */
static void print_identity(struct print *print, const struct record *record)
{
	const struct idcams_set *set = &print->input.set;
	const struct record_key *key = &set->dd.attributes.keys[set->key];
	struct strbuf text = STRBUF_INIT;
	size_t length;

	switch (record_reader_form(print->input.reader)) {
	case RECORD_INDEXED:
		length = key->offset < record->length ? record->length - key->offset : 0;
		length = length < key->length ? length : key->length;
		strbuf_addstr(&text, "KEY OF RECORD - ");
		if (print->layout == LAYOUT_CHARACTER)
			add_characters(&text, record->data + key->offset, length);
		else
			add_hex(&text, record->data + key->offset, length);
		break;
	case RECORD_RELATIVE:
		strbuf_addf(&text, "RELATIVE RECORD NUMBER - %" PRIu64, record->number);
		break;
	default:
		if (idcams_set_is_cluster(set))
			strbuf_addf(&text, "RBA OF RECORD - %" PRIu64, print->address);
		else
			strbuf_addf(&text, "RECORD SEQUENCE NUMBER - %" PRIu64,
				    print->input.records);
	}
	idcams_listing_line(&print->listing, "%s", "");
	idcams_listing_line(&print->listing, "%s", text.text);
	strbuf_release(&text);
}

static void print_record(struct print *print, const struct record *record)
{
	print_identity(print, record);
	if (print->layout == LAYOUT_DUMP)
		for (size_t start = 0; start < record->length; start += DUMP_BYTES)
			print_dump_line(print, record, start);
	else
		print_lines(print, record);
	print->address += record->length;
}

static enum layout find_layout(const struct idcams_operand *operands)
{
	if (idcams_find(operands, "CHARACTER"))
		return LAYOUT_CHARACTER;
	return idcams_find(operands, "HEX") ? LAYOUT_HEX : LAYOUT_DUMP;
}

void idcams_print(struct idcams *idcams, const struct idcams_command *command)
{
	struct print print = { .layout = find_layout(command->operands) };
	struct record record;
	int got;

	if (idcams_input_open(idcams, &print.input, command) < 0) {
		idcams_terminated(idcams);
		return;
	}
	if (idcams_listing_open(idcams, &print.listing, command->operands) == 0) {
		idcams_listing_line(&print.listing, "LISTING OF DATA SET -%s",
				    idcams_find(command->operands, "INDATASET") ||
						    !print.input.set.dsn
					    ? print.input.set.name
					    : print.input.set.dsn);
		while ((got = idcams_input_read(idcams, &print.input, &record)) > 0)
			print_record(&print, &record);
		idcams_listing_close(&print.listing);
		idcams_processed(idcams, print.input.records);
		if (got < 0)
			idcams_terminated(idcams);
	}
	idcams_input_close(&print.input);
}
