/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up effective capabilities and readable files. */
#include "common/compat.h"
#include "engine/modules/module-privileges.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By number, as in linux/capability.h. */
static const char *const capabilities[] = {
	"CHOWN",
	"DAC_OVERRIDE",
	"DAC_READ_SEARCH",
	"FOWNER",
	"FSETID",
	"KILL",
	"SETGID",
	"SETUID",
	"SETPCAP",
	"LINUX_IMMUTABLE",
	"NET_BIND_SERVICE",
	"NET_BROADCAST",
	"NET_ADMIN",
	"NET_RAW",
	"IPC_LOCK",
	"IPC_OWNER",
	"SYS_MODULE",
	"SYS_RAWIO",
	"SYS_CHROOT",
	"SYS_PTRACE",
	"SYS_PACCT",
	"SYS_ADMIN",
	"SYS_BOOT",
	"SYS_NICE",
	"SYS_RESOURCE",
	"SYS_TIME",
	"SYS_TTY_CONFIG",
	"MKNOD",
	"LEASE",
	"AUDIT_WRITE",
	"AUDIT_CONTROL",
	"SETFCAP",
	"MAC_OVERRIDE",
	"MAC_ADMIN",
	"SYSLOG",
	"WAKE_ALARM",
	"BLOCK_SUSPEND",
	"AUDIT_READ",
	"PERFMON",
	"BPF",
	"CHECKPOINT_RESTORE",
};

/* Returns the number of a capability, -1 when it is unknown. */
static int capability_number(const char *name)
{
	RETURN_IF(strncmp(name, "CAP_", 4) != 0, -1);
	for (size_t i = 0; i < ARRAY_SIZE(capabilities); i++)
		if (strcmp(name + 4, capabilities[i]) == 0)
			return (int)i;
	return -1;
}

/* Returns whether a capability is effective. */
static bool is_effective(int number)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	RETURN_IF(syscall(SYS_capget, &header, data) < 0, false);
	return data[number / 32].effective & 1U << number % 32;
}

bool privilege_is_known(const char *name)
{
	return name[0] == '/' || strcmp(name, "root") == 0 || capability_number(name) >= 0;
}

bool privilege_is_there(const char *name)
{
	int number = capability_number(name);

	if (name[0] == '/')
		return faccessat(AT_FDCWD, name, R_OK, AT_EACCESS) == 0;
	if (strcmp(name, "root") == 0)
		return geteuid() == 0;
	return number >= 0 && is_effective(number);
}

uint32_t privileges_missing(const char *const *names)
{
	uint32_t missing = 0;

	for (size_t i = 0; names && names[i] && i < 32; i++)
		if (!privilege_is_there(names[i]))
			missing |= 1U << i;
	return missing;
}

bool privileges_lacking(const char *const *needs, struct strbuf *sb)
{
	while (needs && *needs && privilege_is_there(*needs))
		needs++;
	RETURN_IF(!needs || !*needs, false);
	strbuf_addf(sb, "it needs %s, %s", *needs,
		    privilege_is_known(*needs) ? "which is not available"
					       : "which is not a known privilege");
	return true;
}
