#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Events of programs: every one is recorded, once, with its place, however the program continues and ends.

bats_require_minimum_version 1.5.0

load trace
load jobs
load profiler
load waiting
load background
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	block all 'EVENT=ALL' 'STATEMENT=ON'
}

teardown() {
	background_end
}

# calls FLAG...: compiles the program of functions with these flags.
calls() {
	compiled gcc -O1 -g "$@" -o calls "$programs/calls.c" -pthread
}

# hits TYPE PROGRAM [PLACE]: the number of events.
hits() {
	awk -F'\t' -v type="$1" -v program="$2" -v place="$3" \
		'$1 == type && $2 == program && (place == "" || $3 == place) { sum += $5 } END { print sum + 0 }' counts
}

# expect TYPE PROGRAM PLACE HITS
expect() {
	local found
	found=$(hits "$1" "$2" "$3")
	[ "$found" = "$4" ] || {
		echo "$1 $2 $3: $found events, expected $4"
		cat counts errors
		return 1
	}
}

cobol_program() {
	[ -n "$COBC" ] || skip "there is no cobc"
	compiled "$COBC" -x -ftraceall -o EVENTS "$programs/EVENTS.cob"
}

cobol_counts() {
	expect PS EVENTS "" 1
	# STOP RUN leaves it.
	expect PT EVENTS "" 1
	expect PS INNER "" 7
	expect PT INNER "" 7
	expect PR EVENTS "" 7
	expect PP EVENTS WORK-PARAGRAPH 1009
	expect PP EVENTS MAIN-SECTION 1
	expect NS EVENTS ADD 1009
	expect NS EVENTS SUBTRACT 1009
	expect NS EVENTS CALL 7
	expect NS EVENTS 'STOP RUN' 1
	expect NS INNER ADD 7
}

@test "a COBOL program's statements, paragraphs and calls, by number" {
	cobol_program
	events all ./EVENTS
	cobol_counts
	grep -q "^NS	EVENTS	ADD	16	1009$" counts
}

@test "the same program as a step with a block in its DD VIGIL, and its samples beside" {
	cobol_program
	mkdir -p bin
	mv EVENTS bin/
	{
		echo '//EVJOB JOB'
		echo '//S1 EXEC PGM=EVENTS'
		echo '//VIGIL DD *'
		echo '  ADD EVJOB'
		cat all
		echo '/*'
	} >deck.jcl
	vigil submit --steplib bin --spool spool deck.jcl
	profile=$(find spool -name '*.vprf')
	"$VIGIL_BUILD/tests/event-counts" "$profile" >counts
	cobol_counts
}

@test "beside events the samples and waits of the agent are vigil's, not the program's" {
	[ -n "$COBC" ] || skip "there is no cobc"
	echo 'ADD *' | cat - all >add
	cat >loop.cob <<'COB'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LOOP.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 N PIC S9(9) COMP-5 VALUE 0.
       PROCEDURE DIVISION.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 1000000
               CONTINUE
           END-PERFORM.
           STOP RUN.
COB
	"$COBC" -x -ftraceall -o LOOP loop.cob
	VIGIL_PDPSIZE=100 run -0 vigil run --rate 5000 --control add -o loop.vprf -- ./LOOP
	hasnt event_
	hasnt 'waiting, lock'
	vigil report -f csv -r PSU,MEP,PUP,WTM loop.vprf >listed
	# It waits for free space in the pool, by a futex, and has no locks.
	run ! grep '^WTM,reasons,detail,LOCK' listed
	grep -E '^WTM,reasons,detail,(VIGIL|UNKNOWN|DISPATCH DELAY),' listed
	# The kernel has functions with such names, too.
	own='(event_|event-|vigil-(events|step|coverage|handler))'
	run ! grep -E "^(PSU|MEP,procedures_charged,|MEP,statements_charged,).*$own" <(grep -v 'kernel' listed)
	grep -E "^(MEP|PUP).*$own" <(grep -v 'kernel' listed) >agent
	[ -s agent ]
	run ! grep -v ',\.VIGIL,' agent
}

