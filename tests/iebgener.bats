#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# IEBGENER, and the records of data sets in each format, from the shell and in jobs.

load trace
load jobs

setup() {
	in_own_folder
	unset COB_VARSEQ_FORMAT
}

# gener SYSUT1 SYSUT2: a call from the shell, with SYSIN from standard input.
gener() {
	run "$utilities/iebgener" --dd "SYSUT1=$1" --dd "SYSUT2=$2"
	echo "$output"
}

# holds FILE TEXT: the file's bytes are TEXT, as printf formats it.
holds() {
	# shellcheck disable=SC2059
	printf "$2" | cmp - "$1"
}

# cobol NAME: compiles the program on standard input.
cobol() {
	[ -n "$COBC" ] || skip "no GnuCOBOL"
	cat >"$1.cob"
	"$COBC" -x -o "bin/$1" "$1.cob"
}

with_python() {
	command -v python3 >/dev/null || skip "no python3"
}

@test "bytes of a file without record format are copied as they are" {
	printf 'no end\n\0\377of line' >a
	gener a b </dev/null
	[ "$status" -eq 0 ]
	cmp a b
	has 'VIG5511I IEBGENER: 16 bytes copied'
	has 'PROCESSING ENDED AT EOD'
	gener /dev/null c </dev/null
	[ "$status" -eq 0 ]
	[ ! -s c ]
}

@test "lines to fixed records and back: filled and cut" {
	printf 'one\ntwo two two\n\nthree more\n' >a
	gener a b,RECFM=FB,LRECL=5 </dev/null
	[ "$status" -eq 4 ]
	holds b 'one  two t     three'
	has 'VIG5514W IEBGENER: 2 records were longer than LRECL and were cut; the first is record 2'
	has 'VIG5513I IEBGENER: 4 records copied'
	gener b c,RECFM=TEXT </dev/null
	[ "$status" -eq 0 ]
	holds c 'one  \ntwo t\n     \nthree\n'
}

@test "an output without record format takes the input's, and keeps it" {
	printf 'aaaabbbb' >a
	gener a,RECFM=FB,LRECL=4 b </dev/null
	[ "$status" -eq 0 ]
	has 'IEB352I WARNING : ONE OR MORE OF THE OUTPUT DCB PARMS COPIED FROM INPUT'
	cmp a b
	gener b c,RECFM=TEXT </dev/null # nobody says what b is
	holds c 'aaaa\nbbbb\n'
	gener b d,RECFM=VB </dev/null
	holds d '\0\4\0\0aaaa\0\4\0\0bbbb'
	gener d e,RECFM=F </dev/null
	cmp a e
	gener d /dev/stdout </dev/null
	has 'aaaa
bbbb'
}

@test "records of variable length in each of GnuCOBOL's forms" {
	printf 'abc\n\nlonger line\n' >a
	export COB_VARSEQ_FORMAT
	for COB_VARSEQ_FORMAT in 0 1 2 3; do
		gener a "v$COB_VARSEQ_FORMAT,RECFM=VB,LRECL=84" </dev/null
		[ "$status" -eq 0 ]
		gener "v$COB_VARSEQ_FORMAT" b,RECFM=TEXT </dev/null
		cmp a b
	done
	holds v0 '\0\3\0\0abc\0\0\0\0\0\13\0\0longer line'
	holds v1 '\0\0\0\3abc\0\0\0\0\0\0\0\13longer line'
	holds v3 '\0\3abc\0\0\0\13longer line'
	COB_VARSEQ_FORMAT=9
	gener a v9,RECFM=VB </dev/null
	[ "$status" -eq 12 ]
	has 'COB_VARSEQ_FORMAT=9 is not known'
}

