/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests collectors without a session: test-drive COLLECTOR.so PID COUNT SIGNAL
 * stops a process COUNT times, calls the collector for its first thread and prints
 * the stack it reports, one line each time: the outcome, then the places,
 * innermost first, as " | MODULE SECTION PROCEDURE LINE FILE" with tabs. After
 * each stop the process is continued with SIGNAL, so that it reports its own
 * position (except after TORN: then it may not know it either). SIGNAL 0: the
 * process stops itself; -1: it is looked at while it runs. The cost of the calls
 * goes to standard error.
 *
 * test-drive COLLECTOR.so PID COUNT step PATTERN FUNCTION calls the collector at each
 * of the first instructions of a function, of the object whose name matches PATTERN.
 * Before the function begins, the stack below it is made what a signal's handler may
 * leave there.
 */
#include "common/compat.h"
#include "vigil/collector.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static struct target {
	pid_t pid;
	int memory;
	char program[VIGIL_NAME_MAX + 1];
	char path[4096]; /* of the mapping found last */
} target;

static size_t drive_read(const struct vigil_task *task, uint64_t address, void *buffer, size_t size)
{
	ssize_t got = pread(target.memory, buffer, size, (off_t)address);

	(void)task;
	return got < 0 ? 0 : (size_t)got;
}

static int drive_text(const struct vigil_task *task, uint64_t address, char *buffer, size_t size)
{
	size_t length = 0;

	while (length + 1 < size) {
		if (drive_read(task, address + length, buffer + length, 1) != 1) {
			buffer[0] = '\0';
			return -1;
		}
		if (!buffer[length])
			return (int)length;
		length++;
	}
	buffer[length] = '\0';
	return (int)length;
}

/*
 * Finds the first mapping that contains address or, if address is 0, whose file
 * name matches pattern.
 */
static int find_mapping(uint64_t address, const char *pattern, struct vigil_mapping *mapping)
{
	char name[64], line[4400];
	FILE *stream;
	int found = -1;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)target.pid);
	stream = fopen(name, "re");
	while (stream && found && fgets(line, sizeof(line), stream)) {
		char permissions[5], *slash;
		int at = 0;

		sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &mapping->start,
		       &mapping->end, permissions, &mapping->offset, &at);
		line[strcspn(line, "\n")] = '\0';
		snprintf(target.path, sizeof(target.path), "%s", line + at);
		slash = strrchr(target.path, '/');
		mapping->protection = (permissions[0] == 'r' ? PROT_READ : 0u) |
				      (permissions[1] == 'w' ? PROT_WRITE : 0u) |
				      (permissions[2] == 'x' ? PROT_EXEC : 0u);
		mapping->path = target.path;
		if (address ? mapping->start <= address && address < mapping->end
			    : slash && (!pattern || !fnmatch(pattern, slash + 1, 0)))
			found = 0;
	}
	if (stream)
		fclose(stream);
	return found;
}

static int drive_mapping(const struct vigil_task *task, uint64_t address,
			 struct vigil_mapping *mapping)
{
	(void)task;
	return find_mapping(address, NULL, mapping);
}

static int drive_mapping_named(const struct vigil_task *task, const char *pattern,
			       struct vigil_mapping *mapping)
{
	(void)task;
	return find_mapping(0, pattern, mapping);
}

static int drive_symbol(const struct vigil_task *task, uint64_t address,
			struct vigil_symbol *symbol)
{
	(void)task;
	(void)address;
	(void)symbol;
	return -1;
}

/*
 * Returns the value of a symbol in an open ELF file, 0: not found; *low becomes
 * the file's lowest address.
 */
static uint64_t symbol_value(Elf *elf, const char *name, uint64_t *low)
{
	Elf_Scn *section = NULL;
	size_t headers = 0;
	GElf_Shdr header;
	GElf_Phdr segment;

	elf_getphdrnum(elf, &headers);
	for (size_t i = headers; i-- > 0;)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD)
			*low = segment.p_vaddr & ~UINT64_C(0xfff);
	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Sym symbol;

		gelf_getshdr(section, &header);
		if (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
			if (symbol.st_value &&
			    !strcmp(elf_strptr(elf, header.sh_link, symbol.st_name), name))
				return symbol.st_value;
	}
	return 0;
}

