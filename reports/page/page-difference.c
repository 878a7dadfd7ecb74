/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the stacks of two sides as data for the script of a page. */
#include "common/compat.h"
#include "reports/page/page-difference.h"
#include "common/keymap.h"
#include "common/xalloc.h"
#include "profile/comparison-stacks.h"
#include "reports/page/page-text.h"

/* Calls with a smaller part of both sides cannot be shown. */
#define MIN_PART 20000

/* A tree of calls, by number from 1; 0 is the root. */
struct calls {
	struct strmap names;
	struct keymap nodes; /* parent, name; the key of node n is number n - 1 */
	uint64_t (*amounts)[COMPARISON_SIDES];
	size_t alloc;
	double work;
};

static size_t node_at(struct calls *calls, size_t parent, const char *name, size_t length)
{
	uint64_t key[] = { parent, strmap_put_n(&calls->names, name, length) };
	size_t before = calls->nodes.count, node = keymap_put(&calls->nodes, key) + 1;

	GROW(calls->amounts, node + 1, calls->alloc);
	if (node > before)
		memset(calls->amounts[node], 0, sizeof(*calls->amounts));
	return node;
}

static void add_amounts(struct calls *calls, size_t node, const uint64_t *amounts)
{
	for (int side = 0; side < COMPARISON_SIDES; side++)
		calls->amounts[node][side] += amounts[side];
}

/* Adds a line: "main;POST-LEDGER 1200 1310". */
static void take_line(struct calls *calls, const char *line, const char *end)
{
	uint64_t amounts[COMPARISON_SIDES];
	const char *other = memrchr(line, ' ', (size_t)(end - line));
	const char *base = memrchr(line, ' ', (size_t)(other - line));
	size_t node = 0;

	amounts[COMPARISON_BASE] = strtoull(base + 1, NULL, 10);
	amounts[COMPARISON_OTHER] =
		(uint64_t)((double)strtoull(other + 1, NULL, 10) * calls->work + 0.5);
	add_amounts(calls, 0, amounts);
	for (const char *name = line, *stop; name <= base; name = stop + 1) {
		stop = memchr(name, ';', (size_t)(base - name));
		if (!stop)
			stop = base;
		node = node_at(calls, node, name, (size_t)(stop - name));
		add_amounts(calls, node, amounts);
	}
}

static void take_stacks(struct calls *calls, const struct comparison_request *request)
{
	struct strbuf stacks = STRBUF_INIT;
	const char *end;

	GROW(calls->amounts, 1, calls->alloc);
	memset(calls->amounts[0], 0, sizeof(*calls->amounts));
	comparison_stacks(request, &stacks);
	for (const char *line = stacks.text; line && (end = strchr(line, '\n')); line = end + 1)
		take_line(calls, line, end);
	strbuf_release(&stacks);
}

/* Returns whether a call is large enough to be seen. */
static bool is_seen(const struct calls *calls, size_t node)
{
	for (int side = 0; side < COMPARISON_SIDES; side++)
		if (calls->amounts[node][side] &&
		    calls->amounts[node][side] >= calls->amounts[0][side] / MIN_PART)
			return true;
	return false;
}

static void put_nodes(const struct calls *calls, struct strbuf *out)
{
	uint64_t *numbers = xcalloc(calls->nodes.count + 1, sizeof(*numbers)), count = 0;

	strbuf_addstr(out, ",\n\"nodes\":[");
	/* A caller has at least as much as its callees, so it is seen if they are. */
	for (size_t node = 1; node <= calls->nodes.count; node++) {
		const uint64_t *key = keymap_key(&calls->nodes, node - 1);
		const uint64_t row[] = { numbers[key[0]], key[1],
					 calls->amounts[node][COMPARISON_BASE],
					 calls->amounts[node][COMPARISON_OTHER] };

		if (!is_seen(calls, node))
			continue;
		numbers[node] = ++count;
		for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
			if (count > 1 || i)
				strbuf_addch(out, ',');
			page_text_number(out, row[i]);
		}
	}
	strbuf_addch(out, ']');
	free(numbers);
}

void page_difference_json(const struct comparison *comparison,
			  const struct comparison_request *request, struct strbuf *out)
{
	const double *units = comparison->work.units;
	struct calls calls = { .work = 1 };

	if (*comparison->work.name && units[COMPARISON_OTHER] > 0)
		calls.work = units[COMPARISON_BASE] / units[COMPARISON_OTHER];
	strmap_init(&calls.names);
	keymap_init(&calls.nodes, 2);
	take_stacks(&calls, request);
	strbuf_addf(out, "{\"base\":%" PRIu64 ",\"other\":%" PRIu64 ",\"work\":%.9g,\n\"names\":[",
		    calls.amounts[0][COMPARISON_BASE], calls.amounts[0][COMPARISON_OTHER],
		    calls.work);
	for (size_t i = 0; i < calls.names.count; i++) {
		if (i)
			strbuf_addch(out, ',');
		page_text_json(out, strmap_text(&calls.names, (uint32_t)i));
	}
	strbuf_addch(out, ']');
	put_nodes(&calls, out);
	strbuf_addstr(out, "}\n");
	strmap_release(&calls.names);
	keymap_release(&calls.nodes);
	free(calls.amounts);
}
