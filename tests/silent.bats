#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Errors without a crash are reported, or give an exit status.

bats_require_minimum_version 1.5.0

load trace
load ordinary
load background

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB VIGIL_PRIVILEGE
}

teardown() {
	background_end
	ordinary_end
}

# command_of FILE: the command line in a sample data set.
command_of() {
	"$vigil" report -f json -r MSD "$1" | python3 -c 'import json, re, sys
print(re.search(r"\"command\":\"([^\"]*)\"", sys.stdin.read()).group(1))'
}

@test "check: what holds no JCL statement is an error: sources, listings, bytes, statements of vigil" {
	printf '       IDENTIFICATION DIVISION.\n       PROGRAM-ID. X.\n' >x.cob
	head -c 3000 /bin/sh >bytes
	printf 'a\0b\n' >nul
	echo '  ADD PAYROLL,STEP=CALC' >cards
	printf '//\n//\n' >null.jcl
	for file in x.cob bytes nul cards null.jcl; do
		run -12 --separate-stderr "$vigil" check "$file"
		[[ $stderr == *"$file: VIG1050E this is not a deck: it contains no JCL statement"* ]]
	done
	run -101 --separate-stderr "$vigil" submit --spool s --root r x.cob
	[[ $stderr == *"x.cob: VIG1050E this is not a deck"* ]]
	# A part of a deck is checked as before.
	printf '%s\n' '//D DD DSN=A.B,DISP=SHR' >part.jcl
	run -0 --separate-stderr "$vigil" check part.jcl
	[[ $stderr == *VIG1227I* ]]
}

