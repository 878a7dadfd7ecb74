#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Event handlers: PROFILE loads CEEEVPRF, which is called for each event of the Language Environment's interface.

bats_require_minimum_version 1.5.0

load trace
load jobs
load background

setup_file() {
	export LIBRARY=$VIGIL_BUILD/agent/.libs/vigil-handler.so
	export PROGRAMS=$BATS_FILE_TMPDIR/bin
	mkdir -p "$PROGRAMS" "$BATS_FILE_TMPDIR/sample"
	warnings="-Wall -I$VIGIL_SOURCE/include"
	# shellcheck disable=SC2086
	cc $warnings -shared -fPIC -o "$PROGRAMS/CEEEVPRF.so" "$VIGIL_SOURCE/tests/handlers/checks.c"
	# shellcheck disable=SC2086
	cc $warnings -shared -fPIC -o "$BATS_FILE_TMPDIR/sample/CEEEVPRF.so" "$VIGIL_SOURCE/doc/handlers/CEEEVPRF.c"
	cc -O1 -o "$PROGRAMS/RAISER" "$VIGIL_SOURCE/tests/handlers/raiser.c" -pthread
	cc -O1 -finstrument-functions -rdynamic -o "$PROGRAMS/HOOKED" "$VIGIL_SOURCE/tests/handlers/hooked.c"
}

setup() {
	[ "$(uname -m)" = x86_64 ] || skip "hooks and registers are known on x86-64"
	in_own_folder
	PATH=$VIGIL_BUILD:$PATH
	begin="123 118 120 160 "
	end="174 161 122 119 121 "
}

teardown() {
	background_end
}

# events STRING PROGRAM [ARGUMENT...]: sets $codes to the event codes in their order; standard output is in out, error
# output in err.
events() {
	string=$1
	shift
	status=0
	env VIGIL_HANDLER="$PROGRAMS/CEEEVPRF.so" VIGIL_HANDLER_STRING="$string" LD_PRELOAD="$LIBRARY" "$@" \
		>out 2>err || status=$?
	codes=$(sed -n 's/^EVENT //p' err | tr '\n' ' ')
	cat out err
	if grep WRONG err; then return 1; fi
	output=$(cat out err)
}

raiser() {
	events "${STRING:-NONE}" "$PROGRAMS/RAISER" "$@"
}

@test "a program begins with 123 118 120 160 and ends with 174 161 122 119 121, also by _exit" {
	raiser nothing
	[ "$codes" = "$begin$end" ]
	raiser _exit
	[ "$codes" = "$begin$end" ]
	[ "$status" -eq 9 ]
}

@test "threads: 162 in the creator comes before 163 and 120 in the new one, which ends with 164 and 122" {
	raiser threads
	one="162 163 120 164 122 "
	[ "$codes" = "$begin$one$one$end" ]
	raiser errno
	has "errno 1"
}

@test "fork: 171, 178 in the parent and 172 in the child, which ends; vfork: 171 and 178, and its child raises nothing" {
	raiser fork
	has "child 7 kept 1"
	[ "$(echo "$codes" | tr ' ' '\n' | sort | uniq -c | awk '$2 ~ /^17[128]$/ { printf "%s:%s ", $2, $1 }')" = "171:1 172:1 178:1 " ]
	[ "$(grep -c 'EVENT 121$' err)" -eq 2 ]
	raiser vfork
	has "child 7 kept 1"
	[ "$codes" = "${begin}171 178 $end" ]
}

@test "spawn: 175 and 179 around posix_spawn, posix_spawnp, system and popen" {
	raiser spawn
	has "system 3"
	has "popen 4"
	[ "$(grep -c 'EVENT 175$' err)" -eq 4 ]
	[ "$(grep -c 'EVENT 179$' err)" -eq 4 ]
	# Shells have the handler, too: they are enclaves created by this program. The program itself has no creator.
	[ "$(sed -n 's/^CREATOR //p' err | sort -u | tr '\n' ' ')" = "RAISER nobody " ]
}

@test "exec: 173 for each function of the family; one that fails lets the program run on" {
	for how in execv execvp execl execlp execle; do
		raiser $how
		[ "$codes" = "${begin}173 " ]
		has nothing
	done
	raiser missing
	[ "$codes" = "${begin}173 $end" ]
	has "missing -1"
}

