// SPDX-License-Identifier: GPL-2.0-only
#include "env.h"

#include <stdio.h>
#include <time.h>
#include <zlib.h>

#include "cleanup.h"

#ifndef BPF_AB_REVISION
#define BPF_AB_REVISION "unknown"
#endif

/* What unprivileged tests and sizes of jited code hang on. */
static const char *const env_sysctls[] = {
	"kernel.unprivileged_bpf_disabled", "kernel.bpf_stats_enabled",	 "net.core.bpf_jit_enable",
	"net.core.bpf_jit_harden",	    "net.core.bpf_jit_kallsyms",
};

const char *env__revision(void)
{
	return BPF_AB_REVISION;
}

/* NULL if the file cannot be read; without the line end. */
static char *env__file(const char *root, const char *path)
{
	_cleanup_free_ char *full = NULL;
	char *text = NULL;

	if (str__printf(&full, "%s%s", root, path) || file__read(full, &text, NULL))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static bool env__exists(const char *root, const char *path)
{
	_cleanup_free_ char *full = NULL;

	return !str__printf(&full, "%s%s", root, path) && !access(full, F_OK);
}

static int env__set_if(struct recording *rec, const char *key, const char *value)
{
	return value && *value ? recording__set_env(rec, key, value) : 0;
}

static int env__set_kernel(struct recording *rec, const char *root)
{
	_cleanup_free_ char *release = env__file(root, "/proc/sys/kernel/osrelease");
	_cleanup_free_ char *version = env__file(root, "/proc/sys/kernel/version");
	_cleanup_free_ char *both = NULL;

	if (!release)
		return 0;
	if (str__printf(&both, "%s%s%s", release, version ? " " : "", version ?: ""))
		return -ENOMEM;
	return recording__set_env(rec, "kernel", both);
}

/* ELF notes: name size, content size, type, name, content, the last two in steps of 4. */
static int env__set_build_id(struct recording *rec, const char *root)
{
	_cleanup_free_ char *path = NULL, *notes = NULL;
	size_t len, pos = 0;

	if (str__printf(&path, "%s/sys/kernel/notes", root))
		return -ENOMEM;
	if (file__read(path, &notes, &len))
		return 0;
	while (len - pos >= 12) {
		char hex[2 * 64 + 1] = "";
		uint32_t head[3];
		size_t name, content;

		memcpy(head, notes + pos, sizeof(head));
		name = pos + sizeof(head);
		content = name + ((head[0] + 3ull) & ~3ull);
		if (content > len || head[1] > len - content)
			break;
		if (head[2] == 3 && head[0] == 4 && !memcmp(notes + name, "GNU", 4) &&
		    head[1] <= 64) {
			for (size_t i = 0; i < head[1]; i++)
				sprintf(hex + 2 * i, "%02x", (unsigned char)notes[content + i]);
			return env__set_if(rec, "build_id", hex);
		}
		pos = content + ((head[1] + 3ull) & ~3ull);
		if (pos > len)
			break;
	}
	return 0;
}

/* FNV-1a, 64 bits. */
static uint64_t env__hash(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash;
}

/* The text of config.gz, or NULL. */
static char *env__config(const char *root)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	size_t len = 0, cap = 0;
	gzFile gz;
	int n = 0;

	if (str__printf(&path, "%s/proc/config.gz", root))
		return NULL;
	gz = gzopen(path, "re");
	if (!gz)
		return NULL;
	do {
		char *bigger;

		len += n;
		cap = len + 65536;
		bigger = realloc(text, cap + 1);
		if (!bigger) {
			n = -1;
			break;
		}
		text = bigger;
		n = gzread(gz, text + len, 65536);
	} while (n > 0);
	if (gzclose(gz) != Z_OK || n < 0)
		return NULL;
	text[len] = '\0';
	return TAKE_PTR(text);
}

static int env__set_config(struct recording *rec, const char *config)
{
	char hash[32];

	if (!config)
		return 0;
	snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)env__hash(config));
	return recording__set_env(rec, "config", hash);
}

static int env__set_mitigations(struct recording *rec, const char *cmdline, const char *config)
{
	const char *value = NULL;

	if (config)
		value = strstr(config, "\nCONFIG_CPU_MITIGATIONS=y\n") ? "on" : "not built";
	if (cmdline && strstr(cmdline, "mitigations=off") && !(value && streq(value, "not built")))
		value = "off";
	return env__set_if(rec, "mitigations", value);
}

