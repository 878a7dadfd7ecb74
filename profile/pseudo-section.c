/* SPDX-License-Identifier: Apache-2.0 */
/* Which libraries belong to which pseudo-section. */
#include "common/compat.h"
#include "profile/pseudo-section.h"
#include "common/path.h"

#include <ctype.h>

/*
 * Pseudo-sections by the prefix of a file name; "" for the program. The character
 * after the prefix must not be a letter (libm is not libmagic), except after '*'.
 * Programs that are not shared objects are looked up only for their description.
 */
static const struct {
	const char *prefix, *section, *function;
} pseudo_sections[] = {
	{ "libcob", ".COBLIB", "GnuCOBOL run time" },
	{ "libgmp", ".LIBGMP", "decimal arithmetic" },
	{ "libc", ".LIBC", "C library" },
	{ "ld-linux*", ".LDSO", "dynamic linker" },
	{ "ld-musl*", ".LIBC", "C library" },
	{ "ld", ".LDSO", "dynamic linker" },
	{ "libdl", ".LIBC", "C library" },
	{ "librt", ".LIBC", "C library" },
	{ "libresolv", ".LIBC", "C library" },
	{ "libnss*", ".LIBNSS", "name service switch" },
	{ "libpthread", ".LIBPTHREAD", "threads" },
	{ "libm", ".LIBM", "mathematical functions" },
	{ "libmvec", ".LIBM", "mathematical functions" },
	{ "libdb", ".LIBDB", "Berkeley DB, indexed files" },
	{ "libvbisam", ".VBISAM", "VBISAM, indexed files" },
	{ "libisam", ".VBISAM", "C-ISAM, indexed files" },
	{ "liblmdb", ".LMDB", "LMDB, indexed files" },
	{ "libstdc++", ".LIBSTDC", "C++ library" },
	{ "libc++*", ".LIBSTDC", "C++ library" },
	{ "libgcc*", ".LIBGCC", "compiler support" },
	{ "libgomp", ".OPENMP", "OpenMP" },
	{ "libomp", ".OPENMP", "OpenMP" },
	{ "libgfortran", ".FORTLIB", "Fortran run time" },
	{ "libquadmath", ".FORTLIB", "Fortran run time" },
	{ "libz", ".LIBZ", "zlib compression" },
	{ "libzstd", ".LIBZ", "Zstandard compression" },
	{ "liblzma", ".LIBZ", "LZMA compression" },
	{ "libbz2", ".LIBZ", "bzip2 compression" },
	{ "liblz4", ".LIBZ", "LZ4 compression" },
	{ "libssl", ".LIBSSL", "OpenSSL" },
	{ "libcrypto", ".LIBSSL", "OpenSSL" },
	{ "libgnutls", ".LIBSSL", "GnuTLS" },
	{ "libxml2", ".LIBXML", "XML" },
	{ "libexpat", ".LIBXML", "XML" },
	{ "libjson*", ".LIBJSON", "JSON" },
	{ "libcjson", ".LIBJSON", "JSON" },
	{ "libsqlite*", ".SQLITE", "SQLite" },
	{ "libpq", ".LIBPQ", "PostgreSQL client" },
	{ "libmysql*", ".MYSQL", "MySQL client" },
	{ "libmariadb", ".MYSQL", "MariaDB client" },
	{ "libodbc*", ".ODBC", "ODBC" },
	{ "libclntsh", ".ORACLE", "Oracle client" },
	{ "libdb2", ".DB2", "Db2 client" },
	{ "libmq*", ".MQ", "message queues" },
	/* Interpreters are programs, whether their library is shared or linked in. */
	{ "python*", "", "Python interpreter" },
	{ "perl", "", "Perl interpreter" },
	{ "bash", "", "shell" },
	{ "dash", "", "shell" },
	{ "libjvm", "", "Java virtual machine" },
	{ "libpython*", "", "Python interpreter" },
	{ "libperl", "", "Perl interpreter" },
	{ "libruby*", "", "Ruby interpreter" },
	{ "liblua*", "", "Lua interpreter" },
	{ "libncurses*", ".CURSES", "screen handling" },
	{ "libtinfo", ".CURSES", "screen handling" },
	{ "libreadline", ".CURSES", "screen handling" },
	{ "libcurl*", ".LIBCURL", "HTTP client" },
	{ "libpcre*", ".LIBPCRE", "regular expressions" },
	{ "libicu*", ".LIBICU", "Unicode" },
	{ "libffi", ".LIBFFI", "foreign function calls" },
	{ "libjemalloc", ".MALLOC", "memory allocation" },
	{ "libtcmalloc*", ".MALLOC", "memory allocation" },
	{ "libmimalloc*", ".MALLOC", "memory allocation" },
	{ "libasan", ".SANITIZE", "AddressSanitizer" },
	{ "libubsan", ".SANITIZE", "UndefinedBehaviorSanitizer" },
	{ "libtsan", ".SANITIZE", "ThreadSanitizer" },
	{ "libvigil*", PSEUDO_SECTION_VIGIL, "vigil's part in the step" },
	{ "vigil-step", PSEUDO_SECTION_VIGIL, "vigil's part in the step" },
	{ "vigil-coverage", PSEUDO_SECTION_VIGIL, "vigil's part in the step" },
	{ "vigil-files", PSEUDO_SECTION_VIGIL, "vigil's part in the step" },
	{ "vigil-events", PSEUDO_SECTION_VIGIL, "vigil's part in the step" },
	{ "vigil-handler", PSEUDO_SECTION_VIGIL, "vigil's part in the step" },
};

