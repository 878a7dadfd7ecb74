/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs of IDCAMS and their keywords, each with its abbreviations. */
#include "common/compat.h"
#include "utilities/idcams/verbs.h"

#define PASSWORDS "there are no passwords; the file's permissions apply"
#define NO_CONTROL_INTERVALS "files have no control intervals and no relative byte addresses"
#define NO_CATALOGS "there is one catalogue, the data set root"
#define LAST \
	{ \
		NULL, TYPE_FLAG, NULL, NULL \
	}

/* Keywords that only say how z/OS stores the data: accepted wherever a file is defined. */
#define TUNING \
	{ "VOLUMES VOLUME VOL", TYPE_ANY, NULL, NULL }, \
		{ "CYLINDERS CYLINDER CYL", TYPE_ANY, NULL, NULL }, \
		{ "TRACKS TRACK TRK", TYPE_ANY, NULL, NULL }, \
		{ "RECORDS RECORD REC", TYPE_ANY, NULL, NULL }, \
		{ "KILOBYTES KBYTES KB", TYPE_ANY, NULL, NULL }, \
		{ "MEGABYTES MBYTES MB", TYPE_ANY, NULL, NULL }, \
		{ "FREESPACE FSPC", TYPE_ANY, NULL, NULL }, \
		{ "SHAREOPTIONS SHAREOPTION SHR", TYPE_ANY, NULL, NULL }, \
		{ "CONTROLINTERVALSIZE CISIZE CISZ CNVSZ", TYPE_ANY, NULL, NULL }, \
		{ "BUFFERSPACE BUFSPACE BUFSP BUFSPC", TYPE_ANY, NULL, NULL }, \
		{ "SPEED", TYPE_FLAG, NULL, NULL }, { "RECOVERY RCVY", TYPE_FLAG, NULL, NULL }, \
		{ "SPANNED SPND", TYPE_FLAG, NULL, NULL }, \
		{ "NONSPANNED NSPND", TYPE_FLAG, NULL, NULL }, \
		{ "ERASE ERAS", TYPE_FLAG, NULL, NULL }, \
		{ "NOERASE NERAS", TYPE_FLAG, NULL, NULL }, \
		{ "UNIQUE UNQ", TYPE_FLAG, NULL, NULL }, \
		{ "SUBALLOCATION SUBAL", TYPE_FLAG, NULL, NULL }, \
		{ "WRITECHECK WCK", TYPE_FLAG, NULL, NULL }, \
		{ "NOWRITECHECK NWCK", TYPE_FLAG, NULL, NULL }, \
		{ "IMBED IMBD", TYPE_FLAG, NULL, NULL }, \
		{ "NOIMBED NIMBD", TYPE_FLAG, NULL, NULL }, \
		{ "REPLICATE REPL", TYPE_FLAG, NULL, NULL }, \
		{ "NOREPLICATE NREPL", TYPE_FLAG, NULL, NULL }, \
		{ "ORDERED ORD", TYPE_FLAG, NULL, NULL }, \
		{ "UNORDERED UNORD", TYPE_FLAG, NULL, NULL }, \
		{ "KEYRANGES KRNG", TYPE_ANY, NULL, NULL }, { "OWNER", TYPE_ANY, NULL, NULL }, \
		{ "FOR", TYPE_ANY, NULL, NULL }, { "TO", TYPE_ANY, NULL, NULL }, \
		{ "STORAGECLASS STORCLAS STORCLASS", TYPE_ANY, NULL, NULL }, \
		{ "MANAGEMENTCLASS MGMTCLAS MGMTCLASS", TYPE_ANY, NULL, NULL }, \
		{ "DATACLASS DATACLAS", TYPE_ANY, NULL, NULL }, { "LOG", TYPE_ANY, NULL, NULL }, \
		{ "LOGSTREAMID LSID", TYPE_ANY, NULL, NULL }, { "FRLOG", TYPE_ANY, NULL, NULL }, \
		{ "BWO", TYPE_ANY, NULL, NULL }, { "ACCOUNT ACCT", TYPE_ANY, NULL, NULL }, \
		{ "FILE", TYPE_ANY, NULL, NULL }, { "EXCEPTIONEXIT EEXT", TYPE_ANY, NULL, NULL }, \
		{ "DESTAGEWAIT DSTGW", TYPE_FLAG, NULL, NULL }, \
		{ "NODESTAGEWAIT NDSTGW", TYPE_FLAG, NULL, NULL }, \
		{ "STAGE", TYPE_FLAG, NULL, NULL }, { "BIND", TYPE_FLAG, NULL, NULL }, \
		{ "CYLINDERFAULT CYLF", TYPE_FLAG, NULL, NULL }, \
		{ "READPW RDPW", TYPE_ANY, NULL, PASSWORDS }, \
		{ "UPDATEPW UPDPW", TYPE_ANY, NULL, PASSWORDS }, \
		{ "CONTROLPW CTLPW", TYPE_ANY, NULL, PASSWORDS }, \
		{ "MASTERPW MRPW", TYPE_ANY, NULL, PASSWORDS }, \
		{ "CODE", TYPE_ANY, NULL, PASSWORDS }, \
		{ "ATTEMPTS ATT", TYPE_ANY, NULL, PASSWORDS }, \
	{ \
		"AUTHORIZATION AUTH", TYPE_ANY, NULL, PASSWORDS \
	}

