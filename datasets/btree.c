/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the pages of a Berkeley DB B-tree. */
#include "common/compat.h"
#include "datasets/btree.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC 0x53162
#define SMALLEST_PAGE 512
#define LARGEST_PAGE 65536

/* Offsets of numbers in the first page. */
#define META_MAGIC 12
#define META_PAGE_SIZE 20
#define META_ROOT 88
#define META_LENGTH 92

/* Offsets of numbers in each page. */
#define PAGE_NUMBER 8
#define PAGE_PREVIOUS 12
#define PAGE_NEXT 16
#define PAGE_ENTRIES 20
#define PAGE_LEVEL 24
#define PAGE_TYPE 25
#define PAGE_ITEMS 26 /* offsets of the entries, two bytes each */
#define PAGE_LENGTH 28

#define ENTRY_PAGE 4 /* in an entry of an inner page: the child page */

enum page_type { PAGE_INNER = 3, PAGE_LEAF = 5 };

struct btree {
	int fd;
	uint32_t page_size, pages;
};

static uint32_t number_at(const unsigned char *data, size_t at)
{
	uint32_t number;

	memcpy(&number, data + at, sizeof(number));
	return number;
}

static uint16_t short_at(const unsigned char *data, size_t at)
{
	uint16_t number;

	memcpy(&number, data + at, sizeof(number));
	return number;
}

/* Reads length bytes of a page from offset on; returns whether they exist. */
static bool read_at(const struct btree *tree, uint32_t page, size_t offset, unsigned char *data,
		    size_t length)
{
	off_t at = (off_t)page * tree->page_size + (off_t)offset;

	return page < tree->pages && pread(tree->fd, data, length, at) == (ssize_t)length;
}

/* Returns the child page of the first entry of an inner page; 0: none. */
static uint32_t first_below(const struct btree *tree, uint32_t page)
{
	unsigned char data[PAGE_LENGTH], entry[ENTRY_PAGE + 4];

	if (!read_at(tree, page, 0, data, sizeof(data)) || short_at(data, PAGE_ENTRIES) == 0 ||
	    short_at(data, PAGE_ITEMS) + sizeof(entry) > tree->page_size ||
	    !read_at(tree, page, short_at(data, PAGE_ITEMS), entry, sizeof(entry)))
		return 0;
	return number_at(entry, ENTRY_PAGE);
}

/* Descends from the root to the first leaf; returns 0 if there is none. */
static uint32_t first_leaf(const struct btree *tree, uint32_t page)
{
	unsigned char data[PAGE_LENGTH];
	int level = UINT8_MAX + 1;

	while (page && read_at(tree, page, 0, data, sizeof(data)) &&
	       number_at(data, PAGE_NUMBER) == page && data[PAGE_LEVEL] < level) {
		if (data[PAGE_TYPE] == PAGE_LEAF)
			return page;
		if (data[PAGE_TYPE] != PAGE_INNER)
			return 0;
		level = data[PAGE_LEVEL];
		page = first_below(tree, page);
	}
	return 0;
}

/* Returns the number of leaves in the chain from the first one on; -1 if the chain is broken. */
static int64_t chained_leaves(const struct btree *tree, uint32_t page)
{
	unsigned char data[PAGE_LENGTH];
	uint32_t before = 0;
	int64_t count = 0;

	for (; page; count++) {
		RETURN_IF(count >= tree->pages || !read_at(tree, page, 0, data, sizeof(data)), -1);
		RETURN_IF(data[PAGE_TYPE] != PAGE_LEAF || number_at(data, PAGE_NUMBER) != page ||
				  number_at(data, PAGE_PREVIOUS) != before,
			  -1);
		before = page;
		page = number_at(data, PAGE_NEXT);
	}
	return count;
}

/* Returns the number of leaves in the file. */
static int64_t all_leaves(const struct btree *tree)
{
	unsigned char data[PAGE_LENGTH];
	int64_t count = 0;

	for (uint32_t page = 1; page < tree->pages; page++)
		count += read_at(tree, page, 0, data, sizeof(data)) && data[PAGE_TYPE] == PAGE_LEAF;
	return count;
}

static int walk(struct btree *tree, const char *path, struct error *err)
{
	unsigned char meta[META_LENGTH];
	uint32_t leaf;
	struct stat info;
	int64_t chained, all;

	if (pread(tree->fd, meta, sizeof(meta), 0) != (ssize_t)sizeof(meta) ||
	    number_at(meta, META_MAGIC) != MAGIC || fstat(tree->fd, &info) < 0)
		return error_set(err, "%s is not a GnuCOBOL file", path);
	tree->page_size = number_at(meta, META_PAGE_SIZE);
	if (tree->page_size < SMALLEST_PAGE || tree->page_size > LARGEST_PAGE)
		return error_set(err, "%s is damaged: its page size is invalid", path);
	tree->pages = (uint32_t)(info.st_size / tree->page_size);
	leaf = first_leaf(tree, number_at(meta, META_ROOT));
	RETURN_IF(!leaf, error_set(err, "%s is damaged: its first page does not lead to "
					"records", path));
	chained = chained_leaves(tree, leaf);
	all = all_leaves(tree);
	RETURN_IF(chained < 0,
		  error_set(err, "%s is damaged: its pages do not follow each other", path));
	RETURN_IF(chained != all,
		  error_set(err,
			    "%s is damaged: it has %" PRId64 " pages with records, but only %"
			    PRId64 " are reachable from its first page",
			    path, all, chained));
	return 0;
}

int btree_check(const char *path, struct error *err)
{
	struct btree tree = { .fd = open(path, O_RDONLY | O_CLOEXEC) };
	int result;

	RETURN_IF(tree.fd < 0, error_errno(err, "cannot open %s", path));
	result = walk(&tree, path, err);
	close(tree.fd);
	return result;
}
