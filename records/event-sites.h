/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The types of the sites that EVENT rows name, for readers of many events: each
 * event needs one lookup of its site. Sites are numbered from 0 in order of first
 * appearance, also those without an EVENT_SITE row (it may be lost in a damaged
 * file).
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
	uint32_t *numbers; /* by small id: number + 1, 0 none */
	size_t number_count;
	struct idmap large; /* numbers of larger ids, which only damaged data have */
};

void event_site_list_init(struct event_site_list *sites);
void event_site_list_release(struct event_site_list *sites);
/* Takes the EVENT_SITE rows of a snapshot; call it before reading its EVENT rows. */
void event_site_list_take(struct event_site_list *sites, const struct snapshot *snapshot);
/*
 * Returns the number of a site that is new or has a large id; the slow path of
 * event_site_list_number.
 */
size_t event_site_list_add(struct event_site_list *sites, uint64_t site);

/* Returns the number of a site, adding it if new. */
static inline size_t event_site_list_number(struct event_site_list *sites, uint64_t site)
{
	if (site < sites->number_count && sites->numbers[site])
		return sites->numbers[site] - 1;
	return event_site_list_add(sites, site);
}

/* Returns the type of a site, 0 unknown. */
static inline unsigned event_site_list_type(struct event_site_list *sites, uint64_t site)
{
	size_t number = event_site_list_number(sites, site);

	return sites->types[number];
}

#endif
