/* SPDX-License-Identifier: Apache-2.0 */
/* Where named.cpp spends its time beside its own lines. */
#pragma once

template <class T> __attribute__((always_inline)) inline long stir(T value, long times)
{
	volatile T kept = value;
	for (long i = 0; i < times; i++)
		kept = kept * (T)31 + (T)i;
	return (long)kept;
}

/* CPU time so far. */
long cpu_ns();
/* Works, and adds to ns what its helper took. */
long other(long times, long *ns);
