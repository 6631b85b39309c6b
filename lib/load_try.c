// SPDX-License-Identifier: GPL-2.0-only
#include "load_try.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>

#define LOG_START (64 * 1024)
#define LOG_STATS (64 * 1024) /* room for statistics behind a log whose end is cut off */

static int resize(struct load_try *try, size_t size)
{
	char *log = malloc(size + LOG_STATS);

	if (!log)
		return -ENOMEM;
	/* Touched here, so that no page of it is charged to a load. */
	memset(log, 0, size + LOG_STATS);
	free(try->log);
	try->log = log;
	try->log_size = size;
	return 0;
}

int load_try__make_room(struct load_try *try, size_t max)
{
	if (try->log && try->log_size <= max)
		return 0;
	return resize(try, max < LOG_START ? max : LOG_START);
}

void load_try__clear(struct load_try *try)
{
	free(try->log);
	try->log = NULL;
}

/*
 * libbpf leaves 0 in the first slot of the file descriptors that it hands over
 * for kfuncs of modules, and the kernel wants every slot to be a map or BTF.
 * So for the time of the load descriptor 0 is the object's BTF.
 */
static int load_with_btf_as_stdin(struct load_try *try, struct bpf_program *prog,
				  struct bpf_prog_load_opts *opts)
{
	_cleanup_close_ int stdin_copy = fcntl(0, F_DUPFD_CLOEXEC, 3);
	int fd;

	if (dup2(bpf_object__btf_fd(try->obj), 0) < 0)
		return -errno;
	fd = bpf_program__clone(prog, opts);
	if (stdin_copy >= 0)
		dup2(stdin_copy, 0);
	else
		close(0);
	return fd;
}

/* One load. The fd or -errno; ret_needed: bytes the log would have liked, 0 if it had them. */
static int load_once(struct load_try *try, struct bpf_program *prog, unsigned int level, char *log,
		     size_t size, size_t *ret_needed)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .log_level = level);
	libbpf_print_fn_t before;
	int fd;

	if (level) {
		opts.log_buf = log;
		opts.log_size = size;
		log[0] = '\0';
	}
	if (try->prog_flags)
		opts.prog_flags = bpf_program__flags(prog) | try->prog_flags;
	before = load_words__begin(try->words);
	fd = try->lend_stdin ? load_with_btf_as_stdin(try, prog, &opts)
			     : bpf_program__clone(prog, &opts);
	load_words__end(before);
	*ret_needed = 0;
	if (level && fd == -ENOSPC) {
		/* Kernels before 6.4 do not tell how much. */
		if (!opts.log_true_size)
			*ret_needed = 2 * size;
		else if (opts.log_true_size > size)
			*ret_needed = opts.log_true_size;
	}
	return fd;
}

/* The log is too long: the verdict of a load without it. */
static int load_without(struct load_try *try, struct bpf_program *prog, unsigned int level,
			struct load_result *result)
{
	size_t needed;
	int fd;

	result->log_cut = true;
	if (level & LOAD_TRY_FIXED) {
		char *end = try->log + strlen(try->log);

		*end++ = '\n';
		fd = load_once(try, prog, LOAD_TRY_STATS, end, LOG_STATS - 2, &needed);
		result->attempts++;
		if (!needed)
			return fd;
	}
	result->attempts++;
	return load_once(try, prog, 0, NULL, 0, &needed);
}

int load_try__load(struct load_try *try, struct bpf_program *prog, unsigned int level, size_t max,
		   struct load_result *result)
{
	size_t needed;
	int fd;

	for (;;) {
		fd = load_once(try, prog, level, try->log, try->log_size, &needed);
		result->attempts++;
		if (!try->lend_stdin && fd < 0 && strstr(try->log, "fd 0 is not pointing to")) {
			try->lend_stdin = true;
			continue;
		}
		if (!needed)
			return fd;
		if (try->log_size >= max || resize(try, needed < max ? needed : max) < 0)
			return load_without(try, prog, level, result);
	}
}
