/* SPDX-License-Identifier: Apache-2.0 */
/* Requests short slices and a larger share from the scheduler. */
#include "common/compat.h"
#include "sampler/sched-slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE (100 * 1000) /* ns, the minimum of the scheduler */
#define NICE_SERVING (-20)

/* Reads how the calling thread is scheduled; returns false if the policy is not the normal one. */
static bool get_attributes(struct sched_attr *attributes)
{
	memset(attributes, 0, sizeof(*attributes));
	return syscall(SYS_sched_getattr, 0, attributes, sizeof(*attributes), 0) == 0 &&
	       attributes->sched_policy == SCHED_NORMAL;
}

/* Sets a slice of this many ns; 0: usual length. */
static bool set_attributes(struct sched_attr *attributes, int nice, uint64_t slice)
{
	attributes->size = sizeof(*attributes);
	attributes->sched_flags = SCHED_FLAG_RESET_ON_FORK;
	attributes->sched_nice = nice;
	attributes->sched_runtime = slice;
	attributes->sched_deadline = 0;
	attributes->sched_period = 0;
	return syscall(SYS_sched_setattr, 0, attributes, 0) == 0;
}

void sched_slice_shorten(void)
{
	struct sched_attr attributes;

	if (get_attributes(&attributes))
		set_attributes(&attributes, attributes.sched_nice, SLICE);
}

void sched_serve(struct sched_served *before)
{
	struct sched_attr attributes;

	*before = (struct sched_served){ .changed = get_attributes(&attributes),
					 .nice = attributes.sched_nice };
	if (before->changed && !set_attributes(&attributes, NICE_SERVING, SLICE))
		set_attributes(&attributes, before->nice, SLICE);
}

void sched_serve_end(struct sched_served *before)
{
	struct sched_attr attributes;

	if (before->changed && get_attributes(&attributes))
		set_attributes(&attributes, before->nice, 0);
	before->changed = false;
}
