// SPDX-License-Identifier: GPL-2.0-only
#include "cpuset.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static bool parse_number(const char **text, unsigned long *ret_number)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*ret_number = strtoul(*text, &end, 10);
	*text = end;
	return *ret_number < CPU_SETSIZE;
}

int cpuset__parse(const char *text, cpu_set_t *ret_set, struct err *err)
{
	const char *p = text;
	cpu_set_t set;

	CPU_ZERO(&set);
	do {
		unsigned long from, to;

		if (!parse_number(&p, &from))
			break;
		to = from;
		if (*p == '-') {
			p++;
			if (!parse_number(&p, &to) || to < from)
				break;
		}
		for (unsigned long cpu = from; cpu <= to; cpu++)
			CPU_SET(cpu, &set);
		if (!*p) {
			*ret_set = set;
			return 0;
		}
	} while (*p++ == ',');
	return err__set(err, -EINVAL,
			"'%s' is no set of CPUs: expected numbers below %d and ranges, "
			"as in 0,2-4",
			text, CPU_SETSIZE);
}

int cpuset__nth(const cpu_set_t *set, unsigned int nth)
{
	nth %= CPU_COUNT(set);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, set) && nth-- == 0)
			return cpu;
	}
	return -1;
}
