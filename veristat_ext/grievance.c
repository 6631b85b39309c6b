// SPDX-License-Identifier: GPL-2.0-only
#include "grievance.h"

#include <stdio.h>

bool grievance__add(struct grievance *grievance, const char *program, const struct err *why)
{
	if (grievance->n && !streq(grievance->why.text, why->text))
		return false;
	if (!grievance->n++) {
		snprintf(grievance->program, sizeof(grievance->program), "%s", program);
		grievance->why = *why;
	}
	return true;
}

bool grievance__say(struct grievance *grievance, struct err *ret_words)
{
	if (!grievance->n)
		return false;
	if (grievance->n == 1)
		err__set(ret_words, 0, "%s/%s: not measured: %s", grievance->object,
			 grievance->program, grievance->why.text);
	else
		err__set(ret_words, 0, "%s: %zu programs not measured: %s", grievance->object,
			 grievance->n, grievance->why.text);
	grievance->n = 0;
	return true;
}
