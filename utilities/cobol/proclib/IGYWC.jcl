//IGYWC    PROC LNGPRFX='IGY',SYSLBLK=3200,LIBPRFX='CEE'
//* SPDX-License-Identifier: Apache-2.0
//* vigil: compiles a COBOL program.
//* The symbols are those of the mainframe's procedures; LNGPRFX, LIBPRFX
//* and SYSLBLK have no meaning here.
//COBOL    EXEC PGM=IGYCRCTL,REGION=0M
//SYSPRINT DD  SYSOUT=*
//SYSLIN   DD  DSNAME=&&LOADSET,DISP=(MOD,PASS),
//             UNIT=SYSALLDA,SPACE=(CYL,(1,1))
