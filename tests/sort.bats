#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# SORT: each statement against an independent oracle: sort(1), python3, GnuCOBOL's SORT verb.

load trace
load jobs

setup() {
	in_own_folder
	sort=$utilities/sort
}

# dfsort [--dd ...] [PARM]: runs the utility with the statements of standard input; messages are in ./messages.
dfsort() {
	cat >control
	"$sort" --dd SYSIN=control "$@" >messages 2>&1
	code=$?
	cat messages
	return $code
}

# numbers N: N lines of random words and numbers, some of them duplicates.
numbers() {
	awk -v n="$1" 'BEGIN { srand(n); for (i = 0; i < n; i++) printf "%s%04d %05d\n", rand() < 0.3 ? "k" : "key", rand() * 2000, i }'
}

need_python() {
	command -v python3 >/dev/null || skip "no python3"
}

@test "text: the order of sort(1), with keys up and down, equal records as they came" {
	numbers 60000 >in
	dfsort --dd SORTIN=in --dd SORTOUT=out <<<' SORT FIELDS=(1,80,CH,A)'
	LC_ALL=C sort in | cmp - out
	dfsort --dd SORTIN=in --dd SORTOUT=out <<<' SORT FIELDS=(1,80,CH,D)'
	LC_ALL=C sort -r in | cmp - out
	dfsort --dd SORTIN=in --dd SORTOUT=out <<<' SORT FIELDS=(1,4,CH,A),EQUALS'
	LC_ALL=C sort -s -k1.1,1.4 in | cmp - out
	dfsort --dd SORTIN=in --dd SORTOUT=out <<<' SORT FIELDS=(1,3,D,4,2,A),FORMAT=CH'
	LC_ALL=C sort -s -k1.1,1.3r -k1.4,1.5 in | cmp - out
}

@test "larger than memory: the same as in memory, and as sort(1)" {
	numbers 200000 >in
	dfsort --dd SORTIN=in --dd SORTOUT=out MAINSIZE=100K <<<' SORT FIELDS=(1,7,CH,A)'
	LC_ALL=C sort -s -k1.1,1.7 in | cmp - out
	[ -z "$(ls sortwork* 2>/dev/null)" ]
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 OPTION MAINSIZE=1M
 SORT FIELDS=(1,80,CH,A)
END
	LC_ALL=C sort in | cmp - out
}

@test "numbers in every format: the order that python gives" {
	need_python
	python3 - <<'END'
import random, struct
random.seed(3)
def zoned(n, width):
    text = '%0*d' % (width, abs(n))
    return (text[:-1] + (chr(ord(text[-1]) + 64) if n < 0 else text[-1])).encode()
def packed(n, width):
    return bytes.fromhex('%0*d' % (width * 2 - 1, abs(n)) + ('d' if n < 0 else random.choice('cf')))
values = [random.randrange(-10**6, 10**6) for _ in range(3000)] + [0, -1, 1, -999999, 999999]
records = [zoned(n, 7) + packed(n, 4) + struct.pack('>i', n) + struct.pack('>I', abs(n)) + b'%8d' % n +
           (b'-' if n < 0 else b'+') + b'%06d' % abs(n) + b'%06d' % abs(n) + (b'-' if n < 0 else b'+') for n in values]
assert len(set(map(len, records))) == 1 and len(records[0]) == 41
open('in', 'wb').write(b''.join(records))
for name, key, reverse in (('signed', lambda i: values[i], False), ('down', lambda i: values[i], True),
                           ('unsigned', lambda i: abs(values[i]), False)):
    order = sorted(range(len(values)), key=lambda i: (-key(i) if reverse else key(i)))
    open(name, 'wb').write(b''.join(records[i] for i in order))
END
	fields() {
		dfsort --dd SORTIN=in,RECFM=FB,LRECL=41 --dd SORTOUT=out <<<" SORT FIELDS=($1)"
		cmp out "$2"
	}
	fields 1,7,ZD,A signed
	fields 8,4,PD,A signed
	fields 12,4,FI,A signed
	fields 16,4,BI,A unsigned
	fields 20,8,FS,A signed
	fields 28,7,LS,A signed
	fields 35,7,TS,A signed
	fields 1,7,ZD,D down
	fields 8,4,PD,D down
	fields 12,4,FI,D down
	fields 20,8,CSF,D down
}

