/* SPDX-License-Identifier: Apache-2.0 */
/* Caches the pages of a program's memory that one call of a collector reads. */
#include "common/compat.h"
#include "collectors/pages.h"

#include "common/hash.h"

void pages_begin(struct pages *pages, const struct vigil_communication *area)
{
	pages->area = area;
	pages->call++;
}

/* Returns the page that begins at address. */
static const struct page *page_at(struct pages *pages, uint64_t address)
{
	struct page *page = &pages->page[hash_u64(address) % PAGES_COUNT];

	if (page->call != pages->call || page->address != address) {
		page->call = pages->call;
		page->address = address;
		page->size = vigil_read(pages->area, address, page->bytes, PAGES_SIZE);
	}
	return page;
}

bool pages_read(struct pages *pages, uint64_t address, void *buffer, size_t size)
{
	unsigned char *to = buffer;

	while (size) {
		size_t skip = address % PAGES_SIZE;
		size_t part = size < PAGES_SIZE - skip ? size : PAGES_SIZE - skip;
		const struct page *page = page_at(pages, address - skip);

		RETURN_IF(page->size < skip + part, false);
		memcpy(to, page->bytes + skip, part);
		to += part;
		address += part;
		size -= part;
	}
	return true;
}

uint64_t pages_pointer(struct pages *pages, uint64_t address)
{
	uint64_t value;

	return pages_read(pages, address, &value, sizeof(value)) ? value : 0;
}