@test "a condition percolates to the system: 101, 103, the end, and the program dies as without handler" {
	raiser fault
	[ "$codes" = "${begin}101 103 $end" ]
	[ "$status" -eq 139 ]
	for number in 4 5 6 7 8 11; do
		raiser signal $number
		[ "$codes" = "${begin}101 103 $end" ]
		[ "$status" -eq $((128 + number)) ]
	done
}

@test "a condition is resumed at the cursor from 101 or 103; one that only comes again percolates" {
	STRING=RESUME-101 raiser fault
	[ "$codes" = "${begin}101 $end" ]
	has "after 1"
	STRING=RESUME-103 raiser fault
	[ "$codes" = "${begin}101 103 $end" ]
	has "after 1"
	STRING=RESUME-101 raiser signal 8
	[ "$status" -eq 0 ]
	STRING=LOOP raiser fault
	[ "$codes" = "${begin}101 101 101 101 103 $end" ]
	[ "$status" -eq 139 ]
}

@test "a condition percolates to the program's signal handler, which sees its own actions; another there is 127" {
	raiser handler
	[ "$codes" = "${begin}101 101 $end" ]
	has "before 1"
	has "now 1"
	has "mask 0"
	[ "$(grep -c 'handler 11' out)" -eq 2 ]
	PROMOTE=1 raiser handler
	[ "$codes" = "${begin}101 127 101 127 $end" ]
	has "handler 8"
	[ "$status" -eq 0 ]
}

@test "hooks of functions: entry and exit, changed registers, a changed return address" {
	events NAMES "$PROGRAMS/HOOKED"
	[ "$codes" = "${begin}133 133 $end" ]
	[ "$(grep '^NAME' err)" = $'NAME 4 inner 1\nNAME 52 inner 1' ]
	events NONE "$PROGRAMS/HOOKED" own
	has "r12 1 way 5"
	events REGISTER "$PROGRAMS/HOOKED" own
	has "r12 4711 way 5"
	events RETURN "$PROGRAMS/HOOKED" own
	has "r12 1 way 6"
}

@test "hooks of COBOL: entry, label, statement, exit, and several events at CALL and GO TO" {
	[ -n "$COBC" ] || skip "cobc is not installed"
	cat >hooks.cob <<'EOF'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. HOOKS.
       PROCEDURE DIVISION.
       MAIN-S SECTION.
       P1.
           CALL "SUB1".
           GO TO P3.
       P2.
           STOP RUN.
       P3.
           GOBACK.
       END PROGRAM HOOKS.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. SUB1.
       PROCEDURE DIVISION.
           DISPLAY "SUB".
           GOBACK.
       END PROGRAM SUB1.
EOF
	"$COBC" -x -ftraceall -o hooks hooks.cob
	env VIGIL_HANDLER="$BATS_FILE_TMPDIR/sample/CEEEVPRF.so" VIGIL_HANDLER_STRING=HOOKS LD_PRELOAD="$LIBRARY" \
		./hooks 2>err >out
	cat err
	grep -q SUB out
	grep -E 'EVENT 1[38]' err | sed -n '/ label$/d; s/^EVENT //p' >found
	grep -q '^EVENT 133 hook 8 MAIN-S label$' err
	grep -q '^EVENT 133 hook 8 P3 label$' err
	case $("$COBC" --version | head -1) in
	*" 3.1"*) ;;
	*) skip "the verb of a statement is known of GnuCOBOL 3.1" ;;
	esac
	cat >wanted <<'EOF'
133 hook 4 HOOKS entry
189 hook 12 mask 00084008 CALL
133 hook 4 SUB1 entry
133 hook 12 DISPLAY statement
133 hook 12 GOBACK statement
133 hook 52 SUB1 exit
133 hook 16 HOOKS return
189 hook 12 mask 00084004 GO TO
133 hook 12 GOBACK statement
133 hook 52 HOOKS exit
EOF
	diff wanted found
}

@test "STOP RUN leaves all programs: exit of each, the innermost first, before the enclave ends" {
	[ -n "$COBC" ] || skip "cobc is not installed"
	cat >stops.cob <<'EOF'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OUTER.
       PROCEDURE DIVISION.
           CALL "MIDDLE".
       END PROGRAM OUTER.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MIDDLE.
       PROCEDURE DIVISION.
           CALL "INNER".
       END PROGRAM MIDDLE.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       PROCEDURE DIVISION.
           MOVE 3 TO RETURN-CODE.
           STOP RUN.
       END PROGRAM INNER.
EOF
	"$COBC" -x -ftraceall -o stops stops.cob
	events NAMES ./stops
	[ "$status" -eq 3 ]
	[ "$(sed -n 's/^NAME 52 \(.*\) 0$/\1/p' err | tr '\n' ' ')" = "INNER MIDDLE OUTER " ]
	[[ $codes == *" 133 133 133 $end" ]]
}

