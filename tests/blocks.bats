#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# PROFILER blocks and the switches of a session: what is measured at which time, in decks, in scripts and from another
# terminal.

bats_require_minimum_version 1.5.0

load trace
load jobs
load waiting
load background

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT
	PATH=$VIGIL_BUILD:$PWD/bin:$PATH
	for name in APP01 APP02 APP03; do
		program $name <<<'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
	done
}

teardown() {
	background_end
}

# cards NAME STATEMENT...: a step that runs program VIGIL.
cards() {
	printf '//%-8s EXEC PGM=VIGIL\n//SYSPRINT DD SYSOUT=*\n//SYSIN DD *\n' "$1"
	shift
	printf '  %s\n' "$@"
	echo '/*'
}

@test "of three applications the second alone, by steps of the program VIGIL between them" {
	{
		echo '//SEED JOB'
		cards P1 'ADD SEED' PROFILER FUNCTION=PAUSE END-PROFILER
		echo '//S1 EXEC PGM=APP01'
		cards P2 PROFILER 'FUNCTION=START            /* Start data collection' END-PROFILER
		echo '//S2 EXEC PGM=APP02'
		cards P3 PROFILER 'FUNCTION=PAUSE            /* Pause data collection' END-PROFILER
		echo '//S3 EXEC PGM=APP03'
	} >seed.jcl
	job seed.jcl
	[ "$status" -eq 0 ]
	has 'VIG5309I step S1 was not measured: collecting was paused from its beginning to its end'
	has 'VIG5305I step S2 was measured'
	has 'VIG5309I step S3 was not measured'
	[ "$(cd "$last" && echo *.vprf)" = S2.vprf ]
	[ "$(cd "$last" && echo *.VIGPROF)" = S2.VIGPROF ]
	grep -q 'VIG2936I FUNCTION=PAUSE applies to the steps of the job after this one' "$last/P3.SYSPRINT"
}

@test "of three applications the second alone, by vigil start and vigil pause in the script" {
	run -0 --separate-stderr vigil run -o x.vprf -c PROFILER -c FUNCTION=PAUSE -c END-PROFILER -- \
		sh -c 'APP01; vigil start; APP02; vigil start; vigil pause; APP03'
	[[ $stderr == *"VIG0042I the session of this step is started already"* ]]
	[[ $stderr == *" paused: executing "* ]]
	run -0 vigil report -r PUP x.vprf
	has APP02
	hasnt APP01
	hasnt APP03
	run -0 vigil report -r MSD x.vprf
	[[ $output == *"ELAPSED "*" WITHOUT "*" PAUSED = "* ]]
}

@test "a command whose session nobody starts" {
	run -0 vigil run -q -o x.vprf -c PROFILER -c FUNCTION=INIT -c END-PROFILER -- APP01
	has 'VIG0052W nothing was recorded of APP01: collecting was paused from the beginning to the end'
}

@test "events of the second application alone, and none of vigil start and vigil pause" {
	for name in APP01 APP02 APP03; do cp "$(type -P true)" bin/$name; done
	run -0 --separate-stderr vigil run -o x.vprf -c PROFILER -c FUNCTION=INIT -c END-PROFILER -- \
		sh -c 'APP01 & one=$!; wait $one; vigil start; APP02 & two=$!; wait $two; vigil pause; APP03 & echo $one $two $!; wait'
	read -r one two three <<<"$output"
	run -0 vigil report -r EPS x.vprf
	[[ $output == *APP02* ]]
	hasnt APP01
	hasnt APP03
	hasnt $'\nvigil '
	run -0 vigil report -r EVT x.vprf
	[[ $output == *" MP"$'\n'* ]]
	# Which processes the shell has started meanwhile: APP02 is one. vigil start may be one, and vigil pause: a fork is
	# written when it returns, and by then its child may have run.
	forks=" $(awk '$5 == "KF" || $4 == "KF" { print $NF }' <<<"$output" | tr '\n' ' ')"
	[[ $forks == *" $two "* && $forks != *" $one "* && $forks != *" $three "* ]]
}

@test "START and PAUSE in DD VIGIL are for its step; the next begins as before" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=APP01
//VIGIL    DD *
  ADD A
  PROFILER
  FUNCTION=START
  FUNCTION=PAUSE
  END-PROFILER
