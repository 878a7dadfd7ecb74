#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# IDCAMS: each verb on real data sets, compared with COBOL programs, Python and the files themselves.

load trace
load waiting
load background

setup() {
	vigil=$VIGIL_BUILD/vigil
	idcams=$VIGIL_BUILD/utilities/programs/idcams
	[ -x "$idcams" ] || skip "idcams is not built"
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir root
}

teardown() {
	background_end
}

# ams [OPTION...]: executes the commands on standard input in ./root.
ams() {
	cat >commands
	run "$idcams" --root root "$@" <commands
	echo "$output"
}

# has TEXT: the last output contains it; as the start of a line, if the text begins with ^.
has() {
	case $1 in
	^*) grep -q -- "$1" <<<"$output" || { echo "no line: $1"; return 1; } ;;
	*) case $output in *"$1"*) ;; *) echo "not in the output: $1"; return 1 ;; esac ;;
	esac
}

hasnt() {
	case $output in *"$1"*) echo "in the output: $1"; return 1 ;; esac
}

# in_order TEXT...: the output has lines with these texts in this order.
in_order() {
	local rest=$output one
	for one; do
		case $rest in *"$one"*) rest=${rest#*"$one"} ;; *) echo "not in order: $one"; return 1 ;; esac
	done
}

needs_indexed() {
	[ -e "$VIGIL_BUILD/datasets/.libs/indexed.so" ] || skip "built without GnuCOBOL's library"
	[ -n "$COBC" ] && command -v "$COBC" >/dev/null || skip "no cobc"
}

# cobol NAME: compiles a program from standard input, free format.
cobol() {
	cat >"$1.cob"
	"$COBC" -x -free -o "$1" "$1.cob"
}

# The file of people: number (4), name (8), city (8), by number and by name and city.
people_program() {
	cobol "$1" <<COBOL
identification division.
program-id. $1.
environment division.
input-output section.
file-control.
    select people assign to "PEOPLE" organization indexed access dynamic record key p-id
        alternate record key p-name with duplicates
        alternate record key p-city with duplicates
        file status st.
data division.
file section.
fd people.
01 p-rec.
   05 p-id pic x(4).
   05 p-name pic x(8).
   05 p-city pic x(8).
working-storage section.
01 st pic xx.
procedure division.
$(cat)
    stop run.
COBOL
}

people_data() {
	printf '0001BOB     PARIS\n0002ALICE   ROME\n0003DAVE    BERLIN\n0004BOB     ATHENS\n' >people
}

define_people='  DEFINE CLUSTER (NAME(P.KSDS) INDEXED KEYS(4 0) RECORDSIZE(20 20)) -
    DATA(NAME(P.KSDS.D)) INDEX(NAME(P.KSDS.I))
  REPRO INFILE(IN) OUTDATASET(P.KSDS)'
define_indexes='  DEFINE AIX(NAME(P.NAMES) RELATE(P.KSDS) KEYS(8 4) -
    NONUNIQUEKEY UPGRADE)
  DEFINE ALTERNATEINDEX(NAME(P.CITIES) REL(P.KSDS) -
    KEYS(8 12) NUNQK)
  DEF PATH(NAME(P.BYNAME) PENT(P.NAMES))
  DEF PATH(NAME(P.BYCITY) PATHENTRY(P.CITIES))
  BLDINDEX INDATASET(P.KSDS) OUTDATASET(P.NAMES P.CITIES)'

@test "the listing: head, commands as they were read, codes" {
	ams <<'AMS'
  /* nothing */
  DELETE NOT.THERE -
         PURGE
  IF LASTCC = 8 THEN -
    SET MAXCC = 0
AMS
	[ "$status" -eq 0 ]
	has '^IDCAMS  SYSTEM SERVICES  .*TIME: [0-9:]*  '
	in_order '  DELETE NOT.THERE -' '         PURGE' 'IDC3012I ENTRY NOT.THERE NOT FOUND (VIG5551E)' \
		'IDC0551I ** ENTRY NOT.THERE NOT DELETED' 'IDC0001I FUNCTION COMPLETED, HIGHEST CONDITION CODE WAS 8' \
		'IF LASTCC = 8 THEN' 'IDC0002I IDCAMS PROCESSING COMPLETE. MAXIMUM CONDITION CODE WAS 0'
}

@test "IF, ELSE, DO and END nested, null clauses, LASTCC and MAXCC" {
	ams <<'AMS'
  IF LASTCC = 0 THEN
    SET MAXCC = 4
  IF MAXCC = 4 THEN DO
    DELETE NOT.THERE
    IF LASTCC NE 8 -
      THEN SET MAXCC = 16
      ELSE -
        SET LASTCC = 2
    IF LASTCC = 2 THEN -
      SET MAXCC = 3
  END
  ELSE DO
    SET MAXCC = 16
  END
  IF MAXCC = 3 THEN ELSE SET MAXCC = 16
AMS
	[ "$status" -eq 3 ]
	# SET stops at 16; a LASTCC above MAXCC raises it, SET MAXCC leaves LASTCC unchanged.
	ams <<<' SET LASTCC = 99'
	[ "$status" -eq 16 ]
	ams <<'AMS'
 SET LASTCC = 7
 SET MAXCC = 0
 IF LASTCC = 7 THEN SET MAXCC = 5
AMS
	[ "$status" -eq 5 ]
}

