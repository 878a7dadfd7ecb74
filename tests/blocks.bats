#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# PROFILER blocks and the switches of a session: what is measured when, in decks, scripts and from another terminal.

bats_require_minimum_version 1.5.0

load jobs

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT
	PATH=$VIGIL_BUILD:$PWD/bin:$PATH
	for name in APP01 APP02 APP03; do
		program $name <<<'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
	done
}

# wait_for COMMAND...: until it succeeds, at most 10 seconds.
wait_for() {
	for _ in $(seq 200); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}

# cards NAME STATEMENT...: a step of the program VIGIL.
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
	grep -q 'VIG2936I FUNCTION=PAUSE holds for the steps of the job after this one' "$last/P3.SYSPRINT"
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
	has 'VIG0041E cannot start the session of this step: it is not one that can be switched'
}

@test "from another terminal: by a process, by vigil itself, by the job" {
	program LONG <<<'echo $$ >pid; until [ -e go ]; do :; done'
	vigil run -q -o x.vprf -- LONG 3>&- &
	measurer=$!
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

	program LONG <<<"echo \$\$ >$PWD/pid; until [ -e $PWD/go ]; do :; done"
	printf '%s\n' '//LONGJOB JOB' '//S1 EXEC PGM=LONG' '//VIGIL DD *' ' ADD LONGJOB' '/*' >long.jcl
	vigil submit --spool spool --root root --steplib bin long.jcl >log 3>&- &
	submit=$!
	wait_for test -s pid
	run -0 vigil pause LONGJOB
	run -0 vigil start JOB00001
	touch go
	wait "$submit"
	grep -q 'PAUSED = ' spool/*/S1.VIGPROF
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
