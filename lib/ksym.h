/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the kernel's functions lie, from /proc/kallsyms. */
#ifndef BPF_AB_KSYM_H
#define BPF_AB_KSYM_H

#include "util.h"

/* Addresses from <= a < to. */
struct ksym_range {
	uint64_t from, to;
};

/*
 * The ranges of all functions of the core kernel that are called one of
 * names[n], with whatever suffix the compiler gave to a copy of it
 * (".constprop.0"); a function that was inlined everywhere has none. A range
 * ends where the next symbol begins. ret_ranges has room for
 * max.
 *
 * path: "/proc/kallsyms", or a recorded one. Returns how many were found
 * (0: none of them exists) or -errno: -EPERM if addresses are hidden from
 * this user, -ENOSPC if there are more than max.
 */
int ksym__ranges(const char *path, const char *const *names, size_t n,
		 struct ksym_range *ret_ranges, size_t max);

/* An address and the function that it lies in. */
struct ksym_place {
	uint64_t address;
	char name[64];	 /* empty: below all functions */
	uint64_t offset; /* into it */
};

/*
 * Sets name and offset of n places, modules' functions among them. 0, -EPERM
 * or another -errno, as above; the places are then untouched.
 */
int ksym__name(const char *path, struct ksym_place *places, size_t n);

#endif
