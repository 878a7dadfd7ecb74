/* SPDX-License-Identifier: Apache-2.0 */
/* Passes on the library that stores return codes above 255. */
#include "common/compat.h"
#include "utilities/preload.h"
#include "common/strbuf.h"

#include <unistd.h>

void preload_pass_on(void)
{
	const char *library = getenv("VIGIL_PRELOAD"), *own = getenv("LD_PRELOAD");
	struct strbuf value = STRBUF_INIT;

	if (!library)
		return;
	strbuf_addf(&value, "%s%s%s", library, own ? ":" : "", own ? own : "");
	setenv("LD_PRELOAD", value.text, 1);
	unsetenv("VIGIL_PRELOAD");
	strbuf_release(&value);
}

void preload_store_code(const char *text)
{
	const char *path = getenv("VIGIL_STEP_RC"), *step = getenv("VIGIL_STEP_PID");
	FILE *file;

	if (!path || !step || strtol(step, NULL, 10) != getpid())
		return;
	file = fopen(path, "we");
	if (!file)
		return;
	fprintf(file, "%s\n", text);
	fclose(file);
}