static const struct idcams_keyword cluster_keywords[] = {
	{ "NAME", TYPE_NAME, NULL, NULL },
	{ "KEYS KEY", TYPE_NUMBERS, NULL, NULL },
	{ "RECORDSIZE RECSZ", TYPE_NUMBERS, NULL, NULL },
	{ "INDEXED IXD", TYPE_FLAG, NULL, NULL },
	{ "NONINDEXED NIXD", TYPE_FLAG, NULL, NULL },
	{ "NUMBERED NUMD", TYPE_FLAG, NULL, NULL },
	{ "LINEAR LIN", TYPE_FLAG, NULL, "no program here maps linear data sets" },
	{ "REUSE RUS", TYPE_FLAG, NULL, NULL },
	{ "NOREUSE NRUS", TYPE_FLAG, NULL, NULL },
	{ "MODEL", TYPE_NAME, NULL, NULL },
	TUNING,
	LAST,
};

static const struct idcams_keyword aix_keywords[] = {
	{ "NAME", TYPE_NAME, NULL, NULL },
	{ "RELATE REL", TYPE_NAME, NULL, NULL },
	{ "KEYS KEY", TYPE_NUMBERS, NULL, NULL },
	{ "RECORDSIZE RECSZ", TYPE_NUMBERS, NULL, NULL },
	{ "UNIQUEKEY UNQK", TYPE_FLAG, NULL, NULL },
	{ "NONUNIQUEKEY NUNQK", TYPE_FLAG, NULL, NULL },
	{ "UPGRADE UPG", TYPE_FLAG, NULL, NULL },
	{ "NOUPGRADE NUPG", TYPE_FLAG, NULL, NULL },
	{ "REUSE RUS", TYPE_FLAG, NULL, NULL },
	{ "NOREUSE NRUS", TYPE_FLAG, NULL, NULL },
	{ "MODEL", TYPE_ANY, NULL, "specify its attributes" },
	TUNING,
	LAST,
};

static const struct idcams_keyword path_keywords[] = {
	{ "NAME", TYPE_NAME, NULL, NULL },
	{ "PATHENTRY PENT", TYPE_NAME, NULL, NULL },
	{ "UPDATE UPD", TYPE_FLAG, NULL, NULL },
	{ "NOUPDATE NUPD", TYPE_FLAG, NULL, NULL },
	{ "MODEL", TYPE_ANY, NULL, "specify its attributes" },
	TUNING,
	LAST,
};