@test "what is wrong has its line, column and a caret; the other commands are carried out" {
	ams <<'AMS'
  DELTE A.B
  DEFINE CLUSTER (NAME(A.B) -
     KEYS(4 0) COLOUR(RED))
  DELETE A.B/SECRET
  DEFINE CLUSTER (NAME(A.B) LINEAR)
  EXPORT A.B OUTFILE(X)
  DEF GDG(NAME(A.GDG) LIMIT(5))
AMS
	[ "$status" -eq 12 ]
	has "IDC3219I VERB NAME 'DELTE' UNKNOWN, LINE 1 COLUMN 3 (VIG5600S)"
	has "IDC3211I KEYWORD 'COLOUR' IS IMPROPER, LINE 3 COLUMN 16 (VIG5601S)"
	has '^ *^~~~~~$'
	has 'VIG5608S IDCAMS: line 4 column 10: passwords are not supported'
	has 'VIG5606S IDCAMS: line 5 column 29: LINEAR is not supported'
	has 'VIG5559S IDCAMS: line 6 column 3: the command EXPORT is not supported'
	has 'IDC3202I ABOVE TEXT BYPASSED UNTIL NEXT COMMAND. CONDITION CODE IS 12'
	[ ! -e root/A.B ]
	[ -e root/.vigil/catalog/A.GDG ]
	ams <<<'  DEFINE CLUSTER (NAME(A.B) KEYS(4 0) RECORDSIZE(20 20) VOLUMES(V1) REUSE)'
	has "PROPERLY PAIRED; text after column 72 is not read"
	# It is unknown which commands belong to an IF that is not understood.
	ams <<'AMS'
  IF LASTC = 0 THEN DELETE A.B
  DELETE A.GDG
AMS
	[ "$status" -eq 16 ]
	has VIG5558S
	[ -e root/.vigil/catalog/A.GDG ]
}

@test "PARM: margins; other words are refused" {
	run "$idcams" --root root 'MARGINS(5,20)' <<<'XXXX DELETE A.B      YYYY'
	[ "$status" -eq 8 ]
	has 'IDC3012I ENTRY A.B NOT FOUND'
	run "$idcams" --root root 'GRAPHICS(CHAIN(TN))' <<<' DELETE A.B'
	[ "$status" -eq 12 ]
	has VIG5611S
	run "$idcams" --root root </dev/null
	[ "$status" -eq 12 ]
	has 'IDC3300I ERROR OPENING SYSIN'
}

@test "a KSDS is the indexed file that a COBOL program reads and writes" {
	needs_indexed
	people_data
	cobol COUNT <<'COBOL'
identification division.
program-id. COUNTP.
environment division.
input-output section.
file-control.
    select people assign to "PEOPLE" organization indexed access dynamic record key p-id file status st.
data division.
file section.
fd people.
01 p-rec.
   05 p-id pic x(4).
   05 p-rest pic x(16).
working-storage section.
01 st pic xx.
procedure division.
    open i-o people display "open " st
    move "0003" to p-id read people display st " " p-rec
    move "0009EVE     OSLO" to p-rec write p-rec display "write " st
    close people stop run.
COBOL
	ams --dd IN=people <<<"$define_people"
	[ "$status" -eq 0 ]
	has 'IDC0508I DATA ALLOCATION STATUS FOR VOLUME * IS 0'
	hasnt IDC0512I
	has 'IDC0005I NUMBER OF RECORDS PROCESSED WAS 4'
	run env DD_PEOPLE="$PWD/root/P.KSDS" ./COUNT
	in_order 'open 00' '00 0003DAVE    BERLIN' 'write 00'
	ams --dd OUT=copy <<<'  REPRO IDS(P.KSDS) OFILE(OUT)'
	# Fixed records without line ends, ordered by key.
	[ "$(tr -d ' ' <copy)" = "0001BOBPARIS0002ALICEROME0003DAVEBERLIN0004BOBATHENS0009EVEOSLO" ]
	[ "$(wc -c <copy)" -eq 100 ]
}

@test "BLDINDEX: alternate keys in a COBOL program, and paths in PRINT and REPRO" {
	needs_indexed
	people_data
	people_program BYKEY <<'COBOL'
    open input people display "open " st
    move "BOB" to p-name read people key is p-name display st " " p-rec
    move low-values to p-city start people key >= p-city
    perform until st not = "00" and not = "02"
        read people next
        if st = "00" or st = "02" display "city " p-rec end-if
    end-perform
    close people
COBOL
	ams --dd IN=people --dd OUT=bycity <<<"$define_people
$define_indexes
  PRINT IDS(P.BYNAME) CHAR
  REPRO IDS(P.BYCITY) OFILE(OUT)"
	[ "$status" -eq 0 ]
	has 'IDC0652I P.NAMES SUCCESSFULLY BUILT'
	in_order 'LISTING OF DATA SET -P.BYNAME' 'KEY OF RECORD - ALICE' 'KEY OF RECORD - BOB' '0001BOB' \
		'0004BOB' 'KEY OF RECORD - DAVE'
	[ "$(tr -d ' ' <bycity)" = 0004BOBATHENS0003DAVEBERLIN0001BOBPARIS0002ALICEROME ]
	run env DD_PEOPLE="$PWD/root/P.KSDS" ./BYKEY
	in_order 'open 00' '0001BOB     PARIS' 'city 0004BOB     ATHENS' 'city 0003DAVE    BERLIN' \
		'city 0001BOB     PARIS' 'city 0002ALICE   ROME'
}

