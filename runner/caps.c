// SPDX-License-Identifier: GPL-2.0-only
#include "caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

const uint64_t caps_of_bpf =
	1ULL << CAP_SYS_ADMIN | 1ULL << CAP_NET_ADMIN | 1ULL << CAP_PERFMON | 1ULL << CAP_BPF;

/* Raw system calls: libcap is not needed for this. */
struct caps {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static int caps_get(struct caps *caps)
{
	caps->header = (struct __user_cap_header_struct){ .version = _LINUX_CAPABILITY_VERSION_3 };
	if (syscall(SYS_capget, &caps->header, caps->data) < 0)
		return -errno;
	return 0;
}

static int caps_apply(struct caps *caps, uint64_t effective)
{
	caps->data[0].effective = (uint32_t)effective;
	caps->data[1].effective = (uint32_t)(effective >> 32);
	if (syscall(SYS_capset, &caps->header, caps->data) < 0)
		return -errno;
	return 0;
}

int caps__drop(uint64_t drop, uint64_t keep, uint64_t *ret_old)
{
	struct caps caps;
	uint64_t old;
	int rc;

	rc = caps_get(&caps);
	if (rc < 0)
		return rc;
	old = (uint64_t)caps.data[1].effective << 32 | caps.data[0].effective;
	rc = caps_apply(&caps, (old & ~drop) | keep);
	if (rc < 0)
		return rc;
	*ret_old = old;
	return 0;
}

int caps__set(uint64_t effective)
{
	struct caps caps;
	int rc;

	rc = caps_get(&caps);
	return rc < 0 ? rc : caps_apply(&caps, effective);
}