/*
//S2       EXEC PGM=APP02
//VIGIL    DD *
  ADD A
/*
DECK
	[ "$status" -eq 0 ]
	has 'VIG5309I step S1'
	has 'VIG5305I step S2 was measured'
}

@test "unmeasured, start and pause do nothing and scripts run on" {
	unset VIGIL_TRANSACTIONS
	run -0 sh -ec 'vigil start; vigil pause; echo on'
	has 'VIG0040I nothing is measured here, so nothing is started'
	has on
	run -8 vigil pause 1
	has 'VIG0043E process 1 is not measured, or not yours'
	run -8 vigil start NOSUCH
	has 'VIG0043E no job NOSUCH of yours is being measured'
	run -2 vigil start 1 2
	VIGIL_TRANSACTIONS=/dev/null run -8 vigil start
	has 'VIG0041E cannot start the session of this step: it cannot be switched'
}

@test "from another terminal: by a process, by vigil itself, by the job" {
	program LONG <<<'ulimit -t 60; echo $$ >pid; until [ -e go ]; do :; done'
	background vigil run -q -o x.vprf -- LONG
	measurer=$pid
	wait_for test -s pid
	run -0 vigil pause "$(cat pid)"
	run -0 vigil pause "$measurer"
	has 'is paused already'
	run -0 vigil start "$measurer"
	touch go
	wait "$measurer"
	rm go pid
	run -0 vigil report -r MSD x.vprf
	[[ $output == *" PAUSED = "* ]]

	program LONG <<<"ulimit -t 60; echo \$\$ >$PWD/pid; until [ -e $PWD/go ]; do :; done"
	printf '%s\n' '//LONGJOB JOB' '//S1 EXEC PGM=LONG' '//VIGIL DD *' ' ADD LONGJOB' '/*' >long.jcl
	# A number that no job of another test has at this time.
	mkdir -p spool/JOB07311.OLD
	background vigil submit --spool spool --root root --steplib bin long.jcl >log
	submit=$pid
	wait_for test -s pid
	run -0 vigil pause LONGJOB
	run -0 vigil start JOB07312
	touch go
	wait "$submit"
	grep -q 'PAUSED = ' spool/JOB07312.*/S1.VIGPROF
}

@test "a step of the program VIGIL is measured by its own cards only" {
	{
		echo '//A JOB'
		cards P1 'ADD A'
		cards P2 'ADD A'
		cards P3 'LIST' | sed '/LIST/d; $d'
		printf '%s\n' '/*' '//VIGIL DD *' '  ADD A' '/*'
	} >deck.jcl
	job deck.jcl
	hasnt 'step P2 was measured'
	has 'step P3 was measured'
}

