// SPDX-License-Identifier: GPL-2.0-only
/* A program that is rejected unless all of its variables have been set. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

enum mode { MODE_OFF, MODE_THIRD = 3, MODE_SLOW = 7, MODE_FAST = -7 };
enum wide { WIDE_NONE, WIDE_MOST = 0xffffffffffffULL };

struct inner {
	__u8 filler;
	struct {
		union {
			__s16 half[4];
			__u64 whole;
		};
	} u;
	unsigned int bits : 3;
};

typedef struct inner inner_t;

const volatile __s64 s64;
const volatile __u64 u64;
const volatile __s32 s32;
const volatile __u8 u8;
const volatile _Bool truth;
const volatile enum mode mode;
const volatile enum wide wide;
const volatile inner_t grid[2][4];
volatile int data[2] = { 1, 2 };
const void *const volatile pointer;

static int all_set(void)
{
	return s64 == -1 && u64 == 0xfedcba9876543210 && s32 == -0x7fffffff - 1 && u8 == 255 &&
	       truth && mode == MODE_FAST && wide == WIDE_MOST && grid[1][MODE_THIRD].u.half[2] == -5;
}

SEC("socket")
int needs_all(void *ctx)
{
	if (all_set())
		return grid[0][0].filler + data[1] + (pointer != 0);
	/* No such address: the verifier says no if it comes here. */
	return *(volatile int *)0;
}

char _license[] SEC("license") = "GPL";
