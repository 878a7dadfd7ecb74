/* SPDX-License-Identifier: Apache-2.0 */
/* Shares and their margins of error. */
#include "common/compat.h"
#include "profile/share.h"
#include "common/margin.h"

double share_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

double share_margin(double percent, uint64_t samples)
{
	return 100 * margin_of_share(percent / 100, (double)samples);
}