@test "a resource: a name in a library, replaced when asked, listed and deleted" {
	init() { printf '%s\n' -c PROFILER -c "FUNCTION=INIT,$1" -c FUNCTION=START -c END-PROFILER; }
	mapfile -t first < <(init RESOURCE=NIGHT1)
	run -0 vigil run -q -c 'ADD *' "${first[@]}" -- APP01
	[ -s data/profiles/NIGHT1.vprf ]
	cp data/profiles/NIGHT1.vprf kept
	run -3 vigil run -q -c 'ADD *' "${first[@]}" -- sh -c 'echo it ran; exit 3'
	has 'VIG0049W sh runs unmeasured: the resource data/profiles/NIGHT1.vprf exists already; expected REPLACE=YES, or another name'
	has 'it ran'
	run -125 vigil run -q --require -c 'ADD *' "${first[@]}" -- sh -c 'echo it ran'
	has 'it ran'
	cmp kept data/profiles/NIGHT1.vprf
	background sleep 60
	run -8 vigil attach -q -d 1 "${first[@]}" "$pid"
	has 'VIG0049E the resource data/profiles/NIGHT1.vprf exists already'
	mapfile -t again < <(init RESOURCE=NIGHT1,REPLACE=YES)
	run -0 vigil run -q -c 'ADD *' "${again[@]}" -- APP02
	run -0 vigil report -r PUP data/profiles/NIGHT1.vprf
	has APP02
	run -8 vigil run -q -o x.vprf -c 'ADD *' "${again[@]}" -- APP02
	has 'VIG0022E RESOURCE and the option --output exclude each other'
	# Another library: given by card, by option, by the environment.
	mapfile -t card < <(init "RESOURCE='Night 2',RESOURCE-LIB=MYLIB")
	run -0 vigil run -q -c 'ADD *' "${card[@]}" -- APP01
	[ -s 'data/MYLIB/Night 2.vprf' ]
	run -0 vigil run -q --library other -c 'ADD *' "${first[@]}" -- APP01
	[ -s other/NIGHT1.vprf ]
	VIGIL_LIBRARY=third run -0 vigil run -q -c 'ADD *' "${first[@]}" -- APP01
	[ -s third/NIGHT1.vprf ]

	echo 'no data set' >data/profiles/NIGHT9.vprf
	run -0 --separate-stderr vigil list
	[ "$(wc -l <<<"$output")" -eq 2 ]
	[[ $output == *"NIGHT1 "*" PROFILE "*" APP02 "*" YES"* ]]
	# One that cannot be read now is named, with the reason; the others are listed.
	if [ "$(id -u)" -ne 0 ]; then
		cp data/profiles/NIGHT1.vprf data/profiles/NIGHT8.vprf
		chmod 0 data/profiles/NIGHT8.vprf
		run -4 vigil list
		has 'VIG0058W data/profiles/NIGHT8.vprf cannot be read and is skipped: '
		has 'Permission denied'
		grep '^NIGHT1 ' <<<"$output"
		run -4 vigil list NIGHT8
		hasnt VIG0046W
		rm -f data/profiles/NIGHT8.vprf
	fi
	run -4 vigil list 'DAY*'
	has 'VIG0046W there is no such resource in data/profiles'
	run -4 vigil delete 'NIGHT?' --older 1
	run -0 vigil delete 'NIGHT?'
	has 'VIG0047I the resource NIGHT1 (PROFILE) is deleted'
	[ ! -e data/profiles/NIGHT1.vprf ]
	[ -e data/profiles/NIGHT9.vprf ]
	run -2 vigil delete
	run -2 vigil delete --older 0
	run -2 vigil list A B
}

@test "blocks that ask for no events: a message at its place, and the program runs unmeasured" {
	block() { printf '%s\n' -c PROFILER; printf -- '-c\n%s\n' "$@"; printf '%s\n' -c END-PROFILER; }
	mapfile -t filter < <(block FILTER=EVENT '  EVENT=P' FUNCTION=START)
	run -3 vigil run -o x.vprf "${filter[@]}" -- sh -c 'echo it ran; exit 3'
	has '-c:2:1: VIG0056W FILTER=EVENT filters nothing: there is no FUNCTION=INIT'
	has 'VIG0057W sh runs unmeasured: the PROFILER blocks have no FUNCTION=INIT, and there is no ADD'
	has 'it ran'
	[ ! -e x.vprf ]
	run -125 vigil run -q --require -o x.vprf "${filter[@]}" -- sh -c 'exit 3'
	# An ADD requests samples, which are taken.
	run -0 vigil run -q -o x.vprf -c 'ADD *' "${filter[@]}" -- APP01
	has VIG0056W
	hasnt VIG0057W
	[ -s x.vprf ]
	rm x.vprf
	run -0 vigil run -o x.vprf -c PROFILER -c END-PROFILER -- true
	has '-c:1:1: VIG2019W the PROFILER block is empty'
	has 'VIG0057W true runs unmeasured'
	[ ! -e x.vprf ]
	background sleep 60
	# Until then it is the shell that started it.
	wait_for grep -qx sleep "/proc/$pid/comm"
	run -8 vigil attach -q -d 1 -o x.vprf "${filter[@]}" "$pid"
	has 'VIG0057E sleep is not measured'
	# In a job the step runs unmeasured unless INIT comes from another input.
	step() { printf '%s\n' "//S$1 EXEC PGM=APP01" '//VIGIL DD *' "${@:2}" '/*'; }
	{
		echo '//A JOB'
		step 1 PROFILER FILTER=EVENT EVENT=P FUNCTION=START END-PROFILER
		step 2 PROFILER END-PROFILER
		cards P1 PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER
		step 3 PROFILER FILTER=EVENT EVENT=S END-PROFILER
	} >deck.jcl
	job deck.jcl
	has 'deck.jcl:5:1: VIG0056W FILTER=EVENT filters nothing'
	has 'VIG5303W step S1 runs unmeasured: the PROFILER blocks have no FUNCTION=INIT, and there is no ADD'
	has 'VIG5303W step S2 runs unmeasured'
	has 'VIG5305I step S3 was measured'
	[ "$(cd "$last" && echo *.vprf)" = S3.vprf ]
	run -0 vigil check deck.jcl
	has 'VIG2019W'
}

