/* SPDX-License-Identifier: Apache-2.0 */
/* Converts between the TOD clock and ns since 1970, without loss. */
#include "common/compat.h"
#include "metrics/monitor/tod.h"
#include "common/clock.h"

__extension__ typedef unsigned __int128 wide;

/* The first clock value before the wrap, and the number of values. */
#define FIRST ((wide)1 << 63)
#define ALL ((wide)1 << 64)

/* Returns leap seconds as clock units; may be negative. */
static wide leap_units(int leap)
{
	return (wide)(leap < 0 ? -(int64_t)leap : leap) * NSEC_PER_SEC * 512 / 125;
}

bool tod_to_ns(uint64_t tod, int leap, uint64_t *ns)
{
	wide clock = tod < FIRST ? tod + ALL : tod;

	if (!tod)
		return false;
	clock = leap < 0 ? clock + leap_units(leap) : clock - leap_units(leap);
	if (clock < TOD_UNIX_EPOCH)
		return false;
	*ns = (uint64_t)((clock - TOD_UNIX_EPOCH) * 125 / 512);
	return true;
}

bool tod_from_ns(uint64_t ns, int leap, uint64_t *tod)
{
	wide clock = ((wide)ns * 512 + 124) / 125 + TOD_UNIX_EPOCH;

	clock = leap < 0 ? clock - leap_units(leap) : clock + leap_units(leap);
	if (clock < FIRST || clock >= FIRST + ALL)
		return false;
	*tod = (uint64_t)clock;
	/* At the wrap: 0 means no time, and 1 is the same nanosecond. */
	if (!*tod)
		*tod = 1;
	return true;
}