/*
 * Returns whether name begins with prefix and the next character is not a letter;
 * any character if prefix ends in '*'.
 */
static bool has_prefix(const char *name, const char *prefix)
{
	size_t length = strlen(prefix);

	if (length && prefix[length - 1] == '*')
		return strncmp(name, prefix, length - 1) == 0;
	return strncmp(name, prefix, length) == 0 && !isalpha((unsigned char)name[length]) &&
	       name[length] != '_' && name[length] != '+';
}

/* Returns whether a path is in a folder where the system keeps its libraries. */
static bool in_system_folder(const char *path)
{
	static const char *const folders[] = { "/lib/",	     "/lib64/",	    "/lib32/",
					       "/usr/lib/",  "/usr/lib64/", "/usr/lib32/",
					       "/nix/store/" };

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* Returns whether a file name is that of a shared object: "name.so" or "name.so.1.2". */
static bool is_shared(const char *name)
{
	const char *so = strstr(name, ".so");

	return so && (so[3] == '\0' || so[3] == '.');
}

const char *pseudo_section_of(const char *path, const char **function, struct strbuf *sb)
{
	const char *name = path_base(path), *unused;
	bool shared = is_shared(name);

	if (!function)
		function = &unused;
	*function = "";
	for (size_t i = 0; i < ARRAY_SIZE(pseudo_sections); i++) {
		if ((!shared && *pseudo_sections[i].section) ||
		    !has_prefix(name, pseudo_sections[i].prefix))
			continue;
		*function = pseudo_sections[i].function;
		return pseudo_sections[i].section;
	}
	if (!shared || !in_system_folder(path))
		return "";
	/* "zlib.cpython-311-x86_64-linux-gnu.so" */
	*function = strstr(name, ".cpython-") ? "Python extension" : "system library";
	strbuf_reset(sb);
	strbuf_addch(sb, '.');
	for (size_t i = 0;
	     name[i] && strncmp(name + i, ".so", 3) != 0 && strncmp(name + i, ".cpython-", 9) != 0;
	     i++)
		strbuf_addch(sb, (char)toupper((unsigned char)name[i]));
	return sb->text;
}
