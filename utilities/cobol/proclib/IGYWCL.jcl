//IGYWCL   PROC LNGPRFX='IGY',SYSLBLK=3200,LIBPRFX='CEE',
//             PGMLIB='&&GOSET',GOPGM=GO
//* SPDX-License-Identifier: Apache-2.0
//* vigil: compiles and binds a COBOL program.
//* The symbols are those of the mainframe's procedures; LNGPRFX, LIBPRFX
//* and SYSLBLK have no meaning here.
//COBOL    EXEC PGM=IGYCRCTL,REGION=0M
//SYSPRINT DD  SYSOUT=*
//SYSLIN   DD  DSNAME=&&LOADSET,DISP=(MOD,PASS),
//             UNIT=SYSALLDA,SPACE=(CYL,(1,1))
//LKED     EXEC PGM=IEWBLINK,COND=(8,LT,COBOL),REGION=0M
//SYSPRINT DD  SYSOUT=*
//SYSLIN   DD  DSNAME=&&LOADSET,DISP=(OLD,DELETE)
//         DD  DDNAME=SYSIN
//SYSLMOD  DD  DSNAME=&PGMLIB(&GOPGM),DISP=(NEW,PASS),
//             UNIT=SYSALLDA,SPACE=(CYL,(1,1,1))
