/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The time-of-day clock of z/Architecture: 64 bits, of which bit 51 is one
 * microsecond, so that one is 125/512 ns; 0 is the beginning of 1900.
 *
 * The clock wraps on 2042-09-17 at 23:53:47.370496. A value whose first bit
 * is on (1971-05-11 11:56:53.685248 and later) is one of before the wrap, a
 * value whose first bit is off one of after it. So times from that day of
 * 1971 to 2114-01-26 11:50:41.055744 can be told, and no others. A clock
 * of 0 stands for no time at all.
 *
 * A clock that a time server sets may run ahead of UTC by the leap seconds
 * that there were; it is not told in the records whether it does.
 */
#ifndef VIGIL_METRICS_MONITOR_TOD_H
#define VIGIL_METRICS_MONITOR_TOD_H

#include "common/compat.h"

/* The clock at the beginning of 1970. */
#define TOD_UNIX_EPOCH UINT64_C(0x7D91048BCA000000)

/* ns since 1970 UTC of a clock that is leap seconds ahead; false: it is no time. */
bool tod_to_ns(uint64_t tod, int leap, uint64_t *ns);
/*
 * The clock of a time, the first value that is not before it: tod_to_ns gives the same
 * nanosecond back. False: the clock cannot tell it.
 */
bool tod_from_ns(uint64_t ns, int leap, uint64_t *tod);

#endif