@test "alternate indexes follow what REPRO and COBOL write; the order is that of their definition" {
	needs_indexed
	people_data
	# The second is built first, then the first: P.KSDS.1 is the first nevertheless.
	ams --dd IN=people <<<"$define_people
${define_indexes%BLDINDEX*}BLDINDEX IDS(P.KSDS) ODS(P.CITIES)
  BLDINDEX IDS(P.KSDS) ODS(P.BYNAME)"
	[ "$status" -eq 0 ]
	people_program ADDONE <<'COBOL'
    open i-o people display "open " st
    move "0005CARL    LIMA" to p-rec write p-rec display "write " st
    close people
COBOL
	run env DD_PEOPLE="$PWD/root/P.KSDS" ./ADDONE
	in_order 'open 00' 'write 0'
	echo '0006ANNA    MALTA' >more
	ams --dd MORE=more <<'AMS'
  REPRO IFILE(MORE) ODS(P.KSDS)
  PRINT IDS(P.BYNAME) CHAR TOKEY(CARL)
  PRINT IDS(P.BYCITY) CHAR FKEY(L) COUNT(2)
  VERIFY DS(P.KSDS)
AMS
	[ "$status" -eq 0 ]
	in_order '0002ALICE' '0006ANNA' '0001BOB' '0004BOB' '0005CARL' 'PROCESSED WAS 5' '0005CARL    LIMA' \
		'0006ANNA    MALTA' 'PROCESSED WAS 2' 'P.KSDS is intact: 6 records'
	# A program that does not maintain the alternate keys leaves them out of date: VERIFY reports that, BLDINDEX
	# repairs it.
	cobol BEHIND <<'COBOL'
identification division.
program-id. BEHIND.
environment division.
input-output section.
file-control.
    select people assign to "PEOPLE" organization indexed access dynamic record key p-id file status st.
data division.
file section.
fd people.
01 p-rec.
   05 p-id pic x(4).
   05 p-rest pic x(16).
working-storage section.
01 st pic xx.
procedure division.
    open i-o people move "0003" to p-id delete people display "delete " st close people stop run.
COBOL
	run env DD_PEOPLE="$PWD/root/P.KSDS" ./BEHIND
	has 'delete 00'
	ams <<'AMS'
  VERIFY DS(P.KSDS)
  BLDINDEX IDS(P.KSDS) ODS(P.NAMES)
  VERIFY DS(P.KSDS)
AMS
	[ "$status" -eq 12 ]
	in_order 'VIG5632S IDCAMS: P.KSDS: alternate key 1 ' 'BLDINDEX rebuilds it' 'is intact: 5 records'
	# With a deleted index its key is removed; the others are unchanged.
	ams <<'AMS'
  DELETE P.NAMES AIX
  PRINT IDS(P.BYCITY) CHAR COUNT(1)
AMS
	[ "$status" -eq 0 ]
	in_order 'ENTRY (R) P.BYNAME DELETED' 'ENTRY (D) P.NAMES.DATA DELETED' 'ENTRY (G) P.NAMES DELETED' \
		'0004BOB     ATHENS'
	[ -e root/P.KSDS.1 ] && [ ! -e root/P.KSDS.2 ]
}

@test "a key that must be unique and is not: BLDINDEX says so and leaves the cluster alone" {
	needs_indexed
	people_data
	ams --dd IN=people <<<"$define_people
  DEFINE AIX(NAME(P.NAMES) RELATE(P.KSDS) KEYS(8 4) UNIQUEKEY)
  BLDINDEX IDS(P.KSDS) ODS(P.NAMES)
  VERIFY DS(P.KSDS)"
	[ "$status" -eq 12 ]
	has VIG5630S
	has 'P.KSDS is intact: 4 records'
	[ ! -e root/P.KSDS.1 ] && [ ! -e 'root/P.KSDS~' ]
}

@test "loading: order, duplicates, four errors end it; REPLACE, REUSE" {
	needs_indexed
	people_data
	printf '0001A\n0003B\n0002C\n0003D\n0004E\n' >wrong
	ams --dd IN=wrong <<'AMS'
  DEFINE CLUSTER (NAME(P.KSDS) INDEXED KEYS(4 0) -
    RECORDSIZE(20 20) REUSE)
  REPRO INFILE(IN) OUTDATASET(P.KSDS)
AMS
	[ "$status" -eq 8 ]
	in_order 'IDC0512I NAME GENERATED-(D) P.KSDS.DATA' 'IDC0512I NAME GENERATED-(I) P.KSDS.INDEX' \
		'IDC3302I ACTION ERROR ON P.KSDS' 'IDC3314I RECORD 30303032 OUT OF SEQUENCE' \
		'IDC3308I ** DUPLICATE RECORD 30303033' 'PROCESSED WAS 3'
	ams --dd IN=people <<<'  REPRO INFILE(IN) OUTDATASET(P.KSDS)'
	[ "$status" -eq 8 ]
	has 'PROCESSED WAS 1'
	ams --dd IN=people <<<'  REPRO INFILE(IN) OUTDATASET(P.KSDS)'
	[ "$status" -eq 12 ]
	in_order 'IDC31467I MAXIMUM ERROR LIMIT REACHED' 'PROCESSED WAS 0' 'IDC3003I FUNCTION TERMINATED'
	ams --dd IN=people <<'AMS'
  REPRO INFILE(IN) OUTDATASET(P.KSDS) REPLACE
  PRINT IDS(P.KSDS) CHAR FKEY(0003) COUNT(1)
  REPRO INFILE(IN) OUTDATASET(P.KSDS) REUSE COUNT(2)
  VERIFY DS(P.KSDS)
AMS
	[ "$status" -eq 0 ]
	in_order 'PROCESSED WAS 4' '0003DAVE    BERLIN' 'P.KSDS is intact: 2 records'
	ams --dd IN=people <<<"$(sed 's/P.KSDS/Q.KSDS/g' <<<"$define_people")
  REPRO INFILE(IN) OUTDATASET(Q.KSDS) REUSE"
	[ "$status" -eq 12 ]
	has 'REUSE needs a cluster defined with REUSE'
}

