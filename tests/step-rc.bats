#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vigil-step.so stores the whole return code of a step's process, and changes nothing else.

bats_require_minimum_version 1.5.0
load trace
load jobs

setup_file() {
	export LIBRARY=$VIGIL_BUILD/agent/.libs/vigil-step.so
	export PROGRAM=$BATS_FILE_TMPDIR/program
	cat >"$PROGRAM.c" <<'EOF'
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_exit_7(void) { _exit(7000); }
static void bye(void) { puts("bye"); }
static void *ender(void *status) { exit((int)(long)status); }
int main(int argc, char **argv)
{
	int code = argc > 2 ? atoi(argv[2]) : 0;
	const char *how = argc > 1 ? argv[1] : "return";
	pthread_t thread;
	pid_t pid;

	if (!strcmp(how, "return"))
		return code;
	if (!strcmp(how, "exit"))
		exit(code);
	if (!strcmp(how, "_exit"))
		_exit(code);
	if (!strcmp(how, "_Exit"))
		_Exit(code);
	if (!strcmp(how, "handler")) {
		atexit(on_exit_7);
		return code;
	}
	if (!strcmp(how, "output")) {
		atexit(bye);
		printf("no newline");
		return code;
	}
	if (!strcmp(how, "signal")) {
		signal(SIGTERM, SIG_DFL);
		raise(SIGTERM);
	}
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "thread")) {
		pthread_create(&thread, NULL, ender, (void *)(long)code);
		pause();
	}
	if (!strcmp(how, "fork")) { /* the child ends in each way, the parent returns 0 */
		for (int i = 0; i < 3; i++) {
			pid = i == 2 ? vfork() : fork();
			if (!pid && i == 0)
				exit(code);
			if (!pid)
				_exit(code);
			waitpid(pid, NULL, 0);
		}
		sleep(0);
		return access(getenv("VIGIL_STEP_RC"), F_OK) ? 1000 : 1001;
	}
	if (!strcmp(how, "child")) { /* a child executes a program that ends with code */
		if (!(pid = fork()))
			execl(argv[0], argv[0], "return", argv[2], (char *)NULL);
		waitpid(pid, NULL, 0);
		return access(getenv("VIGIL_STEP_RC"), F_OK) ? 1000 : 1001;
	}
	if (!strcmp(how, "chain")) /* the process itself executes another program */
		execl(argv[0], argv[0], "return", argv[2], (char *)NULL);
	if (!strcmp(how, "clean")) { /* the program changes its environment */
		clearenv();
		return code;
	}
	return 99;
}
EOF
	gcc -o "$PROGRAM" "$PROGRAM.c" -lpthread
}

setup() {
	[ -f "$LIBRARY" ] || skip "vigil-step.so is not built"
	cd "$BATS_TEST_TMPDIR"
	export RC=$BATS_TEST_TMPDIR/rc
}

# Starts a step as a job does: the process's own number goes into its environment before exec.
step() {
	sh -c 'export VIGIL_STEP_PID=$$ VIGIL_STEP_RC="$RC" LD_PRELOAD="$LIBRARY"; exec "$@"' step "$@"
}

@test "return codes above 255 are kept, however the program ends" {
	for how in return exit _exit _Exit thread clean; do
		for code in 0 1 255 256 300 1000 4095 4096 100000; do
			rm -f "$RC"
			run step "$PROGRAM" "$how" "$code"
			[ "$status" -eq $((code & 255)) ]
			[ "$(cat "$RC")" = "$code" ] || { echo "$how $code: $(cat "$RC")"; false; }
		done
	done
}

@test "negative return codes are kept" {
	run step "$PROGRAM" exit -1
	[ "$status" -eq 255 ]
	[ "$(cat "$RC")" = -1 ]
	run step "$PROGRAM" exit -2147483648
	[ "$(cat "$RC")" = -2147483648 ]
}