@test "a COBOL program and IEBGENER agree on RECORDING MODE V and on fixed records" {
	cobol VARY <<'COB'
       IDENTIFICATION DIVISION.
       PROGRAM-ID. VARY.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OLD-FILE ASSIGN TO "OLD" ORGANIZATION SEQUENTIAL.
           SELECT NEW-FILE ASSIGN TO "NEW" ORGANIZATION SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD OLD-FILE RECORDING MODE V
           RECORD VARYING FROM 1 TO 50 DEPENDING ON OLD-LENGTH.
       01 OLD-RECORD PIC X(50).
       FD NEW-FILE RECORDING MODE V.
       01 NEW-RECORD.
           05 ITEM-COUNT PIC 99.
           05 ITEM PIC X(3) OCCURS 0 TO 16 DEPENDING ON ITEM-COUNT.
       WORKING-STORAGE SECTION.
       01 OLD-LENGTH PIC 99 COMP-5.
       01 SHOWN PIC 99.
       PROCEDURE DIVISION.
           OPEN INPUT OLD-FILE OUTPUT NEW-FILE
           PERFORM UNTIL EXIT
               READ OLD-FILE AT END EXIT PERFORM END-READ
               MOVE OLD-LENGTH TO SHOWN
               DISPLAY SHOWN " " OLD-RECORD(1:OLD-LENGTH)
               DIVIDE OLD-LENGTH BY 3 GIVING ITEM-COUNT
               MOVE ALL "xyz" TO NEW-RECORD(3:48)
               WRITE NEW-RECORD
           END-PERFORM
           CLOSE OLD-FILE NEW-FILE
           STOP RUN.
COB
	printf 'abc\nsix by\nthis is the longest of all records, fifty bytes in\n' >a
	export COB_VARSEQ_FORMAT
	for COB_VARSEQ_FORMAT in 0 1 2 3; do
		gener a old,RECFM=V,LRECL=54 </dev/null
		[ "$status" -eq 0 ]
		DD_OLD=$PWD/old DD_NEW=$PWD/new bin/VARY >shown
		holds shown '03 abc\n06 six by\n50 this is the longest of all records, fifty bytes in\n'
		gener new,RECFM=V,LRECL=54 b,RECFM=TEXT </dev/null
		[ "$status" -eq 0 ]
		holds b '01xyz\n02xyzxyz\n16xyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyzxyz\n'
	done
}

@test "descriptors that cannot be and records that are cut off are errors" {
	printf '\0\3\0\0abc\0\13\0\0abcdefghijk' >v
	gener v,RECFM=VB,LRECL=14 b </dev/null
	[ "$status" -eq 12 ]
	has 'VIG5504S IEBGENER: v: record 2 has no valid descriptor: it gives 11 bytes, the longest record has 10'
	printf '\0\3\0\0ab' >v
	gener v,RECFM=VB,LRECL=14 b </dev/null
	has 'v: record 1 is truncated: it has 6 bytes instead of 7'
	printf 'aaaabb' >f
	gener f,RECFM=FB,LRECL=4 b,RECFM=TEXT </dev/null
	[ "$status" -eq 12 ]
	has 'f: record 2 is truncated: it has 2 bytes instead of 4'
	printf 'a longer line\n' >t
	gener t v,RECFM=VB,LRECL=14 </dev/null
	[ "$status" -eq 12 ]
	has 'record 1 of SYSUT1 cannot be written: v: a record has 13 bytes, the longest may have 10'
}

@test "lines that are said to be fixed are lines; bytes that are line ends by chance are not" {
	printf 'one\ntwo\n' >a
	gener a,RECFM=FB,LRECL=80 b,RECFM=FB,LRECL=5 </dev/null
	holds b 'one  two  '
	printf 'ab\0\ncd\0\n' >a
	gener a,RECFM=FB,LRECL=4 b,RECFM=FB,LRECL=5 </dev/null
	holds b 'ab\0\n cd\0\n '
}

@test "RECORD FIELD: places, defaults, literals and a comma that goes on" {
	printf 'abcdefghij\nxy\n' >a
	gener a b <<'END'
  GENERATE MAXFLDS=4,MAXLITS=7                  comment
LABEL RECORD FIELD=(3,8,,6),                    of the name
               FIELD=(4,'it''s',,12),FIELD=(5,'-',,16),
         FIELD=(2)
END
	[ "$status" -eq 0 ]
	holds b 'ab   hij   it'"'"'s-    \nxy         it'"'"'s-    \n'
	gener a b <<'END'
  GENERATE MAXFLDS=1
  RECORD FIELD=(,,,3)
END
	[ "$status" -eq 0 ]
	[ "$(head -n 1 b)" = "  abcdefghij$(printf '%70s' '')" ]
	gener a b,RECFM=F,LRECL=12 <<'END'
  GENERATE MAXFLDS=2
  RECORD FIELD=(4,7,,1)
END
	holds b 'ghij                    '
}