@test "a card that is cut at column 72, and paths without apostrophes" {
	card=$(printf '%-61s%s' ' FUNCTION=INIT,RESOURCE=NIGHT' ,RESOURCE-L)
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=APP01' '//VIGIL DD *' PROFILER "${card}IB=/tmp/x" END-PROFILER '/*' >cut.jcl
	run -12 vigil check cut.jcl
	has 'cut.jcl:5:73: VIG2007E the card ends at column 72, and this is not read'
	hasnt 'expected an equals sign'
	# A sequence number is not part of it.
	{
		printf '%s\n' '//A JOB' '//S1 EXEC PGM=APP01' '//VIGIL DD *'
		printf '%-72s%s\n' PROFILER 00000100 FUNCTION=INIT,RESOURCE=NIGHT,RESOURCE-LIB=./Own/Night 00000200 \
			FUNCTION=START 00000300 END-PROFILER 00000400
		echo '/*'
	} >whole.jcl
	job whole.jcl
	[ "$status" -eq 0 ]
	[ -s Own/Night/NIGHT.vprf ]
	run -0 vigil run -q -c PROFILER -c "FUNCTION=INIT,RESOURCE='Night',RESOURCE-LIB=./Own/Lib" -c FUNCTION=START -c END-PROFILER -- APP01
	[ -s Own/Lib/Night.vprf ]
	printf '%s\n' PROFILER "FUNCTION=LIST,RESOURCE-LIB=$PWD/Own/Lib" END-PROFILER >cards
	run -0 vigil control cards
	has 'Night '
}

@test "CONSOLIDATE=ON and COVERAGE=ON: a name that is given is kept, else it has its kind's suffix; readers look at what is in it" {
	command -v gcc >/dev/null || skip "no C compiler"
	echo 'static int f(int n) { return n + 1; } int main(void) { return f(1) - 2; }' >one.c
	gcc -g -O0 -finstrument-functions -o one one.c
	init() { vigil run -q "${@:2}" -c PROFILER -c "FUNCTION=INIT,$1" -c FUNCTION=START -c END-PROFILER -- ./one; }
	init CONSOLIDATE=ON
	init COVERAGE=ON
	init CONSOLIDATE=OFF
	[ "$(echo one.v*)" = "one.vcvf one.vprc one.vprf" ]
	mkdir kept
	init CONSOLIDATE=ON -o kept/sums.vprf
	init COVERAGE=ON -o kept/covered.vprf
	init EVENT=ALL -o kept/events.vprc
	init COVERAGE=ON -o kept/again.vprf
	run -0 vigil list --library kept
	[[ $output == *"again    COVERAGE "*"covered  COVERAGE "*"events   PROFILE "*"sums     CONSOLIDATED "* ]]
	run -0 vigil read -r EPS kept/sums.vprf
	[[ $output == *$'\nf  '* ]]
	run -0 vigil read -r EVT kept/sums.vprf
	has VIG6504I
	run -0 vigil read -r CPS kept/covered.vprf
	has one.c
	run -8 vigil consolidate -o kept/new.vprc kept/sums.vprf
	has 'kept/sums.vprf is consolidated already'
	run -0 vigil consolidate -q -o kept/events.sums kept/events.vprc
	run -0 vigil consolidate -o kept/merged kept/covered.vprf kept/again.vprf
	has 'statements executed in 2 runs'
	run -2 vigil consolidate -o kept/merged kept/covered.vprf kept/sums.vprf
	run -0 vigil delete --library kept sums
	has 'the resource sums (CONSOLIDATED) is deleted'
	[ ! -e kept/sums.vprf ]
	# It works in a job too, and REPORT finds the data sets.
	{
		echo '//A JOB'
		for step in CONSOLIDATE COVERAGE; do
			printf '%s\n' "//${step:0:8} EXEC PGM=ONE" '//VIGIL DD *' PROFILER "FUNCTION=INIT,$step=ON" FUNCTION=START END-PROFILER '/*'
		done
		cards P1 'REPORT A,STEP=COVERAGE,REPORTS=CPS' 'REPORT A,STEP=CONSOLID,REPORTS=EPS'
	} >deck.jcl
	cp one bin/ONE
	job deck.jcl
	[ "$status" -eq 0 ]
	[ -s "$last/CONSOLID.vprc" ]
	[ -s "$last/COVERAGE.vcvf" ]
	grep -q '^#CPS' "$last/P1.SYSPRINT"
	grep -q '^#EPS' "$last/P1.SYSPRINT"
}