@test "an exit handler that ends the process has the last word" {
	run step "$PROGRAM" handler 300
	[ "$status" -eq $((7000 & 255)) ]
	[ "$(cat "$RC")" = 7000 ]
}

@test "output and exit handlers are undisturbed" {
	run step "$PROGRAM" output 512
	[ "$output" = "no newlinebye" ]
	[ "$(cat "$RC")" = 512 ]
}

@test "a process ended by a signal leaves no return code" {
	run step "$PROGRAM" signal 300
	[ "$status" -eq 143 ]
	[ ! -e "$RC" ]
	run step "$PROGRAM" abort 300
	[ "$status" -eq 134 ]
	[ ! -e "$RC" ]
}

@test "children write nothing, forked or executed" {
	run step "$PROGRAM" fork 301
	[ "$(cat "$RC")" = 1000 ]
	rm "$RC"
	run step "$PROGRAM" child 301
	[ "$(cat "$RC")" = 1000 ]
}

@test "a program executed by the step's process is followed" {
	run step "$PROGRAM" chain 333
	[ "$(cat "$RC")" = 333 ]
	rm "$RC"
	run step sh -c "\"$PROGRAM\" return 5; exec \"$PROGRAM\" return 777"
	[ "$(cat "$RC")" = 777 ]
}

@test "without its variables the library does nothing" {
	LD_PRELOAD=$LIBRARY run "$PROGRAM" return 300
	[ "$status" -eq 44 ]
	VIGIL_STEP_RC=$RC LD_PRELOAD=$LIBRARY run "$PROGRAM" return 300
	[ "$status" -eq 44 ]
	VIGIL_STEP_RC=$RC VIGIL_STEP_PID=12x LD_PRELOAD=$LIBRARY run "$PROGRAM" return 300
	[ "$status" -eq 44 ]
	[ ! -e "$RC" ]
	[ -z "$output" ]
}

@test "a file that cannot be written changes nothing" {
	RC=$BATS_TEST_TMPDIR/none/rc run step "$PROGRAM" return 300
	[ "$status" -eq 44 ]
	[ -z "$output" ]
	ln -s "$BATS_TEST_TMPDIR/target" "$RC"
	run step "$PROGRAM" return 300
	[ "$status" -eq 44 ]
	[ ! -e "$BATS_TEST_TMPDIR/target" ]
}

@test "COBOL: RETURN-CODE by STOP RUN and GOBACK, with transactions told" {
	[ -n "$COBC" ] || skip "gnucobol3 is not installed"
	for end in "STOP RUN" GOBACK; do
		cat >rc.cob <<EOF
       IDENTIFICATION DIVISION.
       PROGRAM-ID. RC.
       PROCEDURE DIVISION.
           MOVE 1234 TO RETURN-CODE
           CALL "vigil_transaction" USING BY CONTENT Z"ORDER"
               RETURNING OMITTED
           $end.
EOF
		"$COBC" -x -o rc-program rc.cob
		export COB_PRE_LOAD=libvigil COB_LIBRARY_PATH=$VIGIL_BUILD/.libs
		rm -f "$RC"
		run step ./rc-program
		echo "$output"
		[ "$status" -eq $((1234 & 255)) ]
		[ "$(cat "$RC")" = 1234 ]
		rm -f "$RC"
	done
}

@test "a shell script's exit status above 255" {
	# dash passes the number on unchanged, bash truncates it itself: either way no more is lost than without it.
	run step sh -c 'exit 300'
	[ "$status" -eq 44 ]
	code=$(cat "$RC")
	[ "$code" = 300 ] || [ "$code" = 44 ]
}

