/* SPDX-License-Identifier: Apache-2.0 */
/* The producers of system metrics as modules, and the groups of them. */
#include "common/compat.h"
#include "metrics/metrics.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "metrics/kinds.h"
#include "metrics/metric-rows.h"
#include "metrics/shared-texts.h"

#include <time.h>

static const struct metric_kind *const kinds[] = {
	&cpu_kind,
	&memory_kind,
	&disks_kind,
	&network_kind,
	&system_kind,
	&processes_kind,
	&file_systems_kind,
	&inet_kind,
	&page_cache_kind,
	&locks_kind,
	&pressure_kind,
	&devices_kind,
	&adapters_kind,
	&controllers_kind,
	&parameters_kind,
	&cluster_kind,
	&partition_kind,
	&services_kind,
	&volume_cache_kind,
	&cgroup_kind,
	&cluster_links_kind,
	&process_services_kind,
	&transactions_kind,
	&header_kind,
	&module_list_kind,
	&descriptions_kind,
	&interrupts_kind,
	&nfs_mounts_kind,
	&nfs_operations_kind,
	&own_kind,
	&task_statistics_kind,
	&shared_texts_kind,
};

/*
 * The groups have the members named by seed 003; ALL also has those that the seed
 * does not group.
 */
static const char *const default_members[] = { "ADP", "CPU", "CTL", "DEV", "DSK", "FCP",
					       "MEM", "NTI", "PAR", "PRO", "SYS", NULL };
static const char *const cluster_members[] = { "CLU", "CPS", "CVC", "DLM", "DTM",
					       "GLX", "PAR", "SRV", NULL };
static const char *const all_members[] = { "DEFAULT", "CLU",  "CVC",  "CPS",	"DLM", "DTM",
					   "GLX",     "INET", "SRV",  "XFC",	"XVC", "CGR",
					   "PSI",     "IRQ",  "NFS",  "NFSOP",	"OWN", "EXEC",
					   "LWS",     "PDSC", "DDSC", "COLHDR", NULL };

static const struct module_class default_class = {
	.name = "DEFAULT",
	.summary = "what most measurements of a machine need",
	.capabilities = MODULE_GROUPER,
	.members = default_members,
};

static const struct module_class cluster_class = {
	.name = "CLUSTER",
	.summary = "metrics of machines that work together",
	.capabilities = MODULE_GROUPER,
	.members = cluster_members,
};

static const struct module_class all_class = {
	.name = "ALL",
	.summary = "all metrics",
	.capabilities = MODULE_GROUPER,
	.members = all_members,
};

const struct module_class *const metrics_groups[] = { &default_class, &cluster_class, &all_class,
						      NULL };

/* One producer as a module. */
struct producer {
	struct module_class class;
	const struct metric_kind *kind;
	struct record_type *type; /* owned */
	const struct record_type *types[2];
	struct metric_source *source; /* owned, between init and end */
	const struct interval_timer *timer;
	struct metric_support *support;
	struct metrics *metrics; /* the set to which it belongs */
	uint64_t records;
	struct strbuf why;
};

struct metrics {
	struct producer producers[ARRAY_SIZE(kinds)];
	struct metric_support support;
	struct shared_texts texts; /* of the support */
	bool paced;
	uint64_t min_distance, parts; /* see metrics_pace */
	uint64_t first;	       /* time of the first snapshot with records */
	uint64_t newest;       /* time of the last snapshot with records, 0: none yet */
	uint64_t cost;
};

static enum module_status producer_init(struct module *module, struct error *err UNUSED)
{
	struct producer *producer = module->context;
	struct strmap *texts = engine_strings(module->engine);
	const struct metric_rows_mark mark = metric_rows_mark(NULL, texts);
	struct outside *session;

	RETURN_IF(metric_rows_recall(producer->kind->name, NULL, texts), MODULE_OK);
	session = outside_step_aside();
	producer->source = metric_source_new(producer->kind, module->engine,
					     (void *)(uintptr_t)producer->timer, producer->support);
	outside_step_back(session);
	metric_rows_note(producer->kind->name, NULL, texts, mark);
	return MODULE_OK;
}

