/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the stacks of two sides as folded lines. */
#include "common/compat.h"
#include "profile/comparison-stacks.h"
#include "common/xalloc.h"
#include "profile/session-facts.h"

#include <math.h>

/* Stacks by text, with the amounts of both sides, ns. */
struct stacks {
	struct strmap texts;
	double (*amounts)[COMPARISON_SIDES];
	size_t alloc;
};

/* Appends a frame's name, replacing bytes that would end a frame or a line. */
static void add_frame(const struct profile *profile, const struct place *place, struct strbuf *sb)
{
	const char *name = profile_text(profile, place->procedure);

	if (!*name)
		name = profile_text(profile, place->real_module);
	if (!*name)
		name = profile_text(profile, place->section);
	if (!*name)
		name = "[unknown]";
	for (; *name; name++)
		strbuf_addch(sb, *name == ';'				       ? ':'
				 : (unsigned char)*name < 32 || *name == 127 ? '?'
										       : *name);
}

/* Appends the frames of a stack, outermost first. */
static void add_stack(const struct profile *profile, size_t stack, struct strbuf *sb)
{
	const struct attribution *attribution = &profile->attribution;
	size_t *chain = NULL, depth = 0, alloc = 0;

	for (size_t at = stack; at != ATTRIBUTION_NONE && depth < attribution->stack_count;
	     at = attribution->parents[at]) {
		GROW(chain, depth + 1, alloc);
		chain[depth++] = at;
	}
	if (!depth)
		strbuf_addstr(sb, "[unknown]");
	for (size_t i = depth; i-- > 0;) {
		add_frame(profile, attribution_place(attribution, chain[i]), sb);
		if (i)
			strbuf_addch(sb, ';');
	}
	free(chain);
}

/* Adds a run's samples, weighted for the side's mean. */
static void add_run(struct stacks *stacks, const struct profile *profile,
		    enum comparison_side side, double part)
{
	/* Each stack's text is built once, however many tasks and transactions it has. */
	uint32_t *texts = xcalloc(profile->attribution.stack_count + 1, sizeof(*texts));
	double sample = profile->samples ? (double)session_facts_sampled(profile, profile->samples) /
						   (double)profile->samples
					 : 0;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		size_t stack = cpu->stack < profile->attribution.stack_count
				       ? cpu->stack
				       : profile->attribution.stack_count;
		size_t before = stacks->texts.count;

		if (!texts[stack]) {
			strbuf_reset(&text);
			add_stack(profile, cpu->stack, &text);
			texts[stack] = strmap_put(&stacks->texts, text.text);
		}
		GROW(stacks->amounts, texts[stack] + 1, stacks->alloc);
		if (stacks->texts.count > before)
			memset(stacks->amounts[texts[stack]], 0, sizeof(*stacks->amounts));
		stacks->amounts[texts[stack]][side] += (double)cpu->count * sample * part;
	}
	strbuf_release(&text);
	free(texts);
}

static int compare_texts(const void *first, const void *second, void *argument)
{
	const struct strmap *texts = argument;

	return strcmp(strmap_text(texts, *(const uint32_t *)first),
		      strmap_text(texts, *(const uint32_t *)second));
}

void comparison_stacks(const struct comparison_request *request, struct strbuf *sb)
{
	struct stacks stacks = { 0 };
	uint32_t *order;

	strmap_init(&stacks.texts);
	strmap_put(&stacks.texts, "");
	for (int side = 0; side < COMPARISON_SIDES; side++)
		for (size_t i = 0; i < request->run_counts[side]; i++)
			add_run(&stacks, request->runs[side][i], side,
				1 / (double)request->run_counts[side]);
	order = xcalloc(stacks.texts.count, sizeof(*order));
	for (uint32_t i = 1; i < stacks.texts.count; i++)
		order[i] = i;
	qsort_r(order + 1, stacks.texts.count - 1, sizeof(*order), compare_texts, &stacks.texts);
	for (uint32_t i = 1; i < stacks.texts.count; i++)
		strbuf_addf(sb, "%s %.0f %.0f\n", strmap_text(&stacks.texts, order[i]),
			    stacks.amounts[order[i]][COMPARISON_BASE] / 1000,
			    stacks.amounts[order[i]][COMPARISON_OTHER] / 1000);
	free(order);
	free(stacks.amounts);
	strmap_release(&stacks.texts);
}
