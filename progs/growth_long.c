// SPDX-License-Identifier: GPL-2.0-only
/* A load that takes long on a kernel that rewrites programs in quadratic time. */
#define K 2048
#include "growth.c"