/* Makes the records of a snapshot, or takes those that a recording has. */
static void make_records(struct producer *producer, struct snapshot *snapshot, unsigned type, struct strmap *texts)
{
	struct recordset *set = snapshot_set(snapshot, type);
	const struct metric_rows_mark mark = metric_rows_mark(set, texts);
	struct outside *session;

	if (metric_rows_recall(producer->kind->name, set, texts))
		return;
	session = outside_step_aside();
	metric_source_read(producer->source, snapshot, type);
	outside_step_back(session);
	metric_rows_note(producer->kind->name, set, texts, mark);
	producer->records = producer->source->records;
}

/* Returns whether a snapshot gets records; the same for all producers. */
static bool is_wanted(struct metrics *metrics, const struct snapshot *snapshot)
{
	uint64_t age = snapshot->time - metrics->newest;

	if (!metrics->paced)
		return !snapshot->last;
	if (!metrics->newest)
		metrics->first = metrics->newest = snapshot->time;
	else if (snapshot->last ||
		 (age >= metrics->min_distance &&
		  (!metrics->parts || age >= (snapshot->time - metrics->first) / metrics->parts)))
		metrics->newest = snapshot->time;
	return metrics->newest == snapshot->time;
}

static uint64_t cpu_used(void)
{
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Makes the records of a snapshot. */
static enum module_status producer_call(struct module *module, enum sync_point point UNUSED,
					struct snapshot *snapshot, struct error *err UNUSED)
{
	struct producer *producer = module->context;
	uint64_t before;

	if (!is_wanted(producer->metrics, snapshot))
		return MODULE_OK;
	before = producer->metrics->paced ? cpu_used() : 0;
	make_records(producer, snapshot, module->types[0]->id, engine_strings(module->engine));
	if (producer->metrics->paced)
		producer->metrics->cost += cpu_used() - before;
	return MODULE_OK;
}

static void producer_end(struct module *module)
{
	struct producer *producer = module->context;

	struct outside *session;

	if (!producer->source)
		return;
	session = outside_step_aside();
	metric_source_why(producer->source, &producer->why);
	metric_source_free(producer->source);
	outside_step_back(session);
	producer->source = NULL;
}

static void producer_make(struct producer *producer, const struct metric_kind *kind,
			  const struct interval_timer *timer, struct metric_support *support)
{
	producer->kind = kind;
	producer->timer = timer;
	producer->support = support;
	producer->type = metric_type(kind);
	producer->types[0] = producer->type;
	strbuf_init(&producer->why);
	producer->class = (struct module_class){
		.name = kind->name,
		.summary = kind->summary,
		.capabilities = MODULE_PRODUCER | (kind->supports ? MODULE_SUPPORTER : 0),
		.sync_points = 1U << SYNC_SNAPSHOT,
		.produces = producer->types,
		.after = kind->after,
		.init = producer_init,
		.call = producer_call,
		.end = producer_end,
	};
}

struct metrics *metrics_offer(struct engine *engine, const struct interval_timer *timer,
			      struct error *err)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));
	bool failed = false;

	metrics->support.texts = &metrics->texts;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		metrics->producers[i].metrics = metrics;
		producer_make(&metrics->producers[i], kinds[i], timer, &metrics->support);
		failed = failed || !engine_offer(engine, &metrics->producers[i].class,
						 &metrics->producers[i], err);
	}
	for (size_t i = 0; metrics_groups[i]; i++)
		failed = failed || !engine_offer(engine, metrics_groups[i], NULL, err);
	if (!failed)
		return metrics;
	metrics_free(metrics);
	return NULL;
}

void metrics_pace(struct metrics *metrics, uint64_t min_distance, uint64_t parts)
{
	metrics->paced = true;
	metrics->min_distance = min_distance;
	metrics->parts = parts;
}

uint64_t metrics_cost(const struct metrics *metrics)
{
	return metrics->cost;
}

void metrics_free(struct metrics *metrics)
{
	struct outside *session;

	if (!metrics)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		metric_type_free(metrics->producers[i].type);
		strbuf_release(&metrics->producers[i].why);
	}
	session = outside_step_aside();
	shared_texts_release(&metrics->texts);
	outside_step_back(session);
	free(metrics);
}

size_t metrics_count(const struct metrics *metrics UNUSED)
{
	return ARRAY_SIZE(kinds);
}

struct metrics_entry metrics_get(const struct metrics *metrics, size_t number)
{
	const struct producer *producer = &metrics->producers[number];

	return (struct metrics_entry){ &producer->class, producer->type, producer->records };
}

void metrics_why(const struct metrics *metrics, size_t number, struct strbuf *sb)
{
	strbuf_addbuf(sb, &metrics->producers[number].why);
}
