/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of the sites that EVENT rows name, for those who go through many
 * events: a site is looked up once an event. Sites are numbered from 0 in
 * order of first appearance, those without an EVENT_SITE row (it may be lost
 * in a damaged file) too.
 */
#ifndef VIGIL_RECORDS_EVENT_SITES_H
#define VIGIL_RECORDS_EVENT_SITES_H

#include "common/idmap.h"
#include "records/record-types.h"
#include "engine/snapshot.h"

struct event_site_list {
	uint64_t *ids;	/* by number */
	uint8_t *types; /* enum event_type by number, 0 unknown */
	size_t count, id_alloc, type_alloc;
	uint32_t *numbers; /* number + 1 of small ids, 0 none */
	size_t number_count;
	struct idmap large; /* number of the others: only damaged data have such ids */
};

void event_site_list_init(struct event_site_list *sites);
void event_site_list_release(struct event_site_list *sites);
/* Take the EVENT_SITE rows of a snapshot; before its EVENT rows are looked at. */
void event_site_list_take(struct event_site_list *sites, const struct snapshot *snapshot);
/* The number of a site that is new or that needs the slow way. */
size_t event_site_list_add(struct event_site_list *sites, uint64_t site);

/* The number of a site, added when it is new. */
static inline size_t event_site_list_number(struct event_site_list *sites, uint64_t site)
{
	if (site < sites->number_count && sites->numbers[site])
		return sites->numbers[site] - 1;
	return event_site_list_add(sites, site);
}

/* The type of a site, 0 unknown. */
static inline unsigned event_site_list_type(struct event_site_list *sites, uint64_t site)
{
	size_t number = event_site_list_number(sites, site);

	return sites->types[number];
}

#endif