static uint64_t drive_symbol_address(const struct vigil_task *task, const char *pattern,
				     const char *name)
{
	struct vigil_mapping mapping;
	uint64_t value, low = 0;
	Elf *elf;
	int fd;

	(void)task;
	RETURN_IF(find_mapping(0, pattern, &mapping), 0);
	fd = open(mapping.path, O_RDONLY | O_CLOEXEC);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	value = elf ? symbol_value(elf, name, &low) : 0;
	elf_end(elf);
	close(fd);
	return value ? value - low + mapping.start : 0;
}

static const char *drive_argument(const struct vigil_task *task, size_t number)
{
	(void)task;
	(void)number;
	return NULL;
}

static const char *drive_variable(const struct vigil_task *task, const char *name)
{
	(void)task;
	(void)name;
	return NULL;
}

static void drive_message(const struct vigil_task *task, const char *text)
{
	(void)task;
	fprintf(stderr, "message: %s\n", text);
}

static const struct vigil_access drive_access = {
	.version = VIGIL_COLLECTOR_VERSION,
	.read = drive_read,
	.text = drive_text,
	.mapping = drive_mapping,
	.mapping_named = drive_mapping_named,
	.symbol = drive_symbol,
	.symbol_address = drive_symbol_address,
	.argument = drive_argument,
	.variable = drive_variable,
	.message = drive_message,
};

/*
 * Reads the text of the line of /proc/PID/status that begins with name; "" if the
 * process has ended.
 */
static void status_line(const char *name, char *value, size_t size)
{
	char path[64], line[512];
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)target.pid);
	stream = fopen(path, "re");
	value[0] = '\0';
	while (stream && fgets(line, sizeof(line), stream))
		if (!strncmp(line, name, strlen(name)))
			snprintf(value, size, "%s", line + strlen(name));
	if (stream)
		fclose(stream);
}

/* Waits until the process is stopped; returns false if it has ended. */
static bool wait_stopped(void)
{
	char state[64];

	for (;;) {
		status_line("State:\t", state, sizeof(state));
		if (state[0] == 'T')
			return true;
		if (!state[0] || state[0] == 'Z' || state[0] == 'X')
			return false;
		usleep(20);
	}
}

/* Continues the process; with a signal that it receives before anything else. */
static void let_go(int number)
{
	char pending[64];

	if (number)
		kill(target.pid, number);
	kill(target.pid, SIGCONT);
	do {
		status_line("ShdPnd:\t", pending, sizeof(pending));
		if (number)
			usleep(20);
	} while (number && strtoull(pending, NULL, 16) >> (number - 1) & 1);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Calls the collector once and prints its answer; adds the cost to *spent. */
static enum vigil_outcome call(const struct vigil_collector *collector, void **anchor,
			       uint64_t *spent)
{
	static const char *const outcomes[] = { "DONE", "NOT MINE", "TORN" };
	static uint64_t work_area[VIGIL_WORK_AREA / sizeof(uint64_t)];
	struct vigil_task task = {
		.pid = target.pid,
		.tid = target.pid,
		.state = VIGIL_EXECUTING,
		.flags = VIGIL_HELD,
		.generation = 1,
		.program = target.program,
	};
	struct vigil_communication area = {
		.task = &task,
		.anchor = *anchor,
		.work_area = work_area,
		.parameter = "",
		.access = &drive_access,
	};
	uint64_t begin = now();
	enum vigil_outcome outcome = collector->entry(&area);

	*spent += now() - begin;
	*anchor = area.anchor;
	fputs(outcomes[outcome], stdout);
	for (size_t i = 0; i < area.place_count; i++) {
		const struct vigil_place *place = &area.places[i];

		fprintf(stdout, " | %s\t%s\t%s\t%u\t%s", place->module, place->section,
			place->procedure, place->line, place->file ? place->file : "");
	}
	fputs("\n", stdout);
	return outcome;
}

#ifdef __x86_64__

/* Instructions of a function that are looked at, and the bytes below it that are written. */
#define STEPS 64
#define BELOW 2048

/*
 * What is written to the stack: nothing; zero at each second word; at each word; at each
 * second one, and at the others the address of what is no frame.
 */
enum { BELOW_AS_IS, BELOW_SOME, BELOW_ALL, BELOW_NO_FRAME, BELOW_KINDS };
/* The place below of what is no frame, and of a word in it that holds flags: those of no version. */
#define NO_FRAME 512
#define NO_FRAME_FLAGS (NO_FRAME + 64)

static void write_below(uint64_t stack, int kind)
{
	uint64_t words[BELOW / sizeof(uint64_t)];
	off_t at = (off_t)(stack & ~UINT64_C(15)) - BELOW;

	if (kind == BELOW_AS_IS || pread(target.memory, words, sizeof(words), at) != sizeof(words))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(words); i += kind == BELOW_SOME ? 2 : 1)
		words[i] = kind == BELOW_NO_FRAME && i % 2 ? (uint64_t)at + NO_FRAME : 0;
	if (kind == BELOW_NO_FRAME)
		words[NO_FRAME_FLAGS / sizeof(*words)] = UINT64_MAX << 32;
	if (pwrite(target.memory, words, sizeof(words), at) != sizeof(words))
		perror("write");
}