/* Words that name files of this one run are taken out, in place. */
static void env__trim_cmdline(char *cmdline)
{
	static const char *const drop[] = { "BPF_AB_", "BOOT_IMAGE=", "initrd=" };
	char *to = cmdline, *save = NULL, *word;

	for (word = strtok_r(cmdline, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		bool dropped = false;

		for (size_t i = 0; i < ARRAY_SIZE(drop); i++)
			dropped |= str_starts(word, drop[i]);
		if (dropped)
			continue;
		if (to != cmdline)
			*to++ = ' ';
		memmove(to, word, strlen(word) + 1);
		to += strlen(to);
	}
	*to = '\0';
}

static int env__set_cpu(struct recording *rec, const char *root)
{
	_cleanup_free_ char *path = NULL, *info = NULL, *count = NULL;
	unsigned int n = 0;
	int err;

	if (str__printf(&path, "%s/proc/cpuinfo", root))
		return -ENOMEM;
	if (file__read(path, &info, NULL))
		return 0;
	for (char *save = NULL, *line = strtok_r(info, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');

		if (str_starts(line, "processor"))
			n++;
		if (!str_starts(line, "model name") || !colon || recording__env(rec, "cpu"))
			continue;
		err = env__set_if(rec, "cpu", colon + 1 + strspn(colon + 1, " "));
		if (err)
			return err;
	}
	if (!n)
		return 0;
	if (str__printf(&count, "%u", n))
		return -ENOMEM;
	return recording__set_env(rec, "vcpus", count);
}

static int env__set_memory(struct recording *rec, const char *root)
{
	_cleanup_free_ char *line = env__file(root, "/proc/meminfo");
	_cleanup_free_ char *value = NULL;
	unsigned long kib;

	if (!line || sscanf(line, "MemTotal: %lu kB", &kib) != 1)
		return 0;
	if (str__printf(&value, "%lu MiB", (kib / 1024 + 127) / 128 * 128))
		return -ENOMEM;
	return recording__set_env(rec, "memory", value);
}

static int env__set_cgroup(struct recording *rec, const char *root)
{
	bool v1 = env__exists(root, "/sys/fs/cgroup/memory/cgroup.procs");
	bool v2 = env__exists(root, "/sys/fs/cgroup/cgroup.controllers");
	bool both = env__exists(root, "/sys/fs/cgroup/unified/cgroup.controllers");

	return env__set_if(rec, "cgroup", v1 && both ? "hybrid" : v1 ? "v1" : v2 ? "v2" : NULL);
}

static int env__set_sysctls(struct recording *rec, const char *root)
{
	for (size_t i = 0; i < ARRAY_SIZE(env_sysctls); i++) {
		_cleanup_free_ char *path = NULL, *key = NULL, *value = NULL;
		int err;

		if (str__printf(&path, "/proc/sys/%s", env_sysctls[i]) ||
		    str__printf(&key, "sysctl.%s", env_sysctls[i]))
			return -ENOMEM;
		for (char *dot = path + strlen("/proc/sys/"); *dot; dot++)
			if (*dot == '.')
				*dot = '/';
		value = env__file(root, path);
		err = env__set_if(rec, key, value);
		if (err)
			return err;
	}
	return 0;
}

static int env__set_program(struct recording *rec, int argc, char **argv)
{
	_cleanup_free_ char *line = NULL;
	size_t len = 1;

	for (int i = 0; i < argc; i++)
		len += strlen(argv[i]) + 1;
	line = calloc(len, 1);
	if (!line)
		return -ENOMEM;
	for (int i = 0; i < argc; i++) {
		strcat(line, i ? " " : "");
		strcat(line, argv[i]);
	}
	return env__set_if(rec, "program", line);
}

static int env__set_run(struct recording *rec, const char *root, int argc, char **argv)
{
	_cleanup_free_ char *host = env__file(root, "/proc/sys/kernel/hostname");
	time_t now = time(NULL);
	char date[32] = "";
	struct tm tm;

	if (gmtime_r(&now, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return env__set_if(rec, "series", getenv("BPF_AB_SERIES")) ?:
	       env__set_if(rec, "compiler", getenv("BPF_AB_COMPILER")) ?:
	       env__set_if(rec, "clock", getenv("BPF_AB_CLOCK") ?: "host") ?:
	       env__set_if(rec, "host", getenv("BPF_AB_HOST") ?: host) ?:
	       env__set_if(rec, "revision", env__revision()) ?:
	       env__set_program(rec, argc, argv) ?:
	       env__set_if(rec, "date", date);
}

int env__collect(struct recording *rec, const char *root, int argc, char **argv)
{
	_cleanup_free_ char *cmdline = env__file(root, "/proc/cmdline");
	_cleanup_free_ char *config = env__config(root);

	if (cmdline)
		env__trim_cmdline(cmdline);
	return env__set_kernel(rec, root) ?:
	       env__set_build_id(rec, root) ?:
	       env__set_config(rec, config) ?:
	       env__set_if(rec, "cmdline", cmdline) ?:
	       env__set_mitigations(rec, cmdline, config) ?:
	       env__set_cpu(rec, root) ?:
	       env__set_memory(rec, root) ?:
	       env__set_cgroup(rec, root) ?:
	       env__set_sysctls(rec, root) ?:
	       env__set_run(rec, root, argc, argv);
}

/* ---- reading back ----------------------------------------------------------- */

enum env_clock env__clock(const struct recording *rec)
{
	static const struct {
		const char *name;
		enum env_clock clock;
	} clocks[] = {
		{ "icount", ENV_CLOCK_ICOUNT },
		{ "host", ENV_CLOCK_WALL },
		{ "kvm", ENV_CLOCK_WALL },
		{ "tcg-wall", ENV_CLOCK_TCG_WALL },
	};

	for (size_t i = 0; i < rec->env.n; i++)
		if (streq(rec->env.v[i].key, "clock") && rec->env.v[i].varies)
			return ENV_CLOCK_MIXED;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (streq(recording__env(rec, "clock") ?: "", clocks[i].name))
			return clocks[i].clock;
	return ENV_CLOCK_UNKNOWN;
}

unsigned int env__vcpus(const struct recording *rec)
{
	uint64_t n;

	if (str__to_u64(recording__env(rec, "vcpus") ?: "", 10, &n) || n == 0 || n > 65536)
		return 1;
	return n;
}