@test "call return: by nested and repeated calls, of what is not traced, and before the exit" {
	[ -n "$COBC" ] || skip "cobc is not installed"
	case $("$COBC" --version | head -1) in
	*" 3.1"*) ;;
	*) skip "the verb of a statement is known of GnuCOBOL 3.1" ;;
	esac
	cat >calls.cob <<'EOF'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OUTER.
       PROCEDURE DIVISION.
           CALL "MIDDLE".
           CALL "MIDDLE".
           CALL "untraced".
           GOBACK.
       END PROGRAM OUTER.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. MIDDLE.
       PROCEDURE DIVISION.
           DISPLAY "BEFORE".
           CALL "INNER".
       END PROGRAM MIDDLE.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       PROCEDURE DIVISION.
           GOBACK.
       END PROGRAM INNER.
EOF
	echo 'int untraced(void) { return 0; }' >untraced.c
	cc -c untraced.c
	"$COBC" -x -ftraceall -o calls calls.cob untraced.o
	env VIGIL_HANDLER="$BATS_FILE_TMPDIR/sample/CEEEVPRF.so" VIGIL_HANDLER_STRING=HOOKS LD_PRELOAD="$LIBRARY" ./calls 2>err >out
	sed -n 's/^EVENT 133 hook [0-9]* \(.*\) \(entry\|exit\|return\)$/\1 \2/p; s/^EVENT 189 .* CALL$/CALL/p' err >found
	middle="CALL
MIDDLE entry
CALL
INNER entry
INNER exit
MIDDLE return
MIDDLE exit
OUTER return"
	diff found - <<EOF
OUTER entry
$middle
$middle
CALL
OUTER return
OUTER exit
EOF
	# Parameters are as for any hook.
	env VIGIL_HANDLER="$PROGRAMS/CEEEVPRF.so" VIGIL_HANDLER_STRING=NONE LD_PRELOAD="$LIBRARY" ./calls 2>err >out
	run ! grep WRONG err
}

@test "hooks are not raised unless the handler enables them" {
	env VIGIL_HANDLER="$BATS_FILE_TMPDIR/sample/CEEEVPRF.so" VIGIL_HANDLER_STRING=PLAIN LD_PRELOAD="$LIBRARY" \
		"$PROGRAMS/HOOKED" 2>err
	[ "$(sed -n 's/^EVENT \([0-9]*\).*/\1/p' err | tr '\n' ' ')" = "$begin$end" ]
}

@test "a handler that crashes or aborts is switched off, and the program runs on" {
	STRING=CRASH-123 raiser nothing
	[ "$codes" = "123 " ]
	has "VIG6605E event handler CEEEVPRF: signal 11 in its call for event 123"
	has nothing
	STRING=ABORT-163 raiser threads
	[ "$codes" = "${begin}162 163 " ]
	[ "$status" -eq 0 ]
	STRING=CRASH-101 raiser fault
	has "signal 11 in its call for event 101"
	[ "$status" -eq 139 ]
	STRING=CRASH-121 raiser _exit
	[ "$status" -eq 9 ]
}

@test "a handler that cannot be loaded, or has no CEEEVPRF: message, and the program runs on" {
	echo nonsense >not.so
	for file in "$PWD/not.so" /does/not/exist.so "$LIBRARY"; do
		run env VIGIL_HANDLER="$file" LD_PRELOAD="$LIBRARY" "$PROGRAMS/RAISER" nothing
		[ "$status" -eq 0 ]
		has "VIG6603E event handler $file cannot be loaded: "
		has "; the program continues without it"
		[ "${lines[1]}" = nothing ] || [ "${lines[0]}" = nothing ]
	done
}

# step PARM [CARDS]: a job of one step that runs RAISER.
step() {
	job <<EOF
//J JOB
//S EXEC PGM=RAISER,PARM='$1'
$2
EOF
	text=$(cat "$last"/S.SYSOUT 2>/dev/null || true)
	echo "$text"
}

