/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a GnuCOBOL module (name.so or name, from "cobc -m") as the main program of
 * a step. Its linkage section gets PARM as on a mainframe: a halfword with the
 * length, big endian, then the text. The same text is its command line.
 *
 * The run time is loaded dynamically, so that vigil can be built and used without
 * it.
 */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/signs.h"
#include "utilities/cobol/cobc.h"

#include <dlfcn.h>
#include <libgen.h>

#define CANNOT_RUN 127

struct runtime {
	void (*init)(int argc, char **argv);
	void *(*resolve)(const char *name);
	const char *(*error)(void);
	void (*stop_run)(int status);
};

static int load_runtime(struct runtime *runtime)
{
	static const char *const names[] = { "libcob.so.4", "libcob.so.5", "libcob.so.1",
					     "libcob.so" };
	void *library = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
	RETURN_IF(!library, -1);
	*(void **)&runtime->init = dlsym(library, "cob_init");
	*(void **)&runtime->resolve = dlsym(library, "cob_resolve");
	*(void **)&runtime->error = dlsym(library, "cob_resolve_error");
	*(void **)&runtime->stop_run = dlsym(library, "cob_stop_run");
	return runtime->init && runtime->resolve && runtime->stop_run ? 0 : -1;
}

/*
 * Returns the program's name and puts its folder first in the search path: PAYCALC
 * for "/lib/PAYCALC.so" or "/lib/PAYCALC".
 */
static char *program_name(const char *path)
{
	char *copy = xstrdup(path), *folder = xstrdup(path);
	const char *own = getenv("COB_LIBRARY_PATH");
	struct strbuf search = STRBUF_INIT;
	char *name = xstrdup(basename(copy)), *dot = strrchr(name, '.');

	if (dot)
		*dot = '\0';
	strbuf_addf(&search, "%s%s%s", dirname(folder), own ? ":" : "", own ? own : "");
	setenv("COB_LIBRARY_PATH", search.text, 1);
	strbuf_release(&search);
	free(copy);
	free(folder);
	return name;
}

/* Returns the length in two bytes, followed by the text. */
static void *parm_area(const char *text)
{
	size_t length = strlen(text);
	unsigned char *area = xcalloc(1, length + 3);

	area[0] = (unsigned char)(length >> 8);
	area[1] = (unsigned char)length;
	memcpy(area + 2, text, length);
	return area;
}

/*
 * Warns of a module whose programs were compiled for another kind of sign than the
 * site's (signs.h). A module that no compile procedure made records no kind.
 */
static void check_signs(void *module, const char *path)
{
	enum sign_kind rule = signs_rule(), other = rule == SIGN_ASCII ? SIGN_EBCDIC : SIGN_ASCII;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, SIGN_SYMBOL "%s", signs_name(other));
	if (module && dlsym(module, text.text)) {
		strbuf_reset(&text);
		strbuf_addf(&text,
			    "VIG5532W COBOL: %s was compiled for %s signs; the rule is %s: it "
			    "misreads the %s signs of zoned numbers",
			    path, signs_name(other), signs_name(rule), signs_name(rule));
		diag_escape(&text, 0);
		fprintf(stderr, "%s\n", text.text);
	}
	strbuf_release(&text);
}

/* Loads the libraries of a list in their order, before the run time. */
static void load_before(const char *list)
{
	struct strbuf path = STRBUF_INIT;

	while (*list) {
		size_t length = strcspn(list, ":");

		strbuf_reset(&path);
		strbuf_add(&path, list, length);
		if (length)
			dlopen(path.text, RTLD_NOW | RTLD_GLOBAL);
		list += length;
		list += *list == ':';
	}
	strbuf_release(&path);
}

int main(int argc, char **argv)
{
	struct runtime runtime;
	int (*entry)(void *area);
	const char *preload;
	char *name;

	if (argc < 2) {
		fprintf(stderr, "usage: cobol-step MODULE [PARM]\n");
		return CANNOT_RUN;
	}
	name = program_name(argv[1]);
	preload = getenv("VIGIL_PRELOAD");
	if (preload)
		load_before(preload);
	if (load_runtime(&runtime) < 0) {
		const char *why = dlerror();

		fprintf(stderr, "VIG5530S COBOL: the run time of GnuCOBOL cannot be loaded: %s\n",
			why ? why : "libcob lacks a function");
		return CANNOT_RUN;
	}
	dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL); /* so that a member's file is found though it
						  * does not end with ".so" */
	runtime.init(argc - 1, argv + 1);
	/*
	 * The run time searches name.so itself; it then finds the functions of what is
	 * already loaded.
	 */
	check_signs(dlopen(argv[1], RTLD_LAZY | RTLD_GLOBAL), argv[1]);
	*(void **)&entry = runtime.resolve(name);
	if (!entry) {
		fprintf(stderr, "VIG5531S COBOL: %s has no program %s: %s\n", argv[1], name,
			runtime.error ? runtime.error() : "");
		return CANNOT_RUN;
	}
	runtime.stop_run(entry(parm_area(argc > 2 ? argv[2] : "")));
	return 0;
}
