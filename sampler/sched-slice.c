/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the scheduler for short slices, and for more of them. */
#include "common/compat.h"
#include "sampler/sched-slice.h"

#include <linux/sched.h>
#include <linux/sched/types.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE (100 * 1000) /* ns, the shortest the scheduler takes */
#define NICE_SERVING (-20)

/* How the calling thread is scheduled; false when that is none of this file's business. */
static bool get_attributes(struct sched_attr *attributes)
{
	memset(attributes, 0, sizeof(*attributes));
	return syscall(SYS_sched_getattr, 0, attributes, sizeof(*attributes), 0) == 0 &&
	       attributes->sched_policy == SCHED_NORMAL;
}

/* Have slices of so many ns, 0: of the usual length. */
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
