/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folded stacks, one line per stack: task;outermost;...;innermost AMOUNT, as
 * flamegraph.pl and similar tools read them. One form has CPU samples; the other
 * has ns of charged waits, with the wait's reason and file as the innermost frame.
 * A frame of the kernel ends in _[k], an inlined one in _[i].
 */
#include "common/compat.h"
#include "common/utf8.h"
#include "common/xalloc.h"
#include "exports/export-form.h"
#include "profile/label.h"

/* Appends a name so that it remains one frame, whatever bytes it has. */
static void add_name(struct strbuf *sb, const char *name)
{
	size_t length;

	for (; *name; name += length) {
		uint32_t code = utf8_decode(name, &length);

		if (code == '\\')
			strbuf_addstr(sb, "\\\\");
		else if (code == ';' || code < 0x20 || code == 0x7f || code == UINT32_MAX)
			for (size_t i = 0; i < length; i++)
				strbuf_addf(sb, "\\x%02x", (unsigned char)name[i]);
		else
			strbuf_add(sb, name, length);
	}
}

/* State of an export. */
struct folding {
	struct exporting *exporting;
	char **names; /* of functions, prepared for a line */
	struct stack_path path;
	struct strbuf line;
	struct strmap lines;
	uint64_t *amounts; /* by line number */
	size_t alloc;
};

/* Appends the frames of a stack to the line. */
static void add_stack(struct folding *folding, size_t stack)
{
	const struct stack_view *view = &folding->exporting->stacks;

	stack_path_set(&folding->path, view, stack);
	for (size_t i = 0; i < folding->path.count; i++) {
		size_t frame = stack_view_frame(view, folding->path.stacks[i]);

		for (size_t at = view->first[frame + 1]; at-- > view->first[frame];) {
			strbuf_addch(&folding->line, ';');
			strbuf_addstr(&folding->line, folding->names[view->levels[at].function]);
			if (view->levels[at].inlined)
				strbuf_addstr(&folding->line, "_[i]");
		}
	}
}

/* Begins a line with the task, and the frames of the stack. */
static void begin_line(struct folding *folding, uint64_t task, size_t stack)
{
	struct strbuf label = STRBUF_INIT;

	strbuf_reset(&folding->line);
	label_task(folding->exporting->stacks.profile, task, &label);
	add_name(&folding->line, *label.text ? label.text : "(task not known)");
	strbuf_release(&label);
	add_stack(folding, stack);
}

/* Adds the amount to the current line. */
static void end_line(struct folding *folding, uint64_t amount)
{
	size_t before = folding->lines.count;
	uint32_t number = strmap_put_n(&folding->lines, folding->line.text, folding->line.length);

	GROW(folding->amounts, (size_t)number + 1, folding->alloc);
	if (number >= before)
		folding->amounts[number] = 0;
	folding->amounts[number] += amount;
}

/* Prepares the names of all functions for lines. */
static void make_names(struct folding *folding)
{
	const struct stack_view *view = &folding->exporting->stacks;

	folding->names = xcalloc(view->function_count + 1, sizeof(*folding->names));
	for (size_t i = 0; i < view->function_count; i++) {
		struct strbuf name = STRBUF_INIT;

		add_name(&name, view->functions[i].name);
		if (view->functions[i].kernel)
			strbuf_addstr(&name, "_[k]");
		folding->names[i] = strbuf_detach(&name, NULL);
	}
}

static void folding_init(struct folding *folding, struct exporting *exporting)
{
	memset(folding, 0, sizeof(*folding));
	folding->exporting = exporting;
	strbuf_init(&folding->line);
	strmap_init(&folding->lines);
	make_names(folding);
}

/* Writes the lines and releases folding. */
static void folding_end(struct folding *folding)
{
	struct exporting *exporting = folding->exporting;

	for (size_t i = 1; i < folding->lines.count; i++) { /* 0 is "" */
		strbuf_addstr(&exporting->out, strmap_text(&folding->lines, (uint32_t)i));
		strbuf_addch(&exporting->out, ' ');
		strbuf_addnum(&exporting->out, folding->amounts[i]);
		strbuf_addch(&exporting->out, '\n');
		export_flush_if_large(exporting);
	}
	for (size_t i = 0; i < exporting->stacks.function_count; i++)
		free(folding->names[i]);
	free(folding->names);
	free(folding->amounts);
	stack_path_release(&folding->path);
	strbuf_release(&folding->line);
	strmap_release(&folding->lines);
}

static void write_folded(struct exporting *exporting)
{
	const struct stack_view *view = &exporting->stacks;
	struct folding folding;

	folding_init(&folding, exporting);
	for (size_t i = 0; i < view->cpu_count; i++) {
		begin_line(&folding, view->cpu[i].task, view->cpu[i].stack);
		end_line(&folding, view->cpu[i].count);
	}
	folding_end(&folding);
}

static void write_folded_waits(struct exporting *exporting)
{
	const struct stack_view *view = &exporting->stacks;
	struct strbuf label = STRBUF_INIT;
	struct folding folding;

	folding_init(&folding, exporting);
	for (size_t i = 0; i < view->wait_count; i++) {
		const struct profile_wait *wait = &view->waits[i];

		if (!wait->charged)
			continue;
		begin_line(&folding, wait->task, wait->stack);
		strbuf_reset(&label);
		label_wait(view->profile, wait->reason, wait->file, &label);
		strbuf_addstr(&folding.line, ";(");
		add_name(&folding.line, label.text);
		strbuf_addch(&folding.line, ')');
		end_line(&folding, wait->charged);
	}
	strbuf_release(&label);
	folding_end(&folding);
}

const struct export_form folded_form = { "folded", "folded stacks of CPU samples for flame graphs",
					 EXPORT_STACKS, write_folded };
const struct export_form folded_waits_form = { "folded-waits",
					       "folded stacks of waits, in ns, for flame graphs",
					       EXPORT_STACKS, write_folded_waits };