@test "an empty cluster cannot be read; ranges that begin or end behind the last record" {
	needs_indexed
	people_data
	ams <<<'  DEFINE CLUSTER (NAME(P.KSDS) INDEXED KEYS(4 0) RECORDSIZE(20 20))
  PRINT IDS(P.KSDS)'
	[ "$status" -eq 12 ]
	has 'IDC3351I ** VSAM OPEN RETURN CODE IS 160'
	ams --dd IN=people <<'AMS'
  REPRO INFILE(IN) OUTDATASET(P.KSDS)
  PRINT IDS(P.KSDS) COUNT(9)
AMS
	[ "$status" -eq 4 ]
	has 'IDC11462I REQUESTED RANGE END BEYOND END OF DATA SET'
	ams <<<'  PRINT IDS(P.KSDS) FKEY(1)'
	[ "$status" -eq 4 ]
	has VIG5622W
	ams <<<'  PRINT IDS(P.KSDS) FNUM(1)'
	[ "$status" -eq 12 ]
	has VIG5619S
	: >empty
	ams --dd EMPTY=empty <<<'  PRINT INFILE(EMPTY) COUNT(1)'
	[ "$status" -eq 4 ]
	echo x >empty
	ams --dd EMPTY=empty <<<'  PRINT INFILE(EMPTY) COUNT(1)'
	[ "$status" -eq 0 ]
}

@test "ranges end where they say, keys out of order are told from the last good one, records keep their length" {
	needs_indexed
	printf 'A*1\nA12\nA23\nB11\n' >stars
	printf '0001A\n0003B\n0002C\n0002D\n0004E\n' >wrong
	printf '0001AB\n' >short
	printf 'ONE\nTWO\nTHREE   \n' >lines
	ams --dd IN=stars <<'AMS'
  DEF CL(NAME(P.K) INDEXED KEYS(2 0) RECSZ(3 3))
  REPRO IFILE(IN) ODS(P.K)
  PRINT IDS(P.K) CHAR TOKEY('A*')
  PRINT IDS(P.K) CHAR FKEY(A*) TOKEY(A*)
AMS
	[ "$status" -eq 0 ]
	[ "$(grep -c '^ A' <<<"$output")" -eq 4 ]
	in_order 'PROCESSED WAS 4' 'PROCESSED WAS 1' 'PROCESSED WAS 3'
	ams --dd IN=wrong --dd SHORT=short <<'AMS'
  DEF CL(NAME(P.KSDS) INDEXED KEYS(4 0) RECSZ(10 20) REUSE)
  REPRO IFILE(SHORT) ODS(P.KSDS)
  PRINT IDS(P.KSDS) HEX
  REPRO IFILE(IN) ODS(P.KSDS) REUSE
AMS
	[ "$status" -eq 8 ]
	grep -qx ' 303030314142' <<<"$output"
	[ "$(grep -c 'IDC3314I RECORD 30303032 OUT OF SEQUENCE' <<<"$output")" -eq 2 ]
	has 'PROCESSED WAS 3'
	ams --dd IN=lines <<'AMS'
  DEF CL(NAME(P.RRDS) NUMBERED RECSZ(5 5))
  REPRO IFILE(IN) ODS(P.RRDS)
  PRINT IDS(P.RRDS) CHAR FNUM(2) TONUMBER(3)
  DEF CL(NAME(P.ESDS) NONINDEXED RECSZ(5 5))
  REPRO IFILE(IN) ODS(P.ESDS)
  PRINT IDS(P.ESDS) CHAR
AMS
	[ "$status" -eq 0 ]
	hasnt VIG5636W
	in_order 'NUMBER - 2' 'NUMBER - 3' 'PROCESSED WAS 2' 'RBA OF RECORD - 0' 'RBA OF RECORD - 5' 'RBA OF RECORD - 10'
}

@test "a cluster's file knows of an index that was built after its DD was allocated" {
	needs_indexed
	people_data
	echo '0005ALAN    OSLO' >more
	ams --dd IN=people <<<"$define_people
$define_indexes"
	[ "$status" -eq 0 ]
	export VIGIL_DCB_BASE='F,20,DSORG=IS,KEY=4:0'
	ams --dd IN=more --dd BASE=root/P.KSDS <<'AMS'
  REPRO IFILE(IN) OFILE(BASE)
  PRINT IDS(P.BYNAME) CHAR COUNT(1)
AMS
	[ "$status" -eq 0 ]
	has '0005ALAN'
}

@test "an ESDS is a sequential file, an RRDS a relative one, as COBOL has them" {
	needs_indexed
	printf 'ONE\nTWO\nTHREE\n' >lines
	cobol RELREAD <<'COBOL'
identification division.
program-id. RELREAD.
environment division.
input-output section.
file-control.
    select r assign to "REL" organization relative access dynamic relative key n file status st.
    select e assign to "ESD" organization sequential file status st.
data division.
file section.
fd r.
01 r-rec pic x(8).
fd e.
01 e-rec pic x(8).
working-storage section.
01 st pic xx.
01 n pic 9(4).
procedure division.
    open i-o r move 2 to n read r display st " " r-rec
    move 7 to n move "SEVEN" to r-rec write r-rec display "write " st close r
    open extend e move "FOUR" to e-rec write e-rec display "extend " st close e
    stop run.
COBOL
	ams --dd IN=lines <<'AMS'
  DEF CL(NAME(P.RRDS) NUMBERED RECSZ(8 8))
  DEF CL(NAME(P.ESDS) NONINDEXED RECSZ(8 8))
  REPRO IFILE(IN) ODS(P.RRDS)
  REPRO IFILE(IN) ODS(P.ESDS)
  REPRO IFILE(IN) ODS(P.ESDS) SKIP(2)
AMS
	[ "$status" -eq 0 ]
	[ "$(cat root/P.ESDS)" = 'ONE     TWO     THREE   THREE   ' ]
	run env DD_REL="$PWD/root/P.RRDS" DD_ESD="$PWD/root/P.ESDS" ./RELREAD
	in_order '00 TWO' 'write 00' 'extend 00'
	ams <<'AMS'
  PRINT IDS(P.RRDS) CHAR FROMNUMBER(3)
  PRINT IDS(P.RRDS) CHAR TONUMBER(2)
  PRINT IDS(P.ESDS) HEX SKIP(4)
AMS
	[ "$status" -eq 0 ]
	in_order 'RELATIVE RECORD NUMBER - 3' THREE 'RELATIVE RECORD NUMBER - 7' SEVEN 'PROCESSED WAS 2' \
		'PROCESSED WAS 2' 'RBA OF RECORD - ' ' 464F555220202020'
}