@test "files of a COBOL program: the order of COBOL's SORT verb" {
	[ -n "$COBC" ] && command -v "$COBC" >/dev/null || skip "no cobc"
	cat >order.cob <<'END'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ORDR.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT RAW ASSIGN TO "in" ORGANIZATION SEQUENTIAL.
           SELECT SRT ASSIGN TO "work".
           SELECT RES ASSIGN TO "cobol" ORGANIZATION SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD RAW.
       01 RAW-REC.
          05 RAW-Z PIC S9(5).
          05 RAW-P PIC S9(5) COMP-3.
          05 RAW-B PIC S9(5) BINARY.
          05 RAW-N PIC 9(5).
       SD SRT.
       01 SRT-REC.
          05 SRT-Z PIC S9(5).
          05 SRT-P PIC S9(5) COMP-3.
          05 SRT-B PIC S9(5) BINARY.
          05 SRT-N PIC 9(5).
       FD RES.
       01 RES-REC PIC X(17).
       WORKING-STORAGE SECTION.
       01 I PIC 9(5).
       01 N PIC S9(9) BINARY VALUE 17.
       PROCEDURE DIVISION.
           OPEN OUTPUT RAW.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 3000
               COMPUTE N = FUNCTION MOD(N * 7919 + I, 20011)
               COMPUTE RAW-Z = FUNCTION MOD(N, 41) - 20
               COMPUTE RAW-P = FUNCTION MOD(N, 301) - 150
               COMPUTE RAW-B = N - 10000
               MOVE I TO RAW-N
               WRITE RAW-REC
           END-PERFORM.
           CLOSE RAW.
           SORT SRT ON ASCENDING KEY SRT-Z DESCENDING KEY SRT-P
               ASCENDING KEY SRT-B WITH DUPLICATES IN ORDER
               USING RAW GIVING RES.
           STOP RUN.
END
	"$COBC" -x -o order order.cob
	./order
	dfsort --dd SORTIN=in,RECFM=FB,LRECL=17 --dd SORTOUT=out <<<' SORT FIELDS=(1,5,ZD,A,6,3,PD,D,9,4,FI,A)'
	cmp out cobol
}

@test "INCLUDE and OMIT: AND before OR, parentheses, every relation, substrings, constants" {
	need_python
	numbers 3000 >in
	pick() {
		dfsort --dd SORTIN=in --dd SORTOUT=out <<END
 SORT FIELDS=COPY
 $1
END
		python3 -c "
for line in open('in'):
    r = line.rstrip('\n'); n = int(r.split()[1])
    if $2: print(r)" >expected
		cmp out expected
	}
	pick "INCLUDE COND=(1,3,CH,EQ,C'key')" "r[:3] == 'key'"
	pick "OMIT COND=(1,3,CH,EQ,C'key')" "r[:3] != 'key'"
	pick "INCLUDE COND=(1,3,CH,NE,C'key',AND,2,2,ZD,GT,10)" "r[:3] != 'key' and int(r[1:3]) > 10"
	pick "INCLUDE COND=(2,1,CH,EQ,C'e',OR,2,1,CH,GE,C'5',AND,3,1,CH,LT,C'5')" "r[1] == 'e' or r[1] >= '5' and r[2] < '5'"
	pick "INCLUDE COND=((2,1,CH,EQ,C'e',|,2,1,CH,GE,C'5'),&,4,1,CH,LE,C'5')" "(r[1] == 'e' or r[1] >= '5') and r[3] <= '5'"
	pick "INCLUDE COND=(1,14,SS,EQ,C'99')" "'99' in r[:14]"
	pick "INCLUDE COND=(4,1,SS,EQ,C'1,3')" "r[3] in '13'"
	pick "OMIT COND=(1,1,EQ,X'6B',AND,2,1,EQ,X'31'),FORMAT=CH" "r[:2] != 'k1'"
	pick "INCLUDE COND=(4,1,CH,EQ,3,1,CH)" "r[3] == r[2]"
	pick "INCLUDE COND=ALL" "True"
	pick "OMIT COND=(ALL)" "False"
	pick "INCLUDE COND=NONE" "False"
}

