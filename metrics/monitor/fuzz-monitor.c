/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads arbitrary bytes as monitor data: a fuzz target. After a byte 'R' they are
 * a whole file; otherwise they are frames, to which a control record is added.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "engine/engine.h"
#include "metrics/monitor/monitor.h"
#include "metrics/outputs.h"
#include "records/record-types.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Appends a control record for bytes of frames. */
static void add_control(struct strbuf *file, size_t size)
{
	unsigned char page[MONITOR_PAGE] = { 0 };
	unsigned char *entry = page + MWTBK_ENTRIES;

	monitor_put(page + MWTBK_FIRST, 4, 0x1000);
	monitor_put(page + MWTBK_LAST, 4, 0x1000 + MWTBK_ENTRY - 1);
	entry[0] = size % 2 ? MWTBK_EVENT : MWTBK_SAMPLE;
	monitor_put(entry + MWTBK_DOMAINS, 2, 0x4000);
	monitor_put(entry + MWTBK_START, 4, 0x2000);
	monitor_put(entry + MWTBK_END, 4, 0x2000 + size - 1);
	strbuf_add(file, page, sizeof(page));
}

static void ignore(void *argument, uint64_t offset, const char *text)
{
	uint64_t *sum = argument;

	*sum += offset + strlen(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf file = STRBUF_INIT;
	struct engine *engine = engine_new(&session_records);
	uint64_t sum = 0;
	struct monitor_input input = { .damage = ignore, .damage_argument = &sum };
	struct json_lines json = { .stream = fopen("/dev/null", "w") };

	if (size && data[0] == 'R') {
		strbuf_add(&file, data + 1, size - 1);
	} else {
		add_control(&file, size < 20 ? 20 : size);
		strbuf_add(&file, data, size);
		strbuf_addchars(&file, '\0', MONITOR_PAGE - size % MONITOR_PAGE);
	}
	input.path = test_input(0, file.text, file.length);
	if (json.stream && engine_add(engine, &monitor_input_class, &input, NULL) &&
	    engine_add(engine, &json_lines_class, &json, NULL))
		engine_extract(engine, NULL);
	engine_free(engine);
	if (json.stream)
		fclose(json.stream);
	strbuf_release(&file);
	return 0;
}
