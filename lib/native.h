/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine code of this machine as text, by the disassembler of LLVM, which is
 * loaded when it is needed: any libLLVM from 14 to 22 that is installed.
 *
 * The form is that which the __jited annotations of Linux 7.3 are written for:
 *
 *	func #0:
 *	0:	f3 0f 1e fa                         	endbr64
 *	4:	74 01                               	je	L0
 *	6:	90                                  	nop
 *	7:	c3                                  L0:	retq
 *
 * Offsets are in hex, from the beginning of the function. A jump to an
 * instruction of the same function has a label; labels are numbered by the
 * address that they stand for, and a number is left out for every further jump
 * to one address. Only 32 jumps of a function can have labels.
 */
#ifndef BPF_AB_NATIVE_H
#define BPF_AB_NATIVE_H

#include "err.h"

/*
 * All functions, an empty line behind each; image holds them one behind the
 * other, func_lens their lengths in bytes. The caller frees. Returns 0;
 * -EOPNOTSUPP if no LLVM is there or it does not know this machine; -EINVAL if
 * there is no instruction somewhere; -ENOMEM; with err set.
 */
int native__text(const uint8_t *image, const uint32_t *func_lens, size_t n_funcs, char **ret_text,
		 struct err *err);

#endif
