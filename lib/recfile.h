/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recordings on disk. FILE is a CSV (RFC 4180) with a header line: the two
 * key columns of its suite, which tell the suite, then one column per metric
 * by id. FILE.env beside it is the sidecar: "key=value" lines, those of
 * env.h and "complete=no" for a run that was cut short.
 *
 * Cells: a number or a word; empty: absent; "unsupported: why" and
 * "failed: why" for the other two states. N/A, and -1 where the metric says
 * so, are read as absent. A word that would be read as one of these has
 * "text: " before it.
 *
 * A folder holds one recording per boot: DIR/SUITE.csv and DIR/BOOT/SUITE.csv,
 * in the order of their names (SUITE: veristat, test_progs, bench; numbers in
 * names by their value). BOOT.part and BOOT.failed are passed over: one
 * that has not ended and one that ended badly.
 */
#ifndef BPF_AB_RECFILE_H
#define BPF_AB_RECFILE_H

#include <stdio.h>

#include "record.h"

/*
 * Reads a file or a folder, or several of them with commas between, which are
 * then the boots of one side. Columns that no metric is known for are passed
 * over and named in ret_notes, one line each (NULL: not wanted; the caller
 * frees), as is a last line that was cut off: its line number is named and
 * the rows before it are kept.
 *
 * -EINVAL with err "file:line:column: what was expected" for a bad cell or
 * header, -ENOENT for no such file or no recording of this suite.
 */
int recfile__read(const char *path, enum suite suite, struct recording **ret_rec, char **ret_notes,
		  struct err *err);

/* One file; notes are printed to that stream. */
int recfile__read_one(const char *path, enum suite suite, FILE *notes, struct recording **ret_rec,
		      struct err *err);

/*
 * One file that was read already; name is for messages, text[len] and
 * env[env_len] are NUL, and both texts are changed. env: that of the sidecar, NULL if there
 * is none.
 */
int recfile__parse(const char *name, char *text, size_t len, char *env, size_t env_len,
		   enum suite suite, FILE *notes, struct recording **ret_rec, struct err *err);

/* The CSV, without a sidecar, to a stream; for -o csv. */
int recfile__print(const struct recording *rec, FILE *out);

/*
 * Writes path and path.env, each as a whole or not at all, the CSV last: where
 * it is its sidecar is too. What was there before goes first. See newfile.h
 * for what a killed writer leaves.
 */
int recfile__write(const struct recording *rec, const char *path, struct err *err);

#endif
