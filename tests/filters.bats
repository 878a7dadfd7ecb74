#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Filters of events, end to end: exact counts of what passes, in decks and commands.

bats_require_minimum_version 1.5.0

load trace
load jobs
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PWD/bin:$PATH
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	compiled "$COBC" -x -ftraceall -o bin/EVENTS "$VIGIL_SOURCE/tests/programs/EVENTS.cob"
	ran=0
}

# filtered LINE...: runs EVENTS with a block of these lines after INIT's; counts are in counts, the data set is
# filtered.vprf.
filtered() {
	printf '%s\n' PROFILER "$@" FUNCTION=START END-PROFILER >block
	vigil run -q --control block -o filtered.vprf -- EVENTS >said 2>errors
	"$VIGIL_BUILD/tests/event-counts" filtered.vprf >counts
}

# expect TYPE PROGRAM PLACE HITS
expect() {
	local found
	found=$(awk -F'\t' -v type="$1" -v program="$2" -v place="$3" \
		'$1 == type && (program == "" || $2 == program) && (place == "" || $3 == place) { sum += $5 } END { print sum + 0 }' counts)
	[ "$found" = "$4" ] || {
		echo "$1 $2 $3: $found events, expected $4"
		cat counts errors
		return 1
	}
}

# types: the types of events that occur.
types() {
	cut -f1 counts | grep -E '^[A-Z]+$' | sort -u | tr '\n' ' '
}

# fact FILE NAME: a value of the properties and statistics.
fact() {
	vigil read -f csv -r PRO "$1" | awk -F, -v name="$2" '$4 == name && !seen++ { print $5 }'
}

@test "LINE: statements and paragraphs of these lines alone, bounds included; what begins and ends is told all the same" {
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(16,17)'
	expect NS EVENTS "" 2018
	expect NS EVENTS ADD 1009
	expect NS EVENTS SUBTRACT 1009
	expect NS INNER "" 0
	expect PS INNER "" 0
	expect PS EVENTS "" 1
	expect PP "" "" 0
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(12,15)'
	expect NS EVENTS "" 8
	expect PP EVENTS WORK-PARAGRAPH 1009
	expect PP "" "" 1009
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(12,14)'
	expect PP "" "" 0
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON 'FILTER=PROGRAM,LINE=(17,17)'
	expect NS "" "" 1009
	expect NS EVENTS SUBTRACT 1009
	# The events that the lines block are not made, except for the first after each event that is kept.
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=PROGRAM,PROGRAM=INNER,LINE=(27,27)' 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(14,14)'
	expect NS INNER "" 7
	expect NS EVENTS "STOP RUN" 1
	expect MB "" "" 6
	[ "$(fact filtered.vprf offered)" -lt 1100 ]
	filtered FUNCTION=INIT,STATEMENT=COUNT 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(16,17)'
	[ "$(fact filtered.vprf counted)" -eq 2018 ]
	# Without PROGRAM the lines apply to any program: 26 is INNER's.
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON 'FILTER=PROGRAM,LINE=(20,9999999)'
	expect NS INNER ADD 7
	expect NS INNER "EXIT PROGRAM" 7
	expect NS EVENTS "" 0
}

@test "what is offered was rejected, left out by sampling, or is there; what filters block is no pause" {
	ties() {
		local total
		total=$(($(fact filtered.vprf filtered) + $(fact filtered.vprf sampled_out) + $(fact filtered.vprf events)))
		[ "$(fact filtered.vprf offered)" -eq "$total" ]
		[ "$(fact filtered.vprf events)" -eq "$(awk -F'\t' 'NF == 5 { sum += $5 } END { print sum }' counts)" ]
		expect MP "" "" 0
		[ "$(fact filtered.vprf pauses)" -eq 0 ]
	}
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON
	ties
	expect MB "" "" 0
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(16,16)'
	ties
	# After each ADD, after each return of INNER, and after the paragraphs that begin.
	expect MB "" "" 1017
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=P 'FILTER=PROGRAM,PROGRAM=INNER'
	ties
	filtered FUNCTION=INIT,EVENT=N FILTER=COUNT,FROM=11,TO=30
	ties
	filtered FUNCTION=INIT,SAMPLING=ON,INTERVAL=100 FILTER=EVENT,EVENT=ALL,STATEMENT=ON
	ties
	[ "$(fact filtered.vprf sampled_out)" -gt 0 ]
	# Events in a pause, and those of vigil itself, do not exist: they are not offered, counted or rejected.
	printf '%s\n' '"$1" pause' /bin/true /bin/true '"$1" start' /bin/true >script
	printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT,EVENT=ALL FILTER=COUNT,FROM=2,TO=12 FUNCTION=START END-PROFILER >block
	vigil run -q --control block -o filtered.vprf -- /bin/sh script "$VIGIL_BUILD/vigil" >said 2>errors
	[ "$(fact filtered.vprf offered)" -eq $(($(fact filtered.vprf filtered) + $(fact filtered.vprf events))) ]
	filtered FUNCTION=INIT,CONSOLIDATE=ON 'FILTER=EVENT,EVENT=(PS,PT)'
	[ "$(fact filtered.vprf offered)" -eq $(($(fact filtered.vprf filtered) + $(fact filtered.vprf events))) ]
}

