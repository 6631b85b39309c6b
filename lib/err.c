// SPDX-License-Identifier: GPL-2.0-only
#include "err.h"

#include <stdarg.h>
#include <stdio.h>

int err__set(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}
