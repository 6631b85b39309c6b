/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growable array of any element type:
 *
 *	VEC(int) v = {};
 *	err = vec_push(&v, 7);
 *	for (size_t i = 0; i < v.n; i++) use(v.v[i]);
 *	vec_free(&v);
 */
#ifndef BPF_AB_VEC_H
#define BPF_AB_VEC_H

#include <errno.h>
#include <stdlib.h>

#define VEC(T)                 \
	struct {               \
		T *v;          \
		size_t n, cap; \
	}

/* Room for one more element; returns the array, or NULL with the old one intact. */
static inline void *vec_room(void *v, size_t n, size_t *cap, size_t elem)
{
	size_t want = *cap ? *cap * 2 : 8;

	if (n < *cap)
		return v;
	v = reallocarray(v, want, elem);
	if (v)
		*cap = want;
	return v;
}

/* 0 or -ENOMEM; the element is copied in. */
#define vec_push(vec, ...)                                                                       \
	({                                                                                       \
		void *vec_room_v = vec_room((vec)->v, (vec)->n, &(vec)->cap, sizeof(*(vec)->v)); \
		if (vec_room_v) {                                                                \
			(vec)->v = vec_room_v;                                                   \
			(vec)->v[(vec)->n++] = (__VA_ARGS__);                                    \
		}                                                                                \
		vec_room_v ? 0 : -ENOMEM;                                                        \
	})

#define vec_free(vec)                      \
	do {                               \
		free((vec)->v);            \
		(vec)->v = NULL;           \
		(vec)->n = (vec)->cap = 0; \
	} while (0)

#endif
