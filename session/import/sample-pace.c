/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the duration of a unit of an event. */
#include "common/compat.h"
#include "session/import/sample-pace.h"
#include "common/xalloc.h"

#include <math.h>

/* Classes of ns per unit: this many per doubling; the first begins at 2 to the power of FIRST. */
#define OCTAVE 32
#define FIRST (-20.0)
#define CLASSES (60 * OCTAVE)
/* Number of classes on each side of the middle that are summed. */
#define CLUSTER_RADIUS 3
/* A class is dense if it has at least this fraction of the densest. */
#define DENSE_DIVISOR 4
/* Minimum number of sample pairs for an estimate. */
#define PAIRS_MIN 10

struct pace_class {
	double units, ns;
};

void sample_pace_init(struct sample_pace *pace)
{
	memset(pace, 0, sizeof(*pace));
	idmap_init(&pace->last);
}

void sample_pace_release(struct sample_pace *pace)
{
	free(pace->classes);
	idmap_release(&pace->last);
}

static void add_pair(struct sample_pace *pace, uint64_t time, uint64_t units)
{
	double class = (log2((double)time / (double)units) - FIRST) * OCTAVE;

	if (class < 0 || class >= CLASSES)
		return;
	if (!pace->classes)
		pace->classes = xcalloc(CLASSES, sizeof(*pace->classes));
	pace->pairs++;
	pace->classes[(size_t)class].units += (double)units;
	pace->classes[(size_t)class].ns += (double)time;
}

void sample_pace_add(struct sample_pace *pace, uint32_t tid, uint64_t time, uint64_t units)
{
	uint64_t before;

	if (units && idmap_get(&pace->last, tid, &before) && before && time > before)
		add_pair(pace, time - before, units);
	idmap_put(&pace->last, tid, time);
}

void sample_pace_break(struct sample_pace *pace, uint32_t tid)
{
	idmap_put(&pace->last, tid, 0);
}

/* Returns the sum of the classes around the middle. */
static struct pace_class cluster_around(const struct sample_pace *pace, size_t middle)
{
	struct pace_class sum = { 0, 0 };

	for (size_t i = middle > CLUSTER_RADIUS ? middle - CLUSTER_RADIUS : 0; i <= middle + CLUSTER_RADIUS && i < CLASSES; i++) {
		sum.units += pace->classes[i].units;
		sum.ns += pace->classes[i].ns;
	}
	return sum;
}

double sample_pace_unit(const struct sample_pace *pace)
{
	double most = 0, before = 0;

	if (pace->pairs < PAIRS_MIN)
		return 0;
	for (size_t i = 0; i < CLASSES; i++)
		most = fmax(most, cluster_around(pace, i).units);
	for (size_t i = 0; i < CLASSES; i++) {
		struct pace_class here = cluster_around(pace, i), next = cluster_around(pace, i + 1);

		/* The first local maximum among the dense classes. */
		if (here.units >= most / DENSE_DIVISOR && here.units >= before && here.units >= next.units)
			return here.ns / here.units;
		before = here.units;
	}
	return 0;
}
