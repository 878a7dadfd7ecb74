//QWINST   JOB (QW,0700),'INSTALL',CLASS=A,MSGCLASS=X
//* SPDX-License-Identifier: Apache-2.0
//*
//* Once, before the first night: compiles the programs of Quayside
//* Water, fills its library of parameters, makes the customers that
//* the company begins with, and sets the business date.
//*
//* &SYSDECK is the folder this deck was read from.
//*
//COBOL    PROC NAME=
//COB      EXEC PGM=BPXBATCH,COND=(0,NE),
//  PARM='SH cobc &OPT -I "$DD_COPY" -o "$DD_LIB/&NAME..so" "$DD_SRC"'
//SRC      DD PATH='&SYSDECK/cobol/&NAME..cob',PATHOPTS=ORDONLY
//COPY     DD PATH='&SYSDECK/copy'
//LIB      DD DSN=QW.LOADLIB,DISP=SHR
//STDOUT   DD SYSOUT=*
//         PEND
//*
//         SET OPT='-m -g -std=ibm'
//LIBRARY  EXEC PGM=IEFBR14
//LOADLIB  DD DSN=QW.LOADLIB,DISP=(NEW,CATLG),DSNTYPE=LIBRARY,
//             SPACE=(TRK,(30,15,10)),DCB=(RECFM=U,BLKSIZE=32760)
//REPORTS  DD DSN=QW.REPORT.LIB,DISP=(NEW,CATLG),DSNTYPE=LIBRARY,
//             SPACE=(TRK,(5,5,10)),DCB=(RECFM=FB,LRECL=80)
//ARCHIVE  DD DSN=QW.REPORT.ARCHIVE,DISP=(NEW,CATLG),DSNTYPE=LIBRARY,
//             SPACE=(TRK,(5,5,10)),DCB=*.REPORTS
//*
//QWINIT   EXEC COBOL,NAME=QWINIT
//QWFEED   EXEC COBOL,NAME=QWFEED
//QWCHECK  EXEC COBOL,NAME=QWCHECK
//QWUPDT   EXEC COBOL,NAME=QWUPDT
//QWPRICE  EXEC COBOL,NAME=QWPRICE
//QWVAT    EXEC COBOL,NAME=QWVAT
//QWREPT   EXEC COBOL,NAME=QWREPT
//QWDATE   EXEC COBOL,NAME=QWDATE
//*        Payments are not trusted: checks at run time.
//         SET OPT='-m -g -std=ibm -debug'
//QWPOST   EXEC COBOL,NAME=QWPOST
//*
//*        Tariffs: code, standing charge, rate for 100 litres.
//PARMLIB  EXEC PGM=IEBUPDTE,PARM=NEW,COND=(0,NE)
//SYSUT2   DD DSN=QW.PARMLIB,DISP=(NEW,CATLG),
//             SPACE=(TRK,(5,5,10)),DCB=(RECFM=FB,LRECL=80)
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DATA
./        ADD   NAME=TARIFF
* HOUSEHOLD, BUSINESS, GARDEN
H 00450 01875
B 01200 01625
G 00200 00950
./        ADD   NAME=DEFMAST
  /* THE CUSTOMER MASTER: AWAY WITH THE OLD ONE, A NEW ONE IN */
  /* ITS PLACE                                                */
  DELETE QW.CUST.MASTER CLUSTER PURGE
  IF LASTCC LE 8 THEN SET MAXCC = 0
  DEFINE CLUSTER (NAME(QW.CUST.MASTER) -
                  INDEXED              -
                  KEYS(8 0)            -
                  RECORDSIZE(120 120)  -
                  RECORDS(1000 500)    -
                  FREESPACE(10 10))    -
         DATA    (NAME(QW.CUST.MASTER.DATA)) -
         INDEX   (NAME(QW.CUST.MASTER.INDEX))
./        ADD   NAME=BLDMAST
  /* THE MASTER BY ROUTE AND BY METER */
  DEFINE AIX (NAME(QW.CUST.ROUTE)      -
              RELATE(QW.CUST.MASTER)   -
              KEYS(4 8)                -
              RECORDSIZE(60 1000)      -
              RECORDS(50 50)           -
              NONUNIQUEKEY UPGRADE)
  DEFINE AIX (NAME(QW.CUST.METER)      -
              RELATE(QW.CUST.MASTER)   -
              KEYS(8 37)               -
              RECORDSIZE(24 24)        -
              RECORDS(1000 500)        -
              UNIQUEKEY UPGRADE)
  IF MAXCC = 0 THEN DO
    DEFINE PATH (NAME(QW.CUST.ROUTE.PATH) PATHENTRY(QW.CUST.ROUTE))
    DEFINE PATH (NAME(QW.CUST.METER.PATH) PATHENTRY(QW.CUST.METER))
    BLDINDEX INDATASET(QW.CUST.MASTER) -
             OUTDATASET(QW.CUST.ROUTE QW.CUST.METER)
  END
./        ENDUP
/*
//*
//BUSDATE  EXEC PGM=IEBGENER,COND=(0,NE)
//SYSUT1   DD *
202611200001
/*
//SYSUT2   DD DSN=QW.BUSDATE,DISP=(NEW,CATLG),
//             SPACE=(TRK,1),DCB=(RECFM=FB,LRECL=80)
//SYSPRINT DD SYSOUT=*
//SYSIN    DD DUMMY
//*
//CUSTOMER EXEC PGM=QWINIT,COND=(0,NE)
//STEPLIB  DD DSN=QW.LOADLIB,DISP=SHR
//CUSTOMER DD DSN=QW.CUST.INITIAL,DISP=(NEW,CATLG,DELETE),
//             SPACE=(TRK,(5,5),RLSE),DCB=(RECFM=FB,LRECL=120)
//SYSOUT   DD SYSOUT=*
//
