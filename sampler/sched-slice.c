/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the scheduler for short slices. */
#include "common/compat.h"
#include "sampler/sched-slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE (100 * 1000) /* ns, the shortest the scheduler takes */

void sched_slice_shorten(void)
{
	struct sched_attr attributes = { 0 };

	if (syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0) < 0 ||
	    attributes.sched_policy != SCHED_NORMAL)
		return;
	attributes.size = sizeof(attributes);
	attributes.sched_flags = SCHED_FLAG_RESET_ON_FORK;
	attributes.sched_runtime = SLICE;
	attributes.sched_deadline = 0;
	attributes.sched_period = 0;
	syscall(SYS_sched_setattr, 0, &attributes, 0);
}
