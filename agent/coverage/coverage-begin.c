/* SPDX-License-Identifier: Apache-2.0 */
/* Begins coverage when a process begins, and when it starts collecting. */
#include "agent/coverage/coverage-agent.h"
#include "agent/agent-next.h"
#include "agent/transaction-write.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

AGENT_VISIBLE pid_t fork(void);
AGENT_VISIBLE int vigil_start(void);

static pid_t (*next_fork)(void);

/* Returns whether a debugger traces the process; it would take the breakpoints for its own. */
static bool is_traced(void)
{
	static const char word[] = "\nTracerPid:\t";
	char text[1024];
	const char *at;
	ssize_t length;
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length > 0 ? length : 0] = '\0';
	at = strstr(text, word);
	return at && at[sizeof(word) - 1] != '0';
}

/* Returns a variable of the environment; the C library is not initialized yet. */
static const char *find_variable(char *const *environment, const char *name)
{
	size_t length = strlen(name);

	for (; environment && *environment; environment++)
		if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
			return *environment + length + 1;
	return NULL;
}

__attribute__((constructor)) static void find_area(int count UNUSED, char **arguments UNUSED,
						   char **environment)
{
	const char *value = find_variable(environment, "VIGIL_COVERAGE");
	const char *word = find_variable(environment, "VIGIL_TRANSACTIONS");

	if (!COVERAGE_BREAK_SIZE || !value || !*value || !coverage_find_area(value))
		return;
	__atomic_fetch_add(&coverage_area->processes, 1, __ATOMIC_RELAXED);
	if (is_traced()) {
		__atomic_fetch_add(&coverage_area->traced, 1, __ATOMIC_RELAXED);
		coverage_area = NULL;
		return;
	}
	if (word && *word)
		coverage_transactions = transaction_map(word);
	coverage_process_begin();
	coverage_signals_begin(coverage_trap);
	coverage_scan_begin();
	coverage_watch_loader();
}

pid_t fork(void)
{
	agent_next(&next_fork, "fork");
	/* Saves the child the breakpoints at places that other processes have marked. */
	if (coverage_area)
		coverage_sweep();
	return next_fork();
}

/* Interposes on libvigil's function: a process that starts collecting is covered from here on. */
int vigil_start(void)
{
	int (*next)(void) = NULL;
	int result = coverage_transactions != NULL;

	if (agent_next(&next, "vigil_start"))
		result = next();
	else if (coverage_transactions)
		transaction_switch(coverage_transactions, true, (uint32_t)getpid(),
				   (uint32_t)syscall(SYS_gettid));
	if (coverage_area)
		coverage_plant_all();
	return result;
}