@test "resources of a job: one name for several steps; FUNCTION=LIST and FUNCTION=DELETE" {
	{
		echo '//A JOB'
		cards P1 'ADD A' PROFILER 'FUNCTION=INIT,RESOURCE=RUN' FUNCTION=START END-PROFILER
		printf '%s\n' '//S1 EXEC PGM=APP01' '//S2 EXEC PGM=APP02'
		cards P2 PROFILER 'FUNCTION=LIST,RESOURCE=R*' END-PROFILER
		cards P3 PROFILER 'FUNCTION=DELETE,RESOURCE=RUN.2' END-PROFILER
	} >deck.jcl
	job deck.jcl
	[ "$status" -eq 0 ]
	has 'root/profiles/RUN.vprf'
	has 'root/profiles/RUN.2.vprf'
	grep -q 'RUN .* A .* S1 .* APP01' "$last/P2.SYSPRINT"
	grep -q 'RUN.2 .* A .* S2 .* APP02' "$last/P2.SYSPRINT"
	grep -q 'VIG0047I the resource RUN.2 (PROFILE) is deleted' "$last/P3.SYSPRINT"
	[ -e root/profiles/RUN.vprf ]
	[ ! -e root/profiles/RUN.2.vprf ]
	[ -s "$last/S2.VIGPROF" ]
	# Without REPLACE the steps of the next job run unmeasured.
	job deck.jcl
	has 'VIG5303W step S1 runs unmeasured: the resource '
	# A job with the same number in another spool is another job.
	run -4 vigil submit --spool fresh --root root --steplib bin deck.jcl
	has 'VIG5303W step S1 runs unmeasured: the resource '
	[ ! -e root/profiles/RUN.2.vprf ]
}

@test "PDPSIZE: by option, environment and PARM of the program VIGIL" {
	run -2 vigil run --pool 99 -- true
	has '--pool takes 100 to 2097151, the kilobytes of the data pool'
	run -2 vigil run --pool 2097152 -- true
	VIGIL_PDPSIZE=x run -2 vigil run -- true
	has 'VIGIL_PDPSIZE takes 100 to 2097151'
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=IEFBR14' >a.jcl
	run -2 vigil submit --pool 0 a.jcl
	{
		echo '//A JOB'
		cards P1 PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER | sed "1s/$/,PARM='PDPSIZE=5000'/"
		cards P2 PROFILER FUNCTION=PAUSE END-PROFILER | sed "1s/$/,PARM='POOL=5000'/"
	} >deck.jcl
	job deck.jcl
	grep -qx PDPSIZE=5000 "$last/REQUESTS"
	grep -q "VIG2937E PARM POOL=5000 is not known; expected PDPSIZE=n" "$last/P2.SYSPRINT"
	# PARM belongs to the program: what it says about a pool counts if there is one.
	step() { printf '%s\n' "//S$1 EXEC PGM=APP01,PARM='PDPSIZE=$2'" '//VIGIL DD *' ' ADD A' "${@:3}" '/*'; }
	{
		echo '//A JOB'
		step 1 large
		step 2 large PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER
		step 3 200 PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER
	} >deck.jcl
	job deck.jcl
	hasnt 'VIG5310W step S1'
	has 'VIG5310W step S2'
	hasnt 'VIG5310W step S3'
	run -0 vigil report -r PRO "$last/S3.vprf"
	[[ $output =~ 'DATA POOL, BYTES '\.+' '20[0-9]\.?[0-9]*K ]]
}

