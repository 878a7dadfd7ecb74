/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector that does what its test requests and returns the result. Register 0
 * says what to do, registers 1 and 2 are numeric arguments, module and transaction
 * are text arguments. The result is in base and size, and in id as text.
 */
#include <vigil/collector.h>

#include <stdio.h>
#include <string.h>

enum question {
	ASK_AREA,
	ASK_READ,
	ASK_TEXT,
	ASK_MAPPING,
	ASK_MAPPING_NAMED,
	ASK_SYMBOL,
	ASK_SYMBOL_ADDRESS,
	ASK_ARGUMENT,
	ASK_VARIABLE,
	ASK_MESSAGE,
	ASK_PLACES,
	ASK_OUTCOME,
	ASK_RUBBISH,
};

static char text[8192];

static void say_mapping(struct vigil_communication *area, int result,
			const struct vigil_mapping *mapping)
{
	area->base = (uint64_t)result;
	if (result == 0)
		snprintf(text, sizeof(text), "%lx-%lx %lx %x %s", mapping->start, mapping->end,
			 mapping->offset, mapping->protection, mapping->path);
	area->id = text;
}

/*
 * Returns the communication area as it was on entry. Changes made to it must be
 * gone at the next call.
 */
static void say_area(struct vigil_communication *area)
{
	unsigned char *work = area->work_area;
	int used = 0;

	for (size_t i = 0; i < VIGIL_WORK_AREA; i++)
		used += work[i] != 0;
	snprintf(text, sizeof(text),
		 "module %s transaction %s id %s places %d/%zu level %u anchor %ld work %d "
		 "parameter %s program %s state %u flags %u frames %zu stack %zu version %u",
		 area->module ? area->module : "none",
		 area->transaction ? area->transaction : "none", area->id ? area->id : "none",
		 area->places != NULL, area->place_count, area->level, (long)area->anchor, used,
		 area->parameter, area->task->program, area->task->state, area->task->flags,
		 area->task->frame_count, area->task->stack_size, area->access->version);
	memset(work, 0xff, VIGIL_WORK_AREA);
	area->anchor = (char *)area->anchor + 1;
	area->id = text;
}

static void say_places(struct vigil_communication *area)
{
	static struct vigil_place places[100];
	static char names[100][32];

	for (int i = 0; i < 100; i++) {
		snprintf(names[i], sizeof(names[i]), "PROCEDURE-%d", i);
		places[i] = (struct vigil_place){ i ? "OUTER" : NULL, "SECTION", names[i],
						  text + i % 2, 10 };
	}
	memset(text, 'f', sizeof(text));
	text[area->task->registers[2]] = '\0';
	area->places = places;
	area->place_count = area->task->registers[1];
	area->level = 1;
}

/* Stores an address in one of the area's pointers; register 1 selects it. */
static void give_address(struct vigil_communication *area, uint64_t address)
{
	static struct vigil_place place;

	switch (area->task->registers[1]) {
	case 0:
		area->module = (const char *)address;
		break;
	case 1:
		area->transaction = (const char *)address;
		break;
	case 2:
		area->id = (const char *)address;
		break;
	case 3:
		area->places = (const struct vigil_place *)address;
		area->place_count = 3;
		break;
	default:
		place.procedure = (const char *)address;
		area->places = &place;
		area->place_count = 1;
	}
}

static enum vigil_outcome ask(struct vigil_communication *area)
{
	const uint64_t *registers = area->task->registers;
	struct vigil_mapping mapping;
	struct vigil_symbol symbol;
	const char *found;

	text[0] = '\0';
	switch (registers[0]) {
	case ASK_AREA:
		say_area(area);
		break;
	case ASK_READ:
		area->base = vigil_read(area, registers[1], text, registers[2]);
		memcpy(&area->size, text, sizeof(area->size));
		break;
	case ASK_TEXT:
		area->base = (uint64_t)vigil_text(area, registers[1], text, registers[2]);
		area->id = text;
		break;
	case ASK_MAPPING:
		say_mapping(area, vigil_mapping_at(area, registers[1], &mapping), &mapping);
		break;
	case ASK_MAPPING_NAMED:
		say_mapping(area, vigil_mapping_named(area, area->module, &mapping), &mapping);
		break;
	case ASK_SYMBOL:
		area->base = (uint64_t)vigil_symbol_at(area, registers[1], &symbol);
		if (area->base == 0) {
			area->size = symbol.size;
			snprintf(text, sizeof(text), "%s %lx %s", symbol.name, symbol.start,
				 symbol.object);
		}
		area->id = text;
		break;
	case ASK_SYMBOL_ADDRESS:
		area->base = vigil_symbol_address(area, area->module, area->transaction);
		break;
	case ASK_ARGUMENT:
	case ASK_VARIABLE:
		found = registers[0] == ASK_ARGUMENT ? vigil_argument(area, registers[1])
						     : vigil_variable(area, area->transaction);
		area->id = found ? found : "(none)";
		break;
	case ASK_MESSAGE:
		for (uint64_t i = 0; i < registers[1]; i++) {
			snprintf(text, sizeof(text), "message %lu", i + 1);
			vigil_message(area, text);
		}
		break;
	case ASK_PLACES:
		say_places(area);
		break;
	case ASK_OUTCOME:
		return (enum vigil_outcome)registers[1];
	case ASK_RUBBISH:
		give_address(area, registers[2]);
		break;
	}
	return VIGIL_DONE;
}

static const struct vigil_pseudo_section sections[] = {
	{ "TESTLIB", "ABC" },
	{ ".TESTLIB", "DEFGH" },
	{ NULL, NULL },
};
static const char *const programs[] = { "MYPROG", "OUR*", VIGIL_ALWAYS, NULL };

VIGIL_COLLECTOR("STRBASK", "G-01", VIGIL_HOLD, sections, programs, ask);
VIGIL_COLLECTOR_ALIASES("OURP YOUR");
