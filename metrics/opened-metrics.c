/* SPDX-License-Identifier: Apache-2.0 */
/* The system metrics as modules that come with libvigil-engine. */
#include "common/compat.h"
#include "engine/modules/built-in.h"
#include "metrics/metrics.h"

static void *offer(struct engine *engine, struct error *err)
{
	return metrics_offer(engine, NULL, err);
}

static void let_go(void *offered)
{
	metrics_free(offered);
}

const struct built_in_modules built_in_modules = { offer, let_go };