@test "sampled: multiples of the interval, one record an interval, and the task's end on the same axis" {
	cat >spend.c <<'C'
#include <time.h>
__attribute__((no_instrument_function)) static long used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
static void work(long until)
{
	while (used() < until)
		;
}
int main(void)
{
	/* From now on, not from the beginning: what passes at once by the clock, when the machine was away, is not made up for. */
	for (int i = 0; i < 200; i++)
		work(used() + 300);
	return 0;
}
C
	gcc -O1 -g -finstrument-functions -o spend spend.c
	printf '%s\n' PROFILER FUNCTION=INIT,SAMPLING=ON,INTERVAL=1000 FUNCTION=START END-PROFILER >block
	vigil run -q --control block -o filtered.vprf -- ./spend
	vigil read -f csv -l 0 -r EVT filtered.vprf | awk -F, '/^EVT,events,detail/ && $7 != "" { print $6, $8 }' >rows
	[ "$(tail -n 1 rows | cut -d' ' -f2)" = KE ]
	[ "$(wc -l <rows)" -gt 50 ]
	[ "$(awk '$2 != "KE" && $1 % 1000000' rows | wc -l)" -eq 0 ]
	# An interval ends with its sampling time.
	[ "$(awk '{ print int(($1 + 999999) / 1000000) }' rows | sort | uniq -d | wc -l)" -eq 0 ]
	sort -n -s -k1,1 rows | cmp - rows
}

@test "LINE in FUNCTION=INIT, and two line filters: a statement passes if one lets it" {
	filtered "FUNCTION=INIT,EVENT=N,PROGRAM=EVENTS,LINE=(16,16)"
	expect NS "" "" 1009
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=PROGRAM,PROGRAM=EVENTS,LINE=(16,16)' 'FILTER=PROGRAM,PROGRAM=INNER,LINE=(26,26)'
	expect NS EVENTS ADD 1009
	expect NS INNER ADD 7
	expect NS "" "" 1016
}

@test "PROGRAM: wildcards, either case, several filters, and functions of C" {
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=PROGRAM,PROGRAM=inn?r'
	expect NS "" "" 14
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N "FILTER=PROGRAM,PROGRAM='*NNE*'"
	expect NS INNER "" 14
	expect NS EVENTS "" 0
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=PROGRAM,PROGRAM=INNER' 'FILTER=PROGRAM,PROGRAM=EV*'
	expect NS "" "" 2042
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=PROGRAM,PROGRAM=INN'
	expect NS "" "" 0
	compiled gcc -O1 -g -finstrument-functions -o calls "$VIGIL_SOURCE/tests/programs/calls.c" -pthread
	printf '%s\n' PROFILER FUNCTION=INIT 'FILTER=PROGRAM,PROGRAM=LEA?' 'FILTER=PROGRAM,PROGRAM=main' FUNCTION=START END-PROFILER >block
	vigil run -q --control block -o x.vprf -- ./calls calls 1000 1 >said 2>errors
	"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
	expect PS leaf "" 2000
	expect PS main "" 1
	expect PS middle "" 0
}

@test "LIBRARY: the folder's name, or its path when the pattern has a slash; case does not count" {
	mkdir -p PayRoll/lib other
	cp bin/EVENTS PayRoll/lib/EVENTS
	library() {
		printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT,EVENT=N "FILTER=PROGRAM,LIBRARY=$1" FUNCTION=START END-PROFILER >block
		vigil run -q --control block -o x.vprf -- PayRoll/lib/EVENTS >said 2>errors
		"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
	}
	library LIB
	expect NS "" "" 2042
	library "'l?b'"
	expect NS "" "" 2042
	library PAYROLL
	expect NS "" "" 0
	library "'*/PAYROLL/LIB'"
	expect NS "" "" 2042
	library "'$PWD/PayRoll/lib'"
	expect NS "" "" 2042
	library "'*/payroll'"
	expect NS "" "" 0
	library "'/*'"
	expect NS "" "" 2042
	library "OTHER"$'\n'"FILTER=PROGRAM,LIBRARY=LIB,PROGRAM=INNER"
	expect NS "" "" 14
	# Both keywords of one filter must match.
	library "OTHER,PROGRAM=INNER"
	expect NS "" "" 0
}

