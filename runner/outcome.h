/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BPF_AB_OUTCOME_H
#define BPF_AB_OUTCOME_H

/* Ordered: of several outcomes the largest counts. */
enum outcome { OUTCOME_PASS, OUTCOME_SKIP, OUTCOME_FAIL };

#endif
