//SORTING  JOB (NIGHT,1),'SORT AND MERGE',MSGCLASS=X
//* SPDX-License-Identifier: Apache-2.0
//*
//* Makes 5,000 records in a temporary data set, leaves out some, sorts
//* the others by department (descending) and number, and lists them.
//*
//MAKE     EXEC PGM=BPXBATCH,
//             PARM='SH awk -f "$DD_PROGRAM" >"$DD_RECORDS"'
//PROGRAM  DD *
BEGIN {
    for (i = 1; i <= 5000; i++)
        printf "%06d %03d EMPLOYEE %d\n", i * 7919 % 10007, i % 23 + 1, i
}
/*
//RECORDS  DD DSN=&&RECORDS,DISP=(NEW,PASS)
//*
//SORT     EXEC PGM=SORT,COND=(0,NE)
//SORTIN   DD DSN=&&RECORDS,DISP=(OLD,DELETE)
//SORTOUT  DD DSN=&&SORTED,DISP=(NEW,PASS)
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
* Department 23 first; within a department by number.
  OMIT COND=(1,6,ZD,LE,10)
  SORT FIELDS=(8,3,ZD,D,
               1,6,ZD,A)
/*
//SHOW     EXEC PGM=IEBGENER,COND=(0,NE)
//SYSUT1   DD DSN=&&SORTED,DISP=(OLD,DELETE)
//SYSUT2   DD SYSOUT=*
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DUMMY
//
