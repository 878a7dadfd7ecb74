/* SPDX-License-Identifier: Apache-2.0 */
/* Shares. */
#include "common/compat.h"
#include "profile/share.h"

double share_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}
