/* SPDX-License-Identifier: Apache-2.0 */
/* What the export forms share. */
#include "common/compat.h"
#include "exports/export-form.h"
#include "common/utf8.h"

/* bytes after which text is written to the stream */
enum { PIECE = 1 << 16 };

void export_flush_if_large(struct exporting *exporting)
{
	struct strbuf *out = &exporting->out;

	if (out->length < PIECE)
		return;
	if (!exporting->failed &&
	    fwrite(out->text, 1, out->length, exporting->stream) != out->length)
		exporting->failed = errno;
	strbuf_reset(out);
}

const char *export_path(struct exporting *exporting, const struct coverage_unit *unit)
{
	return source_texts_find(&exporting->sources, coverage_text(&exporting->view, unit->source),
				 coverage_text(&exporting->view, unit->library));
}

void export_procedure_name(const struct exporting *exporting,
			   const struct coverage_procedure *procedure, struct strmap *names,
			   struct strbuf *sb)
{
	struct strbuf name = STRBUF_INIT;

	if (procedure->ambiguous)
		strbuf_addf(&name, "%s:", coverage_text(&exporting->view, procedure->program));
	strbuf_addstr(&name, coverage_text(&exporting->view, procedure->name));
	if (strmap_find(names, name.text) != UINT32_MAX)
		strbuf_addf(&name, "@%" PRIu64, procedure->line);
	strmap_put(names, name.text);
	export_text(sb, name.text);
	strbuf_release(&name);
}

uint64_t export_branches(const struct coverage_line *line)
{
	return line->blocks > 1 ? line->blocks : 0;
}

void export_text(struct strbuf *sb, const char *text)
{
	size_t length;

	for (; *text; text += length) {
		uint32_t code = utf8_decode(text, &length);

		/* XML cannot represent these, and a line of a tracefile ends at one */
		if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe ||
		    code == 0xffff || code == UINT32_MAX)
			strbuf_addstr(sb, "\xef\xbf\xbd");
		else
			strbuf_add(sb, text, length);
	}
}
