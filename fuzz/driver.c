// SPDX-License-Identifier: GPL-2.0-only
/* What libFuzzer calls; the Makefile says which target that is. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	FUZZ_TARGET(data, len);
	return 0;
}
