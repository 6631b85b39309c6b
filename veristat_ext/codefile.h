/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The code of a loaded program as a text that can be compared with that of
 * another kernel, by diff or by eye:
 *
 *	func type 12
 *	line file 1 text 330 column 4126
 *	0: r0 = 0x0
 *
 * Instructions are masked (prog_info__mask()), so helpers by address and maps
 * have numbers in the order of their appearance. In front of an instruction
 * are its func info and its line info, as offsets into the program's BTF.
 */
#ifndef VERISTAT_CODEFILE_H
#define VERISTAT_CODEFILE_H

#include "err.h"

/*
 * Makes DIR/OBJECT.PROGRAM.txt; one that is there is replaced. Returns 0, or
 * -errno with err: the kernel hides the code, or the file cannot be written.
 */
int codefile__write(const char *dir, const char *object, const char *program, int prog_fd,
		    struct err *err);

#endif
