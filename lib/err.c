// SPDX-License-Identifier: GPL-2.0-only
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

void err__say(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
}