static const struct idcams_keyword gdg_keywords[] = {
	{ "NAME", TYPE_NAME, NULL, NULL },
	{ "LIMIT LIM", TYPE_NUMBER, NULL, NULL },
	{ "EMPTY EMP", TYPE_FLAG, NULL, NULL },
	{ "NOEMPTY NEMP", TYPE_FLAG, NULL, NULL },
	{ "SCRATCH SCR", TYPE_FLAG, NULL, NULL },
	{ "NOSCRATCH NSCR", TYPE_FLAG, NULL, NULL },
	{ "PURGE PRG", TYPE_FLAG, NULL, NULL },
	{ "NOPURGE NPRG", TYPE_FLAG, NULL, NULL },
	{ "LIFO", TYPE_FLAG, NULL, NULL },
	{ "FIFO", TYPE_FLAG, NULL, "a GDG name without a number is not read" },
	{ "NOEXTENDED NEXT", TYPE_FLAG, NULL, NULL },
	{ "EXTENDED EXT", TYPE_FLAG, NULL, "a group keeps at most 255 generations" },
	{ "OWNER", TYPE_ANY, NULL, NULL },
	{ "FOR", TYPE_ANY, NULL, NULL },
	{ "TO", TYPE_ANY, NULL, NULL },
	LAST,
};

static const struct idcams_keyword nonvsam_keywords[] = {
	{ "NAME", TYPE_NAME, NULL, NULL },
	{ "DEVICETYPES DEVICETYPE DEVT", TYPE_ANY, NULL, NULL },
	{ "VOLUMES VOLUME VOL", TYPE_ANY, NULL, NULL },
	{ "FILESEQUENCENUMBERS FSEQN", TYPE_ANY, NULL, NULL },
	{ "RECATALOG RCTLG", TYPE_FLAG, NULL, NULL },
	{ "NORECATALOG NRCTLG", TYPE_FLAG, NULL, NULL },
	{ "OWNER", TYPE_ANY, NULL, NULL },
	{ "FOR", TYPE_ANY, NULL, NULL },
	{ "TO", TYPE_ANY, NULL, NULL },
	{ "FILE", TYPE_ANY, NULL, NULL },
	LAST,
};

static const struct idcams_keyword alias_keywords[] = {
	{ "NAME", TYPE_NAME, NULL, NULL },
	{ "RELATE REL", TYPE_NAME, NULL, NULL },
	{ "SYMBOLICRELATE", TYPE_ANY, NULL, "there are no system symbols in entries" },
	LAST,
};

static const struct idcams_keyword define_keywords[] = {
	{ "CLUSTER CL", TYPE_GROUP, cluster_keywords, NULL },
	{ "ALTERNATEINDEX AIX", TYPE_GROUP, aix_keywords, NULL },
	{ "PATH", TYPE_GROUP, path_keywords, NULL },
	{ "GENERATIONDATAGROUP GDG", TYPE_GROUP, gdg_keywords, NULL },
	{ "NONVSAM NVSAM", TYPE_GROUP, nonvsam_keywords, NULL },
	{ "ALIAS", TYPE_GROUP, alias_keywords, NULL },
	{ "DATA", TYPE_GROUP, cluster_keywords, NULL },
	{ "INDEX IX", TYPE_GROUP, cluster_keywords, NULL },
	{ "CATALOG CAT", TYPE_ANY, NULL, NULL },
	{ "USERCATALOG UCAT", TYPE_ANY, NULL, NO_CATALOGS },
	{ "MASTERCATALOG MCAT", TYPE_ANY, NULL, NO_CATALOGS },
	{ "PAGESPACE PGSPC", TYPE_ANY, NULL, "Linux manages paging" },
	{ "SPACE SPC", TYPE_ANY, NULL, "files need no space of their own" },
	LAST,
};