static bool resume(int request)
{
	int status;

	return ptrace(request, target.pid, 0, 0) == 0 && waitpid(target.pid, &status, __WALL) == target.pid &&
	       WIFSTOPPED(status);
}

/* Lets the process come to an address; returns its stack pointer, 0 if it has ended. */
static uint64_t come_to(uint64_t address)
{
	struct user_regs_struct registers;
	long code = ptrace(PTRACE_PEEKTEXT, target.pid, address, 0);

	ptrace(PTRACE_POKETEXT, target.pid, address, (code & ~0xffL) | 0xcc);
	RETURN_IF(!resume(PTRACE_CONT), 0);
	ptrace(PTRACE_POKETEXT, target.pid, address, code);
	ptrace(PTRACE_GETREGS, target.pid, 0, &registers);
	registers.rip = address;
	ptrace(PTRACE_SETREGS, target.pid, 0, &registers);
	return registers.rsp;
}

/* Calls the collector count times in the beginning of a function. Returns how often it did. */
static int step(const struct vigil_collector *collector, int count, uint64_t function, uint64_t *spent)
{
	void *anchor = NULL;
	int done = 0, status;

	RETURN_IF(!function || ptrace(PTRACE_ATTACH, target.pid, 0, 0) || waitpid(target.pid, &status, __WALL) < 0, 0);
	for (int round = 0; done < count; round++) {
		uint64_t stack = come_to(function);

		RETURN_IF(!stack, done);
		write_below(stack, round % BELOW_KINDS);
		for (int i = 0; i < STEPS && done < count; i++, done++) {
			call(collector, &anchor, spent);
			RETURN_IF(!resume(PTRACE_SINGLESTEP), done);
		}
	}
	ptrace(PTRACE_DETACH, target.pid, 0, 0);
	return done;
}

#else
static int step(const struct vigil_collector *collector, int count, uint64_t function, uint64_t *spent)
{
	(void)collector, (void)count, (void)function, (void)spent;
	return 0;
}
#endif

int main(int argc, char **argv)
{
	const struct vigil_collector *collector;
	void *anchor = NULL, *object;
	uint64_t spent = 0;
	char path[64];
	enum vigil_outcome outcome;
	int count, number, done;

	if ((argc != 5 && argc != 7) || !(object = dlopen(argv[1], RTLD_NOW)) ||
	    !(collector = dlsym(object, "vigil_collector"))) {
		fprintf(stderr, "usage: test-drive COLLECTOR.so PID COUNT SIGNAL|step PATTERN FUNCTION\n");
		return 2;
	}
	elf_version(EV_CURRENT);
	target.pid = atoi(argv[2]);
	count = atoi(argv[3]);
	number = atoi(argv[4]);
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)target.pid);
	target.memory = open(path, (argc == 7 ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	status_line("Name:\t", target.program, sizeof(target.program));
	target.program[strcspn(target.program, "\n")] = '\0';
	if (argc == 7)
		done = step(collector, count, drive_symbol_address(NULL, argv[5], argv[6]), &spent);
	else
		done = 0;
	for (; argc == 5 && done < count; done++) {
		if (number)
			usleep((useconds_t)(random() % 200));
		if (number > 0)
			kill(target.pid, SIGSTOP);
		if (number >= 0 && !wait_stopped())
			break;
		outcome = call(collector, &anchor, &spent);
		if (number >= 0)
			let_go(outcome == VIGIL_TORN ? 0 : number);
	}
	fprintf(stderr, "%d calls, %.1f us each\n", done, done ? (double)spent / done / 1e3 : 0);
	return 0;
}
