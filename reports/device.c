/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the devices: their creation, and the bars of histograms. */
#include "common/compat.h"
#include "reports/device.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "reports/text.h"

struct device *device_new(const struct device_class *class, const struct report_options *options,
			  const struct listing *listing, struct strbuf *out)
{
	struct device *device = xcalloc(1, class->size);

	device->class = class;
	device->options = options;
	device->listing = listing;
	device->out = out;
	return device;
}

void device_free(struct device *device)
{
	free(device);
}

double device_bar_scale(double highest, size_t width)
{
	static const double steps[] = { 0.02, 0.05, 0.1, 0.2, 0.5, 1,  1.5, 2,
					3,    4,    5,	 10,  20,  50, 100 };

	RETURN_IF(highest <= 0, 1);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		if (highest <= steps[i] * (double)width)
			return steps[i];
	return highest / (double)width;
}

/*
 * Returns the length of a part of a bar in characters, at most limit; a damaged
 * data set may have any share.
 */
static size_t bar_length(double share, double scale, size_t limit)
{
	double length = share / scale + 0.5;

	return length >= (double)limit ? limit : length > 0 ? (size_t)length : 0;
}

void device_bar_add(struct strbuf *sb, double solo, double total, double scale, size_t width)
{
	size_t long_part = bar_length(total, scale, width);
	size_t solo_part = bar_length(solo, scale, long_part);

	strbuf_addchars(sb, '*', solo_part);
	strbuf_addchars(sb, '+', long_part - solo_part);
}

void device_value_add(struct strbuf *sb, enum column_type type, const struct value *value)
{
	if (value->mark == MARK_UNKNOWN)
		strbuf_addch(sb, '-');
	else if (value->mark == MARK_AT_LEAST)
		strbuf_addstr(sb, ">=");
	if (value->type == VALUE_NONE)
		return;
	switch (type) {
	case COLUMN_NAME:
	case COLUMN_PATH:
	case COLUMN_TEXT:
		if (value->token)
			strbuf_addstr(sb, value->token);
		else
			text_clean(sb, value->text);
		break;
	case COLUMN_NUMBER:
		text_add_number(sb, value->number);
		break;
	case COLUMN_HEX:
		strbuf_addf(sb, "%" PRIX64, value->number);
		break;
	case COLUMN_BYTES:
		text_add_bytes(sb, value->number);
		break;
	case COLUMN_TIME:
		clock_format_mmsshh(sb, value->number);
		break;
	case COLUMN_AVERAGE:
		strbuf_addf(sb, "%.3f", (double)value->number / 1e6);
		break;
	case COLUMN_PERCENT:
	case COLUMN_REAL:
		strbuf_addf(sb, "%.2f", value->real);
		break;
	case COLUMN_BAR:
		break;
	}
}
