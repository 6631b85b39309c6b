/* SPDX-License-Identifier: GPL-2.0-only */
/* What libbpf says while it works for a loader: kept to find reasons in, and passed on. */
#ifndef BPF_AB_LOAD_WORDS_H
#define BPF_AB_LOAD_WORDS_H

#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdio.h>

#define LOAD_WORDS_MAX 4096

struct load_words {
	FILE *echo; /* NULL: it is not passed on */
	bool debug; /* with what it says for its own developers */
	/* Since load_words__begin(): warnings, the first line of each; of too many the last. */
	char said[LOAD_WORDS_MAX];
};

/* Until the end, on this thread. What is returned is for the end. */
libbpf_print_fn_t load_words__begin(struct load_words *words);
void load_words__end(libbpf_print_fn_t before);

#endif
