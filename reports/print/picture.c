/* SPDX-License-Identifier: Apache-2.0 */
/* The list of pictures. */
#include "common/compat.h"
#include "reports/print/picture.h"

#define EDGE 18.0

const struct picture *const pictures[] = { &picture_time,  &picture_run,   &picture_cpu,
					   &picture_waits, &picture_flame, &picture_wait_flame };
const size_t picture_count = ARRAY_SIZE(pictures);

const struct picture *picture_find(const char *name)
{
	for (size_t i = 0; i < picture_count; i++)
		if (strcmp(pictures[i]->name, name) == 0)
			return pictures[i];
	return NULL;
}

void picture_names(struct strbuf *sb)
{
	for (size_t i = 0; i < picture_count; i++)
		strbuf_addf(sb, "%s%s", i ? i + 1 < picture_count ? ", " : " or " : "", pictures[i]->name);
}

void picture_sheet(struct sheets *sheets, const struct picture *picture, const struct profile *profile,
		   const char *title, double width, double height, unsigned resolution)
{
	const struct picture_area area = { EDGE, EDGE + 22, width - 2 * EDGE, height - 2 * EDGE - 22 };
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s: %s", title, picture->title);
	sheets_init(sheets, width, height);
	sheets_begin(sheets);
	sheets->title = sheets_copy(sheets, text.text);
	sheets_text(sheets, EDGE, EDGE + 9, area.width, FONT_BOLD, 12, text.text);
	if (picture->height(profile) > 0)
		picture->draw(sheets, profile, &area, resolution);
	else
		sheets_text(sheets, EDGE, EDGE + 40, area.width, FONT_PLAIN, 10,
			    "The session has nothing to show here.");
	strbuf_release(&text);
}