@test "LIBRARY of a step: the folder of its steplib" {
	mkdir -p PAYLIB
	mv bin/EVENTS PAYLIB/
	deck() {
		printf '%s\n' '//J JOB' '//S1 EXEC PGM=EVENTS' '//VIGIL DD *' ' PROFILER' ' FUNCTION=INIT' ' FILTER=EVENT,EVENT=N' \
			" FILTER=PROGRAM,LIBRARY=$1" ' FUNCTION=START' ' END-PROFILER' '/*'
	}
	PROGRAMS=$PWD/PAYLIB job < <(deck PAYLIB)
	[ "$status" -eq 0 ]
	"$VIGIL_BUILD/tests/event-counts" "$last/S1.vprf" >counts
	expect NS "" "" 2042
	PROGRAMS=$PWD/PAYLIB job < <(deck OTHLIB)
	"$VIGIL_BUILD/tests/event-counts" "$last/S1.vprf" >counts
	expect NS "" "" 0
}

@test "LIBRARY of a module that COBOL loads: the folder of the module, not of the program that calls it" {
	mkdir -p main modlib
	printf '       %s\n' 'IDENTIFICATION DIVISION.' 'PROGRAM-ID. CALLER.' 'PROCEDURE DIVISION.' '    CALL "DYNMOD".' '    STOP RUN.' >CALLER.cob
	printf '       %s\n' 'IDENTIFICATION DIVISION.' 'PROGRAM-ID. DYNMOD.' 'DATA DIVISION.' 'WORKING-STORAGE SECTION.' \
		'01 N PIC 9(6) COMP-5.' 'PROCEDURE DIVISION.' '    ADD 1 TO N.' '    GOBACK.' >DYNMOD.cob
	"$COBC" -x -ftraceall -o main/CALLER CALLER.cob
	"$COBC" -m -ftraceall -o modlib/DYNMOD.so DYNMOD.cob
	export COB_LIBRARY_PATH=$PWD/modlib
	loaded() {
		printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT,EVENT=N "$@" FUNCTION=START END-PROFILER >block
		vigil run -q --control block -o x.vprf -- main/CALLER >said 2>errors
		"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
	}
	loaded
	run -0 vigil read -f csv -r EPS x.vprf
	has ",CALLER,$PWD/main,CALLER,"
	has ",DYNMOD,$PWD/modlib,DYNMOD.so,"
	loaded FILTER=PROGRAM,LIBRARY=MODLIB
	expect NS DYNMOD "" 2
	expect NS CALLER "" 0
	loaded FILTER=PROGRAM,LIBRARY=MAIN
	expect NS DYNMOD "" 0
	expect NS CALLER "" 2
}

@test "COUNT: events by their number among those that pass the other filters" {
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N,STATEMENT=ON 'FILTER=COUNT,FROM=11,TO=30'
	expect NS "" "" 20
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N FILTER=PROGRAM,PROGRAM=INNER 'FILTER=COUNT,TO=5'
	expect NS INNER "" 5
	expect NS "" "" 5
	# INNER makes 14: from the 10th on.
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N FILTER=PROGRAM,PROGRAM=INNER 'FILTER=COUNT,FROM=10'
	expect NS INNER "" 5
	filtered 'FUNCTION=INIT,EVENT=N,COUNT=(2000,2042)'
	expect NS "" "" 43
	filtered 'FUNCTION=INIT,EVENT=N,COUNT=(2043,3000)'
	expect NS "" "" 0
	# Once the number is reached no statement events are made any more: of 50 million only those that were in
	# progress.
	cat >longrun.cob <<'COB'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LONG.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 I PIC 9(9) COMP-5.
       PROCEDURE DIVISION.
           PERFORM 50000000 TIMES
             ADD 1 TO I
           END-PERFORM
           STOP RUN.
COB
	"$COBC" -x -ftraceall -o bin/LONG longrun.cob
	printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT,EVENT=N FILTER=COUNT,TO=1000 FUNCTION=START END-PROFILER >block
	vigil run -q --control block -o x.vprf -- LONG >said 2>errors
	"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
	expect NS "" "" 1000
	expect MB "" "" 1
	[ "$(fact x.vprf offered)" -lt 30000000 ]
	# The rest of the run has no events: elapsed is from the first statement to the mark after the last.
	vigil read -f csv -l 0 -r EVT x.vprf | awk -F, '/^EVT,events,detail/ && $7 != "" { print $5 }' >times
	[ "$(wc -l <times)" -eq 1001 ]
	[ "$(fact x.vprf elapsed_ns)" -eq $(($(tail -n 1 times) - $(head -n 1 times))) ]
	# Time outside is not charged: where collecting stops, there is a pause of the task.
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=COUNT,FROM=11,TO=30'
	expect MB "" "" 1
}

