/* SPDX-License-Identifier: Apache-2.0 */
/* The list of all devices. */
#include "common/compat.h"
#include "reports/device.h"

const struct device_class svg_device = { .name = "svg",
					 .alone = "a picture",
					 .needs = DEVICE_NEEDS_WAITS,
					 .drawn = true,
					 .picture = true };
const struct device_class png_device = { .name = "png",
					 .alone = "a picture",
					 .needs = DEVICE_NEEDS_WAITS,
					 .drawn = true,
					 .picture = true,
					 .pixels = true };

const struct device_class *const devices[] = { &text_device, &csv_device, &json_device,
					       &html_device, &pdf_device, &svg_device,
					       &png_device,  NULL };

const struct device_class *device_find(const char *format)
{
	for (size_t i = 0; devices[i]; i++)
		if (strcasecmp(format, devices[i]->name) == 0)
			return devices[i];
	return NULL;
}

const struct device_class *device_of_documents(const char *format)
{
	const struct device_class *class = device_find(format);

	return class && !class->drawn ? class : NULL;
}
