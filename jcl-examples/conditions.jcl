//CONDS    JOB (NIGHT,1),'RETURN CODES',MSGCLASS=X
//* SPDX-License-Identifier: Apache-2.0
//*
//* Return codes and what follows from them. COND says when a step is
//* bypassed: "code relation return code" holds for an earlier step.
//* IF says when a clause runs. Return codes may be larger than what
//* Linux keeps of them: the COBOL program BIG ends with 1000, so that
//* "vigil submit" ends with status 99.
//*
//GOOD     EXEC PGM=BPXBATCH,PARM='SH exit 0'
//WARN     EXEC PGM=BPXBATCH,PARM='SH exit 4'
//*        Bypassed: 4 is less than or equal to the code of WARN.
//BYPASSED EXEC PGM=BPXBATCH,PARM='SH exit 99',COND=(4,LE,WARN)
//*        Runs: a step that did not run is no reason to bypass.
//RUNS     EXEC PGM=BPXBATCH,PARM='SH exit 0',COND=(0,LT,BYPASSED)
//*
// IF WARN.RC = 4 AND GOOD.RC = 0 THEN
//THEN     EXEC PGM=BPXBATCH,PARM='SH exit 8'
// ELSE
//ELSE     EXEC PGM=BPXBATCH,PARM='SH exit 99'
// ENDIF
//*        Decided again, with what happened since.
// IF RC > 4 THEN
//TELL     EXEC PGM=IEBGENER
//SYSPRINT DD SYSOUT=*
//SYSUT1   DD *
The highest return code so far is above 4.
/*
//SYSUT2   DD SYSOUT=*
//SYSIN    DD DUMMY
// ENDIF
//*
//COMPILE  EXEC PGM=BPXBATCH,PARM='SH cobc -x -std=ibm -o "$DD_LOAD" -'
//LOAD     DD DSN=&&LOADLIB(BIG),DISP=(NEW,PASS)
//SYSIN    DD *
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BIG.
       PROCEDURE DIVISION.
           MOVE 1000 TO RETURN-CODE
           STOP RUN.
/*
//BIG      EXEC PGM=BIG,COND=(0,NE,COMPILE)
//STEPLIB  DD DSN=&&LOADLIB,DISP=(OLD,DELETE)
//*        Bypassed only if BIG did not end with 1000.
//EXACTLY  EXEC PGM=IEFBR14,COND=(1000,NE,BIG)
//*
//*        Only after an abend, so not here.
//RESCUE   EXEC PGM=IEFBR14,COND=ONLY
//
