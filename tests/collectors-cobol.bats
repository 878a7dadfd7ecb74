# SPDX-License-Identifier: Apache-2.0
# STRBCOBO: transactions of COBOL programs by program and by a field of WORKING-STORAGE.

setup_file() {
	command -v cobc >/dev/null || skip "cobc is not installed"
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK" || return 1
	cp "$VIGIL_SOURCE"/tests/programs/cobitem* .
}

setup() {
	cd "$WORK" || return 1
	items=$VIGIL_BUILD/sampler/collectors/cobol-items
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
