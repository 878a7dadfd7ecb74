/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time-of-day clock of z/Architecture: 64 bits, of which bit 51 is one
 * microsecond, so that a unit is 125/512 ns; 0 is the beginning of 1900.
 *
 * The clock wraps on 2042-09-17 at 23:53:47.370496. A value with the first bit set
 * (1971-05-11 11:56:53.685248 and later) is taken as before the wrap, one with the
 * first bit clear as after it. So only times from that day of 1971 to 2114-01-26
 * 11:50:41.055744 can be represented. A clock of 0 means no time.
 *
 * A clock set by a time server may run ahead of UTC by the accumulated leap
 * seconds; the records do not say whether it does.
 */
#ifndef VIGIL_METRICS_MONITOR_TOD_H
#define VIGIL_METRICS_MONITOR_TOD_H

#include "common/compat.h"

/* The clock at the beginning of 1970. */
#define TOD_UNIX_EPOCH UINT64_C(0x7D91048BCA000000)

/*
 * Converts a clock that is leap seconds ahead to ns since 1970 UTC. Returns false
 * when it is no time.
 */
bool tod_to_ns(uint64_t tod, int leap, uint64_t *ns);
/*
 * Converts a time to the first clock value that is not before it: tod_to_ns gives
 * the same nanosecond back. Returns false when it cannot be represented.
 */
bool tod_from_ns(uint64_t ns, int leap, uint64_t *tod);

#endif