@test "check and submit: a DD whose name is one letter from VIGIL is warned of" {
	for name in VIGL VIGILS VIGIK VIGLI IVGIL; do
		printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' "//$name DD *" '  ADD GOOD' '/*' >near.jcl
		run -0 --separate-stderr "$vigil" check near.jcl
		[[ $stderr == *"near.jcl:3:3: VIG0055W vigil does not read DD $name; did you mean VIGIL?"* ]]
	done
	run -0 --separate-stderr "$vigil" submit --spool s --root r near.jcl
	[[ $stderr == *VIG0055W* ]]
	for name in SYSIN VITAL VIGILANT VIG VIGIL; do
		printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' "//$name DD *" '  ADD GOOD' '/*' >far.jcl
		run -0 --separate-stderr "$vigil" check far.jcl
		[ -z "$stderr" ]
	done
	# Using both is deliberate; a data set may be the program's own.
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' "//VIGIL DD *" '  ADD GOOD' '//VIGILS DD *' 'x' >both.jcl
	run -0 --separate-stderr "$vigil" check both.jcl
	[ -z "$stderr" ]
	printf '%s\n' '//GOOD JOB' '//S1 EXEC PGM=IEFBR14' "//VIGILS DD DSN=A.B,DISP=SHR" '//VIGIT DD SYSOUT=*' >set.jcl
	run -0 --separate-stderr "$vigil" check set.jcl
	[[ $stderr == *"set.jcl:3:3: VIG0055I vigil does not read DD VIGILS"* ]]
	[[ $stderr != *VIGIT* ]]
}

@test "run keeps the profile that was there, through links and LIMIT too" {
	for said in one two three; do
		"$vigil" run -q -o x.vprf -- sh -c ": $said"
	done
	[[ "$(command_of x.vprf)" == *three* ]]
	[[ "$(command_of x.vprf.old)" == *two* ]]
	[ "$(echo x.vprf*)" = "x.vprf x.vprf.old" ]
	ln -s x.vprf link
	"$vigil" run -q -o link -- sh -c ': four'
	[ -L link ]
	[[ "$(command_of x.vprf)" == *four* ]]
	[[ "$(command_of x.vprf.old)" == *three* ]]
	# A file that did not exist is not kept; one that cannot be kept is not replaced.
	"$vigil" run -q -o y.vprf -- true
	[ ! -e y.vprf.old ]
	mkdir y.vprf.old
	cp y.vprf kept
	run -3 "$vigil" run -q -o y.vprf -- sh -c 'exit 3'
	[[ $output == *"VIG003"[23]"E"*"as .old"*y.vprf* ]]
	cmp y.vprf kept
	# A session that never begins removes nothing.
	cp x.vprf kept
	run -127 "$vigil" run -q -o x.vprf -- no-such-program
	run -2 "$vigil" run -q -o x.vprf --privilege root -- true
	cmp x.vprf kept
	# Nor does attach.
	background sleep 30
	"$vigil" attach -q -d 1 -o x.vprf $pid
	cmp x.vprf.old kept
}

@test "run names the profile after the script, not after its interpreter" {
	mkdir bin
	echo 'i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done' >bin/nightly.sh
	"$vigil" run -q -- sh -e bin/nightly.sh
	[ -s nightly.sh.vprf ]
	"$vigil" run -q -- sh -c :
	[ -s sh.vprf ]
	[ "$(echo *.vprf)" = "nightly.sh.vprf sh.vprf" ]
	# The program is the interpreter nevertheless.
	run -0 "$vigil" run -q -c 'ADD *,PROGRAM=sh' -- sh bin/nightly.sh
	[ -s nightly.sh.vprf.old ]
}

@test "--privilege that cannot be had is said, in the profile too" {
	ordinary_folder
	run -0 --separate-stderr "${ordinary[@]}" "$vigil" run --privilege full -o full.vprf -- true
	[[ $stderr != *VIG0053W* ]] && skip "the ordinary user has full privilege here"
	[[ $stderr == *"VIG0053W measured with privilege "[UP]*": FULL was requested but is not available here"* ]]
	run -0 "$vigil" report -r MSD full.vprf
	[[ $output == *VIG0053W* ]]
	run -0 --separate-stderr "${ordinary[@]}" "$vigil" run -q --privilege full -o full.vprf -- true
	[[ $stderr == *"VIG0053W true was measured with less privilege than full"* ]]
	# What is available is not reported, nor is what was not requested.
	run -0 --separate-stderr "${ordinary[@]}" "$vigil" run --privilege proc -o proc.vprf -- true
	[[ $stderr != *VIG0053W* ]]
	run -0 --separate-stderr "${ordinary[@]}" "$vigil" run -o any.vprf -- true
	[[ $stderr != *VIG0053W* ]]
	run -125 "${ordinary[@]}" "$vigil" run -q --require --privilege full -o full.vprf -- true
}

@test "--require makes an exit status of what was not measured" {
	run -5 --separate-stderr "$vigil" run -o no/folder/x.vprf -- sh -c 'exit 5'
	run -125 --separate-stderr "$vigil" run --require -o no/folder/x.vprf -- sh -c 'echo ran; exit 5'
	[ "$output" = ran ]
	[[ $stderr == *VIG0032E*"VIG0054E sh ended with 5, and was not measured as --require demands"* ]]
	run -5 --separate-stderr "$vigil" run -q --require -o x.vprf -- sh -c 'exit 5'
	[ -z "$stderr" ]
	run -127 "$vigil" run -q --require -o x.vprf -- no-such-program
	# Paused for the whole time.
	run -125 "$vigil" run -q --require -o x.vprf -c PROFILER -c FUNCTION=INIT -c END-PROFILER -- true
	run -0 "$vigil" run -q -o x.vprf -c PROFILER -c FUNCTION=INIT -c END-PROFILER -- true
}

@test "submit --require: a step that runs unmeasured, a request that means no step" {
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=IEFBR14' >a.jcl
	submit=("$vigil" submit --spool s --root r)
	run -0 --separate-stderr "${submit[@]}" --require --measure a.jcl
	run -0 --separate-stderr "${submit[@]}" --require a.jcl
	run -0 --separate-stderr "${submit[@]}" -c 'ADD *,STEP=S2' a.jcl
	run -102 --separate-stderr "${submit[@]}" --require -c 'ADD *,STEP=S2' a.jcl
	[[ $stderr == *VIG5312W*"VIG0054E"*"would be 0"* ]]
	# A resource with that name exists, and REPLACE is not given.
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=IEFBR14' '//VIGIL DD *' ' ADD *' ' PROFILER' ' FUNCTION=INIT,RESOURCE=NIGHT1' ' FUNCTION=START' ' END-PROFILER' >b.jcl
	run -0 --separate-stderr "${submit[@]}" --require b.jcl
	run -0 --separate-stderr "${submit[@]}" b.jcl
	[[ $output == *VIG5303W* ]]
	run -102 --separate-stderr "${submit[@]}" --require b.jcl
	[[ $stderr == *VIG0054E* ]]
	# A JCL error keeps its status.
	printf '%s\n' '//A JOB' '//S1 EXEC PGM=IEFBR14' '//D DD DSN=NO.SUCH,DISP=OLD' >c.jcl
	run -101 "${submit[@]}" --require -c 'ADD *,STEP=S2' c.jcl
}

@test "attach: the number of a thread is refused, and its process named" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	background python3 -c 'import threading, time
thread = threading.Thread(target=time.sleep, args=(60,), daemon=True)
thread.start()
print(thread.native_id, flush=True)
time.sleep(60)' >number
	for _ in {1..200}; do
		[ ! -s number ] || break
		sleep 0.1
	done
	tid=$(cat number)
	[ "$tid" -ne "$pid" ]
	run -8 "$vigil" attach -q -d 1 -o x.vprf "$tid"
	[[ $output == *"VIG0034E $tid is a thread of process $pid"*"vigil attach $pid"* ]]
	[ ! -e x.vprf ]
	run -0 "$vigil" attach -q -d 1 -o x.vprf "$pid"
}