@test "LIST of a library that is unchanged opens no data set: the index says what was measured" {
	run -0 vigil run -q -c PROFILER -c 'FUNCTION=INIT,RESOURCE=RUN1,RESOURCE-LIB=./Lib' -c FUNCTION=START -c END-PROFILER -- APP01
	[ -s Lib/.vigil-index ]
	run -0 vigil list --library Lib
	before=$output
	[[ $before == *"RUN1 "*" APP01 "*YES ]]
	# Other bytes with the same size, modification time and inode.
	touch -r Lib/RUN1.vprf stamp
	dd if=/dev/zero of=Lib/RUN1.vprf bs=1 count="$(stat -c %s Lib/RUN1.vprf)" conv=notrunc status=none
	touch -r stamp Lib/RUN1.vprf
	run -0 vigil list --library Lib
	[ "$output" = "$before" ]
	# A file that is no data set any more is not deleted.
	run -8 vigil delete --library Lib RUN1
	has 'VIG0048E'
	[ -s Lib/RUN1.vprf ]
	rm Lib/.vigil-index
	run -4 vigil list --library Lib
	has 'VIG0046W'
}

@test "functions on resources among a step's own cards, after its session; not for all jobs" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=APP01
//VIGIL    DD *
  ADD A
  PROFILER
  FUNCTION=INIT,RESOURCE=RUN1
  FUNCTION=START
  FUNCTION=LIST
  FUNCTION=DELETE,RESOURCE=OLD*
  END-PROFILER
