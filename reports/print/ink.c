/* SPDX-License-Identifier: Apache-2.0 */
/* The inks: colours from dark to light, each with its hatch. */
#include "reports/print/ink.h"

const struct ink_style ink_styles[INK_COUNT] = {
	[INK_NONE] = { 1, 1, 1, HATCH_NONE },
	[INK_BLACK] = { 0, 0, 0, HATCH_NONE },
	[INK_GREY] = { 0.36, 0.36, 0.36, HATCH_NONE },
	[INK_FAINT] = { 0.955, 0.955, 0.955, HATCH_NONE },
	[INK_SOLO] = { 0.10, 0.29, 0.52, HATCH_NONE },
	[INK_REST] = { 0.74, 0.84, 0.94, HATCH_RISING },
	[INK_PROGRAM] = { 1.00, 0.86, 0.60, HATCH_NONE },
	[INK_LIBRARY] = { 0.66, 0.76, 0.90, HATCH_NONE },
	[INK_KERNEL] = { 0.80, 0.72, 0.78, HATCH_DOTS },
	[INK_UNKNOWN] = { 0.94, 0.94, 0.94, HATCH_LEVEL },
	[INK_FILE_READ] = { 0.50, 0.72, 0.93, HATCH_RISING },
	[INK_FILE_WRITE] = { 0.98, 0.72, 0.50, HATCH_FALLING },
	[INK_FILE_SYNC] = { 0.92, 0.60, 0.60, HATCH_CROSS },
	[INK_FILE_OTHER] = { 0.80, 0.88, 0.96, HATCH_UPRIGHT },
	[INK_NETWORK] = { 0.70, 0.88, 0.72, HATCH_LEVEL },
	[INK_LOCK] = { 0.86, 0.70, 0.92, HATCH_GRID },
	[INK_SLEEP] = { 0.98, 0.98, 0.92, HATCH_NONE },
	[INK_DISPATCH] = { 0.72, 0.72, 0.72, HATCH_WIDE_RISING },
	[INK_PAGE] = { 0.66, 0.62, 0.42, HATCH_UPRIGHT },
	[INK_CHILD] = { 0.98, 0.94, 0.62, HATCH_FALLING },
	[INK_OTHER] = { 0.87, 0.87, 0.87, HATCH_WIDE_FALLING },
};

double ink_brightness(enum ink ink)
{
	const struct ink_style *look = &ink_styles[ink];

	return 0.299 * look->red + 0.587 * look->green + 0.114 * look->blue;
}
