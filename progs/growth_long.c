// SPDX-License-Identifier: GPL-2.0-only
/* A load that takes long on a kernel that rewrites programs in quadratic time. */
#define K 4096
#define HASH_LOOKUPS_ONLY
#include "growth.c"
