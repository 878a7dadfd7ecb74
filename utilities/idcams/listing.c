/* SPDX-License-Identifier: Apache-2.0 */
/* Writes listings to SYSPRINT or to OUTFILE. */
#include "common/compat.h"
#include "utilities/idcams/listing.h"
#include "utilities/dd.h"

int idcams_listing_open(struct idcams *idcams, struct idcams_listing *listing,
			const struct idcams_operand *operands)
{
	const char *name = idcams_value(operands, "OUTFILE");

	*listing = (struct idcams_listing){ .idcams = idcams };
	RETURN_IF(!name, 0);
	return dd_writer(idcams->utility, name, NULL, 0, &listing->writer, NULL);
}

void idcams_listing_line(struct idcams_listing *listing, const char *format, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&line, format, ap);
	va_end(ap);
	strbuf_rtrim(&line);
	diag_escape(&line, 0);
	if (listing->writer) {
		struct record record = { .data = line.text, .length = line.length };

		listing->failed |= record_write(listing->writer, &record, NULL) < 0;
	} else {
		fprintf(listing->idcams->utility->print, "%s\n", line.text);
	}
	strbuf_release(&line);
}

void idcams_listing_close(struct idcams_listing *listing)
{
	if (listing->writer && record_writer_close(listing->writer, NULL) < 0)
		listing->failed = true;
	if (listing->failed)
		utility_message(listing->idcams->utility, SEVERITY_SEVERE, 5637,
				"OUTFILE could not be written");
}