# bats test_tags=limit:120
@test "TIME: from and to after collecting began" {
	# The second and third EVENTS begin this many seconds after the first has ended, and print when that was.
	cat >bin/SLOW <<'SH'
#!/bin/sh
EVENTS
cut -d' ' -f1 /proc/uptime >ended
sleep $SECONDS_LATER.5
EVENTS
EVENTS
SH
	chmod +x bin/SLOW
	# slow LINE...: with HH:MM:SS in the lines replaced by a time at which the first EVENTS has ended and the
	# others have not begun. If the machine takes longer for the first, more time is allowed.
	slow() {
		local time begun
		for SECONDS_LATER in 1 4 16; do
			export SECONDS_LATER
			time=00:00:$(printf %02d "$SECONDS_LATER")
			printf '%s\n' PROFILER "${@//HH:MM:SS/$time}" FUNCTION=START END-PROFILER >block
			begun=$(cut -d' ' -f1 /proc/uptime)
			vigil run -q --control block -o x.vprf -- SLOW >said 2>errors
			"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
			if awk -v begun="$begun" -v later="$SECONDS_LATER" '{ exit !($1 - begun < later - 0.1) }' ended; then return; fi
			echo "the first EVENTS had not ended after $SECONDS_LATER s"
		done
		return 1
	}
	slow FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=TIME,TO=HH:MM:SS'
	expect NS INNER ADD 7
	expect NS "" "" 2042
	slow FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=TIME,FROM=HH:MM:SS'
	expect NS INNER ADD 14
	slow FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=TIME,FROM=HH:MM:SS' FILTER=PROGRAM,PROGRAM=INNER FILTER=COUNT,TO=20
	expect NS "" "" 20
	slow FUNCTION=INIT FILTER=EVENT,EVENT=N 'FILTER=TIME,FROM=00:10:00'
	expect NS "" "" 0
	# Statements before it are not made.
	[ "$(fact x.vprf offered)" -lt 4000 ]
	slow 'FUNCTION=INIT,EVENT=N,TIME=(HH:MM:SS,00:10:00)'
	expect NS INNER ADD 14
}

@test "EVENT: groups, types, and the events of the session along with them" {
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=P
	expect PS "" "" 8
	# Paragraphs are no programs: their events are recorded when requested by name, or with ALL.
	[ "$(types)" = "PL PR PS PT SI ST " ]
	filtered FUNCTION=INIT 'FILTER=EVENT,EVENT=(PS,PP)'
	expect PP EVENTS WORK-PARAGRAPH 1009
	[ "$(types)" = "PP PS SI ST " ]
	filtered FUNCTION=INIT 'FILTER=EVENT,EVENT=(PS,PT)'
	[ "$(types)" = "PS PT SI ST " ]
	expect PT INNER "" 7
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=K
	[ "$(types)" = "KE SI ST " ]
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=S
	[ "$(types)" = "SI ST " ]
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=D
	[ "$(types)" = "SI ST " ]
	# Several filters are combined; ALL is all but statements.
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=PS FILTER=EVENT,EVENT=K
	[ "$(types)" = "KE PS SI ST " ]
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL
	expect NS "" "" 0
	expect PP EVENTS WORK-PARAGRAPH 1009
	# No filter: no statements, no programs of the run time.
	filtered FUNCTION=INIT
	expect NS "" "" 0
	expect PS "" "" 8
}