static const struct idcams_keyword delete_keywords[] = {
	{ "CLUSTER CL", TYPE_FLAG, NULL, NULL },
	{ "ALTERNATEINDEX AIX", TYPE_FLAG, NULL, NULL },
	{ "PATH", TYPE_FLAG, NULL, NULL },
	{ "GENERATIONDATAGROUP GDG", TYPE_FLAG, NULL, NULL },
	{ "NONVSAM NVSAM", TYPE_FLAG, NULL, NULL },
	{ "ALIAS", TYPE_FLAG, NULL, NULL },
	{ "PAGESPACE PGSPC", TYPE_FLAG, NULL, NULL },
	{ "PURGE PRG", TYPE_FLAG, NULL, NULL },
	{ "NOPURGE NPRG", TYPE_FLAG, NULL, NULL },
	{ "ERASE ERAS", TYPE_FLAG, NULL, NULL },
	{ "NOERASE NERAS", TYPE_FLAG, NULL, NULL },
	{ "FORCE FRC", TYPE_FLAG, NULL, NULL },
	{ "NOFORCE NFRC", TYPE_FLAG, NULL, NULL },
	{ "SCRATCH SCR", TYPE_FLAG, NULL, NULL },
	{ "NOSCRATCH NSCR", TYPE_FLAG, NULL, NULL },
	{ "MASK", TYPE_FLAG, NULL, NULL },
	{ "NOMASK", TYPE_FLAG, NULL, NULL },
	{ "RECOVERY RCVRY", TYPE_FLAG, NULL, NULL },
	{ "NORECOVERY NRCVRY", TYPE_FLAG, NULL, NULL },
	{ "CATALOG CAT", TYPE_ANY, NULL, NULL },
	{ "FILE", TYPE_ANY, NULL, NULL },
	{ "USERCATALOG UCAT", TYPE_FLAG, NULL, NO_CATALOGS },
	{ "SPACE SPC", TYPE_FLAG, NULL, "files need no space of their own" },
	{ "TRUENAME TNAME", TYPE_FLAG, NULL, "entries have no true names" },
	{ "VVR", TYPE_FLAG, NULL, "there are no volumes" },
	{ "NVR", TYPE_FLAG, NULL, "there are no volumes" },
	{ "LIBRARYENTRY LIBENTRY LIBENT", TYPE_FLAG, NULL, "there are no tape libraries" },
	{ "VOLUMEENTRY VOLENTRY VOLENT", TYPE_FLAG, NULL, "there are no tape libraries" },
	LAST,
};

static const struct idcams_keyword environment_keywords[] = {
	{ "DUMMY DUM", TYPE_FLAG, NULL, NULL },
	LAST,
};
static const struct idcams_keyword file_keywords[] = {
	{ "ENVIRONMENT ENV", TYPE_GROUP, environment_keywords, NULL },
	LAST,
};

#define RANGE \
	{ "FROMKEY FKEY", TYPE_BYTES, NULL, NULL }, { "TOKEY", TYPE_BYTES, NULL, NULL }, \
		{ "FROMNUMBER FNUM", TYPE_NUMBER, NULL, NULL }, \
		{ "TONUMBER TNUM", TYPE_NUMBER, NULL, NULL }, { "SKIP", TYPE_NUMBER, NULL, NULL }, \
		{ "COUNT", TYPE_NUMBER, NULL, NULL }, \
		{ "FROMADDRESS FADDR", TYPE_ANY, NULL, NO_CONTROL_INTERVALS }, \
	{ \
		"TOADDRESS TADDR", TYPE_ANY, NULL, NO_CONTROL_INTERVALS \
	}

static const struct idcams_keyword repro_keywords[] = {
	{ "INFILE IFILE", TYPE_DD, file_keywords, NULL },
	{ "INDATASET IDS", TYPE_NAME, NULL, NULL },
	{ "OUTFILE OFILE", TYPE_DD, file_keywords, NULL },
	{ "OUTDATASET ODS", TYPE_NAME, NULL, NULL },
	RANGE,
	{ "REPLACE REP", TYPE_FLAG, NULL, NULL },
	{ "NOREPLACE NREP", TYPE_FLAG, NULL, NULL },
	{ "REUSE RUS", TYPE_FLAG, NULL, NULL },
	{ "NOREUSE NRUS", TYPE_FLAG, NULL, NULL },
	{ "ERRORLIMIT ELIMIT", TYPE_NUMBER, NULL, NULL },
	{ "MERGECAT MRGC", TYPE_FLAG, NULL, NO_CATALOGS },
	{ "NOMERGECAT NMRGC", TYPE_FLAG, NULL, NULL },
	{ "ENCIPHER ENCPHR", TYPE_ANY, NULL, "records are copied as they are" },
	{ "DECIPHER DECPHR", TYPE_ANY, NULL, "records are copied as they are" },
	LAST,
};

static const struct idcams_keyword print_keywords[] = {
	{ "INFILE IFILE", TYPE_DD, file_keywords, NULL },
	{ "INDATASET IDS", TYPE_NAME, NULL, NULL },
	{ "OUTFILE OFILE", TYPE_DD, file_keywords, NULL },
	{ "CHARACTER CHAR", TYPE_FLAG, NULL, NULL },
	{ "HEX", TYPE_FLAG, NULL, NULL },
	{ "DUMP", TYPE_FLAG, NULL, NULL },
	RANGE,
	{ "DBCS", TYPE_FLAG, NULL, "there are no double-byte characters" },
	LAST,
};

