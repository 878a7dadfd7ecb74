#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Signs of zoned numbers: one rule for compiled programs, SORT and IEBGENER.

load trace
load jobs

setup() {
	in_own_folder
	mkdir -p root
	cat >root/PAY.CBL <<'COBOL'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LIMIT.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT TRANS ASSIGN TO TRANS ORGANIZATION LINE SEQUENTIAL.
           SELECT TOTALS ASSIGN TO TOTALS ORGANIZATION LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD TRANS.
       01 TRANS-REC.
          05 TRANS-ID PIC X(4).
          05 TRANS-AMT PIC S9(9)V99.
       FD TOTALS.
       01 TOTALS-REC.
          05 TOTALS-ID PIC X(4).
          05 TOTALS-AMT PIC S9(9)V99.
       WORKING-STORAGE SECTION.
       01 SHOWN PIC -(7)9.99.
       01 AT-END PIC X VALUE 'N'.
       01 REJECTED PIC 99 VALUE 0.
       PROCEDURE DIVISION.
           OPEN INPUT TRANS OUTPUT TOTALS.
           READ TRANS AT END MOVE 'Y' TO AT-END END-READ.
           PERFORM UNTIL AT-END = 'Y'
              MOVE TRANS-AMT TO SHOWN
              DISPLAY TRANS-ID SHOWN
              IF TRANS-AMT > 80 ADD 1 TO REJECTED END-IF
              MOVE TRANS-ID TO TOTALS-ID
              MULTIPLY 2 BY TRANS-AMT GIVING TOTALS-AMT
              WRITE TOTALS-REC
              READ TRANS AT END MOVE 'Y' TO AT-END END-READ
           END-PERFORM.
           CLOSE TRANS TOTALS.
           MOVE REJECTED TO RETURN-CODE.
           GOBACK.
COBOL
	printf '%s\n' 'T0010000000919}' 'T0020000000504G' 'T0030000000678H' >root/PAY.TRANS
	cat >deck <<'DECK'
//LIMITS   JOB 1
//GO      EXEC IGYWCLG
//COBOL.SYSIN DD DSN=PAY.CBL,DISP=SHR
//GO.TRANS  DD DSN=PAY.TRANS,DISP=SHR
//GO.TOTALS DD DSN=PAY.TOTALS,DISP=(NEW,CATLG)
DECK
}

need_cobol() {
	command -v cobc >/dev/null || skip "GnuCOBOL is not installed"
}

@test "the rule EBCDIC: a compiled program reads and writes the mainframe's signs" {
	need_cobol
	job --sign EBCDIC <deck
	[ "$status" -eq 0 ]
	grep -q '^T001     -91.90$' "$last/GO.GO.SYSOUT"
	grep -q '^T002      50.47$' "$last/GO.GO.SYSOUT"
	grep -q '^T003      67.88$' "$last/GO.GO.SYSOUT"
	printf '%s\n' 'T0010000001838}' 'T0020000001009D' 'T0030000001357F' | cmp - root/PAY.TOTALS
}

@test "VIGIL_SIGN is the same rule, and without one it is ASCII" {
	need_cobol
	VIGIL_SIGN=ebcdic job <deck
	[ "$status" -eq 0 ]
	rm root/PAY.TOTALS
	job <deck
	[ "$status" -eq 1 ]
	printf '%s\n' 'T0010000000919p' >root/PAY.TRANS
	rm root/PAY.TOTALS
	job --sign ASCII <deck
	[ "$status" -eq 0 ]
	grep -q '^T001     -91.90$' "$last/GO.GO.SYSOUT"
	[ "$(cat root/PAY.TOTALS)" = T0010000001838p ]
}

