/* SPDX-License-Identifier: Apache-2.0 */
/* Shares and their margins of error. */
#include "common/compat.h"
#include "profile/share.h"

#include <math.h>

double share_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

double share_margin(double percent, uint64_t samples)
{
	double share = percent / 100;

	if (!samples)
		return 0;
	if (share < 0 || share > 1)
		share = share < 0 ? 0 : 1;
	return 196 * sqrt(share * (1 - share) / (double)samples);
}
