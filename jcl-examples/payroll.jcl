//PAYROLL  JOB (NIGHT,1),'VIGIL DEMO',CLASS=A,MSGCLASS=X
//* SPDX-License-Identifier: Apache-2.0
//*
//* A payroll in COBOL, measured. The deck compiles its programs with
//* GnuCOBOL, makes an indexed master file and 100,003 transactions,
//* runs the payroll, and copies the head of its register. What makes the
//* difference between this deck and one that is not measured is the
//* three cards of DD VIGIL in step CALC.
//*
//* &SYSDECK is the folder this deck was read from.
//*
//         SET SRC='&SYSDECK/programs'
//CLEAN    EXEC PGM=IEFBR14
//MASTER   DD DSN=PAY.MASTER,DISP=(MOD,DELETE,DELETE)
//TRANS    DD DSN=PAY.TRANS,DISP=(MOD,DELETE,DELETE)
//REGISTER DD DSN=PAY.REGISTER,DISP=(MOD,DELETE,DELETE)
//*
//COMPGEN  EXEC PGM=BPXBATCH,
//             PARM='SH cobc -x -g -std=ibm -o "$DD_LOAD" "$DD_SOURCE"'
//SOURCE   DD PATH='&SRC/paygen.cob',PATHOPTS=ORDONLY
//LOAD     DD DSN=&&LOADLIB(PAYGEN),DISP=(NEW,PASS),
//             SPACE=(TRK,(5,5,5))
//COMPCALC EXEC PGM=BPXBATCH,COND=(4,LT),
//             PARM='SH cobc -x -g -std=ibm -o "$DD_LOAD" "$DD_SOURCE"'
//SOURCE   DD PATH='&SRC/paycalc.cob',PATHOPTS=ORDONLY
//LOAD     DD DSN=&&LOADLIB(PAYCALC),DISP=(OLD,PASS)
//*
//GENERATE EXEC PGM=PAYGEN,COND=(4,LT)
//STEPLIB  DD DSN=&&LOADLIB,DISP=(OLD,PASS)
//MASTER   DD DSN=PAY.MASTER,DISP=(NEW,CATLG,DELETE)
//TRANS    DD DSN=PAY.TRANS,DISP=(NEW,CATLG,DELETE),
//             RECFM=FB,LRECL=80
//SYSOUT   DD SYSOUT=*
//*
//CALC     EXEC PGM=PAYCALC,COND=(4,LT)
//STEPLIB  DD DSN=&&LOADLIB,DISP=(OLD,PASS)
//MASTER   DD DSN=PAY.MASTER,DISP=OLD
//TRANS    DD DSN=PAY.TRANS,DISP=SHR
//REGISTER DD DSN=PAY.REGISTER,DISP=(NEW,CATLG,DELETE)
//SYSOUT   DD SYSOUT=*
//VIGIL    DD *
  ADD PAYROLL,STEP=CALC,
      SAMPLES=10000
  REPORT PAYROLL,STEP=CALC,LINES=60
/*
//*
//LIST     EXEC PGM=BPXBATCH,COND=(4,LT),
//             PARM='SH head -20 "$DD_REGISTER"'
//REGISTER DD DSN=PAY.REGISTER,DISP=SHR
//STDOUT   DD SYSOUT=*
//
