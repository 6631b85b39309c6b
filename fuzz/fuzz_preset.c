// SPDX-License-Identifier: GPL-2.0-only
/* Values of variables, set in an object that has some of every kind. */
#include <bpf/libbpf.h>
#include <errno.h>

#include "cleanup.h"
#include "fuzz.h"
#include "preset.h"

#define OBJECT ".output/progs/loader_presets.bpf.o"

static int be_quiet(enum libbpf_print_level level __unused_arg, const char *fmt __unused_arg,
		    va_list ap __unused_arg)
{
	return 0;
}

void fuzz_preset(const uint8_t *data, size_t len)
{
	static struct bpf_object *obj;
	_cleanup_free_ char *text = fuzz_text(data, len);
	struct presets presets = {};
	struct err err = {};
	int rc;

	if (!obj) {
		libbpf_set_print(be_quiet);
		obj = bpf_object__open_file(OBJECT, NULL);
		fuzz_require(obj);
	}
	/* Files of any name are none of our business here. */
	if (*text == '@')
		return;
	rc = presets__add(&presets, text, &err);
	fuzz_require(rc == 0 ? presets.list.n == 1 : rc == -EINVAL && err.text[0]);
	if (rc == 0) {
		rc = presets__apply(&presets, obj, &err);
		fuzz_require(rc == 0 || (rc == -EINVAL && err.text[0]));
	}
	presets__clear(&presets);
}