static const struct idcams_keyword listcat_keywords[] = {
	{ "ENTRIES ENTRY ENT", TYPE_NAMES, NULL, NULL },
	{ "LEVEL LVL", TYPE_NAMES, NULL, NULL },
	{ "NAME", TYPE_FLAG, NULL, NULL },
	{ "HISTORY HIST", TYPE_FLAG, NULL, NULL },
	{ "VOLUME VOL", TYPE_FLAG, NULL, NULL },
	{ "ALLOCATION ALLOC", TYPE_FLAG, NULL, NULL },
	{ "ALL", TYPE_FLAG, NULL, NULL },
	{ "ALIAS", TYPE_FLAG, NULL, NULL },
	{ "ALTERNATEINDEX AIX", TYPE_FLAG, NULL, NULL },
	{ "CLUSTER CL", TYPE_FLAG, NULL, NULL },
	{ "DATA", TYPE_FLAG, NULL, NULL },
	{ "GENERATIONDATAGROUP GDG", TYPE_FLAG, NULL, NULL },
	{ "INDEX IX", TYPE_FLAG, NULL, NULL },
	{ "NONVSAM NVSAM", TYPE_FLAG, NULL, NULL },
	{ "PATH", TYPE_FLAG, NULL, NULL },
	{ "OUTFILE OFILE", TYPE_DD, file_keywords, NULL },
	{ "CATALOG CAT", TYPE_ANY, NULL, NULL },
	{ "CREATION CREAT", TYPE_ANY, NULL, "list ALL and see CREATION" },
	{ "EXPIRATION EXPIR", TYPE_ANY, NULL, "data sets do not expire" },
	{ "USERCATALOG UCAT", TYPE_FLAG, NULL, NO_CATALOGS },
	{ "PAGESPACE PGSPC", TYPE_FLAG, NULL, "Linux manages paging" },
	{ "SPACE SPC", TYPE_FLAG, NULL, "files need no space of their own" },
	{ "LIBRARY LIB", TYPE_ANY, NULL, "there are no tape libraries" },
	LAST,
};

static const struct idcams_keyword verify_keywords[] = {
	{ "FILE", TYPE_DD, file_keywords, NULL },
	{ "DATASET DS", TYPE_NAME, NULL, NULL },
	{ "RECOVER", TYPE_FLAG, NULL, NULL },
	LAST,
};

static const struct idcams_keyword bldindex_keywords[] = {
	{ "INFILE IFILE", TYPE_DD, file_keywords, NULL },
	{ "INDATASET IDS", TYPE_NAME, NULL, NULL },
	{ "OUTFILE OFILE", TYPE_DD, file_keywords, NULL },
	{ "OUTDATASET ODS", TYPE_NAMES, NULL, NULL },
	{ "EXTERNALSORT ESORT", TYPE_FLAG, NULL, NULL },
	{ "INTERNALSORT ISORT", TYPE_FLAG, NULL, NULL },
	{ "SORTCALL", TYPE_FLAG, NULL, NULL },
	{ "NOSORTCALL", TYPE_FLAG, NULL, NULL },
	{ "WORKFILES WFILE", TYPE_ANY, NULL, NULL },
	{ "CATALOG CAT", TYPE_ANY, NULL, NULL },
	LAST,
};