@test "DEFINE: a name that is there, names and numbers that cannot be" {
	needs_indexed
	echo x >root/A.FILE
	ams <<'AMS'
  DEF CL(NAME(A.FILE) NIXD)
  DEF CL(NAME(A.K) KEYS(8 76) RECSZ(80 80))
  DEF CL(NAME(A.K) KEYS(4 0) RECSZ(90 80))
  DEF CL(NAME(A.K) IXD NUMD)
  DEF CL(KEYS(4 0))
  DEF GDG(NAME(A.G) LIMIT(256))
  DEF AIX(NAME(A.X) RELATE(A.FILE) KEYS(4 0))
  DEF PATH(NAME(A.P) PENT(A.NOT))
  DEF ALIAS(NAME(A.ALIAS) RELATE(A.FILE))
  DEF NVSAM(NAME(A.TAPE) DEVT(3490) VOL(T1))
  PRINT IDS(A.ALIAS) CHAR
AMS
	[ "$status" -eq 12 ]
	in_order 'IDC3013I DUPLICATE DATA SET NAME: A.FILE (VIG5626S)' \
		'VIG5624S IDCAMS: A.K: KEYS' 'A.K: RECORDSIZE' 'IXD and NUMD exclude each other' \
		'NAME is missing' 'LIMIT is 1 to 255' 'RELATE does not name an INDEXED cluster' \
		'ENTRY A.NOT NOT FOUND' 'LISTING OF DATA SET -A.ALIAS' 'PROCESSED WAS 1'
	[ "$(ls root)" = A.FILE ]
	# MODEL: what is not specified is taken from the other cluster.
	ams <<'AMS'
  DEF CL(NAME(B.ONE) KEYS(4 2) RECSZ(30 50) REUSE)
  DEF CL(NAME(B.TWO) MODEL(B.ONE))
  DEF CL(NAME(B.THREE) MODEL(B.ONE) KEYS(3 1) NOREUSE)
  LISTC ENT(B.TWO B.THREE) ALL
  DEF CL(NAME(B.FOUR) MODEL(A.FILE))
AMS
	in_order 'KEYLEN-----------------4     RKP--------------------2' \
		'AVGLRECL--------------30     MAXLRECL--------------50' 'INDEXED     REUSE' \
		'KEYLEN-----------------3     RKP--------------------1' 'INDEXED     NOREUSE' 'MODEL does not name a cluster'
	ams <<<'  DELETE B.* CLUSTER'
	[ "$(ls root/.vigil/catalog)" = "$(printf 'A.ALIAS\nA.TAPE')" ]
}

@test "DELETE: lists, types, members, generic names, generation groups, what belongs to a cluster" {
	needs_indexed
	people_data
	mkdir root/A.LIB
	for name in A.ONE A.TWO A.B.C A.B.D A.G.G0001V00 A.G.G0002V00 A.LIB/M1 A.LIB/M2; do echo x >"root/$name"; done
	ams <<'AMS'
  DELETE (A.ONE A.NOT A.TWO)
  DELETE A.LIB(M1)
  DELETE A.LIB(M9)
  DELETE A.B.C CLUSTER
  DELETE *.B.C
  DELETE A.*.C NONVSAM PURGE
  DEF GDG(NAME(A.G) LIMIT(5))
  DELETE A.G GDG
AMS
	[ "$status" -eq 8 ]
	in_order 'ENTRY (A) A.ONE DELETED' 'ENTRY A.NOT NOT FOUND' 'ENTRY (A) A.TWO DELETED' \
		'IDC0549I MEMBER M1 DELETED' 'ENTRY A.LIB(M9) NOT FOUND' 'ENTRY A.B.C NOT FOUND' VIG5550E \
		'ENTRY (A) A.B.C DELETED' 'cannot delete A.G: it has generations and FORCE is not given'
	[ "$(ls root)" = "$(printf 'A.B.D\nA.G.G0001V00\nA.G.G0002V00\nA.LIB')" ]
	ams --dd IN=people <<<"  DELETE A.G GDG FORCE
  DELETE A.** MASK ERASE
$define_people
$define_indexes
  DELETE P.KSDS ERASE"
	[ "$status" -eq 0 ]
	in_order 'ENTRY (H) A.G.G0001V00 DELETED' 'ENTRY (B) A.G DELETED' 'ENTRY (A) A.B.D DELETED' \
		'ENTRY (R) P.BYCITY DELETED' 'ENTRY (G) P.CITIES DELETED' 'ENTRY (D) P.KSDS.D DELETED' \
		'ENTRY (I) P.KSDS.I DELETED' 'ENTRY (C) P.KSDS DELETED'
	[ -z "$(ls root)" ] && [ -z "$(ls root/.vigil/catalog)" ]
}