@test "a module that was compiled before the rule changed is warned of when it runs" {
	need_cobol
	cat >make <<'DECK'
//MAKE     JOB 1
//M       EXEC IGYWCL
//COBOL.SYSIN  DD DSN=PAY.CBL,DISP=SHR
//LKED.SYSLMOD DD DSN=PAY.LOAD(LIMIT),DISP=SHR
DECK
	cat >use <<'DECK'
//USE      JOB 1
//COPY    EXEC PGM=IEBCOPY
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=PAY.LOAD,DISP=SHR
//SYSUT2   DD DSN=PAY.COPY,DISP=SHR
//U       EXEC PGM=LIMIT
//STEPLIB  DD DSN=PAY.COPY,DISP=SHR
//TRANS    DD DSN=PAY.TRANS,DISP=SHR
//TOTALS   DD DUMMY
//SYSOUT   DD SYSOUT=*
DECK
	for sign in ASCII EBCDIC; do
		rm -rf root/PAY.LOAD root/PAY.COPY
		mkdir root/PAY.LOAD root/PAY.COPY
		job --sign "$sign" <make
		[ "$status" -eq 0 ]
		job --sign "$sign" <use
		[ -z "$(grep -r VIG5532W "$last")" ]
		[ "$sign" = ASCII ] && other=EBCDIC || other=ASCII
		job --sign "$other" <use
		grep -q "VIG5532W COBOL: .*LIMIT was compiled for $sign signs; the rule is $other: it misreads the $other signs" "$last"/U.*
	done
}

@test "a sign that is neither ASCII nor EBCDIC: nothing runs" {
	job --sign IBM <deck
	[ "$status" -eq 2 ]
	[[ "$output" == *"--sign IBM is neither ASCII nor EBCDIC"* ]]
	VIGIL_SIGN=IBM job <deck
	[ "$status" -eq 2 ]
	run "$utilities/sort" --sign IBM
	[ "$status" -eq 16 ]
	[[ "$output" == *"IBM: the sign of zoned numbers is ASCII or EBCDIC"* ]]
}

@test "SORT warns of signs that programs misread, and SUM keeps the kind" {
	printf '%s\n' T0010000000919} T0010000000001J T0020000000005J >root/PAY.TRANS
	cat >deck <<'DECK'
//SUMS     JOB 1
//S       EXEC PGM=SORT
//SORTIN   DD DSN=PAY.TRANS,DISP=SHR
//SORTOUT  DD DSN=PAY.SUMS,DISP=(NEW,CATLG)
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,4,CH,A)
  SUM FIELDS=(5,11,ZD)