@test "the session's events: SI is the first, ST the last, whatever is filtered" {
	for filter in FILTER=EVENT,EVENT=ALL,STATEMENT=ON FILTER=EVENT,EVENT=D FILTER=PROGRAM,PROGRAM=NONE FILTER=COUNT,FROM=900000; do
		filtered FUNCTION=INIT "$filter"
		vigil read -f csv -r EVT filtered.vprf | awk -F, '/^EVT,events,detail/ { print $8 }' >all
		[ "$(head -1 all)" = SI ]
		[ "$(tail -1 all)" = ST ]
		[ "$(grep -cE '^(SI|ST)$' all)" -eq 2 ]
	done
}

@test "a full pool: the program waits, nothing is lost, the statistics tell; the data set takes a fifth of the pool's bytes at most" {
	cat >many.cob <<'COB'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MANY.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 I PIC 9(9) COMP-5.
       PROCEDURE DIVISION.
           PERFORM 2000000 TIMES
             ADD 1 TO I
           END-PERFORM
           STOP RUN.
COB
	"$COBC" -x -ftraceall -o bin/MANY many.cob
	vigil run -q --pool 100 -o x.vprf -c PROFILER -c FUNCTION=INIT,EVENT=N -c FUNCTION=START -c END-PROFILER -- MANY
	"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
	expect NS "" "" 2000002
	[ "$(fact x.vprf pool_full)" -gt 0 ]
	[ "$(fact x.vprf pool_full_ns)" -gt 0 ]
	[ "$(fact x.vprf pool_empty_after_full)" -gt 0 ]
	run -0 vigil read -r PRO x.vprf
	has 'VIG6502W the data pool was full and then empty'
	[ $(($(stat -c %s x.vprf) * 5)) -le "$(fact x.vprf pool_read_bytes)" ]
	# A pool that is large enough never gets full.
	vigil run -q --pool 200000 -o y.vprf -c PROFILER -c FUNCTION=INIT,EVENT=N -c FUNCTION=START -c END-PROFILER -- MANY
	[ "$(fact y.vprf pool_full)" -eq 0 ]
	[ "$(fact y.vprf pool_empty_after_full)" -eq 0 ]
}

@test "a data set damaged in its middle is consolidated as far as it is whole, with 4, and is none that was consolidated already" {
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=ALL,STATEMENT=ON
	size=$(stat -c %s filtered.vprf)
	for place in 20 $((size / 3)) $((size * 2 / 3)); do
		cp filtered.vprf damaged.vprf
		rm -f damaged.vprc
		printf 'a dozen bytes of something else' | dd of=damaged.vprf bs=1 seek="$place" conv=notrunc status=none
		run -4 vigil consolidate damaged.vprf
		has 'VIG0014W damaged.vprf is damaged'
		hasnt already
		[ -s damaged.vprc ]
		run vigil report -r EPS damaged.vprc
		[[ $output == *TOTALS* ]]
	done
}

@test "STATEMENT: ON, OFF and COUNT, which only counts" {
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=P,STATEMENT=ON
	expect NS "" "" 2042
	expect PS "" "" 8
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=P,STATEMENT=OFF
	expect NS "" "" 0
	[ "$(fact filtered.vprf counted)" -eq 0 ]
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=P,STATEMENT=COUNT
	expect NS "" "" 0
	[ "$(fact filtered.vprf counted)" -eq 2042 ]
	# By program, as statement events would be; also for programs without events.
	statements() { vigil read -f csv -r EPS --sort name "$1" | awk -F, '$3 == "detail" && $9 { print $4, $9 }'; }
	statements filtered.vprf | diff - <(printf '%s\n' 'EVENTS 2028' 'INNER 14')
	vigil consolidate -q --replace filtered.vprf
	statements filtered.vprc | diff - <(statements filtered.vprf)
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=D,STATEMENT=COUNT
	statements filtered.vprf | diff - <(printf '%s\n' 'EVENTS 2028' 'INNER 14')
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N
	statements filtered.vprf | diff - <(printf '%s\n' 'EVENTS 2028' 'INNER 14')
	filtered FUNCTION=INIT,STATEMENT=COUNT,PROGRAM=INNER
	statements filtered.vprf | diff - <(echo 'INNER 14')
	[ "$(fact filtered.vprf counted)" -eq 14 ]
	# The statement events of a blocked program are not made: none of them is offered.
	filtered FUNCTION=INIT FILTER=EVENT,EVENT=N FILTER=PROGRAM,PROGRAM=INNER
	[ "$(fact filtered.vprf offered)" -lt 1200 ]
}