@test "PZ and ZP are what python makes of packed and zoned numbers" {
	with_python
	python3 - <<'END'
numbers = [0, 1, -1, 12345, -98765, 99999, -10]
def packed(n, size):
    return bytes.fromhex(f"{abs(n):0{2 * size - 1}d}{'d' if n < 0 else 'c'}")
def zoned(n, size):
    text = f"{abs(n):0{size}d}"
    return (text[:-1] + (chr(ord("p") + int(text[-1])) if n < 0 else text[-1])).encode()
def repacked(n, size):  # a plain last digit has no sign
    return bytes.fromhex(f"{abs(n):0{2 * size - 1}d}{'d' if n < 0 else 'f'}")
open("p", "wb").write(b"".join(packed(n, 3) for n in numbers))
open("z", "wb").write(b"".join(zoned(n, 5) for n in numbers))
open("r", "wb").write(b"".join(repacked(n, 3) for n in numbers))
END
	gener p,RECFM=F,LRECL=3 z2,RECFM=F,LRECL=5 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(3,1,PZ,1)'
	[ "$status" -eq 0 ]
	cmp z z2
	gener z,RECFM=F,LRECL=5 r2,RECFM=F,LRECL=3 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(5,1,ZP,1)'
	[ "$status" -eq 0 ]
	cmp r r2
	printf '\22\73\22\72\22\77' >signs # 12 3B 12 3A 12 3F: B is negative, too
	gener signs,RECFM=F,LRECL=2 out,RECFM=F,LRECL=3 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(2,1,PZ,1)'
	[ "$status" -eq 0 ]
	holds out '12s123123'
	printf '\22\64' >bad # 12 34: no sign
	gener bad,RECFM=F,LRECL=2 out,RECFM=F,LRECL=3 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(2,1,PZ,1)'
	[ "$status" -eq 12 ]
	has 'the 2 bytes at 1 are not a packed number'
	printf '%016d' 7 >long # as long as a number may be
	gener long,RECFM=F,LRECL=16 out,RECFM=F,LRECL=9 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(16,1,ZP,1)'
	[ "$status" -eq 0 ]
	[ "$(od -An -tx1 out | tr -d ' \n')" = 00000000000000007f ]
	gener long,RECFM=F,LRECL=16 out,RECFM=F,LRECL=9 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(17,1,ZP,1)'
	[ "$status" -eq 12 ]
	has 'a number of 17 bytes cannot be converted'
	printf '00A1' >bad # a sign in the middle
	gener bad,RECFM=F,LRECL=4 out,RECFM=F,LRECL=3 <<<'  GENERATE MAXFLDS=1
  RECORD FIELD=(4,1,ZP,1)'
	[ "$status" -eq 12 ]
	has 'VIG5515S IEBGENER: record 1 of SYSUT1: the 4 bytes at 1 are not a zoned number'
}

@test "IDENT parts groups that are edited differently" {
	printf '%s\n' 'H first' 'd one' 'd two' 'END.' 'tail one' 'tail two' >a
	gener a b <<'END'
 GENERATE MAXFLDS=3,MAXGPS=1,MAXLITS=2
 RECORD IDENT=(4,'END.',1),FIELD=(2,'> '),FIELD=(7,1,,3)
 RECORD FIELD=(3,6)
END
	[ "$status" -eq 0 ]
	holds b '> H first\n> d one  \n> d two  \n> END.   \none\ntwo\n'
	gener a b <<'END'
 GENERATE MAXGPS=1
 RECORD IDENT=(4,'NONE',1)
END
	[ "$status" -eq 4 ]
	has "VIG5518W IEBGENER: SYSIN line 2: no record has 'NONE' in column 1"
	cmp a b
}

@test "MEMBER makes members and aliases of a library" {
	mkdir lib
	printf 'old\n' >lib/ONE
	printf '%s\n' 'a' 'b' 'END1' 'c' 'END2' 'd' >a
	gener a lib <<'END'
 GENERATE MAXNAME=4,MAXGPS=2
 MEMBER NAME=(ONE,UNO)
 RECORD IDENT=(4,'END1',1)
 MEMBER NAME=TWO
 RECORD IDENT=(4,'END2',1)
 MEMBER NAME=THREE
END
	[ "$status" -eq 0 ]
	holds lib/ONE 'a\nb\nEND1\n'
	holds lib/UNO 'a\nb\nEND1\n'
	[ -h lib/UNO ]
	holds lib/TWO 'c\nEND2\n'
	holds lib/THREE 'd\n'
	printf '%s\n' 'a' 'b' >a
	gener a lib <<'END'
 GENERATE MAXNAME=2,MAXGPS=1
 MEMBER NAME=FOUR
 RECORD IDENT=(4,'END1',1)
 MEMBER NAME=FIVE
END
	[ "$status" -eq 8 ]
	has 'VIG5519E IEBGENER: member FIVE was not created: no records are left for it'
	[ ! -e lib/FIVE ]
	gener a file <<'END'
 GENERATE MAXNAME=1
 MEMBER NAME=FOUR
END
	[ "$status" -eq 12 ]
	has 'VIG5517S'
}