@test "DELETE ERASE leaves zeros, of each file and to its last byte" {
	needs_indexed
	mkdir root/A.LIB
	head -c 70001 /dev/zero | tr '\0' s >root/A.SEQ
	echo one >root/A.LIB/ONE
	head -c 65536 /dev/zero | tr '\0' t >root/A.LIB/TWO
	people_data
	ams --dd IN=people <<<"$define_people
$define_indexes"
	[ "$status" -eq 0 ]
	mkdir kept
	for file in A.SEQ A.LIB/ONE A.LIB/TWO P.KSDS P.KSDS.1 P.KSDS.2; do
		ln "root/$file" "kept/${file#*/}"
		echo "${file#*/} $(stat -c %s "root/$file")"
	done >sizes
	ams <<'AMS'
  DELETE A.SEQ ERASE
  DELETE A.LIB ERASE
  DELETE P.KSDS ERASE
AMS
	[ "$status" -eq 0 ]
	[ -z "$(ls root)" ]
	for file in kept/*; do
		echo "${file#*/} $(stat -c %s "$file")"
		[ "$(tr -d '\0' <"$file" | wc -c)" -eq 0 ]
	done | sort >left
	[ "$(wc -l <left)" -eq 6 ]
	sort sizes | diff - left
}

@test "names cannot climb out of the root" {
	echo x >outside
	ams <<'AMS'
  DELETE ../outside
  DELETE 'A/../../outside'
  DELETE A.LIB(../../outside)
  REPRO IDS(A.B) ODS(/tmp/x)
AMS
	[ "$status" -eq 12 ]
	[ -e outside ] && [ -z "$(ls root)" ]
}

@test "REPRO between forms; the same file; records that are cut" {
	printf 'first\nsecond line\n' >lines
	ams --dd IN=lines --dd FB=fb,RECFM=FB,LRECL=8 --dd VB=vb,RECFM=VB,LRECL=84 --dd BACK=back <<'AMS'
  REPRO INFILE(IN) OUTFILE(VB)
  REPRO INFILE(VB) OUTFILE(FB)
  REPRO INFILE(IN) OUTDATASET(A.COPY)
  REPRO INDATASET(A.COPY) OUTDATASET(A.COPY)
  REPRO INFILE(NOSUCH) OUTDATASET(A.COPY)
AMS
	[ "$status" -eq 12 ]
	has 'VIG5636W IDCAMS: 1 records were longer'
	has VIG5506S
	has 'IDC3300I ERROR OPENING NOSUCH'
	[ "$(cat fb)" = 'first   second l' ]
	[ "$(od -An -c vb | tr -d ' \n')" = '\0005\0\0first\0\v\0\0secondline' ]
	cmp lines root/A.COPY
}

@test "PRINT: characters, hexadecimal digits and both, to SYSPRINT and OUTFILE" {
	printf 'ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789' >data
	ams --dd IN=data,RECFM=F,LRECL=37 --dd LIST=listing <<'AMS'
  PRINT INFILE(IN) CHARACTER
  PRINT INFILE(IN) HEX
  PRINT INFILE(IN)
  PRINT INFILE(IN) CHARACTER OUTFILE(LIST)
AMS
	[ "$status" -eq 0 ]
	in_order 'RECORD SEQUENCE NUMBER - 1' ' ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789' \
		" $(od -An -tx1 data | tr -d ' \n' | tr a-f A-F)" \
		' 000000   41424344 45464748 494A4B4C 4D4E4F50   51525354 55565758 595A2030 31323334' \
		'*ABCDEFGHIJKLMNOPQRSTUVWXYZ 01234*' ' 000020   35363738 39' '*56789 '
	grep -qx ' ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789' listing
	printf '%0130d' 7 >long
	ams --dd IN=long <<'AMS'
  PRINT INFILE(IN) CHARACTER
  PRINT INFILE(IN) HEX
AMS
	[ "$(grep -cx ' [0-9]\{120\}' <<<"$output")" -eq 3 ]
	[ "$(grep -cx ' 0000000007\| 30303030303030303037' <<<"$output")" -eq 2 ]
}

@test "LISTCAT: entries, levels, types, attributes, associations, totals" {
	needs_indexed
	people_data
	echo x >root/Q.FILE
	for number in 1 2; do echo x >root/P.G.G000${number}V00; done
	day=$(date +%Y.%j)
	ams --dd IN=people <<<"$define_people
$define_indexes
  DEF GDG(NAME(P.G) LIMIT(3) SCRATCH)
  LISTCAT ENTRIES(P.KSDS) ALL"
	[ "$status" -eq 0 ]
	# At midnight it is the day before or the current one.
	[[ $output == *"CREATION--------$day"* ]] || day=$(date +%Y.%j)
	in_order 'CLUSTER ------- P.KSDS' 'IN-CAT --- ' "CREATION--------$day" \
		'DATA-----P.KSDS.D' 'INDEX----P.KSDS.I' 'AIX------P.CITIES' '   DATA ------- P.KSDS.D' \
		'CLUSTER--P.KSDS' 'KEYLEN-----------------4     RKP--------------------0' \
		'AVGLRECL--------------20     MAXLRECL--------------20' 'INDEXED     NOREUSE' \
		'REC-TOTAL--------------4' '   INDEX ------ P.KSDS.I' 'CLUSTER ------------1' 'TOTAL --------------3'
	ams <<<'  LISTC ENT(P.NAMES P.G P.KSDS.D P.NOT) ALL'
	[ "$status" -eq 4 ]
	in_order 'AIX ---------- P.NAMES' UPGRADE 'CLUSTER--P.KSDS' 'PATH-----P.BYNAME' \
		'AXRKP------------------4     NONUNIQKEY' 'GDG BASE ------ P.G' \
		'LIMIT------------------3     SCRATCH     NOEMPTY' 'NONVSAM--P.G.G0001V00' \
		'NONVSAM ------- P.G.G0002V00' 'GDG------P.G' \
		'   DATA ------- P.KSDS.D' 'IDC3012I ENTRY P.NOT NOT FOUND' 'IDC1566I ** P.NOT NOT LISTED'
	ams --dd OUT=listing <<<'  LISTCAT LEVEL(P) NONVSAM PATH OUTFILE(OUT)'
	[ "$(grep -c -e '^[NP].* ---* P\.' listing)" -eq 4 ]
	! grep -q 'Q.FILE' listing || return 1
	ams <<<'  LISTC LVL(NOT.THERE)'
	[ "$status" -eq 4 ]
	ams <<<'  LISTC'
	[ "$status" -eq 0 ]
	has 'NONVSAM ------- Q.FILE'
}

