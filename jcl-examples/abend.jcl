//ABENDS   JOB (NIGHT,1),'ABENDS',MSGCLASS=X
//* SPDX-License-Identifier: Apache-2.0
//*
//* What an abend does: the step's abnormal dispositions, the steps
//* that are bypassed, and those that clean up. Ends with status 100.
//*
//BEFORE   EXEC PGM=BPXBATCH,PARM='SH echo a line >"$DD_LOG"'
//LOG      DD DSN=DEMO.LOG,DISP=(MOD,CATLG)
//*        RESULT is deleted because the step abends.
//CRASH    EXEC PGM=BPXBATCH,
//             PARM='SH echo half >"$DD_RESULT"; kill -SEGV $$'
//RESULT   DD DSN=DEMO.RESULT,DISP=(NEW,CATLG,DELETE)
//*        Not run: an earlier step abended.
//AFTER    EXEC PGM=IEFBR14
//*        Runs only now.
// IF CRASH.ABENDCC = S0C4 THEN
//CLEANUP  EXEC PGM=IEFBR14
//LOG      DD DSN=DEMO.LOG,DISP=(OLD,DELETE)
// ENDIF
//*        Runs in any case.
//ALWAYS   EXEC PGM=BPXBATCH,PARM='SH echo done',COND=EVEN
//STDOUT   DD SYSOUT=*
//
