/* SPDX-License-Identifier: Apache-2.0 */
/* Builds stacks from the frames of a text, with their names. */
#include "common/compat.h"
#include "session/import/text-stacks.h"
#include "common/hash.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "session/import/imported-names.h"

/* Lowest kernel address. */
#define KERNEL_FIRST UINT64_C(0xffff000000000000)
/* If the text has no address, or two functions at one address, frames get offsets from here on. */
#define OFFSET_MADE (UINT64_C(1) << 45)

void text_stacks_init(struct text_stacks *stacks, struct imported *made)
{
	memset(stacks, 0, sizeof(*stacks));
	stacks->made = made;
	strmap_init(&stacks->keys);
	strmap_init(&stacks->paths);
	idmap_init(&stacks->taken);
}

void text_stacks_release(struct text_stacks *stacks)
{
	strmap_release(&stacks->keys);
	strmap_release(&stacks->paths);
	idmap_release(&stacks->taken);
	free(stacks->frames);
	free(stacks->objects);
}

/* Returns whether a frame belongs to the kernel or a module ("[nf_tables]"). */
static bool is_kernel(const struct text_frame *frame)
{
	static const char *const others[] = { "[vdso]", "[heap]", "[stack]", "[anon]", "[JIT]" };
	const char *object = frame->object;

	if (frame->has_address && frame->address >= KERNEL_FIRST)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strncmp(object, others[i], strlen(others[i])) == 0)
			return false;
	return object[0] == '[' || strcmp(path_base(object), "vmlinux") == 0;
}

/* Returns the object of a frame. */
static struct object *object_of(struct text_stacks *stacks, const struct text_frame *frame)
{
	struct object_list *list = &stacks->made->objects.list;
	size_t known = stacks->paths.count, number;

	if (is_kernel(frame))
		return object_for_kind(list, OBJECT_KERNEL, 0, 0, 0);
	if (!*frame->object)
		return object_for_kind(list, OBJECT_UNKNOWN, 0, 0, 0);
	if (strcmp(frame->object, "[vdso]") == 0)
		return object_for_kind(list, OBJECT_VDSO, 0, 0, 0);
	if (frame->object[0] == '[' || strncmp(frame->object, "//", 2) == 0)
		return object_for_memory(list, frame->object);
	number = strmap_put(&stacks->paths, frame->object);
	if (number < known)
		return stacks->objects[number];
	GROW(stacks->objects, number + 1, stacks->object_alloc);
	stacks->objects[number] = object_add_file(list, frame->object, -1, NULL);
	return stacks->objects[number];
}

/* Adds one name of a frame. */
static void add_name(struct text_stacks *stacks, uint32_t frame, size_t depth, uint64_t offset,
		     const struct text_frame *level)
{
	struct imported_file *file = &stacks->made->file;
	struct record_name row = {
		.frame = frame,
		.depth = depth,
		.section = imported_file_string(file, path_base(level->file)),
		.procedure = imported_file_string(file, level->symbol),
		.start = offset >= level->inside ? offset - level->inside : 0,
		.line = level->line,
		.file = imported_file_string(file, level->file),
		.language = imported_file_string(file, ""),
		.text = imported_file_string(file, ""),
	};

	imported_file_add(file, RECORD_NAME, &row);
}

/* Returns an offset that no other frame of the object has. */
static uint64_t free_offset(struct text_stacks *stacks, const struct object *object,
			    const struct text_frame *frame)
{
	uint64_t offset = frame->has_address ? frame->address : OFFSET_MADE + stacks->keys.count, other;

	while (!offset || idmap_get(&stacks->taken, hash_pair(object->id, offset), &other))
		offset = OFFSET_MADE + hash_pair(offset, stacks->keys.count) % OFFSET_MADE;
	idmap_put(&stacks->taken, hash_pair(object->id, offset), 1);
	return offset;
}

/* Returns the frame of count levels, innermost first, of which all but the last were inlined. */
static uint32_t frame_of(struct text_stacks *stacks, const struct text_frame *levels, size_t count,
			 uint32_t pid)
{
	const struct text_frame *function = &levels[count - 1];
	struct object *object = object_of(stacks, function);
	struct strbuf key = STRBUF_INIT;
	size_t known = stacks->keys.count, number;
	uint64_t offset;
	uint32_t frame;

	strbuf_addf(&key, "%" PRIu32 "\n%" PRIx64, object->id, function->address);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&key, "\n%s\n%s:%" PRIu64, levels[i].symbol, levels[i].file, levels[i].line);
	number = strmap_put(&stacks->keys, key.text);
	strbuf_release(&key);
	if (number < known)
		return stacks->frames[number];
	offset = free_offset(stacks, object, function);
	frame = stacks_frame(&stacks->made->stacks, object, offset, (pid_t)pid);
	for (size_t i = 0; i < count; i++)
		if (*levels[i].symbol)
			add_name(stacks, frame, i, offset, &levels[i]);
	GROW(stacks->frames, number + 1, stacks->frame_alloc);
	stacks->frames[number] = frame;
	return frame;
}

/* Returns whether a frame is unmapped: garbage at the end of a walk by frame pointers. */
static bool is_nowhere(const struct text_frame *frame)
{
	return !*frame->symbol && !*frame->object;
}

void text_stacks_sample(struct text_stacks *stacks, const struct text_record *record,
			struct text_stack *found)
{
	const struct text_frame *frames = record->frames;
	size_t count = record->frame_count, last = count;
	uint32_t user = 0;

	*found = (struct text_stack){ .kernel = count && is_kernel(&frames[0]) };
	if (count > UNWIND_MAX_FRAMES)
		last = count = UNWIND_MAX_FRAMES;
	while (count > 1 && is_nowhere(&frames[count - 1]))
		last = --count;
	if (count)
		found->whole = imported_names_is_start(frames[count - 1].symbol);
	for (size_t i = 0; i < count && !found->reason && is_kernel(&frames[i]); i++)
		found->reason = imported_names_reason_of(frames[i].symbol);
	while (last > 0) {
		size_t first = last - 1;

		while (first > 0 && frames[first - 1].inlined)
			first--;
		if (!is_kernel(&frames[last - 1]))
			user = 0;
		else if (!user)
			user = found->stack;
		found->stack = stacks_push(&stacks->made->stacks, found->stack,
					   frame_of(stacks, frames + first, last - first, record->pid));
		last = first;
	}
	found->place = user ? user : found->stack;
}