@test "ALTER: new names of clusters, components, members and many; attributes of entries" {
	needs_indexed
	people_data
	mkdir root/A.LIB && echo x >root/A.LIB/M1
	echo 1 >root/A.X.C && echo 2 >root/A.Y.C
	ams --dd IN=people <<<"$define_people
$define_indexes
  ALTER P.KSDS NEWNAME(R.KSDS)
  ALTER P.KSDS.D NEWNAME(R.KSDS.D)
  ALTER A.LIB(M1) NEWNAME(A.LIB(M2))
  ALTER A.*.C NEWNAME(B.*.D)
  ALTER R.KSDS ADDVOLUMES(V2)
  PRINT IDS(P.BYNAME) CHAR COUNT(1)
  LISTC ENT(R.KSDS)"
	[ "$status" -eq 0 ]
	has 'IDC0531I ENTRY P.KSDS ALTERED'
	has '0002ALICE'
	has '   DATA ------- R.KSDS.D'
	has VIG5640I
	[ "$(ls root)" = "$(printf 'A.LIB\nB.X.D\nB.Y.D\nR.KSDS\nR.KSDS.1\nR.KSDS.2')" ]
	[ "$(ls root/A.LIB)" = M2 ]
	for number in 1 2 3; do echo x >root/A.G.G000${number}V00; done
	ams <<'AMS'
  DEF GDG(NAME(A.G) LIMIT(9) SCRATCH)
  ALTER A.G LIMIT(2)
  ALTER A.NOT NEWNAME(A.NOT2)
  ALTER B.X.D NEWNAME(B.Y.D)
  ALTER A.G NEWNAME(A.H)
AMS
	[ "$status" -eq 8 ]
	in_order 'ENTRY (H) A.G.G0001V00 DELETED' 'ENTRY A.NOT NOT FOUND' 'IDC0532I **ENTRY A.NOT NOT ALTERED' \
		'IDC3013I DUPLICATE DATA SET NAME: B.Y.D' 'a generation data group cannot be renamed'
	[ "$(ls root | grep -c 'A.G.')" -eq 2 ]
}

