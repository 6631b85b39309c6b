// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's log as a folder of results has it, which anybody may have written. */
#include "cleanup.h"
#include "fuzz.h"
#include "klog.h"

static void look_at_line(const char *line)
{
	_cleanup_free_ char *masked = strdup(line), *twice = NULL;
	const char *said = klog__strip_time(line);

	fuzz_require(said >= line && said <= line + strlen(line));
	fuzz_require(masked);
	klog__mask(masked);
	fuzz_require(strlen(masked) <= strlen(line));
	twice = strdup(masked);
	fuzz_require(twice);
	klog__mask(twice);
	fuzz_require(streq(masked, twice));
}

void fuzz_klog(const uint8_t *data, size_t len)
{
	_cleanup_free_ char *text = fuzz_text(data, len);
	_cleanup_(klog__reset) struct klog same = {}, new = {};

	look_at_line(text);
	fuzz_require(!klog__add(&same, 1, "b", text) && !klog__add(&same, 0, "a", text));
	fuzz_require(klog__verdict(&same) == KLOG_EQUAL);
	fuzz_require(!klog__add(&new, 0, "a", "") && !klog__add(&new, 1, "b", text));
	fuzz_require(new.splats.n == same.splats.n);
	fuzz_require(klog__verdict(&new) == (new.splats.n ? KLOG_WORSE : KLOG_EQUAL));
}
