/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scope-bound ownership. A local that owns something carries a _cleanup_
 * attribute from its declaration on; what leaves the function is handed over
 * by TAKE_PTR or TAKE_FD. File descriptors start at -1, pointers at NULL.
 */
#ifndef BPF_AB_CLEANUP_H
#define BPF_AB_CLEANUP_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* unused: else analyzers say of the last value of such a local that nobody reads it. */
#define _cleanup_(fn) __attribute__((cleanup(fn), unused))

/* For a type with a destructor fn(T *) that takes NULL: defines fnp(T **). */
#define DEFINE_CLEANUP(type, fn)           \
	static inline void fn##p(type **p) \
	{                                  \
		fn(*p);                    \
	}                                  \
	struct cleanup_semicolon_##fn

#define TAKE_PTR(p)                                            \
	({                                                     \
		__typeof__(p) *take_ptr_from = &(p);           \
		__typeof__(p) take_ptr_value = *take_ptr_from; \
		*take_ptr_from = NULL;                         \
		take_ptr_value;                                \
	})

#define TAKE_FD(fd)                                \
	({                                         \
		int *take_fd_from = &(fd);         \
		int take_fd_value = *take_fd_from; \
		*take_fd_from = -1;                \
		take_fd_value;                     \
	})

static inline void cleanup_freep(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

static inline void cleanup_closedirp(DIR **d)
{
	if (*d)
		closedir(*d);
}

#define _cleanup_free_	   _cleanup_(cleanup_freep)
#define _cleanup_close_	   _cleanup_(cleanup_closep)
#define _cleanup_fclose_   _cleanup_(cleanup_fclosep)
#define _cleanup_closedir_ _cleanup_(cleanup_closedirp)

#endif