/*
DECK
	[ "$status" -eq 0 ]
	grep -q '^RUN1 .* APP01 ' "$last/S1.VIGPROF"
	has 'VIG0046W there is no such resource in'
	printf '%s\n' PROFILER FUNCTION=LIST END-PROFILER >cards
	run -101 vigil submit --control cards deck.jcl
	has 'cards:2:1: VIG0050E FUNCTION=LIST cannot be given for all jobs'
	VIGIL_ROOT=root run -0 vigil control cards
	[[ $output == *RUN1* ]]
}

@test "jcl-examples/events.jcl: the seed's three applications, the events of the second alone" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	unset PROGRAMS
	job "$VIGIL_SOURCE/jcl-examples/events.jcl"
	[ "$status" -eq 0 ]
	for step in RUN1 RUN2 RUN3; do [ "$(said <"$last/$step.SYSOUT" | wc -l)" -eq 1 ]; done
	[ "$(said <"$last/SCRIPT.STDOUT" | wc -l)" -eq 3 ]
	has 'VIG5305I step RUN2 was measured: '
	has 'VIG5309I step RUN3 was not measured'
	hasnt 'step RUN1 was measured'
	# APP02 executes 1003 statements in 1001 paragraphs; programs and the system add some events.
	grep -qE '^APP02 .* RUN2 +APP02 .* 20[0-9][0-9] +0 ' "$last/LIST.SYSPRINT"
	grep -qE '^SCRIPT .* SCRIPT +BPXBATCH .* 20[0-9][0-9] +0 ' "$last/LIST.SYSPRINT"
}

@test "FUNCTION=CONSOLIDATE and FUNCTION=READ: reports of a resource, to the listing and to a file" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	sed 's/APPNAME/APP/' "$VIGIL_SOURCE/jcl-examples/programs/app.cob" >app.cob
	"$COBC" -x -ftraceall -o bin/APP app.cob
	run -0 vigil run -q -c PROFILER -c 'FUNCTION=INIT,RESOURCE=RUN,EVENT=ALL,STATEMENT=ON' -c FUNCTION=START -c END-PROFILER -- APP
	printf '%s\n' PROFILER FUNCTION=CONSOLIDATE,RESOURCE=RUN "FUNCTION=READ,RESOURCE=RUN,REPORT=ESS,SORT=NAME" \
		"FUNCTION=READ,RESOURCE=RUN,REPORT=(EPS),FORMAT=CSV,EXPORT='out.csv',PROGRAM=APP" END-PROFILER >cards
	run -0 vigil control cards
	has 'VIG6510I data/profiles/RUN.vprc: '
	has 'STATEMENT SUMMARY'
	has DISPLAY
	grep -q APP out.csv
	run -8 vigil control cards
	has 'VIG6511E cannot consolidate data/profiles/RUN.vprf'
	run -0 vigil list
	[[ $output == *"RUN "*CONSOLIDATED* ]]
	run -8 vigil control <(printf '%s\n' PROFILER FUNCTION=READ,RESOURCE=NONE END-PROFILER)
	has 'VIG0051E there is no resource NONE in data/profiles'
	run -8 vigil control <(printf '%s\n' PROFILER FUNCTION=READ,RESOURCE=RUN,REPORT=XYZ END-PROFILER)
	has 'VIG0010E XYZ is not a report'
	# A data set is not replaced by a listing, of itself or of another, by any of its names.
	cp data/profiles/RUN.vprc whole.vprc
	cp data/profiles/RUN.vprf whole.vprf
	ln -s data/profiles/RUN.vprc link
	for name in data/profiles/RUN.vprf data/profiles/RUN.vprc link; do
		run -8 vigil control <(printf '%s\n' PROFILER "FUNCTION=READ,RESOURCE=RUN,EXPORT='$name'" END-PROFILER)
		has "VIG0013E cannot print the reports of data/profiles/RUN.vprf: "
		has "is a sample data set; printed output does not replace it"
		run -8 vigil read -o "$name" whole.vprf
		has "is a sample data set; printed output does not replace it"
	done
	cmp whole.vprc data/profiles/RUN.vprc
	cmp whole.vprf data/profiles/RUN.vprf
}

@test "a COBOL program starts and pauses its own measurement" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	cat >own.cob <<'COB'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OWN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  I PIC S9(9) COMP.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM BEFORE-IT.
           CALL "vigil_start" RETURNING OMITTED.
           PERFORM MEASURED-PART.
           CALL "vigil_pause" RETURNING OMITTED.
           PERFORM AFTER-IT.
           CALL "vigil_start" RETURNING OMITTED.
           CALL "vigil_pause" RETURNING OMITTED.
           STOP RUN.
       BEFORE-IT.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 100
             CONTINUE
           END-PERFORM.
       MEASURED-PART.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 100
             CONTINUE
           END-PERFORM.
       AFTER-IT.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 100
             CONTINUE
           END-PERFORM.
COB
	"$COBC" -x -ftraceall -o bin/OWN own.cob
	export COB_PRE_LOAD=libvigil COB_LIBRARY_PATH=$VIGIL_BUILD/.libs LD_LIBRARY_PATH=$VIGIL_BUILD/.libs
	run -0 OWN # unmeasured
	run -0 vigil run -q -o own.vprf -c PROFILER -c FUNCTION=INIT,EVENT=ALL,STATEMENT=ON -c END-PROFILER -- OWN
	run -0 vigil read -r ELS -f csv own.vprf
	# Line 22 is the loop of the measured part; the loops of the others are in lines 18 and 26.
	has 'own.cob,22,CONTINUE,100,'
	hasnt 'own.cob,18,'
	hasnt 'own.cob,26,'
	# Each pause has one event, and all events are counted.
	"$VIGIL_BUILD/tests/event-counts" own.vprf >counts
	[ "$(awk -F'\t' '$1 == "MP" || $1 == "MB" { print $1, $5 }' counts)" = 'MP 2' ]
	run -0 vigil read -r PRO -f csv own.vprf
	has 'detail,pauses,2'
}

@test "a job of one number in two spools: the own spool's goes first, --spool says which, and else both are listed" {
	program LONG <<<"echo \$\$ >\$0.pid; for _ in \$(seq 600); do [ -e $PWD/go ] && break; sleep 0.1; done"
	printf '%s\n' '//TWIN JOB' '//S1 EXEC PGM=LONG' '//VIGIL DD *' ' ADD TWIN' '/*' >twin.jcl
	for place in one two; do
		mkdir -p $place/bin
		cp bin/LONG $place/bin
		background vigil submit --spool $place/spool --root $place/root --steplib $place/bin twin.jcl >$place/log
		wait_for test -s $place/bin/LONG.pid
	done
	run -8 vigil pause JOB00001
	has 'VIG0044E several jobs JOB00001 are being measured: '
	has "JOB00001.TWIN in $PWD/one/spool (process "
	has "JOB00001.TWIN in $PWD/two/spool (process "
	run -8 vigil pause --spool three TWIN
	has 'VIG0043E no job TWIN of yours is being measured in the spool three'
	run -0 vigil pause --spool two/spool JOB00001
	VIGIL_SPOOL=$PWD/two/spool run -0 vigil pause TWIN
	has 'is paused already'
	cd one
	run -0 vigil pause TWIN
	hasnt already
	cd ..
	run -2 vigil read --spool one/spool x.vprf
	touch go
	for place in one two; do
		wait_for grep -q VIG5002I $place/log
		grep -q 'PAUSED = ' $place/spool/JOB00001.TWIN/S1.VIGPROF
	done
}