@test "SKIPREC, STOPAFT; PARM overrides SYSIN, DFSPARM both; ALTSEQ" {
	seq 10 99 >in
	dfsort --dd SORTIN=in --dd SORTOUT=out <<<' SORT FIELDS=COPY,SKIPREC=5,STOPAFT=3'
	[ "$(echo $(cat out))" = '15 16 17' ]
	dfsort --dd SORTIN=in --dd SORTOUT=out STOPAFT=2 <<'END'
 OPTION COPY,SKIPREC=1,STOPAFT=9
 INCLUDE COND=(2,1,CH,EQ,C'5')
END
	[ "$(echo $(cat out))" = '15 25' ]
	echo ' SORT FIELDS=(2,1,CH,D)' >parm
	echo ' OPTION STOPAFT=11' >>parm
	dfsort --dd SORTIN=in --dd SORTOUT=out --dd DFSPARM=parm STOPAFT=2 <<<' SORT FIELDS=(1,2,CH,A)'
	[ "$(echo $(cat out))" = '19 18 17 16 15 14 13 12 11 10 20' ]
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 ALTSEQ CODE=(3900,3201)
 SORT FIELDS=(1,1,AQ,A,2,1,AQ,A),STOPAFT=90
END
	[ "$(echo $(head -3 out))" = '99 92 90' ]
	grep -q 'ICE052I' messages
}

