/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the parsers of the catalogue. The first byte selects what the rest is:
 * attributes, whose printed form must parse to the same; an entry; a mapping file;
 * or a pattern, a newline and a name.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "datasets/attributes.h"
#include "datasets/entries.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_attributes(const char *text)
{
	struct strbuf one = STRBUF_INIT, other = STRBUF_INIT;
	struct attributes attributes, again;

	if (attributes_parse(&attributes, text)) {
		attributes_format(&one, &attributes);
		if (one.length > 0 && !attributes_parse(&again, one.text))
			abort();
		if (one.length > 0)
			attributes_format(&other, &again);
		if (strcmp(one.text, other.text) != 0)
			abort();
		attributes_data_length(&attributes);
	}
	strbuf_release(&one);
	strbuf_release(&other);
}

static void read_entry(char *text)
{
	struct catalog_entry entry;

	if (catalog_entry_parse(&entry, text) && entry.type == CATALOG_NONE)
		abort();
	catalog_entry_release(&entry);
}

static void read_mapping(const char *text)
{
	static const char *const names[] = { "A", "PAY.MASTER", "A.B.C.D.E.F.G.H" };
	const char *path = test_input(0, text, strlen(text));
	struct strbuf file = STRBUF_INIT;
	struct catalog catalog;

	if (catalog_open(&catalog, "/", path, NULL) < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		strbuf_reset(&file);
		catalog_file(&catalog, names[i], &file);
		if (file.text[0] != '/')
			abort();
	}
	strbuf_release(&file);
	catalog_release(&catalog);
}

/* Checks that a name is matched by itself and by "**". */
static void match(char *pattern)
{
	char *name = strchr(pattern, '\n');

	if (!name)
		return;
	*name++ = '\0';
	catalog_matches(pattern, name);
	catalog_member_valid(name);
	if (catalog_name_valid(name) &&
	    (!catalog_matches(name, name) || !catalog_matches("**", name)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = STRBUF_INIT;

	if (size < 1)
		return 0;
	strbuf_add(&text, data + 1, size - 1);
	if (data[0] % 4 == 0)
		read_attributes(text.text);
	else if (data[0] % 4 == 1)
		read_entry(text.text);
	else if (data[0] % 4 == 2)
		read_mapping(text.text);
	else
		match(text.text);
	strbuf_release(&text);
	return 0;
}