@test "PROFILE by PARM, by CEEOPTS and by _CEE_RUNOPTS; the string in upper case" {
	step "PROFILE(ON,''Resume-101'')/fault"
	[ "$status" -eq 0 ]
	echo "$text" | grep -q "after 1"
	step "fault/PROFILE(ON,''resume-101'')"
	echo "$text" | grep -q "after 1"
	step fault "//CEEOPTS DD *
* a comment, TEST
 RPTOPTS(OFF),
 PROFILE(ON,'resume-101')
/*"
	echo "$text" | grep -q "after 1"
	_CEE_RUNOPTS="PROFILE(ON,'resume-101')" step fault
	echo "$text" | grep -q "after 1"
	step fault
	[ -z "$text" ]
	has "ABEND S0C4"
	_CEE_RUNOPTS="PROFILE(ON,'resume-101')" step "PROFILE(OFF)/nothing"
	[ "$text" = nothing ]
}

@test "PROFILE by a card: in DD VIGIL, for all jobs, and the PARM after it; it alone measures nothing" {
	card=$(printf '//VIGIL DD *\n  RUNOPTS %s\n/*' "'PROFILE(ON,''resume-101'')'")
	step fault "$card"
	[ "$status" -eq 0 ]
	echo "$text" | grep -q "after 1"
	hasnt 'was measured'
	[ ! -e "$last/S.vprf" ]
	_CEE_RUNOPTS="PROFILE(ON,'loop')" step fault "$card"
	echo "$text" | grep -q "after 1"
	step "PROFILE(OFF)/nothing" "$card"
	[ "$text" = nothing ]
	step fault "$(printf '//VIGIL DD *\n  ADD J\n  RUNOPTS %s\n/*' "'PROFILE(ON,''resume-101'')'")"
	echo "$text" | grep -q "after 1"
	has 'VIG5305I step S was measured'
	step fault "$(printf '//VIGIL DD *\n  RUNOPTS %s\n  RUNOPTS TEST\n/*' "'PROFILE(ON,''resume-101'')'")"
	has 'VIG6601W step S: PROFILE is ignored, because TEST is in effect'
	echo "RUNOPTS 'PROFILE(ON,''RESUME-101'')'" >all
	printf '%s\n' '//J JOB' "//S EXEC PGM=RAISER,PARM='fault'" >all.jcl
	job --control all all.jcl
	[ "$status" -eq 0 ]
	grep -q "after 1" "$last"/S.SYSOUT
	# With a wrong card nothing is run.
	step fault "$(printf '//VIGIL DD *\n  RUNOPTS %s\n/*' "'PROFILE(PERHAPS)'")"
	[ "$status" -eq 101 ]
	has "VIG2170E run-time options: PROFILE needs ON or OFF, not "
	run -8 vigil control all
	has 'VIG2171E no step starts here; RUNOPTS belongs in DD VIGIL of its step'
}

@test "vigil run with a handler: by _CEE_RUNOPTS and by a card, beside the program or in VIGIL_STEPLIB" {
	unset VIGIL_STEPLIB
	run -0 vigil run -q -o x.vprf -c "RUNOPTS 'PROFILE(ON,''resume-101'')'" -- "$PROGRAMS/RAISER" fault
	has "after 1"
	hasnt WRONG
	_CEE_RUNOPTS="PROFILE(ON,'resume-101')" run -0 vigil run -q -o x.vprf -- "$PROGRAMS/RAISER" fault
	has "after 1"
	[ -s x.vprf ]
	cp "$PROGRAMS/RAISER" raiser
	_CEE_RUNOPTS="PROFILE(ON)" run -0 vigil run -q -o x.vprf -- ./raiser nothing
	has "VIG6602W PROFILE is in effect, but CEEEVPRF.so is neither in VIGIL_STEPLIB nor next to raiser; it runs without event handler"
	has nothing
	VIGIL_STEPLIB=/does/not/exist:$PROGRAMS _CEE_RUNOPTS="PROFILE(ON)" run -0 vigil run -q -o x.vprf -- ./raiser nothing
	has "EVENT 121"
	_CEE_RUNOPTS="PROFILE(ON)" run -0 vigil run -q -o x.vprf -c "RUNOPTS 'TEST'" -- "$PROGRAMS/RAISER" nothing
	has "VIG6601W PROFILE is ignored, because TEST is in effect"
	hasnt "EVENT "
	_CEE_RUNOPTS="PROFILE(PERHAPS)" run -0 vigil run -q -o x.vprf -- "$PROGRAMS/RAISER" nothing
	has 'VIG6606W run-time options in _CEE_RUNOPTS: PROFILE needs ON or OFF, not "PERHAPS"'
	mkdir open
	chmod 777 open
	cp "$PROGRAMS/CEEEVPRF.so" open
	VIGIL_STEPLIB=open _CEE_RUNOPTS="PROFILE(ON)" run -0 vigil run -q -o x.vprf -- ./raiser nothing
	has "VIG6604W the event handler $(realpath open)/CEEEVPRF.so is not loaded: "
	# With the events of a PROFILER block, both see each call.
	run -0 vigil run -q -o x.vprf -c PROFILER -c FUNCTION=INIT -c FUNCTION=START -c END-PROFILER -c "RUNOPTS 'PROFILE(ON)'" -- "$PROGRAMS/HOOKED"
	has "EVENT 133"
	"$VIGIL_BUILD/tests/event-counts" x.vprf | grep -q '^PS	inner	'
	run -0 vigil run -q -o x.vprf -c PROFILER -c FUNCTION=INIT -c FUNCTION=START -c END-PROFILER -c "RUNOPTS 'PROFILE(ON)'" -- "$PROGRAMS/RAISER" vfork
	has "EVENT 171"
	has "EVENT 178"
	hasnt WRONG
	"$VIGIL_BUILD/tests/event-counts" x.vprf | grep -q '^KF	RAISER	'
	# Status and signal are the program's.
	run -139 vigil run -q -o x.vprf -c "RUNOPTS 'PROFILE(ON)'" -- "$PROGRAMS/RAISER" fault
	background sleep 30
	run -8 vigil attach -q -o x.vprf -c "RUNOPTS 'PROFILE(ON)'" $pid
	has "VIG2172E a process that is already running cannot load an event handler; RUNOPTS has no meaning for it"
}

@test "TEST switches PROFILE off, with a message" {
	_CEE_RUNOPTS=TEST step "PROFILE(ON)/nothing"
	has "VIG6601W step S: PROFILE is ignored, because TEST is in effect"
	[ "$text" = nothing ]
	_CEE_RUNOPTS=TEST step "PROFILE(ON),NOTEST/nothing"
	hasnt VIG6601W
	echo "$text" | grep -q "EVENT 121"
}

@test "no handler in the step's libraries, one that others may change, and a wrong option: messages, the program runs" {
	cp "$PROGRAMS/RAISER" bin
	PROGRAMS='' step "PROFILE(ON)/nothing"
	has "VIG6602W step S: PROFILE is in effect, but CEEEVPRF.so is in no library of the step"
	[ "$text" = nothing ]
	mkdir open
	chmod 777 open
	cp "$PROGRAMS/CEEEVPRF.so" open
	ln -s "$PWD/open/CEEEVPRF.so" bin/CEEEVPRF.so
	PROGRAMS='' step "PROFILE(ON)/nothing"
	has "VIG6604W step S: the event handler $(realpath open)/CEEEVPRF.so is not loaded: "
	[ "$text" = nothing ]
	_CEE_RUNOPTS="PROFILE(PERHAPS)" step nothing
	has "VIG6606W step S: run-time options in _CEE_RUNOPTS: PROFILE needs ON or OFF, not \"PERHAPS\""
	[ "$text" = nothing ]
}

@test "a COBOL module and a program that BPXBATCH runs have the handler; a path as PARM stays whole" {
	program ARGS <<'EOF'
echo "got $1"
EOF
	job <<'EOF'
//J JOB
//S EXEC PGM=ARGS,PARM='/etc/TEST/passwd'
//B EXEC PGM=BPXBATCH,PARM='SH true/PROFILE(ON)'
EOF
	[ "$(cat "$last"/S.SYSOUT)" = "got /etc/TEST/passwd" ]
	grep -q "EVENT 118" "$last"/B.*
	[ -n "$COBC" ] || skip "cobc is not installed"
	printf '       IDENTIFICATION DIVISION.\n       PROGRAM-ID. MODULE.\n       PROCEDURE DIVISION.\n           DISPLAY "MOD".\n           GOBACK.\n' >MODULE.cob
	"$COBC" -m -ftraceall -o bin/MODULE.so MODULE.cob
	job <<'EOF'
//J JOB
//M EXEC PGM=MODULE,PARM='/PROFILE(ON)'
EOF
	cat "$last"/M.SYSOUT
	grep -q "EVENT 133" "$last"/M.SYSOUT
	grep -q MOD "$last"/M.SYSOUT
}