@test "SUM: BI, FI, PD and ZD add up; what overflows stays; NONE keeps the first" {
	need_python
	python3 - <<'END'
import struct
def packed(n): return bytes.fromhex('%05d' % abs(n) + ('d' if n < 0 else 'c'))
rows = [('a', 1), ('b', 20), ('a', -3), ('c', 99999), ('a', 700), ('c', 5), ('b', -20)]
make = lambda k, n: k.encode() + packed(n) + struct.pack('>i', n) + (b'%05d' % n if n >= 0 else (b'%04d' % (-n // 10)) + bytes([112 + -n % 10]))
open('in', 'wb').write(b''.join(make(k, n) for k, n in rows))
open('expected', 'wb').write(make('a', 698) + make('b', 0) + make('c', 99999) + make('c', 5))
open('unique', 'wb').write(make('a', 1) + make('b', 20) + make('c', 99999))
END
	dfsort --dd SORTIN=in,RECFM=FB,LRECL=13 --dd SORTOUT=out <<'END'
  SORT FIELDS=(1,1,CH,A)
  SUM FIELDS=(2,3,PD,5,4,FI,9,5,ZD)
END
	cmp out expected
	grep -q 'ICE152I' messages
	grep -q 'ICE054I 0 RECORDS - IN: 7, OUT: 4' messages
	dfsort --dd SORTIN=in,RECFM=FB,LRECL=13 --dd SORTOUT=out <<'END'
  SORT FIELDS=(1,1,CH,A)
  SUM FIELDS=NONE
END
	cmp out unique
}

@test "variable records: positions count the descriptor, the rest of a record, short keys" {
	need_python
	python3 - <<'END'
import struct
rows = [b'm-one', b'z', b'a-longer-one', b'k-two-2', b'c']
variable = lambda r: struct.pack('>HH', len(r), 0) + r
open('in', 'wb').write(b''.join(map(variable, rows)))
open('sorted', 'wb').write(b''.join(map(variable, sorted(rows))))
open('built', 'wb').write(b''.join(variable(b'[' + r[:1] + b']' + r[1:]) for r in rows if len(r) > 1))
END
	dd='SORTIN=in,RECFM=VB,LRECL=30'
	dfsort --dd "$dd" --dd SORTOUT=out <<<' SORT FIELDS=(5,1,CH,A)'
	cmp out sorted
	dfsort --dd "$dd" --dd SORTOUT=out <<'END'
 OPTION COPY
 INCLUDE COND=(1,2,BI,GT,+5)
 OUTREC BUILD=(1,4,C'[',5,1,C']',6)
END
	cmp out built
	run dfsort --dd "$dd" --dd SORTOUT=out <<<' SORT FIELDS=(5,4,CH,A)'
	[ "$status" -eq 16 ]
	grep -q 'ICE218A' messages
	dfsort --dd "$dd" --dd SORTOUT=out <<'END'
 OPTION VLSHRT
 SORT FIELDS=(5,4,CH,A)
END
	cmp out sorted
	dfsort --dd "$dd" --dd FIXED=fixed --dd SORTOUT=out <<'END'
 SORT FIELDS=(5,1,CH,A)
 OUTFIL FNAMES=FIXED,VTOF,BUILD=(5,4,C'|'),VLFILL=C'*'
END
	[ "$(cat fixed)" = 'a-lo|c***|k-tw|m-on|z***|' ]
	dfsort --dd SORTIN=fixed,RECFM=FB,LRECL=5 --dd SORTOUT=back <<'END'
 OPTION COPY
 OUTFIL FTOV,BUILD=(1,4),VLTRIM=C'*'
END
	python3 -c "
import struct
rows = [b'a-lo', b'c', b'k-tw', b'm-on', b'z']
assert open('back', 'rb').read() == b''.join(struct.pack('>HH', len(r), 0) + r for r in rows)"
}

@test "SUM changes no field when one has no room; VLTRIM leaves a byte" {
	printf 'K0101\nK0109\nL0308\nL0201\n' >in
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 SORT FIELDS=(1,1,CH,A)
 SUM FIELDS=(2,2,ZD,5,1,ZD)
END
	[ "$(echo $(cat out))" = 'K0101 K0109 L0509' ]
	printf 'a**\n***\n**b\n' >in
	dfsort --dd SORTIN=in --dd SORTOUT=out,RECFM=VB,LRECL=7 <<'END'
 OPTION COPY
 OUTFIL FTOV,VLTRIM=C'*'
END
	need_python
	python3 -c "
import struct
rows = [b'a', b'*', b'**b']
assert open('out', 'rb').read() == b''.join(struct.pack('>HH', len(r), 0) + r for r in rows), open('out', 'rb').read()"
}

@test "INREC before the sort, OUTREC behind it: fields, constants, columns, numbers, OVERLAY" {
	printf 'smith   00120\njones   0003p\nadams   00045\n' >in
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 INREC BUILD=(9,5,ZD,TO=PD,LENGTH=4,1,8)
 SORT FIELDS=(1,4,PD,D)
 OUTREC BUILD=(5,8,TRAN=LTOU,12:C'it''s',2X,1,4,PD,M12,
   1,4,PD,MUL,+2,EDIT=(SIII,IIT),SIGNS=(+,-),X,
   SEQNUM,3,ZD,START=10,INCR=5)
END
	diff out - <<'END'
SMITH      it's         120    +240 010
ADAMS      it's          45     +90 015
JONES      it's         -30     -60 020
END
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 SORT FIELDS=(1,8,CH,A)
 OUTREC IFTHEN=(WHEN=INIT,OVERLAY=(20:SEQNUM,2,ZD)),
        IFTHEN=(WHEN=(9,5,ZD,LT,0),OVERLAY=(1:C'-'),HIT=NEXT),
        IFTHEN=(WHEN=(1,1,CH,EQ,C'-'),OVERLAY=(23:C'MINUS')),
        IFTHEN=(WHEN=NONE,OVERLAY=(23:9,5,ZD,M11))
END
	diff out - <<'END'
adams   00045      01 00045
-ones   0003p      02 MINUS
smith   00120      03 00120
END
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 OPTION COPY
 OUTREC FINDREP=(INOUT=(C'th',C'the',C'ones',C'1'))
END
	diff out - <<<"$(sed 's/th/the/;s/ones/1/' in)"
}

@test "groups: WHEN=GROUP with BEGIN, END, RECORDS and PUSH" {
	printf 'H1\na\nb\nE\nx\nH2\nc\n' >in
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 OPTION COPY
 OUTREC IFTHEN=(WHEN=GROUP,BEGIN=(1,1,CH,EQ,C'H'),END=(1,1,CH,EQ,C'E'),
   PUSH=(5:1,2,8:ID=2,11:SEQ=1))
END
	diff out - <<'END'
H1  H1 01 1
a   H1 01 2
b   H1 01 3
E   H1 01 4
x
H2  H2 02 1
c   H2 02 2
END
}

@test "OUTFIL: several outputs, INCLUDE, SAVE, SPLIT, numbers of records, lines" {
	seq 1 20 >in
	run dfsort --dd SORTIN=in --dd SORTOUT=all --dd A=a --dd B=b --dd C=c --dd D=d --dd E=e --dd F=f --dd SORTOF1=g <<'END'
 SORT FIELDS=(1,2,UFF,A)
 OUTFIL FNAMES=A,INCLUDE=(1,2,UFF,LE,5),BUILD=(1,2,UFF,M11)
 OUTFIL FNAMES=B,OMIT=(1,2,UFF,LE,18)
 OUTFIL FNAMES=C,SAVE
 OUTFIL FNAMES=(D,E),SPLITBY=2,ENDREC=7,INCLUDE=(1,1,CH,NE,C'x')
 OUTFIL FNAMES=F,STARTREC=19,BUILD=(C'<',1,2,C'>',/,C'-')
 OUTFIL FILES=1,NULLOFL=RC4,INCLUDE=NONE
END
	[ "$status" -eq 4 ]
	[ "$(echo $(cat all))" = "$(echo $(seq 1 20))" ]
	[ "$(echo $(cat a))" = '01 02 03 04 05' ]
	[ "$(echo $(cat b))" = '19 20' ]
	[ "$(echo $(cat d)/$(cat e))" = '1 2 5 6/3 4 7' ]
	[ "$(echo $(cat c))" = "$(echo $(seq 8 18))" ]
	[ "$(echo $(cat f))" = '<19> - <20> -' ]
	[ -f g ]
	[ ! -s g ]
	grep -q 'ICE227I 0 A       : DELETED = 15, REPORT = 0, DATA = 5' messages
}

@test "OUTFIL: SPLIT1R ends with the last output, SAMPLE counts from STARTREC, the highest return code is kept" {
	seq 1 12 >in
	run dfsort --dd SORTIN=in --dd A=a --dd B=b --dd C=c --dd D=d --dd E=e --dd F=f <<'END'
 OPTION COPY
 OUTFIL FNAMES=(A,B),SPLIT1R=4
 OUTFIL FNAMES=C,SAMPLE=3
 OUTFIL FNAMES=D,STARTREC=2,SAMPLE=(5,2)
 OUTFIL FNAMES=E,NULLOFL=RC16,INCLUDE=NONE
 OUTFIL FNAMES=F,NULLOFL=RC4,INCLUDE=NONE
END
	[ "$status" -eq 16 ]
	[ "$(echo $(cat a)/$(cat b))" = '1 2 3 4/5 6 7 8 9 10 11 12' ]
	[ "$(echo $(cat c)/$(cat d))" = '1 4 7 10/2 3 7 8 12' ]
}

@test "OUTFIL: REPEAT with SEQNUM numbers each record, and SPLITBY deals each of them" {
	printf 'a\nb\n' >in
	dfsort --dd SORTIN=in --dd SORTOUT=out --dd A=a --dd B=b <<'END'
 OPTION COPY
 OUTFIL REPEAT=3,BUILD=(1,1,SEQNUM,2,ZD)
 OUTFIL FNAMES=(A,B),SPLITBY=2,REPEAT=3,BUILD=(1,1,SEQNUM,2,ZD)
END
	[ "$(echo $(cat out))" = 'a01 a02 a03 b04 b05 b06' ]
	[ "$(echo $(cat a)/$(cat b))" = 'a01 a02 b05 b06/a03 b04' ]
}

@test "two outputs that are one file are refused, and SORTOUT is not named when it is not written" {
	numbers 20 >in
	cp in both
	run dfsort --dd SORTIN=in --dd A=both --dd B=both <<'END'
 OPTION COPY
 OUTFIL FNAMES=A
 OUTFIL FNAMES=B,BUILD=(1,3)
END
	[ "$status" -eq 16 ]
	grep -q 'A and B are the same file' messages
	run dfsort --dd SORTIN=/dev/null --dd A=a <<'END'
 OPTION COPY
 OUTFIL FNAMES=A
END
	[ "$status" -eq 0 ]
	! grep ICE173I messages || return 1
	run dfsort --dd SORTIN=/dev/null --dd SORTOUT=a <<<' OPTION COPY'
	grep -q 'ICE173I 0 NO RECORDS FOR THE SORTOUT DATA SET - RC=0' messages
}

@test "OPTION NULLOUT is the return code of a SORTOUT without records" {
	for code in 0 4 16; do
		run dfsort --dd SORTIN=/dev/null --dd SORTOUT=a <<<" OPTION COPY,NULLOUT=RC$code"
		[ "$status" -eq "$code" ]
		grep -q "ICE173I 0 NO RECORDS FOR THE SORTOUT DATA SET - RC=$code\$" messages
		[ ! -s a ]
	done
	echo one >in
	run dfsort --dd SORTIN=in --dd SORTOUT=a <<<' OPTION COPY,NULLOUT=RC16'
	[ "$status" -eq 0 ]
	# It does not apply to OUTFIL outputs, which have NULLOFL.
	run dfsort --dd SORTIN=/dev/null --dd A=a <<'END'
 OPTION COPY,NULLOUT=RC16
 OUTFIL FNAMES=A
END
	[ "$status" -eq 0 ]
	run dfsort --dd SORTIN=in --dd SORTOUT=a <<<' OPTION COPY,NULLOUT=RC8'
	[ "$status" -eq 16 ]
	grep -q 'expected RC0, RC4 or RC16' messages
}

@test "OUTFIL writes reports: pages, sections, totals, counts" {
	printf 'A 010\nB 002\nA 009\nB 004\nC 100\n' >in
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 SORT FIELDS=(1,1,CH,A)
 OUTFIL LINES=12,HEADER1=(C'FIRST'),HEADER2=(C'PAGE',&PAGE,/,3C'-'),
   SECTIONS=(1,1,SKIP=1L,HEADER3=(C'DEPT ',1,1),
   TRAILER3=(C'SUM',TOT=(3,3,ZD,M10,LENGTH=5),C' OF',
             COUNT=(M10,LENGTH=2))),
   TRAILER1=(C'ALL',TOTAL=(3,3,ZD,M10,LENGTH=6),
             MIN=(3,3,ZD,M10,LENGTH=6),
             MAX=(3,3,ZD,M10,LENGTH=6),AVG=(3,3,ZD,M10,LENGTH=6),COUNT)
END
	diff out - <<'END'
1FIRST
1PAGE     2
 ---
 DEPT A
 A 010
 A 009
 SUM   19 OF 2
  
 DEPT B
 B 002
 B 004
 SUM    6 OF 2
  
1PAGE     3
 ---
 DEPT C
 C 100
 SUM  100 OF 1
1ALL   125     2   100    25       5
END
	dfsort --dd SORTIN=in --dd SORTOUT=out <<'END'
 OPTION COPY
 OUTFIL REMOVECC,NODETAIL,TRAILER1=(C'RECORDS',COUNT15)
END
	[ "$(cat out)" = 'RECORDS              5' ]
}

@test "SYMNAMES: fields and constants by name, in every statement" {
	printf '0042 2022-03-01 x\n0007 2022-08-01 y\n0013 2022-07-06 z\n' >in
	cat >names <<'END'
* comment
CARD-NUM,1,4,ZD                      the card's number
POSITION,6
PROC-DT,*,10,CH
YEAR,=,4,ZD
START-DATE,C'2022-01-01'
END-DATE,C'2022-07-06'
END
	dfsort --dd SYMNAMES=names --dd SORTIN=in --dd SORTOUT=out <<'END'
 SORT FIELDS=(CARD-NUM,A)
 INCLUDE COND=(PROC-DT,GE,START-DATE,AND,
         PROC-DT,LE,END-DATE)
 OUTREC BUILD=(PROC-DT,X,CARD-NUM,X,CARD-NUM,EDIT=(TTTT.),
   X,YEAR,ADD,CARD-NUM,M10,C'CARD-NUM')
END
	diff out - <<'END'
2022-07-06 0013 0013.            2035CARD-NUM
2022-03-01 0042 0042.            2064CARD-NUM
END
	run dfsort --dd SYMNAMES=names --dd SORTIN=in --dd SORTOUT=out <<<' SORT FIELDS=(CARD-NO,A)'
	[ "$status" -eq 16 ]
	grep -q 'SYSIN:1:15: VIG5541S' messages
}

@test "OUTFIL reports as decks have them: texts without C, dates, no carriage control" {
	printf '00001student1  540\n00002student2  500\n' >in
	today=$(date +%Y-%m-%d)
	dfsort --dd SORTIN=in --dd OUTPUT1=out <<'END'
  SORT FIELDS=(1,5,ZD,A)
  OUTFIL FNAMES=OUTPUT1,LINES=24,BLKCCH2,REMOVECC,
  HEADER1=(10:'Details',20:'on ',DATE=(4MD-),/,10:12'-'),
  HEADER2=(/,1:'Num',11:'Name',25:'Page',PAGE),
  BUILD=(1,5,11:6,10)
END
	# At midnight it is the day before or the current one.
	grep -q "on $today" out || today=$(date +%Y-%m-%d)
	diff out - <<END
         Details   on $today
         ------------

Num       Name          Page     2
00001     student1  
00002     student2  
END
}

@test "indexed data sets: a cluster is written in key order and read by another key" {
	[ -n "$COBC" ] && command -v "$COBC" >/dev/null || skip "no cobc"
	job <<'DECK'
//A        JOB
//DEF      EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DEFINE CLUSTER(NAME(MY.KSDS) INDEXED KEYS(3 0) RECORDSIZE(9 9))
/*
//LOAD     EXEC PGM=SORT
//SORTIN   DD *
CCC three
AAA one
BBB two
/*
//SORTOUT  DD DSN=MY.KSDS,DISP=SHR
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,3,CH,A)
  OUTREC BUILD=(1,9)
/*
//BACK     EXEC PGM=SORT
//SORTIN   DD DSN=MY.KSDS,DISP=SHR
//SORTOUT  DD SYSOUT=*
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(5,5,CH,A)
  INCLUDE COND=(1,3,CH,NE,C'BBB')
/*
DECK
	[ "$status" -eq 0 ]
	[ "$(sed 's/ *$//' "$last/BACK.SORTOUT")" = "$(printf 'AAA one\nCCC three')" ]
}

@test "MERGE: inputs in order give sort -m, one out of order is found" {
	numbers 5000 | LC_ALL=C sort -s -k1,1 >one
	numbers 7000 | LC_ALL=C sort -s -k1,1 >two
	numbers 100 | LC_ALL=C sort -s -k1,1 >three
	dfsort --dd SORTIN01=one --dd SORTIN02=two --dd SORTIN16=three --dd SORTOUT=out <<<' MERGE FIELDS=(1,7,CH,A)'
	LC_ALL=C sort -m -s -k1,1 one two three | cmp - out
	numbers 100 >two
	run dfsort --dd SORTIN01=one --dd SORTIN02=two --dd SORTOUT=out <<<' MERGE FIELDS=(1,7,CH,A)'
	[ "$status" -eq 16 ]
	grep -q 'ICE068A OUT OF SEQUENCE SORTIN02: record' messages
}

@test "errors: the place on the card, nothing sorted, return code 16" {
	seq 3 >in
	# wrong TEXT PLACE: the statement gets a message at this line and column.
	wrong() {
		rm -f out
		run dfsort --dd SORTIN=in --dd SORTOUT=out <<<"$1"
		[ "$status" -eq 16 ]
		grep -q "SYSIN:$2: VIG55" messages || { echo "not at $2"; return 1; }
		[ ! -e out ]
	}
	wrong ' SORT FIELDS=(1,1,CX,A)' 1:19
	wrong $' SORT FIELDS=(1,1,CH,A,\n    5,2,CH,X)' 2:12
	wrong $' SORT FIELDS=COPY\n INCLUDE COND=(1,1,CH,EQ,C\'a)' 2:30
	wrong $' SORT FIELDS=COPY\n OUTREC BUILD=(1,2,PARSE)' 2:20
	wrong $' SORT FIELDS=COPY\n OUTREC PARSE=(%00=(ABSPOS=1))' 2:9
	wrong $' SORT FIELDS=COPY\n JOINKEYS FILE=F1' 2:2
	wrong ' SORT FIELDS=(1,2,Y2C,A)' 1:19
	run dfsort --dd SORTIN=in --dd SORTOUT=out <<<' INCLUDE COND=ALL'
	[ "$status" -eq 16 ]
	grep -q ICE010A messages
	run dfsort --dd SORTOUT=out <<<' SORT FIELDS=COPY'
	[ "$status" -eq 16 ]
	grep -q 'ICE056A SORTIN NOT DEFINED' messages
	run dfsort --dd SORTIN=in <<<' SORT FIELDS=COPY'
	[ "$status" -eq 16 ]
	grep -q 'ICE056A SORTOUT NOT DEFINED' messages
}

@test "cards: labels, remarks, comments, continuation by a comma and by column 72" {
	printf 'b2\na1\nc3\n' >in
	xs=$(printf 'x%.0s' $(seq 42))
	{
		echo '* a comment'
		echo ' SORT FIELDS=(1,1,                 first the key'
		echo '      CH,A)       remarks are not read, even (these'
		printf "THELABEL OUTREC BUILD=(1,1,C'%sy*\n" "${xs:1}"
		printf "%15sz',2,1)\n" ''
		echo ' END'
		echo ' this is not read'
	} >cards
	[ "$(sed -n 4p cards | wc -c)" -eq 73 ]
	dfsort --dd SORTIN=in --dd SORTOUT=out <cards
	[ "$(head -1 out)" = "a${xs:1}yz1" ]
}

@test "a deck: record formats are kept, the output gets the length that OUTREC makes" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=ICEMAN
//SORTIN   DD *,DCB=(RECFM=FB,LRECL=6)
000300
000100
/*
//         DD *,DCB=(RECFM=FB,LRECL=6)
000200
/*
//SORTOUT  DD DSN=MY.OUT,DISP=(NEW,CATLG)
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(1,6,CH,A)
  OUTREC FIELDS=(4:1,4)
/*
//S2       EXEC PGM=SORT,PARM='STOPAFT=2'
//SORTIN   DD DSN=MY.OUT,DISP=SHR
//SORTOUT  DD SYSOUT=*
//SYSOUT   DD SYSOUT=*
//SYSIN    DD *
  SORT FIELDS=(4,4,ZD,D)
/*
DECK
	[ "$status" -eq 0 ]
	grep -q 'ICE054I 0 RECORDS - IN: 3, OUT: 3' "$last/S1.SYSOUT"
	[ "$(cat root/MY.OUT)" = '   0001   0002   0003' ]
	[ "$(tr -d '\n' <"$last/S2.SORTOUT")" = '   0002   0001' ]
}
