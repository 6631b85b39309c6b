// SPDX-License-Identifier: GPL-2.0-only
#include "facts.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/utsname.h>
#include <zlib.h>

#include "annot.h"
#include "cleanup.h"
#include "kfeat.h"
#include "preflight.skel.h"

#define UNPRIV_SYSCTL "/proc/sys/kernel/unprivileged_bpf_disabled"

static void preflight_free(struct preflight_bpf **skel)
{
	preflight_bpf__destroy(*skel);
}

static int preflight_load(struct err *err)
{
	_cleanup_(preflight_free) struct preflight_bpf *skel = preflight_bpf__open();

	if (!skel)
		return err__set(err, -errno, "cannot open the built-in BPF object: %s",
				strerror(errno));
	if (preflight_bpf__load(skel) < 0)
		return err__set(err, -errno, "cannot load BPF programs here: %s", strerror(errno));
	return 0;
}

/* 1, 0, or -errno if no configuration can be read. */
static int config_has_mitigations(void)
{
	char line[512], boot[256];
	struct utsname uts;
	gzFile config;
	int found = 0;

	if (uname(&uts) < 0)
		return -errno;
	snprintf(boot, sizeof(boot), "/boot/config-%s", uts.release);
	/* The running kernel's own word first; gzopen() reads plain files, too. */
	config = gzopen("/proc/config.gz", "rb");
	if (!config)
		config = gzopen(boot, "rb");
	if (!config)
		return -ENOENT;
	while (!found && gzgets(config, line, sizeof(line))) {
		line[strcspn(line, "\n")] = '\0';
		/* The second name is that of kernels before 6.9. */
		found = streq(line, "CONFIG_CPU_MITIGATIONS=y") || streq(line, "CONFIG_SPECULATION_"
									       "MITIGATIONS=y");
	}
	gzclose(config);
	return found;
}

static bool cmdline_has(const char *word)
{
	_cleanup_free_ char *text = NULL;
	char *rest, *item;

	if (file__read("/proc/cmdline", &text, NULL) < 0)
		return false;
	rest = text;
	while ((item = strsep(&rest, " \n"))) {
		if (streq(item, word))
			return true;
	}
	return false;
}

/*
 * Unprivileged programs are rewritten against speculation; without mitigations
 * they are not, and what tests say about them does not hold.
 */
static void probe_unpriv(char *why, size_t len)
{
	_cleanup_free_ char *value = NULL;
	int rc;

	rc = file__read(UNPRIV_SYSCTL, &value, NULL);
	if (rc < 0) {
		snprintf(why, len, "no kernel.unprivileged_bpf_disabled: %s", strerror(-rc));
		return;
	}
	value[strcspn(value, "\n")] = '\0';
	if (!streq(value, "0")) {
		snprintf(why, len, "kernel.unprivileged_bpf_disabled is %s, needs 0", value);
		return;
	}
	if (cmdline_has("mitigations=off")) {
		snprintf(why, len, "the kernel was booted with mitigations=off");
		return;
	}
	rc = config_has_mitigations();
	if (rc < 0)
		snprintf(why, len, "no kernel configuration to tell whether mitigations are on");
	else if (!rc)
		snprintf(why, len, "the kernel is built without CONFIG_CPU_MITIGATIONS");
	else
		*why = '\0';
}

static unsigned int probe_jit(void)
{
	_cleanup_free_ char *value = NULL;

	/* Without the file the kernel has no JIT. */
	if (file__read("/proc/sys/net/core/bpf_jit_enable", &value, NULL) < 0 || *value == '0')
		return ANNOT_JIT_OFF;
	return ANNOT_JIT_ON;
}

/* 1: the JIT blinds constants of unprivileged programs, 2: of all. */
static int probe_hardening(void)
{
	_cleanup_free_ char *value = NULL;

	if (probe_jit() == ANNOT_JIT_OFF ||
	    file__read("/proc/sys/net/core/bpf_jit_harden", &value, NULL) < 0)
		return 0;
	return atoi(value);
}

/* What the kernel refuses for another reason than that it has no such thing is for tests to see. */
static void set_lack(char *why, size_t len, int rc, const struct err *err)
{
	*why = '\0';
	if (rc == -EOPNOTSUPP)
		snprintf(why, len, "%.*s", (int)len - 1, err->text);
}

int facts__probe(struct facts *ret_facts, struct err *err)
{
	libbpf_print_fn_t old_print;
	struct err why = {};
	int rc;

	/* What libbpf says about a refusal is many lines; err has the one that counts. */
	old_print = libbpf_set_print(NULL);
	rc = preflight_load(err);
	libbpf_set_print(old_print);
	if (rc < 0)
		return rc;
	ret_facts->jit = probe_jit();
	ret_facts->hardening = probe_hardening();
	ret_facts->unaligned = annot__this_arch() & (ANNOT_X86_64 | ANNOT_ARM64 | ANNOT_S390X);
	probe_unpriv(ret_facts->unpriv, sizeof(ret_facts->unpriv));
	rc = kfeat__noise(&why);
	set_lack(ret_facts->noise, sizeof(ret_facts->noise), rc, &why);
	rc = kfeat__arena(&why);
	set_lack(ret_facts->arena, sizeof(ret_facts->arena), rc, &why);
	if (rc >= 0)
		close(rc);
	return 0;
}