@test "FNAT: programs of the run time, and not" {
	cat >lib.c <<'C'
#include <stdio.h>
void inside(void) { putchar('x'); }
C
	cat >main.c <<'C'
void inside(void);
int main(void) { for (int i = 0; i < 10; i++) inside(); return 0; }
C
	gcc -shared -fPIC -finstrument-functions -o libcob.so.99 lib.c
	gcc -shared -fPIC -finstrument-functions -Wl,-soname,libmine.so -o libmine.so lib.c
	gcc -finstrument-functions -o one main.c ./libcob.so.99
	gcc -finstrument-functions -o two main.c ./libmine.so -Wl,-rpath,"$PWD"
	fnat() {
		printf '%s\n' PROFILER FUNCTION=INIT "$1" FUNCTION=START END-PROFILER >block
		vigil run -q --control block -o x.vprf -- "$2" >said 2>errors
		"$VIGIL_BUILD/tests/event-counts" x.vprf >counts
	}
	fnat FILTER=EVENT,EVENT=ALL ./one
	expect PS main "" 1
	expect PS inside "" 0
	fnat FILTER=EVENT,EVENT=ALL,FNAT=OFF ./one
	expect PS inside "" 0
	fnat FILTER=EVENT,EVENT=ALL,FNAT=ON ./one
	expect PS inside "" 10
	# Nor is the run time loaded, and vigil's own library in no case.
	loads() { vigil read -f csv -l 0 -r EVT x.vprf | awk -F, '$8 == "PL" { sub(".*/", "", $17); print $17 }' | sort | tr '\n' ' '; }
	[[ "$(loads)" == *"ld-linux-"*"libc.so.6 libcob.so.99 one "* ]]
	[[ "$(loads)" != *vigil-* ]]
	fnat FILTER=EVENT,EVENT=ALL,FNAT=OFF ./one
	[ "$(loads)" = "one " ]
	fnat FILTER=EVENT,EVENT=ALL ./two
	[ "$(loads)" = "libmine.so two " ]
	# An object of the application does not belong to the run time.
	fnat FILTER=EVENT,EVENT=ALL,FNAT=OFF ./two
	expect PS inside "" 10
	expect PS main "" 1
}

@test "the filters of several inputs: one of a kind takes the place of those before it" {
	printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT,EVENT=N FILTER=PROGRAM,PROGRAM=EVENTS FUNCTION=START END-PROFILER >all
	printf '%s\n' '//J JOB' '//S1 EXEC PGM=EVENTS' '//VIGIL DD *' ' PROFILER' ' FILTER=PROGRAM,PROGRAM=INNER' ' END-PROFILER' '/*' \
		'//S2 EXEC PGM=EVENTS' '//S3 EXEC PGM=EVENTS' '//VIGIL DD *' ' PROFILER' ' FILTER=COUNT,TO=3' ' END-PROFILER' '/*' >deck.jcl
	job --control all deck.jcl
	[ "$status" -eq 0 ]
	"$VIGIL_BUILD/tests/event-counts" "$last/S1.vprf" >counts
	expect NS "" "" 14
	"$VIGIL_BUILD/tests/event-counts" "$last/S2.vprf" >counts
	expect NS "" "" 2028
	"$VIGIL_BUILD/tests/event-counts" "$last/S3.vprf" >counts
	expect NS "" "" 3
	expect NS EVENTS "" 3
}

@test "the report says which filters held, and the interval of sampling" {
	filtered FUNCTION=INIT 'FILTER=EVENT,EVENT=(PS,PT),STATEMENT=ON,FNAT=ON' "FILTER=PROGRAM,LIBRARY='*',PROGRAM=E*,LINE=(1,99)" \
		FILTER=COUNT,FROM=2,TO=999999 FILTER=TIME,TO=01:02:03
	run -0 vigil read -r PRO -l 0 filtered.vprf
	text=$(tr -s ' \n' ' ' <<<"$output")
	[[ $text == *"FILTERS FILTER=EVENT EVENT=(PS,PT,N) STATEMENT=ON FNAT=ON FILTER=PROGRAM LIBRARY=* PROGRAM=E* LINE=(1,99) \
FILTER=COUNT FROM=2 TO=999999 FILTER=TIME TO=01:02:03 "* ]]
	filtered FUNCTION=INIT,SAMPLING=ON,INTERVAL=250
	run -0 vigil read -r PRO -l 0 filtered.vprf
	[[ $output =~ SAMPLING\ INTERVAL,\ MS\ \.+\ 0\.250 ]]
	has 'FILTERS  NONE'
	has VIG6503I
}