@test "what is wrong with statements is said with its place, and nothing is copied" {
	echo text >a
	# shellcheck disable=SC2034
	while IFS='|' read -r statements message; do
		rm -f b
		gener a b <<<"${statements//;/$'\n'}"
		[ "$status" -eq 12 ]
		has "$message"
		[ ! -e b ]
	done <<'END'
 GENERATE;  LABELS DATA=NO|VIG5510S IEBGENER: SYSIN line 2 column 10: LABELS is not supported
 GENERATE;  EXITS KEY=A|EXITS is not supported
 GENERATE DBCS=YES|SYSIN line 1 column 11: DBCS of GENERATE is not supported
 GENERATE MAXFLDS=1;  RECORD FIELD=(3,1,HE,1)|SYSIN line 2 column 21: conversion HE is not supported; PZ and ZP are
 GENERATE MAXGPS=1;  RECORD IDENTG=(3,'a',1)|IDENTG of RECORD is not supported
 GENERATE MAXFLDS=1;  RECORD LABELS=2|LABELS of RECORD is not supported
  RECORD FIELD=(3)|VIG5516S IEBGENER: SYSIN line 1 column 10: GENERATE must precede RECORD
 GENERATE;  RECORD FIELD=(3)|GENERATE must specify at least MAXFLDS=1
 GENERATE MAXFLDS=1;  RECORD FIELD=(3,'abc')|GENERATE must specify at least MAXLITS=3
 GENERATE;  RECORD IDENT=(1,'a',1)|GENERATE must specify at least MAXGPS=1
 GENERATE;  MEMBER NAME=A|GENERATE must specify at least MAXNAME=1
 GENERATE MAXFLDS=1;  RECORD FIELD=(0)|SYSIN line 2 column 17: expected a number from 1 to 32760
 GENERATE MAXFLDS=1;  RECORD FIELD=(3,1|SYSIN line 2 column 20: expected ')'
 GENERATE MAXFLDS=1,MAXLITS=9;  RECORD FIELD=(3,'abcd')|the literal has 4 characters, not 3
 GENERATE MAXFLDS=1,MAXLITS=9;  RECORD FIELD=(3,'ab|expected a text of 1 to 40 characters
 GENERATE MAXNAME=2;  MEMBER NAME=(A,1B)|SYSIN line 2 column 18: expected the name of a member
 GENERATE MAXNAME=2;  MEMBER NAME=A;  MEMBER NAME=B|member A has no RECORD with IDENT at its end
 GENERATE;  RECORD;  RECORD|the previous RECORD, without IDENT, takes all records
 GENERATE;  GENERATE|GENERATE is given twice
END
}

@test "an indexed file is unloaded and loaded, and what its keys forbid is refused" {
	[ -e "$VIGIL_BUILD/datasets/.libs/indexed.so" ] || skip "built without GnuCOBOL"
	printf 'BBB two\nAAA one\nCCC three\n' >a
	gener a k,DSORG=IS,LRECL=12,MIN=4,KEY=3:0 </dev/null
	[ "$status" -eq 0 ]
	gener k b,RECFM=TEXT </dev/null
	[ "$status" -eq 0 ]
	holds b 'AAA one\nBBB two\nCCC three\n'
	gener k c </dev/null
	holds c '\0\7\0\0AAA one\0\7\0\0BBB two\0\11\0\0CCC three'
	printf 'AAA one\nAAA two\n' >a
	gener a k,DSORG=IS,LRECL=12,MIN=4,KEY=3:0 </dev/null
	[ "$status" -eq 12 ]
	has 'record 2 of SYSUT1 cannot be written'
	has 'the key exists already (file status 22)'
	gener b k2,DSORG=IS,LRECL=12,MIN=4,KEY=3:0,KEY=2:4D </dev/null
	[ "$status" -eq 0 ]
	rm k2.1
	gener k2 c </dev/null
	[ "$status" -eq 12 ]
	has 'the file of an alternate key, next to it, does not exist (file status 35)'
}

@test "without GnuCOBOL's library the message names its package, and other files are copied" {
	mkdir -p none/utilities/programs broken/utilities/programs broken/datasets/.libs
	cp "$utilities/iebgener" none/utilities/programs
	cp "$utilities/iebgener" broken/utilities/programs
	echo 'no library' >broken/datasets/.libs/indexed.so
	echo text >a
	utilities=none/utilities/programs
	if [ ! -e /usr/local/lib/vigil/indexed.so ]; then
		gener a,DSORG=IS,LRECL=4,KEY=4:0 b </dev/null
		[ "$status" -eq 12 ]
		has 'was built without GnuCOBOL (package libcob4-dev or libcob5-dev)'
	fi
	utilities=broken/utilities/programs
	gener a,DSORG=IS,LRECL=4,KEY=4:0 b </dev/null
	[ "$status" -eq 12 ]
	has 'cannot be loaded (package libcob4 or libcob5): '
	gener a b </dev/null
	[ "$status" -eq 0 ]
	cmp a b
}

@test "SYSIN may be a data set of fixed records" {
	printf 'abc\n' >a
	printf '%-80s%-80s' '  GENERATE MAXFLDS=1' '  RECORD FIELD=(1,3,,1)' >cards
	run "$utilities/iebgener" --dd SYSUT1=a --dd SYSUT2=b --dd SYSIN=cards,RECFM=FB,LRECL=80
	[ "$status" -eq 0 ]
	holds b 'c\n'
}

@test "calls from the shell: help, version, and what is wrong with arguments" {
	run "$utilities/iebgener" --help
	[ "$status" -eq 0 ]
	has 'usage: iebgener [--dd NAME=PATH'
	run "$utilities/iebgener" --version
	[ "$status" -eq 0 ]
	has 'IEBGENER (vigil)'
	for wrong in --dd --dd=SYSUT1 --dd=SYSUT1= --dd=1A=x --dd=NINELETTER=x --other \
		--dd=SYSUT1=a,LRECL=x --dd=SYSUT1=a,DSORG=XX --root=; do
		run "$utilities/iebgener" "$wrong"
		[ "$status" -eq 12 ]
	done
	has '--root=: a value must follow'
	printf 'x\n' >a,b
	run "$utilities/iebgener" --dd=sysut1=a,b --dd SYSUT2=c --dd sysprint=messages </dev/null
	[ "$status" -eq 0 ]
	holds c 'x\n'
	grep -q 'PROCESSING ENDED' messages
	run "$utilities/iebgener" --dd SYSUT1=c --dd SYSUT2=c </dev/null
	[ "$status" -eq 12 ]
	has 'VIG5506S'
}

@test "in a job: in-stream data to a fixed data set, and its listing" {
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=IEBGENER
//SYSUT1   DD *
first card
second card
/*
//SYSUT2   DD DSN=MY.FIXED,DISP=(NEW,CATLG),RECFM=FB,LRECL=80
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DUMMY
//S2       EXEC PGM=ICEGENER
//SYSUT1   DD DSN=MY.FIXED,DISP=SHR
//SYSUT2   DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
 GENERATE MAXFLDS=1
 RECORD FIELD=(10,1,,1)
/*
//S3       EXEC PGM=IEBGENER
//SYSUT1   DD DSN=MY.FIXED,DISP=SHR
//SYSUT2   DD DSN=MY.COPY,DISP=(NEW,CATLG)
//SYSPRINT DD DUMMY
//SYSIN    DD DUMMY
DECK
	[ "$status" -eq 0 ]
	[ "$(wc -c <root/MY.FIXED)" -eq 160 ]
	cmp root/MY.FIXED root/MY.COPY
	holds "$last/S2.SYSUT2" 'first card\nsecond car\n'
	grep -q 'IEB352I' "$last/S1.SYSPRINT" && return 1
	gener root/MY.COPY b,RECFM=TEXT </dev/null
	[ "$(head -n 1 b)" = "$(printf '%-80s' 'first card')" ]
}

@test "in a job: a cluster that a program loads is unloaded, edited and loaded again" {
	[ -e "$VIGIL_BUILD/datasets/.libs/indexed.so" ] || skip "built without GnuCOBOL"
	cobol KEYED <"$VIGIL_SOURCE/tests/programs/keyed.cob"
	job <<'DECK'
//A        JOB
//DEFINE   EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DEFINE CLUSTER (NAME(MY.KEYED) INDEXED KEYS(8 3) RECORDSIZE(30 60))
/*
//LOAD     EXEC PGM=KEYED,PARM='WRITE 20'
//KEYED    DD DSN=MY.KEYED,DISP=OLD
//READ1    EXEC PGM=KEYED,PARM='READ'
//KEYED    DD DSN=MY.KEYED,DISP=SHR
//SYSOUT   DD SYSOUT=*
//UNLOAD   EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.KEYED,DISP=SHR
//SYSUT2   DD DSN=MY.UNLOADED,DISP=(NEW,CATLG)
//SYSIN    DD DUMMY
//LIST     EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.UNLOADED,DISP=SHR
//SYSUT2   DD SYSOUT=*
//SYSIN    DD *
  GENERATE MAXFLDS=1
  RECORD FIELD=(8,4,,1)
/*
//RELOAD   EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.UNLOADED,DISP=SHR
//SYSUT2   DD DSN=MY.KEYED,DISP=OLD
//SYSIN    DD DUMMY
//READ2    EXEC PGM=KEYED,PARM='READ'
//KEYED    DD DSN=MY.KEYED,DISP=SHR
//SYSOUT   DD SYSOUT=*
DECK
	[ "$status" -eq 0 ]
	[ "$(said "$last/READ1.SYSOUT" | wc -l)" -eq 60 ]
	cmp "$last/READ1.SYSOUT" "$last/READ2.SYSOUT"
	seq -f %08.0f 20 | cmp - "$last/LIST.SYSUT2"
	grep -q '20 records copied' "$last/UNLOAD.SYSPRINT"
}

@test "in a job: a path is read in the order of its alternate key" {
	[ -e "$VIGIL_BUILD/datasets/.libs/indexed.so" ] || skip "built without GnuCOBOL"
	job <<'DECK'
//A        JOB
//DEFINE   EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DEFINE CLUSTER (NAME(MY.KEYED) INDEXED KEYS(2 0) RECORDSIZE(5 5))
/*
//LOAD     EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD *
02 bb
01 cc
03 aa
/*
//SYSUT2   DD DSN=MY.KEYED,DISP=OLD
//SYSIN    DD DUMMY
//INDEX    EXEC PGM=IDCAMS
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  DEFINE AIX (NAME(MY.AIX) RELATE(MY.KEYED) KEYS(2 3) UNIQUEKEY)
  BLDINDEX INDATASET(MY.KEYED) OUTDATASET(MY.AIX)
  DEFINE PATH (NAME(MY.PATH) PATHENTRY(MY.AIX))
/*
//COPY     EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.PATH,DISP=SHR
//SYSUT2   DD SYSOUT=*
//SYSIN    DD DUMMY
//CLUSTER  EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.KEYED,DISP=SHR
//SYSUT2   DD SYSOUT=*
//SYSIN    DD DUMMY
DECK
	[ "$status" -eq 0 ]
	holds "$last/COPY.SYSUT2" '03 aa\n02 bb\n01 cc\n'
	holds "$last/CLUSTER.SYSUT2" '01 cc\n02 bb\n03 aa\n'
}

@test "in a job: members of a new library, an alias, and a concatenation into a member" {
	job <<'DECK'
//MEMB     JOB
//S1       EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD *
FIRST LINE
END1
SECOND LINE
/*
//SYSUT2   DD DSN=MY.LIB,DISP=(NEW,CATLG),SPACE=(TRK,(1,1,5)),
//            DCB=(RECFM=FB,LRECL=80)
//SYSIN    DD *
  GENERATE MAXNAME=3,MAXGPS=1
  MEMBER NAME=(ONE,UNO)
  RECORD IDENT=(4,'END1',1)
  MEMBER NAME=TWO
/*
//S2       EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.LIB(UNO),DISP=SHR
//SYSUT2   DD SYSOUT=*
//SYSIN    DD DUMMY
//S3       EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD DSN=MY.LIB(ONE),DISP=SHR
//         DD DSN=MY.LIB(TWO),DISP=SHR
//SYSUT2   DD DSN=MY.LIB(BOTH),DISP=SHR
//SYSIN    DD DUMMY
DECK
	[ "$status" -eq 0 ]
	[ "$(wc -c <root/MY.LIB/ONE)" -eq 160 ]
	[ -h root/MY.LIB/UNO ]
	cat root/MY.LIB/ONE root/MY.LIB/TWO | cmp - root/MY.LIB/BOTH
	[ "$(sed 's/ *$//' "$last/S2.SYSUT2")" = 'FIRST LINE
END1' ]
}
