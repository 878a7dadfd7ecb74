//EVENTS   JOB (NIGHT,1),'VIGIL DEMO',CLASS=A,MSGCLASS=X
//* SPDX-License-Identifier: Apache-2.0
//*
//* Three applications, of which only the second is of interest. Its
//* events are collected, every statement of it among them. The first
//* runs before anything is initialized; of the third nothing is told.
//*
//* &SYSDECK is the folder this deck was read from.
//*
//         SET SRC='&SYSDECK/programs'
//COMPILE  PROC NAME=
//COBOL    EXEC PGM=BPXBATCH,
//             PARM='SH set -e; sed s/APPNAME/&NAME/ "$DD_SOURCE" >app.
//             cob; cobc -x -ftraceall -o "$DD_LOAD" app.cob'
//SOURCE   DD PATH='&SRC/app.cob',PATHOPTS=ORDONLY
//LOAD     DD DSN=&&LOADLIB(&NAME),DISP=(MOD,PASS),
//             SPACE=(TRK,(5,5,5))
//         PEND
//COMP1    EXEC COMPILE,NAME=APP01
//COMP2    EXEC COMPILE,NAME=APP02
//COMP3    EXEC COMPILE,NAME=APP03
//*
//* As steps of their own: what a step of the program VIGIL says holds
//* for the steps after it.
//*
//RUN1     EXEC PGM=APP01
//STEPLIB  DD DSN=&&LOADLIB,DISP=(OLD,PASS)
//SYSOUT   DD SYSOUT=*
//PROFILE1 EXEC PGM=VIGIL
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  PROFILER
  FUNCTION=INIT             /* Initialize profiling
    RESOURCE=APP02
    REPLACE=YES
  FILTER=EVENT
    EVENT=ALL
    STATEMENT=ON
  FUNCTION=START            /* Start data collection
  END-PROFILER              /* End Profiler input
/*
//RUN2     EXEC PGM=APP02
//STEPLIB  DD DSN=&&LOADLIB,DISP=(OLD,PASS)
//SYSOUT   DD SYSOUT=*
//PROFILE2 EXEC PGM=VIGIL
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  PROFILER
  FUNCTION=PAUSE            /* Pause data collection
  END-PROFILER              /* End Profiler input
/*
//RUN3     EXEC PGM=APP03
//STEPLIB  DD DSN=&&LOADLIB,DISP=(OLD,PASS)
//SYSOUT   DD SYSOUT=*
//*
//* In one step: a script starts and pauses between its programs.
//*
//SCRIPT   EXEC PGM=BPXBATCH
//STDIN    DD *
cd "$DD_LIB"
./APP01
vigil start
./APP02
vigil pause
./APP03
/*
//LIB      DD DSN=&&LOADLIB,DISP=(OLD,PASS)
//STDOUT   DD SYSOUT=*
//VIGIL    DD *
  PROFILER
  FUNCTION=INIT             /* paused until the script starts it
    RESOURCE=SCRIPT
    REPLACE=YES
    EVENT=ALL
    STATEMENT=ON
  END-PROFILER
/*
//LIST     EXEC PGM=VIGIL
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  PROFILER
  FUNCTION=LIST
  END-PROFILER
/*
