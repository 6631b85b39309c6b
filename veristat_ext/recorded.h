/* SPDX-License-Identifier: GPL-2.0-only */
/* What was measured before: shown again, or two of it compared. */
#ifndef VERISTAT_RECORDED_H
#define VERISTAT_RECORDED_H

#include "veristat.h"

/* Both return an exit status and say on stderr why they could not. */
enum veristat_exit recorded__show(const struct veristat_opts *opts, const char *path);
enum veristat_exit recorded__compare(const struct veristat_opts *opts, const char *base,
				     const char *patched);

#endif