/*
DECK
	job <deck
	[ "$status" -eq 0 ]
	grep -q 'VIG5546W SORT: SORTIN has 3 EBCDIC signs (the first: record 1, column 15)' "$last/S.SYSOUT"
	[ "$(grep -c VIG5546W "$last/S.SYSOUT")" -eq 1 ]
	printf '%s\n' T0010000000920J T0020000000005J | cmp - root/PAY.SUMS
	rm root/PAY.SUMS
	job --sign EBCDIC <deck
	[ "$status" -eq 0 ]
	printf '%s\n' T0010000000920J T0020000000005J | cmp - root/PAY.SUMS
	rm root/PAY.SUMS
	printf '%s\n' T0030000000001p T0030000000001J T0030000000001J >>root/PAY.TRANS
	job --sign EBCDIC <deck
	[ "$status" -eq 0 ]
	grep -q 'both kinds of sign, 5 EBCDIC signs (the first: record 1, column 15) and 1 ASCII sign (the first: record 4, column 15)' "$last/S.SYSOUT"
}

@test "what a program wrote by the rule, SORT adds up by it, and the program reads again" {
	need_cobol
	for sign in ASCII EBCDIC; do
		printf '%s\n' T0010000000919} T0010000000001J T0020000000005J >root/PAY.TRANS
		[ "$sign" = EBCDIC ] || sed -i 'y/}J/pq/' root/PAY.TRANS
		rm -f root/PAY.TOTALS root/PAY.SUMS
		cat deck - >both <<'DECK'
//S       EXEC PGM=SORT
//SORTIN   DD DSN=PAY.TOTALS,DISP=SHR
//SORTOUT  DD DSN=PAY.SUMS,DISP=(NEW,PASS)
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(5,11,ZD,D)
  SUM FIELDS=(5,11,ZD)
/*
//AGAIN   EXEC PGM=*.GO.LKED.SYSLMOD
//TRANS    DD DSN=PAY.SUMS,DISP=SHR
//TOTALS   DD DUMMY
//SYSOUT   DD SYSOUT=*
DECK
		job --sign "$sign" <both
		[ "$status" -eq 0 ]
		printf '%s\n' 'T001      -0.22' 'T002      -1.02' 'T001    -183.80' |
			cmp - "$last/AGAIN.SYSOUT"
	done
}

@test "IEBGENER makes zoned numbers by the rule, and reads both kinds" {
	printf '\x12\x3d' >packed
	printf '12L' >ebcdic
	printf '12s' >ascii
	for sign in ASCII EBCDIC; do
		"$utilities/iebgener" --sign "$sign" --dd SYSUT1=packed,RECFM=F,LRECL=2 \
			--dd SYSUT2=out,RECFM=F,LRECL=3 <<<' GENERATE MAXFLDS=1
 RECORD FIELD=(2,1,PZ,1)'
		[ "$(cat out)" = "$([ $sign = ASCII ] && echo 12s || echo 12L)" ]
	done
	for kind in ascii ebcdic; do
		"$utilities/iebgener" --dd SYSUT1=$kind,RECFM=F,LRECL=3 \
			--dd SYSUT2=out,RECFM=F,LRECL=2 <<<' GENERATE MAXFLDS=1
 RECORD FIELD=(3,1,ZP,1)'
		cmp out packed
	done
}

@test "IEBGENER warns of signs that programs misread in what it converts, once" {
	local edit=' GENERATE MAXFLDS=2
 RECORD FIELD=(3,2,ZP,1),FIELD=(3,5,,4)'

	printf '%s\n' A12LB1K C12MB12 D12sB1N >in
	run "$utilities/iebgener" --dd SYSUT1=in --dd SYSUT2=out,RECFM=F,LRECL=6 <<<"$edit"
	[ "$status" -eq 0 ]
	has 'VIG5546W IEBGENER: SYSUT1 has both kinds of sign, 1 ASCII sign (the first: record 3, column 4) and 2 EBCDIC signs (the first: record 1, column 4) in zoned fields; the rule is ASCII: COBOL programs misread the EBCDIC signs'
	[ "$(grep -c VIG5546W <<<"$output")" -eq 1 ]
	run "$utilities/iebgener" --sign EBCDIC --dd SYSUT1=in --dd SYSUT2=out,RECFM=F,LRECL=6 <<<"$edit"
	has 'misread the ASCII signs'
	# Only fields that are converted count, and the kind of the rule is not reported.
	printf '%s\n' A12sB1N C121B12 >in
	run "$utilities/iebgener" --dd SYSUT1=in --dd SYSUT2=out,RECFM=F,LRECL=6 <<<"$edit"
	[ "$status" -eq 0 ]
	has 'VIG5513I IEBGENER: 2 records copied'
	[[ "$output" != *VIG5546W* ]]
}

@test "the warning counts what is sorted, by the records of the data set, and once an input" {
	printf '%s\n' A00J A00K B00L B00M B004 >in
	run "$utilities/sort" --dd SORTIN=in --dd SORTOUT=out <<'END'
 OPTION SKIPREC=1
 INCLUDE COND=(1,1,CH,EQ,C'B')
 SORT FIELDS=(2,3,ZD,A)
END
	[ "$status" -eq 0 ]
	[[ "$output" == *"SORTIN has 2 EBCDIC signs (the first: record 3, column 4)"* ]]
	# Fields of a condition count in the records that it excludes, too.
	run "$utilities/sort" --dd SORTIN=in --dd SORTOUT=out <<'END'
 INCLUDE COND=(2,3,ZD,GT,0)
 OPTION COPY
END
	[ "$status" -eq 0 ]
	[[ "$output" == *"SORTIN has 4 EBCDIC signs (the first: record 1, column 4)"* ]]
	[ "$(cat out)" = B004 ]
	# The field of an INREC is that of the record as it was read, a key that of what INREC made.
	run "$utilities/sort" --dd SORTIN=in --dd SORTOUT=out <<'END'
 INREC BUILD=(2,3)
 SORT FIELDS=(1,3,ZD,A)
END
	[ "$status" -eq 0 ]
	[[ "$output" == *"SORTIN has 4 EBCDIC signs (the first: record 1, column 3) in zoned fields after INREC"* ]]
	printf '%s\n' A00q A00r >other
	run "$utilities/sort" --sign EBCDIC --dd SORTIN01=in --dd SORTIN02=other --dd SORTOUT=out <<'END'
 MERGE FIELDS=(1,1,CH,A)
 OUTREC BUILD=(2,3,ZD,M0)
END
	[ "$status" -eq 0 ]
	[[ "$output" == *"SORTIN02 has 2 ASCII signs (the first: record 1, column 4)"* ]]
	[[ "$output" != *"SORTIN01 has"* ]]
}