# abend CODE: a COBOL program that calls CEE3ABD with CODE; its path is in $ABENDS.
abend() {
	[ -n "$COBC" ] || skip "gnucobol3 is not installed"
	cat >abends.cob <<EOF
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ABENDS.
       PROCEDURE DIVISION.
           DISPLAY "BEFORE"
           CALL "CEE3ABD" USING BY CONTENT $1 BY CONTENT 0
           DISPLAY "AFTER"
           MOVE 300 TO RETURN-CODE
           STOP RUN.
EOF
	"$COBC" -x -o abends abends.cob
}

@test "an abend that COBOL asks for is written instead of a return code" {
	abend 4097
	run step ./abends
	[ "$status" -eq 134 ]
	[ "$(cat "$RC")" = "U0001 the program called CEE3ABD with 4097" ]
	[ "$(said <<<"$output" | head -1)" = BEFORE ]
	case $output in *AFTER*) false ;; esac
}

@test "an abend of a child is the exit status that its parent sees" {
	abend 16
	run step sh -c './abends; exit $((status + $? + 300))'
	[ "$(cat "$RC")" = 434 ]
}

@test "what cannot be displayed or written at the end is an abend" {
	abend 16
	step ./abends >/dev/full 2>errors || true
	grep -q '^U0016' "$RC"
	sed -i '/CEE3ABD/d' abends.cob
	"$COBC" -x -o abends abends.cob
	rm -f "$RC"
	step ./abends >/dev/full 2>errors || true
	[ "$(cat "$RC")" = "SB37 the output of DISPLAY could not be written" ]
	rm -f "$RC"
	step ./abends >/dev/null || true
	[ "$(cat "$RC")" = 300 ]
}

@test "files that a COBOL program opened are noted once, with what its FD says" {
	[ -n "$COBC" ] || skip "gnucobol3 is not installed"
	cat >opens.cob <<'EOF'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OPENS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT ONE ASSIGN TO "ONE".
           SELECT OPTIONAL TWO ASSIGN TO "DIR/TWO"
             ORGANIZATION LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD ONE.
       01 ONE-REC PIC X(12).
       FD TWO.
       01 TWO-REC PIC X(12).
       PROCEDURE DIVISION.
           PERFORM 3 TIMES
             OPEN OUTPUT ONE
             CLOSE ONE
           END-PERFORM
           OPEN EXTEND ONE
           CLOSE ONE
           OPEN INPUT TWO
           CLOSE TWO
           STOP RUN.
EOF
	"$COBC" -x -o opens opens.cob
	DD_ONE=$PWD/one VIGIL_STEP_FILES=$PWD/files run step ./opens
	[ "$status" -eq 0 ]
	printf '%s\tOUTPUT\tFB,12,DSORG=PS\n%s\tEXTEND\tFB,12,DSORG=PS\n' "$PWD/one" "$PWD/one" | diff - files
	# Without the runner's variables nothing is written, and nothing is affected.
	rm files
	DD_ONE=$PWD/one run env LD_PRELOAD="$LIBRARY" ./opens
	[ "$status" -eq 0 ]
	[ ! -e files ]
}

