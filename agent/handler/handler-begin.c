/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads the event handler before main, and raises the events of a process's
 * beginning: external entry, enclave, thread, initial thread.
 *
 * VIGIL_HANDLER is the path of CEEEVPRF.so, VIGIL_HANDLER_STRING the string of
 * PROFILE. main is replaced just before the C library calls it: libraries and the
 * program's constructors are initialized by then.
 */
#include "agent/agent-text.h"
#include "agent/handler/handler.h"
#include "agent/agent-next.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *program, int argc, char **argv, void (*init)(void),
			   void (*fini)(void), void (*loader_fini)(void), void *stack_end);

AGENT_VISIBLE start_function __libc_start_main;

static main_function *program_main;
static struct vigil_inpl inpl;
static struct vigil_string string;

/* Reports why there will be no events. */
static void refuse(const char *path, const char *why)
{
	char memory[1024];
	struct agent_text text = agent_text_in(memory, sizeof(memory) - 1);

	agent_text_add(&text, "VIG6603E event handler ");
	agent_text_add(&text, path);
	agent_text_add(&text, " cannot be loaded: ");
	agent_text_add(&text, why);
	if (!text.truncated)
		agent_text_add(&text, "; the program continues without it");
	memory[text.length++] = '\n';
	agent_write_error(&text);
}

static vigil_event_handler *load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *found = NULL;
	vigil_event_handler *entry;
	const char *why;

	if (library)
		found = dlsym(library, "CEEEVPRF");
	if (!found) {
		why = dlerror();
		refuse(path, why ? why : "it has no CEEEVPRF");
	}
	memcpy(&entry, &found, sizeof(entry));
	return entry;
}

/* Stores the handler's string with its length; it is short enough (session/job/run-options.c). */
static void take_string(const char *text)
{
	for (size_t i = 0; text && text[i] && i < sizeof(string.text) - 1; i++) {
		string.text[i] = text[i];
		string.length = (uint16_t)(i + 1);
	}
}

/*
 * Returns whether a process has this library loaded: then it is one of the step's,
 * whose events are raised, too.
 */
static bool has_handler(const char *maps)
{
	static const char library[] = "/vigil-handler.so";
	char bytes[4097];
	size_t kept = 0, overlap = sizeof(library) - 2;
	int fd = open(maps, O_RDONLY | O_CLOEXEC);
	bool found = false;
	ssize_t count;

	if (fd < 0)
		return false;
	while (!found && (count = read(fd, bytes + kept, sizeof(bytes) - 1 - kept)) > 0) {
		kept += (size_t)count;
		bytes[kept] = '\0';
		found = strstr(bytes, library) != NULL;
		if (kept > overlap) {
			memmove(bytes, bytes + kept - overlap, overlap);
			kept = overlap;
		}
	}
	close(fd);
	return found;
}

/*
 * Returns the enclave that created this one: the parent, if it is a program of the
 * step; else NULL.
 */
static struct vigil_edb *find_creator(void)
{
	static char program[PATH_MAX];
	static struct vigil_edb creator;
	char memory[40];
	struct agent_text path = agent_text_in(memory, sizeof(memory));
	size_t folder;
	ssize_t length;

	creator.process = getppid();
	agent_text_add(&path, "/proc/");
	agent_text_number(&path, (uint64_t)creator.process, 0);
	folder = path.length;
	agent_text_add(&path, "/maps");
	if (!has_handler(path.text))
		return NULL;
	path.length = folder;
	agent_text_add(&path, "/exe");
	length = readlink(path.text, program, sizeof(program) - 1);
	program[length > 0 ? length : 0] = '\0';
	creator.program = length > 0 ? program : NULL;
	return &creator;
}

static void raise_beginning(void)
{
	struct vigil_dsa dsa = { (uint64_t)(uintptr_t)__builtin_frame_address(0), NULL },
			 *requestor = &dsa;
	int32_t format = 0;
	uint64_t thread = (uint64_t)pthread_self(), stack = handler_default_stack();
	struct vigil_edb *creator = find_creator();
	void *none = NULL;

	handler_event(VIGIL_EXTERNAL_ENTRY,
		      &(struct handler_parameters){ { &requestor, &string, &inpl, &format } });
	handler_event(VIGIL_ENCLAVE_INIT, &(struct handler_parameters){ { &creator } });
	handler_event(VIGIL_THREAD_INIT, &(struct handler_parameters){ { &none } });
	handler_event(VIGIL_INITIAL_THREAD_CREATE,
		      &(struct handler_parameters){ { &thread, NULL, &stack } });
}

static void at_exit(int status UNUSED, void *argument UNUSED)
{
	handler_end();
}

static void before_fork(void)
{
	uint64_t thread = (uint64_t)pthread_self();

	handler_event(VIGIL_FORK_IMMINENT, &(struct handler_parameters){ { &thread } });
}

static void in_parent(void)
{
	handler_event(VIGIL_IN_PARENT, NULL);
}

static void in_child(void)
{
	handler_forked();
	handler_event(VIGIL_IN_CHILD, NULL);
}

static int main_with_handler(int argc, char **argv, char **environment)
{
	const char *path = secure_getenv("VIGIL_HANDLER");
	vigil_event_handler *entry = path && path[0] == '/' ? load(path) : NULL;

	if (entry) {
		inpl = (struct vigil_inpl){ (uint64_t)(uintptr_t)program_main, argc, argv,
					    environment };
		take_string(secure_getenv("VIGIL_HANDLER_STRING"));
		on_exit(at_exit, NULL);
		pthread_atfork(before_fork, in_parent, in_child);
		handler_start(entry, &inpl);
		handler_watch_conditions();
		raise_beginning();
	}
	return program_main(argc, argv, environment);
}

int __libc_start_main(main_function *program, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
	static start_function *next;

	agent_next(&next, "__libc_start_main");
	program_main = program;
	return next(main_with_handler, argc, argv, init, fini, loader_fini, stack_end);
}
