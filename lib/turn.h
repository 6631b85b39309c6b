/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One process at a time traces the allocators' functions. With programs of two at
 * one function Linux 7.3.4 was seen to crash when one of them came or went while
 * another task called it.
 */
#ifndef BPF_AB_TURN_H
#define BPF_AB_TURN_H

/*
 * Waits for the turn of this process. Returns a descriptor, which the caller closes
 * to let the next one have it, or -errno.
 */
int turn__take(void);

#endif
