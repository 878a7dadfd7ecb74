/* SPDX-License-Identifier: Apache-2.0 */
/* Reads domain detail records and joins the parts of a list. */
#include "common/compat.h"
#include "metrics/monitor/domain-detail.h"
#include "common/xalloc.h"
#include "metrics/monitor/ebcdic.h"

/*
 * Maximum length of a list: there are 65536 devices, and fewer users. Longer ones
 * result from damage.
 */
#define LIST_BYTES_MAX ((size_t)1 << 20)

/* Maximum number of concurrently open lists. */
#define OPEN_MAX 64

size_t domain_item_size(unsigned domain)
{
	switch (domain) {
	case DOMAIN_SCHEDULER:
	case DOMAIN_USER:
	case DOMAIN_APPLDATA:
		return 8;
	case DOMAIN_IO:
	case DOMAIN_SEEK:
		return 2;
	default:
		return 0;
	}
}

/* Returns the list that a record continues, or a new one. */
static struct domain_detail *find(struct domain_details *details,
				  const struct monitor_record *record)
{
	unsigned char profile = record->data[MTRDDR_PROFILE];
	unsigned char domain = record->data[MTRDDR_DMNUMBER];

	for (size_t i = 0; i < details->count; i++)
		if (details->open[i].profile == profile && details->open[i].domain == domain)
			return &details->open[i];
	GROW(details->open, details->count + 1, details->alloc);
	details->open[details->count] = (struct domain_detail){
		.tod = record->tod,
		.profile = profile,
		.domain = domain,
		.status = record->data[MTRDDR_DMSTATUS],
		.item_size = domain_item_size(domain),
		.items = STRBUF_INIT,
	};
	return &details->open[details->count++];
}

/* Removes a list from the open ones and returns it. */
static void take_out(struct domain_details *details, struct domain_detail *from,
		     struct domain_detail *detail)
{
	*detail = *from;
	*from = details->open[--details->count];
}

/* Returns the number of items in a record, according to its count and its length. */
static size_t count_items(struct domain_detail *detail, struct monwrite_reader *reader,
			  const struct monitor_record *record)
{
	int32_t count = (int32_t)monitor_get(record->data + MTRDDR_DMITEMCT, 4);
	size_t room = record->length - MTRDDR_DMITEMS;

	if (count < 0) {
		monwrite_report_damage(reader, record, "domain detail: %d items", count);
		detail->broken = true;
		return 0;
	}
	detail->counted += (uint64_t)count;
	if (detail->status == MTRDDR_ALL && count)
		monwrite_report_damage(reader, record,
			      "domain detail: all items of domain %u, and a list of %d",
			      detail->domain, count);
	/* Lists of later releases: items of equal length fill the record. */
	if (!detail->item_size && count && room % (size_t)count == 0)
		detail->item_size = room / (size_t)count;
	if (!detail->item_size || (size_t)count <= room / detail->item_size)
		return detail->item_size ? (size_t)count : 0;
	monwrite_report_damage(reader, record, "domain detail: it counts %d items and has room for %zu",
		      count, room / detail->item_size);
	detail->broken = true;
	return room / detail->item_size;
}

bool domain_details_take(struct domain_details *details, struct monwrite_reader *reader,
			 const struct monitor_record *record, struct domain_detail *detail)
{
	struct domain_detail *list;
	size_t bytes;

	if (record->length < MTRDDR_DMITEMS) {
		monwrite_report_damage(reader, record, "domain detail: %zu bytes are too few for one",
			      record->length);
		return false;
	}
	list = find(details, record);
	if (list->records && list->status != record->data[MTRDDR_DMSTATUS]) {
		monwrite_report_damage(reader, record,
			      "domain detail: the list continues with another status");
		list->broken = true;
	}
	bytes = count_items(list, reader, record) * list->item_size;
	if (list->items.length + bytes > LIST_BYTES_MAX) {
		if (!list->broken)
			monwrite_report_damage(reader, record, "domain detail: a list without an end");
		list->broken = true;
		bytes = 0;
	}
	strbuf_add(&list->items, record->data + MTRDDR_DMITEMS, bytes);
	list->records++;
	list->flags = record->data[MTRDDR_CALFLAGS];
	list->open = list->flags & MTRDDR_CONT;
	if (list->open && details->count <= OPEN_MAX)
		return false;
	list->broken |= list->open;
	take_out(details, list, detail);
	return true;
}

bool domain_details_take_incomplete(struct domain_details *details, struct domain_detail *detail)
{
	if (!details->count)
		return false;
	take_out(details, &details->open[0], detail);
	detail->broken = true;
	return true;
}

void domain_detail_release(struct domain_detail *detail)
{
	strbuf_release(&detail->items);
}

void domain_details_release(struct domain_details *details)
{
	for (size_t i = 0; i < details->count; i++)
		domain_detail_release(&details->open[i]);
	free(details->open);
	*details = (struct domain_details){ 0 };
}

size_t domain_detail_count(const struct domain_detail *detail)
{
	return detail->item_size ? detail->items.length / detail->item_size : 0;
}

void domain_detail_item(const struct domain_detail *detail, size_t number, struct strbuf *sb)
{
	const unsigned char *item =
		(const unsigned char *)detail->items.text + number * detail->item_size;

	if (domain_item_size(detail->domain) == 8) {
		ebcdic_get(sb, item, 8);
		return;
	}
	for (size_t i = 0; i < detail->item_size; i++)
		strbuf_addf(sb, "%02X", item[i]);
}
