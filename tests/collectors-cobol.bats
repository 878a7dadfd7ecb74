# SPDX-License-Identifier: Apache-2.0
# bats file_tags=trial
# STRBCOBO: transactions of COBOL programs by program and by a field of WORKING-STORAGE.

setup_file() {
	command -v cobc >/dev/null || skip "cobc is not installed"
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE"/tests/programs/{cobitem*,cobtran.cob,COBTRANB.cob,spend.c} .
	gcc -O2 -g -shared -fPIC -o spend.so spend.c
	cobc -m -g -o COBTRANB.so COBTRANB.cob
	cobc -x -g -o cobtran cobtran.cob
	export COB_PRE_LOAD=spend
}

setup() {
	cd "$WORK" || return 1
	vigil=$VIGIL_BUILD/vigil
	items=$VIGIL_BUILD/sampler/collectors/cobol-items
	data=$BATS_TEST_TMPDIR/x.vprf
}

# by WAY [PROGRAM [ARG...]]: measures cobtran with transactions by WAY.
by() {
	local way=$1
	shift
	[ $# -gt 0 ] || set -- ./cobtran
	"$vigil" run -c "ADD *,DCC=STRBCOBO,DCCPARM='TRANSACTION=$way'" -o "$data" -- "$@" 2>"$BATS_TEST_TMPDIR/summary"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

# transactions NAME...: the report has these and, beside overhead, no others.
transactions() {
	"$vigil" report --format csv --report TUS "$data" |
		sed -nE 's/^TUS,transactions,detail,([^,]*),.*/\1/p' | grep -v '^\.' | sort >"$BATS_TEST_TMPDIR/found"
	{ [ $# -eq 0 ] || printf '%s\n' "$@"; } | sort | diff - "$BATS_TEST_TMPDIR/found"
}

# says TEXT: a note of the collector in the profile.
says() {
	"$vigil" report --format json --all "$data" | grep -F "data collector STRBCOBO: $1"
}

@test "items lie where the compiler puts them: PICTURE, USAGE, SIGN, OCCURS, REDEFINES, COPY" {
	cobc -C -x -std=default cobitems.cob
	"$items" cobitems.cob COBITEMS 1 >default.items
	python3 "$VIGIL_SOURCE/tests/cobol-items.py" default.items cobitems.c.l.h
	cobc -C -x -std=ibm cobitems.cob
	"$items" cobitems.cob COBITEMS >ibm.items
	python3 "$VIGIL_SOURCE/tests/cobol-items.py" ibm.items cobitems.c.l.h
}

@test "what moves items and is not calculated is refused" {
	for clause in 'PIC S9(4) COMP SYNC' 'PIC 9(3) COMP-X' 'PIC 9P' 'PIC N(3)' 'USAGE FLOAT-LONG'; do
		printf '       PROGRAM-ID. A.\n       WORKING-STORAGE SECTION.\n       01 R.\n           05 X %s.\n' \
			"$clause" >a.cob
		run "$items" a.cob A
		echo "$clause: $output"
		[[ $output == *"X refused: "* ]]
	done
	printf '       PROGRAM-ID. A.\n       WORKING-STORAGE SECTION.\n       COPY NONE.\n       01 R PIC X.\n' >a.cob
	run "$items" a.cob A
	[[ $output == *"refused: a COPY whose copybook is not beside the source"* ]]
}

# Shares are held to the margin of error in the listing; to samples without an answer no transaction belongs.
@test "transactions by program: the innermost COBOL program that executes, subprograms called dynamically" {
	by PROGRAM
	holds 'near(transaction_row("COBTRANB")["samples"], 70, unknown=silent())' 'near(transaction_row("COBTRAN")["samples"], 30, unknown=silent())' 'ties() == ""'
}

@test "transactions by a field of WORKING-STORAGE have the shares of its values" {
	by 'FIELD(WS-TRAN-CODE)'
	holds 'near(transaction_row("BUY")["samples"], 50, unknown=silent())' 'near(transaction_row("SELL")["samples"], 30, unknown=silent())' 'near(transaction_row("MOVE")["samples"], 20, unknown=silent())' \
		'ties() == ""' 'collector("STRBCOBO")["torn"] == 0'
	transactions BUY SELL MOVE
}

@test "a field can be named with its program and its group" {
	by 'FIELD(COBTRAN.WS-TRAN.WS-TRAN-NUMBER)' ./cobtran 4
	transactions 101 202 303
}

@test "COMP-3 and COMP are shown as numbers" {
	by 'FIELD(cobtran.ws-tran-packed)' ./cobtran 4
	transactions -1.50 20.25 0.00
	by 'FIELD(WS-TRAN-BINARY)' ./cobtran 4
	transactions -7 8 9999
}

@test "a group is the text of its items" {
	by 'FIELD(WS-CONTROL)' ./cobtran 4
	"$vigil" report --format csv --report TUS "$data" | grep -F '***BUY 00101'
}

@test "a field of a subprogram is read when the subprogram has been called" {
	by 'FIELD(COBTRANB.SUB-NOTE)'
	holds 'near(transaction_row("BUSY")["samples"], 70, unknown=silent())' 'near(transaction_row("IDLE")["samples"], 30, unknown=silent())'
}

@test "programs compiled with -O2, and with another standard, have their fields too" {
	mkdir -p fast
	cobc -x -g -O2 -std=ibm -o fast/cobtran cobtran.cob
	cobc -m -g -O2 -std=ibm -o fast/COBTRANB.so COBTRANB.cob
	COB_LIBRARY_PATH=$WORK/fast by 'FIELD(WS-TRAN-CODE)' fast/cobtran 4
	transactions BUY SELL MOVE
}

# GnuCOBOL 3.1 has debug information of the C code without -g too, 3.2 when it is told.
@test "a program compiled without -g names its source itself" {
	mkdir -p plain
	cobc -x -A -ggdb3 -o plain/cobtran cobtran.cob
	by 'FIELD(WS-TRAN-CODE)' plain/cobtran 4
	transactions BUY SELL MOVE
}

# Of processes of some milliseconds some end between the sample and the look at their memory.
@test "a process that ended before its source was known does not refuse its program for the others" {
	mkdir -p short
	sed 's/MOVE [235]0 TO WS-UNTIL/MOVE 1 TO WS-UNTIL/' cobtran.cob >short/cobtran.cob
	(cd short && cobc -x -A -ggdb3 -o cobtran cobtran.cob)
	by 'FIELD(WS-TRAN-CODE)' sh -c 'for i in $(seq 200); do short/cobtran 1; done; short/cobtran 500'
	run says 'WS-TRAN-CODE of program COBTRAN'
	[ "$status" -ne 0 ]
	holds 'transaction("SELL") > 10' 'transaction("BUY") > 10' 'transaction("MOVE") > 10'
}

@test "without DCCPARM it is by program" {
	"$vigil" run -c "ADD *,DCC=STRBCOBO" -o "$data" -- ./cobtran 4 2>/dev/null
	transactions COBTRAN COBTRANB
}

@test "a field that is not there is told with its reason, and no transaction is set" {
	by 'FIELD(COBTRAN.WS-NOTHING)' ./cobtran 2
	says 'WS-NOTHING of program COBTRAN: it is not in the WORKING-STORAGE SECTION'
	run says 'WS-NOTHING is not found'
	[ "$status" -ne 0 ]
	transactions
	by 'FIELD(WS-NOTHING)' ./cobtran 4
	says 'WS-NOTHING is not found: no COBOL program that executes has it'
	by 'FIELD(PAYCALC.WS-TRAN-CODE)' ./cobtran 4
	says 'WS-TRAN-CODE is not found: no COBOL program PAYCALC that executes has it'
	transactions
}

@test "without a program's name the field is that of the innermost program that has one" {
	by 'FIELD(SUB-NOTE)' ./cobtran 4
	transactions BUSY IDLE
	run says 'SUB-NOTE'
	[ "$status" -ne 0 ]
}

# One name in both: BUSY in the subprogram, what is sold in the main program.
@test "where several programs have the field it is that of the innermost for each sample" {
	mkdir -p same
	sed 's/WS-TRAN-CODE/WS-SAME/' cobtran.cob >same/cobtran.cob
	sed 's/SUB-NOTE/WS-SAME/' COBTRANB.cob >same/COBTRANB.cob
	cd same
	cobc -x -g -o cobtran cobtran.cob
	cobc -m -g -o COBTRANB.so COBTRANB.cob
	export COB_LIBRARY_PATH=$WORK
	by 'FIELD(WS-SAME)'
	holds 'near(transaction_row("BUSY")["samples"], 70, unknown=silent())' 'near(transaction_row("SELL")["samples"], 30, unknown=silent())' 'ties() == ""'
	by 'FIELD(COBTRAN.WS-SAME)' ./cobtran 4
	transactions BUY SELL MOVE
}

# turn PROGRAM: a subprogram that spends two seconds, with an item that has the program's name for its value.
turn() {
	printf '       %s\n' 'IDENTIFICATION DIVISION.' "PROGRAM-ID. $1." 'DATA DIVISION.' 'WORKING-STORAGE SECTION.' \
		'01  OWN-NOTE  PIC X(8).' '01  OWN-TIME  PIC 9(9) COMP-5 VALUE 2000.' '01  OWN-WORK  PIC S9(9) COMP-5.' \
		'PROCEDURE DIVISION.' 'MAIN-PARAGRAPH.' "    MOVE \"$1\" TO OWN-NOTE." \
		'    CALL "spend" USING BY VALUE OWN-TIME' '        RETURNING OWN-WORK.' '    GOBACK.' >"$1.cob"
	cobc -m -g "$1.cob"
}

# The second is mapped where the first was; what was known of the place holds for less than a second.
@test "a program that was cancelled and unloaded is not taken for the one that is loaded in its place" {
	mkdir -p turns
	cd turns
	turn ALPHA
	turn GAMMA
	printf '       %s\n' 'IDENTIFICATION DIVISION.' 'PROGRAM-ID. TURNS.' 'PROCEDURE DIVISION.' 'MAIN-PARAGRAPH.' \
		'    CALL "ALPHA".' '    CANCEL "ALPHA".' '    CALL "GAMMA".' '    STOP RUN.' >turns.cob
	cobc -x -g turns.cob
	export COB_LIBRARY_PATH=$WORK COB_PHYSICAL_CANCEL=1
	by PROGRAM ./turns
	holds 'least(transaction_row("ALPHA")["samples"], 45, unknown=silent())' 'least(transaction_row("GAMMA")["samples"], 25, unknown=silent())'
	by 'FIELD(ALPHA.OWN-NOTE)' ./turns
	holds 'least(transaction_row("ALPHA")["samples"], 45, unknown=silent())' 'transaction("ALPHA") < 75' 'transaction("GAMMA") < 20'
}

@test "a program that is compiled anew during the step is known by its new file" {
	mkdir -p anew
	cd anew
	export COB_LIBRARY_PATH=$WORK
	cp ../cobtran.cob .
	cobc -x -g -o prog cobtran.cob
	cat >compile <<-'END'
		sed -i -e 's/"BUY"/"TAKE"/; s/"SELL"/"GIVE"/; s/"MOVE" TO/"KEEP" TO/' \
			-e 's/01  WS-CONTROL/01  WS-MORE PIC X(999) VALUE "*".\n       &/; s/STOP RUN/DISPLAY WS-MORE STOP RUN/' cobtran.cob
		cobc -x -g -o prog cobtran.cob
	END
	by 'FIELD(WS-TRAN-CODE)' sh -c './prog 4; sh ./compile; ./prog 4 >shown'
	grep -q '^\*' shown
	transactions BUY SELL MOVE TAKE GIVE KEEP
}

# As the debug information of large libraries is not read for nothing.
@test "an object that uses nothing of GnuCOBOL's run time library has no COBOL programs" {
	printf '%s\n' '#include <time.h>' 'int FAKE_(void) { static void *module; return clock() / (CLOCKS_PER_SEC / 10) < 3 + !&module; }' \
		'int main(void) { while (FAKE_()) {} }' >fake.c
	gcc -g -o fake fake.c
	by PROGRAM ./fake
	transactions
	echo 'int cob_module_enter(void) { return 0; }' >>fake.c
	gcc -g -o fake fake.c
	by PROGRAM ./fake
	transactions FAKE
}

@test "a source that was changed after it was compiled is not believed" {
	mkdir -p changed
	cp cobtran.cob changed
	(cd changed && cobc -x -g -o cobtran cobtran.cob && sed -i 's/WS-MARK         PIC X(3)/WS-MARK         PIC X(9)/' cobtran.cob)
	by 'FIELD(WS-TRAN-CODE)' changed/cobtran 2
	says 'WS-TRAN-CODE of program COBTRAN: the source does not agree with the program'
	rm changed/cobtran.cob
	by 'FIELD(WS-TRAN-CODE)' changed/cobtran 2
	says 'WS-TRAN-CODE of program COBTRAN: its source cannot be read'
}

@test "a parameter that is wrong is told, and the session goes on" {
	"$vigil" run -c "ADD *,DCC=STRBCOBO,DCCPARM='TRANSACTION=FIELD(A B)'" -o "$data" -- ./cobtran 2 2>/dev/null
	says 'DCCPARM must be TRANSACTION=PROGRAM or TRANSACTION=FIELD([PROGRAM.][GROUP.]FIELD)'
	holds 'fact("samples_processed") > 100'
}