static const struct idcams_keyword alter_keywords[] = {
	{ "NEWNAME NEWNM", TYPE_NAMES, NULL, NULL },
	{ "LIMIT LIM", TYPE_NUMBER, NULL, NULL },
	{ "EMPTY EMP", TYPE_FLAG, NULL, NULL },
	{ "NOEMPTY NEMP", TYPE_FLAG, NULL, NULL },
	{ "SCRATCH SCR", TYPE_FLAG, NULL, NULL },
	{ "NOSCRATCH NSCR", TYPE_FLAG, NULL, NULL },
	{ "REUSE RUS", TYPE_FLAG, NULL, NULL },
	{ "NOREUSE NRUS", TYPE_FLAG, NULL, NULL },
	{ "UPGRADE UPG", TYPE_FLAG, NULL, NULL },
	{ "NOUPGRADE NUPG", TYPE_FLAG, NULL, NULL },
	{ "UNIQUEKEY UNQK", TYPE_FLAG, NULL,
	  "DELETE and DEFINE the alternate index, then BLDINDEX" },
	{ "NONUNIQUEKEY NUNQK", TYPE_FLAG, NULL,
	  "DELETE and DEFINE the alternate index, then BLDINDEX" },
	{ "KEYS KEY", TYPE_ANY, NULL, "DEFINE a new cluster and REPRO the records" },
	{ "RECORDSIZE RECSZ", TYPE_ANY, NULL, "DEFINE a new cluster and REPRO the records" },
	{ "ADDVOLUMES AVOL", TYPE_ANY, NULL, NULL },
	{ "REMOVEVOLUMES RVOL", TYPE_ANY, NULL, NULL },
	{ "BUFFERSPACE BUFSP BUFSPC", TYPE_ANY, NULL, NULL },
	{ "FREESPACE FSPC", TYPE_ANY, NULL, NULL },
	{ "SHAREOPTIONS SHR", TYPE_ANY, NULL, NULL },
	{ "STORAGECLASS STORCLAS", TYPE_ANY, NULL, NULL },
	{ "MANAGEMENTCLASS MGMTCLAS", TYPE_ANY, NULL, NULL },
	{ "OWNER", TYPE_ANY, NULL, NULL },
	{ "FOR", TYPE_ANY, NULL, NULL },
	{ "TO", TYPE_ANY, NULL, NULL },
	{ "LOG", TYPE_ANY, NULL, NULL },
	{ "BWO", TYPE_ANY, NULL, NULL },
	{ "ERASE ERAS", TYPE_FLAG, NULL, NULL },
	{ "NOERASE NERAS", TYPE_FLAG, NULL, NULL },
	{ "CATALOG CAT", TYPE_ANY, NULL, NULL },
	{ "FILE", TYPE_ANY, NULL, NULL },
	{ "INHIBIT INH", TYPE_FLAG, NULL, "the file's permissions apply" },
	{ "UNINHIBIT UNINH", TYPE_FLAG, NULL, "the file's permissions apply" },
	{ "NULLIFY NULL", TYPE_ANY, NULL, "the attributes that it removes are not kept" },
	{ "ROLLIN", TYPE_FLAG, NULL, "a generation is in its group when its file exists" },
	{ "MASTERPW MRPW", TYPE_ANY, NULL, PASSWORDS },
	{ "UPDATEPW UPDPW", TYPE_ANY, NULL, PASSWORDS },
	{ "READPW RDPW", TYPE_ANY, NULL, PASSWORDS },
	{ "CONTROLPW CTLPW", TYPE_ANY, NULL, PASSWORDS },
	LAST,
};

const struct idcams_verb idcams_verbs[] = {
	{ "DEFINE DEF", define_keywords, false, idcams_define },
	{ "DELETE DEL", delete_keywords, true, idcams_delete },
	{ "REPRO", repro_keywords, false, idcams_repro },
	{ "PRINT", print_keywords, false, idcams_print },
	{ "LISTCAT LISTC", listcat_keywords, false, idcams_listcat },
	{ "ALTER", alter_keywords, true, idcams_alter },
	{ "VERIFY VFY", verify_keywords, false, idcams_verify },
	{ "BLDINDEX BIX", bldindex_keywords, false, idcams_bldindex },
	{ "PARM", NULL, false, NULL },
	{ "EXAMINE", NULL, false, NULL },
	{ "EXPORT EXP", NULL, false, NULL },
	{ "IMPORT IMP", NULL, false, NULL },
	{ "ALLOCATE ALLOC", NULL, false, NULL },
	{ "DIAGNOSE", NULL, false, NULL },
	{ "DCOLLECT DCOL", NULL, false, NULL },
	{ "CREATE", NULL, false, NULL },
	{ "CNVTCAT", NULL, false, NULL },
	{ "SHCDS", NULL, false, NULL },
	{ "PRINTCAT", NULL, false, NULL },
	{ NULL, NULL, false, NULL },
};
