/* SPDX-License-Identifier: Apache-2.0 */
/* vigil watch: executes the requests that wait for programs. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "session/commands/signals.h"
#include "session/store/request-store.h"
#include "session/watch/watching.h"

#include <stdlib.h>

#define AT_MOST_DEFAULT 8
#define AT_MOST_MAX 1000

static const char *store, *root, *output;
static uint64_t at_most = OPTION_NOT_GIVEN;
static bool by_list;

static const struct command_option *watch_options(void)
{
	static const struct command_option options[] = {
		{ "requests", 0, OPTION_STRING, "DIR",
		  "the request store; default VIGIL_REQUESTS, then ROOT.requests", &store },
		{ "root", 0, OPTION_STRING, "DIR",
		  "folder of the data sets; the store is next to it; default VIGIL_ROOT, then "
		  "./data",
		  &root },
		{ "output", 'o', OPTION_STRING, "DIR",
		  "folder of the sample data sets; default profiles in the store", &output },
		{ "at-most", 0, OPTION_NUMBER, "N", "sessions at once on this machine; default 8",
		  &at_most },
		{ "proc", 0, OPTION_FLAG, NULL,
		  "find programs by scanning /proc, even if the kernel reports them",
		  &by_list },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int next_signal(void *argument UNUSED)
{
	bool from_terminal;

	return signals_take(&from_terminal);
}

static void leave(void *argument UNUSED)
{
	signals_restore();
}

static int watch_main(int argc, char **argv)
{
	const char *data = root ? root : getenv("VIGIL_ROOT");
	struct watching watching = {
		.folder = output,
		.at_most = at_most == OPTION_NOT_GIVEN ? AT_MOST_DEFAULT : (unsigned)at_most,
		.by_list = by_list,
		.sink = &command_messages,
		.signal = next_signal,
		.leave = leave,
	};
	char *folder;

	if (argc)
		return command_fail(EXIT_USAGE, "watch takes no operand, so not '%s'", argv[0]);
	if (at_most != OPTION_NOT_GIVEN && (at_most < 1 || at_most > AT_MOST_MAX))
		return command_fail(EXIT_USAGE, "--at-most takes 1 to %d", AT_MOST_MAX);
	if (root && setenv("VIGIL_ROOT", root, 1) < 0)
		return command_fail(EXIT_USAGE, "--root %s cannot be used", root);
	folder = request_store_folder(store, data && *data ? data : "data");
	watching.store = folder;
	signals_catch();
	watching_run(&watching);
	free(folder);
	return EXIT_OK;
}

const struct command watch_command = {
	.name = "watch",
	.arguments = "",
	.summary = "Measures the programs that requests of a store wait for",
	.options = watch_options,
	.run = watch_main,
};