@test "lines of any length are shown as records of the program's length" {
	[ -n "$COBC" ] || skip "gnucobol3 is not installed"
	cat >cards.cob <<'EOF'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CARDS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT CARDS ASSIGN TO "CARDS" FILE STATUS IS ST.
       DATA DIVISION.
       FILE SECTION.
       FD CARDS.
       01 CARD PIC X(5000).
       WORKING-STORAGE SECTION.
       01 ST PIC XX.
       PROCEDURE DIVISION.
           OPEN INPUT CARDS
           PERFORM UNTIL ST NOT = "00"
             READ CARDS
               NOT AT END
                 DISPLAY CARD(1:3) CARD(4095:4) CARD(4999:2) "."
             END-READ
           END-PERFORM
           DISPLAY "STATUS " ST
           IF ST = "10" CLOSE CARDS END-IF
           STOP RUN.
EOF
	"$COBC" -x -o cards cards.cob
	# Shorter, empty, longer than one read, longer than the record, without a line end.
	python3 - >lines <<'EOF'
import sys
sys.stdout.write("one\n" + "\n" + "two" + "-" * 4091 + "abcd" + "-" * 900 + "yz" + "\n"
                 + "big" + "=" * 4995 + "YZ" + "lost" * 3000 + "\n" + "end")
EOF
	DD_CARDS=$PWD/lines VIGIL_STEP_LINES=$PWD/lines$'\n' VIGIL_STEP_FILES=$PWD/files run step ./cards
	[ "$status" -eq 0 ]
	printf '%s\n' 'one      .' '         .' 'twoabcdyz.' 'big====YZ.' 'end      .' 'STATUS 10' |
		diff - <(said <<<"$output")
	[ "$(cat files."$(stat -c %D lines)".*.F5000 | wc -c)" -eq 25000 ]
	# What does not fit is reported, and the program does not read half of it.
	rm files.*
	(ulimit -f 8; DD_CARDS=$PWD/lines VIGIL_STEP_LINES=$PWD/lines$'\n' VIGIL_STEP_FILES=$PWD/files \
		env --ignore-signal=XFSZ LD_PRELOAD="$LIBRARY" ./cards) >out 2>errors || true
	grep -q '^VIG5309E COBOL: .*/files.*F5000 cannot be created: File too large$' errors
	[ "$(cat out)" = "STATUS 35" ]
	! ls files.*
}

@test "a call that a signal handler may not make is told, whatever part of the agent makes it" {
	# house.t checks that the agent has none.
	printf 'char *copy(const char *text);\n#include <string.h>\nchar *copy(const char *text) { return strdup(text); }\n' >copy.c
	cc -O1 -c -o copy.o copy.c
	run "$VIGIL_SOURCE"/tests/agent-rule copy.o
	[ "$output" = "copy: calls strdup, which is not async-signal-safe" ]
}

@test "the library brings no names of its own into a program" {
	nm -D --defined-only "$LIBRARY" | awk '{ print $3 }' | sort >names
	printf '%s\n' CEE3ABD ILBOABN0 _Exit _exit cob_close cob_delete cob_open cob_read cob_read_next cob_rewrite \
		cob_start cob_stop_run cob_write | sort | diff - names
}

@test "the library that counts by file stands before functions of the C library, and is in measured steps alone" {
	readelf -W --dyn-syms "${LIBRARY%-step.so}-files.so" | awk '$6 == "DEFAULT" && $7 ~ /^[0-9]/ { print $8 }' | sort >all
	nm -D --defined-only "$(ldd "$LIBRARY" | awk '/libc\.so/ { print $3 }')" | sed 's/.* //; s/@.*//' | sort -u >libc
	grep -qx pread64 all
	comm -23 all libc >names
	printf '%s\n' vigil_file_end vigil_file_own | diff - names
	comm -12 all libc | grep -vE '^(__)?p?(read|write)v?(64)?(v2)?(_chk)?$' | grep -vE '^(f?close|close(_range|from)|dup[23])$' |
		grep -vE '^(f?(d|re)?open|tmpfile|sendfile|mmap|lseek|fseeko?|fsetpos)(64)?$' >others
	printf '%s\n' copy_file_range rewind splice | diff - others
	# The program prints what it has loaded.
	mkdir bin
	printf '#!/bin/sh\ncat /proc/self/maps >"%s"\n' "$PWD/maps" >bin/MAPS
	chmod +x bin/MAPS
	printf '//A JOB\n//S EXEC PGM=MAPS\n' >deck
	"$VIGIL_BUILD/vigil" submit --spool spool --root root --steplib bin deck
	grep -q vigil-step.so maps
	run ! grep vigil-files.so maps
	rm maps
	printf '//VIGIL DD *\nADD *\n/*\n' >>deck
	"$VIGIL_BUILD/vigil" submit --spool spool --root root --steplib bin deck
	grep -q vigil-files.so maps
}