@test "ALTER: only what fits, only what is named" {
	needs_indexed
	people_data
	for number in 1 2; do echo x >root/A.G.G000${number}V00; done
	ams --dd IN=people <<<"$define_people
$define_indexes
$(sed 's/P\.KSDS/P.KSDS2/g; s/P\.NAMES/Q.NAMES/g; s/P\.CITIES/Q.CITIES/g; s/P\.BY/Q.BY/g' <<<"$define_people
$define_indexes")
  ALTER P.KSDS NEWNAME(R.KSDS)
  ALTER P.KSDS.I NEWNAME(R.KSDS.I)
  PRINT IDS(Q.BYNAME) CHAR COUNT(1)
  LISTC ENT(Q.NAMES R.KSDS) ALL
  DEF GDG(NAME(A.G) LIMIT(9) NOSCRATCH)
  ALTER A.G LIMIT(255)
  ALTER A.G LIMIT(1)
  ALTER A.G.G0001V00 NEWNAME(A.G.G0009V00)
  LISTC ENT(A.G) ALL"
	[ "$status" -eq 0 ]
	in_order '0002ALICE' 'CLUSTER--P.KSDS2' 'DATA ------- P.KSDS.D' 'INDEX ------ R.KSDS.I'
	in_order 'ENTRY (H) A.G.G0001V00 UNCATALOGED' 'GDG BASE ------ A.G' 'LIMIT------------------1' 'NONVSAM--A.G.G0002V00'
	hasnt 'NONVSAM--A.G.G0009V00'
	for change in 'A.G LIMIT(256)' 'A.G LIMIT(0)' 'R.KSDS UPGRADE' 'R.KSDS NOEMPTY' 'R.KSDS LIMIT(2)' 'P.NAMES REUSE' 'A.G UPGRADE'; do
		ams <<<"  ALTER $change"
		[ "$status" -eq 8 ]
		has "IDC0532I **ENTRY ${change%% *} NOT ALTERED"
	done
}

@test "a data set that another job holds is not deleted" {
	command -v python3 >/dev/null || skip "no python3"
	mkdir bin
	echo x >root/MY.FILE
	printf '#!/bin/sh\ntouch started\nfor _ in $(seq 600); do [ -e go ] && exit; sleep 0.05; done\n' >bin/HOLD
	chmod +x bin/HOLD
	sed "s|started|$PWD/started|; s|-e go|-e $PWD/go|" -i bin/HOLD
	printf '//A JOB\n//S EXEC PGM=HOLD\n//F DD DSN=MY.FILE,DISP=SHR\n' >hold.jcl
	background "$vigil" submit --spool spool --root root --steplib bin hold.jcl >/dev/null
	wait_for test -e started
	ams <<<'  DELETE MY.FILE'
	touch go
	wait
	[ "$status" -eq 8 ]
	has 'VIG5616E IDCAMS: data set MY.FILE is in use by another job'
	[ -e root/MY.FILE ]
	ams <<<'  DELETE MY.FILE'
	[ "$status" -eq 0 ]
	[ ! -e root/MY.FILE ]
}

@test "in a job: DDs of clusters, indexes and paths; a data set of its own job can be deleted" {
	needs_indexed
	cat >deck.jcl <<'DECK'
//A        JOB
//DEF      EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DELETE P.KSDS CLUSTER PURGE
  IF MAXCC LE 8 THEN SET MAXCC = 0
  DEFINE CLUSTER (NAME(P.KSDS) KEYS(4 0) RECORDSIZE(20 20) INDEXED -
     VOLUMES(VOL001) CYL(1 1) SHR(2 3)) -
   DATA(NAME(P.KSDS.DATA)) INDEX(NAME(P.KSDS.INDEX))
  DEFINE AIX(NAME(P.NAMES) RELATE(P.KSDS) KEYS(8 4) NUNQK UPGRADE)
  DEFINE PATH(NAME(P.BYNAME) PENT(P.NAMES))
/*
//LOAD     EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//IN       DD *
0001BOB     PARIS
0002ALICE   ROME
/*
//BASE     DD DSN=P.KSDS,DISP=OLD
//AIX      DD DSN=P.NAMES,DISP=OLD
//SYSIN    DD *
  REPRO INFILE(IN) OUTFILE(BASE)
  BLDINDEX INFILE(BASE) OUTFILE(AIX)
/*
//SHOW     EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//PATH     DD DSN=P.BYNAME,DISP=SHR
//BASE     DD DSN=P.KSDS,DISP=SHR
//SYSIN    DD *
  PRINT INFILE(PATH) CHARACTER COUNT(1)
  PRINT INFILE(BASE) CHARACTER COUNT(1)
/*
//GONE     EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//BASE     DD DSN=P.KSDS,DISP=OLD
//SYSIN    DD *
  DELETE P.KSDS
/*
DECK
	run "$vigil" submit --spool spool --root root deck.jcl
	echo "$output"
	cat spool/JOB*/*.SYSPRINT
	[ "$status" -eq 0 ]
	output=$(cat spool/JOB*/SHOW.SYSPRINT)
	in_order '0002ALICE' '0001BOB'
	[ -z "$(ls root)" ]
}

@test "a full disk ends a load into a cluster, which is whole up to there" {
	needs_indexed
	own=(unshare -m)
	[ "$(id -u)" = 0 ] || own=(unshare -rm)
	"${own[@]}" mount -t tmpfs -o size=3m,mode=755 tmpfs root 2>/dev/null || skip "no file system of its own can be mounted"
	awk 'BEGIN { for (i = 0; i < 50000; i++) printf "%08d%072d\n", i, i }' >many
	cat >commands <<'END'
 DEFINE CLUSTER(NAME(A.K) KEYS(8 0) RECORDSIZE(80 80))
 REPRO INFILE(IN) OUTDATASET(A.K)
 VERIFY DATASET(A.K)
END
	# shellcheck disable=SC2016
	run timeout 60 "${own[@]}" sh -c 'mount -t tmpfs -o size=3m,mode=755 tmpfs root && exec "$@"' - \
		"$idcams" --root root --dd IN=many <commands
	echo "$output"
	[ "$status" -eq 12 ]
	has 'cannot be written: No space left on device'
	count=$(sed -n 's/^IDC0005I NUMBER OF RECORDS PROCESSED WAS \([0-9]*\).*/\1/p' <<<"$output")
	[ "$count" -gt 1000 ]
	has "A.K is intact: $count records"
}

@test "the parser survives some seconds of damaged commands" {
	[ -x "$VIGIL_BUILD/utilities/idcams/fuzz-idcams" ] || skip "fuzz-idcams is not built"
	cp "$VIGIL_BUILD/utilities/idcams/fuzz-idcams" run
	echo "$define_people
$define_indexes" >seed1
	printf '  IF MAXCC LE 8 THEN DO\n  DELETE (A.B -\n  C.D(E)) PURGE /* x */\n END\n ELSE -\n SET LASTCC=4;\n' >seed2
	printf "  PRINT IDS('A.B') FKEY(X'00C1') TOKEY('it''s') CHAR +\n  COUNT(1)\n LISTC LVL(A.*) ALL\n" >seed3
	run ./run 3 seed1 seed2 seed3
	echo "$output"
	[ "$status" -eq 0 ]
	has inputs
}

@test "what a killed DEFINE left goes with the next command, and with the next job" {
	mkdir -p root
	for next in idcams submit; do
		echo left >root/__db.MY.KSDS
		echo left >root/__db.MY.KSDS.2
		echo kept >root/__db.001
		if [ $next = idcams ]; then
			"$VIGIL_BUILD/utilities/programs/idcams" --root root <<<'  SET MAXCC = 0'
		else
			printf '//A JOB\n//S1 EXEC PGM=IEFBR14\n//OUT DD DSN=MY.OUT,DISP=(NEW,DELETE)\n' >next.jcl
			"$VIGIL_BUILD/vigil" submit --spool spool --root root next.jcl
		fi
		ls root
		[ ! -e root/__db.MY.KSDS ]
		[ ! -e root/__db.MY.KSDS.2 ]
		[ -e root/__db.001 ]
	done
}