@test "LIMIT beside events suspends sampling: one data set, with every event" {
	cobol_program
	for limit in '(2,QUIT)' '(1,QUIT)' '(2,STOP)'; do
		rm -f ./*.vprf
		{
			# COST: a session that costs too much halves its rate, and the whole step might get fewer
			# samples than that.
			echo "ADD *,SAMPLES=1000,LIMIT=$limit,COST=100"
			cat all
		} >limit
		VIGIL_PDPSIZE=100 run -0 vigil run --rate 5000 --control limit -o events.vprf -- \
			sh -c 'i=0; while [ $i -lt 350000 ]; do i=$((i+1)); done; ./EVENTS'
		has 'events.vprf'
		# The limit is detected at a tick, which on a fully loaded machine is late; what the program uses
		# after it is in a pause.
		[[ $output =~ 'without '[0-9.]+' '[a-z]+' paused' ]]
		[ "$(echo ./*.vprf)" = ./events.vprf ]
		"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
		cobol_counts
		run -0 vigil report -r MSD events.vprf
		[[ $output =~ 'TOTAL SAMPLES TAKEN '\.+' '([0-9,]+) ]]
		[ "${BASH_REMATCH[1]//,/}" -ge 1000 ]
	done
}

@test "a load module, which a driver calls, makes the same events" {
	[ -n "$COBC" ] || skip "there is no cobc"
	mkdir -p bin
	"$COBC" -m -ftraceall -o bin/EVENTS.so "$programs/EVENTS.cob"
	{
		echo '//EVJOB JOB'
		echo '//S1 EXEC PGM=EVENTS'
		echo '//VIGIL DD *'
		cat all
		echo '/*'
	} >deck.jcl
	vigil submit --steplib bin --spool spool deck.jcl
	"$VIGIL_BUILD/tests/event-counts" "$(find spool -name '*.vprf')" >counts
	cobol_counts
}

@test "functions, by three ways of compiling: 500 threads and 200 processes through the smallest pool" {
	for flags in -finstrument-functions "-pg -mfentry" -pg; do
		# shellcheck disable=SC2086
		calls $flags
		VIGIL_PDPSIZE=100 events all ./calls calls 200 500 200
		expect PS main "" 1
		expect PS middle "" 701
		expect PS leaf "" $((501 * 200 + 200 * 2))
		[ "$(awk '$1 == "cpu" { print ($2 > 0 && $2 < 60000000000) }' counts)" = 1 ]
		[ "$(awk -F'\t' '$1 == "KF" { sum += $5 } END { print sum }' counts)" = 200 ]
		[ "$(awk -F'\t' '$1 == "KT" { sum += $5 } END { print sum }' counts)" = 500 ]
		[ "$(awk -F'\t' '$1 == "KE" { sum += $5 } END { print sum }' counts)" = 701 ]
	done
}

@test "what is left by longjmp has ended, and no level stays" {
	calls -finstrument-functions
	events all ./calls jump 1000
	expect PS thrower "" 3000
	expect PT thrower "" 3000
	expect PT main "" 1
	calls -pg -mfentry
	events all ./calls jump 1000
	expect PS thrower "" 3000
	expect PT thrower "" 3000
}

@test "a killed program's events are all there, and those before _exit" {
	calls -finstrument-functions
	events all ./calls kill 12347 || true
	expect PS leaf "" 12347
	expect PT leaf "" 12347
	expect PT main "" 0
	events all ./calls leave 12347 || true
	expect PS leaf "" 12347
	expect PT main "" 1
	expect KE calls "" 1
	[ "$(awk -F'\t' '$1 == "KE" { sum += $5 } END { print sum }' counts)" = 1 ]
}

@test "events of signal handlers in the middle of others" {
	calls -finstrument-functions
	events all ./calls handler 500000
	expect PS leaf "" 500000
	expect PT leaf "" 500000
	[ "$(cat said)" -gt 0 ]
	expect PS in_handler "" "$(cat said)"
}

@test "when vigil is killed the program goes on, though its pool is full" {
	calls -finstrument-functions
	VIGIL_PDPSIZE=100 background vigil run -q --control all -o events.vprf -- ./calls handler 3000000 >said
	wait_for test -s events.vprf
	kill -9 $pid
	wait $pid || true
	wait_for test -s said
	[ "$(cat said)" -ge 0 ]
}

@test "filters of programs, lines and numbers; statements that are counted" {
	cobol_program
	block inner 'EVENT=ALL' 'STATEMENT=ON' -- FILTER=PROGRAM '  PROGRAM=INN*'
	events inner ./EVENTS
	expect NS INNER ADD 7
	[ "$(awk -F'\t' '$2 == "EVENTS"' counts | wc -l)" = 0 ]
	[ "$(awk -F'\t' '$1 == "MB" { print $5 }' counts)" = 7 ]
	block few 'EVENT=(P,PP)' 'STATEMENT=COUNT'
	events few ./EVENTS
	expect PP EVENTS WORK-PARAGRAPH 1009
	[ "$(awk -F'\t' '$1 == "NS"' counts | wc -l)" = 0 ]
	calls -finstrument-functions
	block middle 'EVENT=ALL' -- FILTER=PROGRAM '  PROGRAM=middle'
	events middle ./calls calls 100000 2
	expect PS middle "" 3
	expect PS leaf "" 0
}

# child_of FILE: types and levels of the events of the step's second process, in order.
child_of() {
	vigil read -f csv -l 0 -r EVT "$1" | awk -F, '/^EVT,events,detail/ && $7 ~ / 2$/ { printf "%s%s ", $8, $9 }'
}

@test "a forked child goes on in the functions that were active in its parent, returns from them and jumps over them" {
	init patched "FUNCTIONS='forked!*'"
	for flags in -finstrument-functions "-pg -mfentry" ""; do
		# shellcheck disable=SC2086
		gcc -O1 -g $flags -o forked "$programs/forked.c"
		for jump in "" jump; do
			# shellcheck disable=SC2086
			vigil run -q --control "$([ -n "$flags" ] && echo all || echo patched)" -o x.vprf -- ./forked $jump
			run -0 child_of x.vprf
			[ "$output" = "PR3 PS4 PT4 PR3 PT3 PR2 PT2 PR1 PS2 PT2 PR1 PT1 KE0 " ]
		done
	done
}

# levels [ARGUMENT]: the types and levels of the function events in the step's tasks, in order.
levels() {
	vigil run -q --control paused -o x.vprf -- ./starts "$@"
	vigil read -f csv -l 0 -r EVT x.vprf | awk -F, '/^EVT,events,detail/ && $7 != "" && $8 ~ /^(PS|PT|PR)$/ { printf "%s%s ", $8, $9 }'
}

@test "START inside functions, of three ways of compiling and patched: levels are those of the program" {
	local library=$VIGIL_BUILD/.libs
	[ -e "$library/libvigil.so" ] || skip "libvigil is not built here"
	for flags in -finstrument-functions "-pg -mfentry" -pg ""; do
		# shellcheck disable=SC2086
		gcc -O1 -g $flags -I"$VIGIL_SOURCE/include" -o starts "$programs/starts.c" -L"$library" -lvigil -Wl,-rpath,"$library" -pthread
		printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT '  EVENT=ALL' END-PROFILER >paused
		[ -n "$flags" ] || sed -i "s/=INIT/&,FUNCTIONS='starts!*'/" paused
		run -0 levels
		[ "$output" = "PS3 PT3 PR2 PS4 PT4 PR3 PT3 PR2 PT2 PR1 PS2 PS3 PS4 PS5 PS2 PT2 PR1 PT1 " ]
		# The thread's, then main's.
		run -0 levels thread
		[ "$output" = "PS3 PT3 PR2 PT2 PR1 PT1 PT1 " ]
	done
}

@test "the CPU time of a task never falls from event to event, and that of its events is what it grew by" {
	cat >empty.c <<'C'
__attribute__((noinline)) static void empty(void)
{
	__asm__ volatile("");
}
int main(void)
{
	for (int i = 0; i < 5000; i++)
		empty();
	return 0;
}
C
	for flags in -finstrument-functions "-pg -mfentry" -pg; do
		# shellcheck disable=SC2086
		gcc -O1 -g $flags -o empty empty.c
		vigil run -q --control all -o x.vprf -- ./empty
		vigil read -f csv -l 0 -r EVT x.vprf | awk -F, '/^EVT,events,detail/ && $7 != "" { print $6 }' >cpu
		[ "$(wc -l <cpu)" -gt 15000 ]
		sort -n -s cpu | cmp - cpu
		# One thread: from its first event to its last.
		[ "$(($(tail -n 1 cpu) - $(head -n 1 cpu)))" -eq "$(vigil read -f csv -r EPS x.vprf | awk -F, '$3 == "total" { print $11 }')" ]
	done
}

@test "what a program waits for room in a full pool is nobody's time: neither elapsed nor CPU time" {
	cat >filler.c <<'C'
#include <stdio.h>
#include <unistd.h>
static volatile long total;
__attribute__((noinline)) static void empty(void)
{
	total++;
}
int main(void)
{
	FILE *file = fopen("pid", "w");

	fprintf(file, "%d\n", getpid());
	fclose(file);
	while (access("go", F_OK))
		total++;
	for (int i = 0; i < 20000; i++)
		empty();
	return 0;
}
C
	gcc -O1 -g -finstrument-functions -o filler filler.c
	background vigil run -q --pool 100 --control all -o x.vprf -- ./filler
	wait_for test -s pid
	# The pool is not read until the program waits.
	stop_all "$pid"
	touch go
	wait_for grep -q '^State:.S' "/proc/$(cat pid)/status"
	sleep 0.3
	kill -CONT "$pid"
	wait "$pid"
	vigil read -f csv -l 0 -r EVT x.vprf | awk -F, '/^EVT,events,detail/ && $7 != ""' >events
	vigil read -f csv -r PRO x.vprf >facts
	fact() { awk -F, -v name="$1" '$4 == name && !seen++ { print $5 }' facts; }
	[ "$(fact pool_full)" -gt 0 ]
	[ "$(awk -F, '$8 == "MB" && $16 == 1' events | wc -l)" -eq "$(fact pool_full)" ]
	[ "$(fact pool_full_ns)" -ge 300000000 ]
	# From the first event to the last, minus the waits.
	waited=$(awk -F, 'was { sum += $5 - was } { was = $8 == "MB" ? $5 : 0 } END { printf "%d", sum }' events)
	[ "$waited" -ge "$(fact pool_full_ns)" ]
	[ "$(fact elapsed_ns)" -eq $(($(tail -n 1 events | cut -d, -f5) - $(head -n 1 events | cut -d, -f5) - waited)) ]
	# While it waits it uses no CPU time of its own: the agent's is subtracted, except for an interrupt between
	# two readings of the clock. That happens in one of 100 waits on a fully loaded machine; in five of seven in
	# one of 400 million runs.
	awk -F, 'was != "" { waits++; long += $6 - was > 1000 } { was = $8 == "MB" ? $6 : "" } END { exit long > 1 + waits / 2 }' events
}

@test "tasks of a program that was compiled with nothing: threads, vfork, fork, spawn and signals, by group and by type" {
	cat >plain.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static int value = 7;

static void *posix(void *argument)
{
	return argument;
}

static int standard(void *argument)
{
	return *(int *)argument;
}

static void on_signal(int number)
{
	(void)number;
}

int main(void)
{
	char name[] = "true", *arguments[] = { name, NULL };
	pthread_t threads[3];
	void *result;
	thrd_t thread;
	pid_t child;
	int got;

	for (int i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, posix, &threads[i]))
			return 1;
	for (int i = 0; i < 3; i++)
		if (pthread_join(threads[i], &result) || result != &threads[i])
			return 2;
	thrd_create(&thread, standard, &value);
	if (thrd_join(thread, &got) != thrd_success || got != 7)
		return 3;
	child = vfork();
	if (child == 0)
		_exit(9);
	if (waitpid(child, &got, 0) != child || WEXITSTATUS(got) != 9)
		return 4;
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	if (posix_spawnp(&child, "true", NULL, NULL, arguments, environ))
		return 5;
	waitpid(child, NULL, 0);
	return 0;
}
C
	gcc -std=gnu11 -O1 -g -o plain plain.c -pthread
	for types in ALL K '(KT,KE)'; do
		block tasks "EVENT=$types"
		events tasks ./plain
		[ ! -s errors ]
		expect KT plain "" 4
		expect KE plain "" 6
		[ "$types" = '(KT,KE)' ] || {
			expect KF plain "" 2
			expect KP plain "" 1
			# The program that the child of posix_spawn executes.
			expect KX true "" 1
			expect KX plain "" 0
			expect KS plain "" 1
		}
	done
	# Children of dash, which creates them by vfork, and of make, which uses posix_spawn or fork.
	block tasks EVENT=K
	events tasks dash -c '/bin/true; /bin/true; exit 0'
	expect KF dash "" 2
	expect KX true "" 2
	expect KX dash "" 0
	if command -v make >/dev/null; then
		unset MAKEFLAGS MFLAGS MAKELEVEL
		printf 'both:\n\t@/bin/true\n\t@/bin/true\n' >Makefile
		events tasks make
		expect KX true "" 2
		[ $(($(hits KF make) + $(hits KP make))) -eq 2 ]
	fi
	# Without a request for them, no thread events are recorded.
	block tasks EVENT=P
	events tasks ./plain
	expect KT plain "" 0
	# A step that is paused has none either.
	printf '%s\n' PROFILER FUNCTION=INIT END-PROFILER >paused
	events paused ./plain
	expect KT plain "" 0
}

# The CPU time of all events is that of the step, except for what came before the first of them.
@test "CPU time by events beside that of the system" {
	events all bash -c 'i=0; while ((i++ < 150000)); do :; done; times'
	measured=$(awk '$1 == "cpu" { print int($2 / 1000000) }' counts)
	used=$(head -n 1 said | awk -F'[ms ]+' '{ print int(($2 + $4) * 1000) }')
	echo "$measured ms by events, $used ms by the shell"
	[ "$used" -gt 50 ]
	[ "$measured" -le $((used * 11 / 10 + 20)) ]
	[ "$measured" -ge $((used * 9 / 10 - 20)) ]
}

@test "a step that is not measured has no library of events" {
	vigil run -q -- cat /proc/self/maps >maps
	run ! grep vigil-events maps
	events all cat /proc/self/maps
	grep -q vigil-events said
}

# unreached TEXT PROGRAM [ARGUMENT]...: no event comes from the program, and the note gives the reason.
unreached() {
	local text=$1
	shift
	run vigil run --control all -o none.vprf -- "$@"
	echo "$output"
	[[ $output == *"note       VIG3180W there are no events: $text"*"; a request ADD samples it"* ]]
	run vigil run --control all --control add -o none.vprf -- "$@"
	[[ $output == *"VIG3180W there are no events: $text"*"; its samples are available"* ]]
}

@test "a program that cannot be reached: linked statically, with other rights, there already" {
	echo 'ADD *' >add
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >none.c
	gcc -static -o fixed none.c
	unreached "./fixed is statically linked, so vigil-events.so was not loaded" ./fixed
	# For a coverage session this is reported once.
	run vigil run -o none.vprf -c PROFILER -c FUNCTION=INIT,COVERAGE=ON -c FUNCTION=START -c END-PROFILER -- ./fixed
	has VIG3130W
	hasnt VIG3180W
	gcc -o other none.c
	if [ "$EUID" -eq 0 ]; then
		chown 65534 other
		chmod 4755 other
		other=$PWD/other
	else
		other=$(type -P su)
	fi
	[ -u "$other" ] || skip "no program changes its user"
	unreached "$other gets privileges that its user does not have (set-user-ID" "$other" --version
	printf '#! %s\n' "$PWD/fixed" >script
	chmod +x script
	unreached "./script is statically linked" ./script
	background sleep 20
	run vigil attach -d 1 --control all -o none.vprf $pid
	[[ $output == *"VIG3180W there are no events: the step started before the session"* ]]
}

@test "a program that makes no events but those of processes" {
	run -0 vigil run --control all -o none.vprf -- gzip -kf all
	[[ $output == *"VIG3181W there are only events of processes: "*"; a request ADD samples it"* ]]
	run -0 vigil report none.vprf
	has VIG3181W
	block few 'EVENT=(K,PL)'
	run -0 vigil run --control few -o none.vprf -- gzip -kf all
	hasnt VIG3181W
	calls -finstrument-functions
	run -0 vigil run --control all -o none.vprf -- ./calls calls 10 1
	hasnt VIG3181W
	hasnt VIG3180W
}

@test "PDPSIZE has bounds" {
	for size in 99 2097152 many; do
		VIGIL_PDPSIZE=$size run -2 vigil run -q true
		[[ $output == *"VIGIL_PDPSIZE takes"* ]]
	done
	run -2 vigil run --pool 5 true
	run -0 vigil run -q --pool 100 true
}
