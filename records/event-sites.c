/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the sites of events. */
#include "common/compat.h"
#include "records/event-sites.h"
#include "common/xalloc.h"

/* Ids below this are looked up in a table; producers assign ids consecutively. */
enum { SMALL_IDS = 1 << 22 };

void event_site_list_init(struct event_site_list *sites)
{
	memset(sites, 0, sizeof(*sites));
	idmap_init(&sites->large);
}

void event_site_list_release(struct event_site_list *sites)
{
	free(sites->ids);
	free(sites->types);
	free(sites->numbers);
	idmap_release(&sites->large);
}

/* Extends the table to hold a small id. */
static void grow_numbers(struct event_site_list *sites, uint64_t site)
{
	size_t before = sites->number_count, alloc = before;

	if (site < before)
		return;
	GROW(sites->numbers, (size_t)site + 1, alloc);
	memset(sites->numbers + before, 0, (alloc - before) * sizeof(*sites->numbers));
	sites->number_count = alloc;
}

size_t event_site_list_add(struct event_site_list *sites, uint64_t site)
{
	uint64_t known;

	if (site >= SMALL_IDS && idmap_get(&sites->large, site, &known))
		return (size_t)known;
	GROW(sites->ids, sites->count + 1, sites->id_alloc);
	GROW(sites->types, sites->count + 1, sites->type_alloc);
	sites->ids[sites->count] = site;
	sites->types[sites->count] = 0;
	if (site < SMALL_IDS) {
		grow_numbers(sites, site);
		sites->numbers[site] = (uint32_t)sites->count + 1;
	} else {
		idmap_put(&sites->large, site, sites->count);
	}
	return sites->count++;
}

void event_site_list_take(struct event_site_list *sites, const struct snapshot *snapshot)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_EVENT_SITE);

	for (size_t i = 0; i < set->count; i++) {
		const struct record_event_site *site = recordset_get(set, i);
		size_t number = event_site_list_number(sites, site->site);

		sites->types[number] = site->type < EVENT_TYPE_COUNT ? (uint8_t)site->type : 0;
	}
}
